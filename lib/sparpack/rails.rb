# frozen_string_literal: true

require "sparpack"

module Sparpack
  # Structs in a Rails application. docs/rails.md shows it at work.
  #
  # It is loaded by `require "sparpack/rails"`. Nothing of Rails is loaded by that.
  #
  # @example
  #   gem "sparpack", require: "sparpack/rails" # in the Gemfile
  module Rails
    autoload :CacheCompressor, "sparpack/rails/cache_compressor"
    autoload :CachePlace, "sparpack/rails/cache_place"
    autoload :CacheSerializer, "sparpack/rails/cache_serializer"
    autoload :CacheTypes, "sparpack/rails/cache_types"
    autoload :IdlFiles, "sparpack/rails/idl_files"
    autoload :JobSerializer, "sparpack/rails/job_serializer"
    autoload :Requests, "sparpack/rails/requests"
    autoload :StructNames, "sparpack/rails/struct_names"
  end
end

require "sparpack/rails/railtie" if defined?(Rails::Railtie)
