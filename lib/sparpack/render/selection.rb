# frozen_string_literal: true

module Sparpack
  # Selects the fields of a struct that are rendered, and the fields further down, by `only:`, `except:` and `include:`.
  #
  # A list of names is a Symbol, a String, a Hash from names to lists of names further down, or an Array of these.
  #
  # @api private
  class Selection
    # @param options [Object] a Hash that may have `only:`, `except:` and `include:`; anything else selects all
    # @return [Selection]
    def self.of(options)
      return ALL unless options.is_a?(Hash) && %i[only except include].any? { |name| options[name] }

      new(only: options[:only], except: options[:except], include: options[:include])
    end

    # @param list [Object] a list of names
    # @return [Hash{String => Object, nil}] each name with the list of names further down; nil if everything there is meant
    def self.names(list)
      case list
      when Symbol, String then { list.to_s => nil }
      when Hash then list.to_h { |name, below| [name.to_s, (below unless below == true)] }
      when Array, Set then list.map { |element| names(element) }.reduce({}) { |all, names| join(all, names) }
      else {}
      end
    end

    # Joins two lists of names. If one of them means all of a field, the other's part of it does not matter.
    def self.join(all, names)
      all.merge(names) { |_, one, other| [one, other] unless one.nil? || other.nil? }
    end

    # @param names [Hash{String => Object, nil}]
    # @return [Array<Symbol, Hash>] the same as a list of names
    def self.list(names) = names.map { |name, below| below.nil? ? name.to_sym : { name.to_sym => below } }

    # @param only [Object, nil] a list of names, or nil for all
    # @param except [Object, nil] a list of names to leave out at every depth
    # @param include [Object, nil] a list of names to render in addition; a Hash has options for each, as in Active Model
    def initialize(only: nil, except: nil, include: nil)
      @only = only.nil? ? nil : Selection.names(only)
      @except = Selection.names(except)
      @include = Selection.names(include)
      @all = @only.nil? && @except.empty? && @include.empty?
      @below = {}.compare_by_identity
    end

    # @return [Boolean] whether it leaves nothing out
    def all? = @all

    # @param name [String, Symbol] the name of something that is not a field
    # @return [Boolean] whether it is left out at every depth
    def except?(name)
      name = name.to_s
      @except.key?(name) && @except[name].nil?
    end

    # @param field [Field]
    # @return [Selection, nil] the selection for the fields below it; nil if the field is not rendered
    def below(field)
      return self if @all

      @below.fetch(field) { @below[field] = find([field.name.name, field.idl_name].uniq) }
    end

    # @param name [Object] the name of something that is not a field
    # @return [Selection, nil] as {#below}
    def at(name) = all? ? self : find([name.to_s])

    # @return [Selection] a selection that only leaves out the names that are left out at every depth
    def rest = @only.nil? && @include.empty? ? self : Selection.new(except: @except)

    # @return [Hash{Symbol => Array, Object}] options that select the same, for the `as_json` of another class
    def options
      { only: @only && Selection.list(@only), except: Selection.list(@except), include: @include }
        .reject { |name, names| names.nil? || (names.empty? && name != :only) }
    end

    private

    def find(names)
      return if names.any? { |name| except?(name) }

      included = names.find { |name| @include.key?(name) }
      chosen = names.find { |name| @only.key?(name) } if @only
      return if @only && !chosen && !included

      options = [@include[included]].flatten.grep(Hash).reduce({}, :merge)
      only = chosen && @only[chosen]
      only = options[:only] if only.nil?
      excepted = [*@except.values_at(*names), options[:except]].compact
      return self if only.nil? && @only.nil? && excepted.empty? && @include.empty?

      Selection.new(only:, except: [@except, *excepted], include: options[:include])
    end
  end

  # Selects every field.
  Selection::ALL = Ractor.make_shareable(Selection.new)
end
