# frozen_string_literal: true

require "sparpack"

begin
  require "active_support/lazy_load_hooks" # it requires nothing
rescue LoadError
  raise LoadError, "sparpack/rails needs Rails 7.1 or newer, or Active Model or Active Support alone: write " \
                   "`gem \"rails\"` into the Gemfile"
end

module Sparpack
  # Uses structs in Rails: as attributes of models, in caches, jobs and controllers. docs/rails.md shows it at work.
  #
  # It is loaded by `require "sparpack/rails"`, which loads nothing of Rails and patches nothing. Everything here is loaded
  # when it is first used.
  #
  # @example
  #   class Invoice < ApplicationRecord
  #     attribute :order, :sparpack, of: "Shop::Order"
  #     validates :order, sparpack: true
  #   end
  module Rails
    autoload :Assigned, "sparpack/rails/assigned"
    autoload :Bound, "sparpack/rails/bound"
    autoload :CacheCompressor, "sparpack/rails/cache_compressor"
    autoload :CachePlace, "sparpack/rails/cache_place"
    autoload :CacheSerializer, "sparpack/rails/cache_serializer"
    autoload :CacheTypes, "sparpack/rails/cache_types"
    autoload :FormErrors, "sparpack/rails/form_errors"
    autoload :IdlFiles, "sparpack/rails/idl_files"
    autoload :JobSerializer, "sparpack/rails/job_serializer"
    autoload :Permit, "sparpack/rails/permit"
    autoload :Requests, "sparpack/rails/requests"
    autoload :Row, "sparpack/rails/row"
    autoload :StructNames, "sparpack/rails/struct_names"
    autoload :Target, "sparpack/rails/target"
    autoload :Type, "sparpack/rails/type"
    autoload :Validator, "sparpack/rails/validator"

    class << self
      # Makes the list of the fields of a class that `params.permit` takes: names for scalars, and Arrays and Hashes for what
      # is nested.
      #
      # `only:` and `except:` count for the class itself. Strings reach deeper: `"lines.cents"`.
      #
      # @param struct_class [Class, String] the class of a struct, union or exception, or its name
      # @param only [Array<Symbol, String>, nil] the fields that are permitted
      # @param except [Array<Symbol, String>] fields that are not
      # @param depth [Integer, nil] how many levels of a class are permitted that holds itself; 1 is the class without
      #   what is in it of the same class
      # @return [Array<Symbol, Hash>]
      # @raise [ArgumentError] if a class holds itself and `depth` is nil; for a name that is not a field; for an unknown
      #   option
      # @example
      #   Sparpack::Rails.permit(Listing, only: [:listing_id, "neighborhoods.name"])
      #   # => [:listing_id, { neighborhoods: [:name] }]
      def permit(struct_class, only: nil, except: [], depth: nil, **unknown)
        Options.refuse(unknown, method(:permit)) unless unknown.empty?
        struct_class = Object.const_get(struct_class) if struct_class.is_a?(String)
        Permit.new(struct_class, only, except, depth).list
      end

      # Wraps an object for a condition. Active Record takes an object that has a method `id` for a record, and searches for
      # that id. So it would not find an order that has a field of this name.
      #
      # @param object [Value, Array<Value>, nil]
      # @return [Bound, Array<Bound>, nil]
      # @example
      #   Invoice.where(order: Sparpack::Rails.bind(order))
      def bind(object) = object.is_a?(::Array) ? object.map { |each| bind(each) } : object && Bound.new(object)

      # Registers the type `:sparpack`. A program needs to call this only if it loaded Active Model after Sparpack, and
      # neither `ActiveModel::Model` nor Active Record.
      #
      # @param types [Module] `ActiveModel::Type` or `ActiveRecord::Type`
      # @return [void]
      # @example
      #   Sparpack::Rails.register(ActiveModel::Type)
      def register(types = ::ActiveModel::Type)
        types.register(:sparpack) { |_, *_, **options| Type.new(**options) }
      end
    end

    ::ActiveSupport.on_load(:i18n) { ::I18n.load_path << File.expand_path("rails/locale/en.yml", __dir__) }
    ::ActiveSupport.on_load(:action_view) { Value.prepend(FormErrors::Owner) }
    ::ActiveSupport.on_load(:active_model) { Sparpack::Rails.register }
    ::ActiveSupport.on_load(:active_record) do
      Sparpack::Rails.register
      Sparpack::Rails.register(::ActiveRecord::Type)
    end

    if defined?(::Rails::Railtie)
      require_relative "rails/railtie"
    elsif defined?(::ActiveModel)
      register
    end
  end
end

# `validates :order, sparpack: true` looks for a class of this name.
autoload :SparpackValidator, "sparpack/rails/validator"
