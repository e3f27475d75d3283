# frozen_string_literal: true

module Sparpack
  # Describes how objects of a plain Ruby class, a Struct or a Data are encoded and decoded. The class needs no base class,
  # and nothing is put into it: a class may have several mappings, and a mapping is known only to those who have it. A
  # mapping is frozen. Pass it to {Codec#initialize}, or use it as the type of a field.
  #
  # Make a mapping when its class is complete. It looks at the readers and at the constructor only once.
  #
  # @example
  #   Point = Struct.new(:x, :y)
  #   POINT = Sparpack::Mapping.new(Point, { 0 => :x, 1 => :y })
  #   codec = Sparpack::Codec.new(POINT, :message_pack)
  #   codec.decode(codec.encode(Point.new(1, 2))) # => #<struct Point x=1, y=2>
  class Mapping
    # How objects can be made, in the order of the native core.
    BUILDS = %i[keywords positional allocate].freeze

    # Members without a type hold whatever MessagePack can say.
    UNTYPED = Type.new(:any)
    private_constant :UNTYPED

    # @return [Class] the class of the objects
    attr_reader :mapped_class

    # @return [Hash{Integer, String => Symbol}] the name of each member by its id or its name in the payload
    attr_reader :members

    # @return [Symbol] how objects are made: one of {BUILDS}
    attr_reader :build

    # Describes a class.
    #
    # A member is read by the public method of its name. If that is a plain `attr_reader`, or the accessor of a Struct or a
    # Data, its value is read directly and nothing is called.
    #
    # @param mapped_class [Class]
    # @param members [Hash{Integer, String, Symbol => Symbol}, Array<Symbol>] the members. With Integers as keys, these are
    #   the places of an array in MessagePack, and the ids of fields in the other wires. With names as keys, or as an Array
    #   of names, objects are maps
    # @param types [Hash{Symbol => Object}] types of members by their names, as {Declaration#field} takes them. A member
    #   without a type holds any value of MessagePack, and only `:message_pack` can write it
    # @param required [Array<Symbol>] members that encoding and decoding refuse an object without. nil is not there
    # @param build [Symbol, nil] how decoding makes an object: `:keywords` passes members to the constructor by name,
    #   `:positional` passes them in the order of `members`, and `:allocate` sets the instance variables, or the members of a
    #   Struct, and calls no constructor. nil means what the parameters of `initialize` suggest: see docs/plain_classes.md
    # @raise [SchemaError] if objects of the class cannot be read or made in this way
    # @raise [ArgumentError] if `mapped_class` is not a class, or for an unknown option
    # @example
    #   Person = Struct.new(:name, :age, keyword_init: true)
    #   Sparpack::Mapping.new(Person, %i[name age], types: { name: :string, age: :i32 }, build: :keywords)
    def initialize(mapped_class, members, types: {}, required: [], build: nil, **unknown)
      Native.load_parts
      Options.refuse(unknown, Mapping.instance_method(:initialize)) unless unknown.empty?
      @mapped_class = check_class(mapped_class)
      @members = check_members(members)
      keep_blocks(Declared.shareable(fields_of(types, required)))
      readers = @members.each_value.map { |name| Reader.new(mapped_class, name) }
      construction = Construction.new(mapped_class, @members.values, build)
      @build = construction.build
      Native.map(self, fields.map { |field| [field.id, field.name, nil, nil] },
                 [mapped_class, BUILDS.index(@build), construction.filler, construction.calls_new, construction.mandatory,
                  readers.map { |reader| [reader.place, reader.plain?, construction.mandatory?(reader.name)] },
                  Reading.procs(readers)],
                 by_name?)
      Ractor.make_shareable(self)
    end

    # @return [Array<Field>] the members as fields; the type of an untyped member has the kind `:any`
    # @raise [SchemaError] if a block gives a type, and the mapping was not used in the main Ractor before
    # @api private
    def fields
      @fields || @unresolved.instance_variable_get(:@fields)
    rescue ::Ractor::IsolationError
      Declared.refuse_block(self)
    end

    # Drops the blocks that gave types.
    #
    # @param fields [Array<Field>] the same fields with resolved types, shareable
    # @return [void]
    # @api private
    def keep(fields) = @unresolved&.instance_variable_set(:@fields, fields)

    # @return [Boolean] whether members have names in a payload, and no ids
    def by_name? = !@members.first&.first.is_a?(Integer)

    # @return [String, nil] the name of the class
    def name = mapped_class.name

    # @return [String] the name of the class, as errors show it
    def to_s = mapped_class.to_s

    # @return [String]
    def inspect = "#<#{self.class} #{mapped_class} #{members} build: #{build.inspect}>"

    # @param object [Object]
    # @return [Boolean] whether the object is of the class or of a subclass
    def ===(object) = mapped_class === object # rubocop:disable Style/CaseEquality -- the same as for a class

    # @param object [Object] an object of the class
    # @return [Hash{Symbol => Object}] its members by name
    # @api private
    def read(object) = members.each_value.to_h { |name| [name, object.public_send(name)] }

    # Describes a mapping for Marshal. The class and the types must be ones that Marshal can dump.
    #
    # @return [Array]
    # @api private
    def marshal_dump
      types = fields.to_h { |field| [field.name, field.type] }.reject { |_, type| type == UNTYPED }
      [mapped_class, members, { types:, required: fields.select(&:required?).map(&:name), build: }]
    end

    # @param parts [Array] what {#marshal_dump} returned
    # @return [void]
    # @api private
    def marshal_load(parts)
      mapped_class, members, options = parts
      initialize(mapped_class, members, **options)
    end

    private

    def check_class(given)
      unless given.is_a?(Class) && !given.singleton_class?
        raise ArgumentError, "expected a class to map, got #{Quote.value(given)}"
      end
      return given unless given.is_a?(Declaration) || Adopted.shape(given)

      raise SchemaError, "#{Quote.plain(given)} has fields already: use the class itself in place of a mapping"
    end

    def check_members(given)
      pairs = given.is_a?(Array) ? given.map { |name| [name, name] } : given
      unless given.is_a?(Array) || given.is_a?(Hash)
        fail_with "members are a Hash or an Array of names, not #{Quote.value(given)}"
      end
      fail_with "a mapping needs at least one member" if pairs.empty?

      found = pairs.map { |key, name| [check_key(key), check_name(name)] }
      if found.map { |key, _| key.is_a?(Integer) }.uniq.size > 1
        fail_with "members have either ids or names, and these have both: #{Quote.value(found.map(&:first))}"
      end
      found.transpose.each { |parts| check_unique(parts) }
      found.sort_by! { |key, _| key } if found[0][0].is_a?(Integer)
      found.to_h.freeze
    end

    def check_key(key)
      case key
      when 0..32_767 then return key if key.is_a?(Integer)
      when Symbol, String then return -Names.utf8(key.to_s)
      end
      fail_with "a member has an id from 0 to 32767 or a name, not #{Quote.value(key)}"
    end

    def check_name(name)
      return name if Names.member?(name)

      fail_with "a member is the name of a method, such as :x, not #{Quote.value(name)}#{Advice.member(name)}"
    end

    def check_unique(parts)
      twice = parts.tally.find { |_, count| count > 1 } or return
      fail_with "two members are #{Quote.value(twice.first)}"
    end

    def fields_of(types, required)
      fail_with "types is a Hash from names to types, not #{Quote.value(types)}" unless types.is_a?(Hash)
      fail_with "required is an Array of names, not #{Quote.value(required)}" unless required.is_a?(Array)
      check_known(types.keys, :types)
      check_known(required, :required)
      members.each_with_index.map do |(key, name), index|
        type = types.key?(name) ? Type.of(types[name]) : UNTYPED
        Field.new(id: key.is_a?(Integer) ? key : index, name:, type:, idl_name: key.is_a?(Integer) ? name.name : key,
                  requiredness: required.include?(name) ? :required : :default)
      rescue SchemaError => e
        Field.fail(self, name, e)
      end
    end

    def check_known(names, option)
      known = members.values
      wrong = names.find { |name| !known.include?(name) } or return
      fail_with "#{option}: #{Quote.value(wrong)} is not a member#{Names.hint(wrong, known)}"
    end

    def fail_with(message) = raise(SchemaError, "#{Quote.plain(mapped_class)}: #{message}")

    # All Ractors may have a mapping, but blocks are not shareable. A module may hold what is not.
    def keep_blocks(fields)
      shareable = ::Ractor.shareable?(fields)
      @fields = shareable ? fields : nil
      @unresolved = shareable ? nil : Module.new
      keep(fields)
    end
  end
end

require_relative "mapping/construction"
require_relative "mapping/reader"
require_relative "mapping/reading"
