# frozen_string_literal: true

module Sparpack
  # Which fields of a struct are rendered, and which of those further down: what `only:`, `except:` and `include:` say.
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
    # @return [Hash{String => Object, nil}] each name and what its list says of the names further down; nil where it names
    #   the whole
    def self.names(list)
      case list
      when Symbol, String then { list.to_s => nil }
      when Hash then list.to_h { |name, below| [name.to_s, (below unless below == true)] }
      when Array, Set then list.map { |element| names(element) }.reduce({}) { |all, names| join(all, names) }
      else {}
      end
    end

    # The whole wins over a part.
    def self.join(all, names)
      all.merge(names) { |_, one, other| [one, other] unless one.nil? || other.nil? }
    end

    # @param names [Hash{String => Object, nil}]
    # @return [Array<Symbol, Hash>] a list that says the same
    def self.list(names) = names.map { |name, below| below.nil? ? name.to_sym : { name.to_sym => below } }

    # @param only [Object, nil] a list of names, or nil for all
    # @param except [Object, nil] a list of names, which go further down, too
    # @param include [Object, nil] a list of names that are rendered besides; below a name are options, as in ActiveModel
    def initialize(only: nil, except: nil, include: nil)
      @only = only.nil? ? nil : Selection.names(only)
      @except = Selection.names(except)
      @include = Selection.names(include)
      @all = @only.nil? && @except.empty? && @include.empty?
      @below = {}.compare_by_identity
    end

    # @return [Boolean] whether it leaves nothing out
    def all? = @all

    # @param name [String, Symbol] of something that is no field
    # @return [Boolean] whether it is left out at every depth
    def except?(name)
      name = name.to_s
      @except.key?(name) && @except[name].nil?
    end

    # @param field [Field]
    # @return [Selection, nil] which of the fields below it are rendered; nil if it is not rendered itself
    def below(field)
      return self if @all

      @below.fetch(field) { @below[field] = find([field.name.name, field.idl_name].uniq) }
    end

    # @param name [Object] of something that is no field
    # @return [Selection, nil] as {#below}
    def at(name) = all? ? self : find([name.to_s])

    # @return [Selection] what it leaves out at every depth
    def rest = @only.nil? && @include.empty? ? self : Selection.new(except: @except)

    # @return [Hash{Symbol => Array, Object}] options that select the same, for an `as_json` that is not ours
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

  # Every field.
  Selection::ALL = Ractor.make_shareable(Selection.new)
end
