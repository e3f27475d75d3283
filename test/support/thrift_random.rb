# frozen_string_literal: true

require "zlib"
require_relative "thrift_mode"

# Random classes in the shape that Apache's compiler generates, random objects of them, and what the thrift gem does with
# these. A process prints what it sees, so that two processes can be compared:
#
#     ruby thrift_random.rb gem|drop_in VERSION SEED ROUNDS MUTATIONS
class ThriftRandom
  SCALARS = %w[BOOL BYTE I16 I32 I64 DOUBLE STRING].freeze
  BITS = { "BYTE" => 8, "I16" => 16, "I32" => 32, "I64" => 64 }.freeze
  NAMES = %w[A B C D U E].freeze # U is a union, E an exception

  # Values that a field of another type has, or that no field may have.
  WRONG = [nil, 1.5, 2**80, "x", :a, [], {}, true, Object.new, "\xff".b, [nil], -1].freeze

  FACTORIES = { compact: :CompactProtocolFactory, binary: :BinaryProtocolFactory,
                accelerated: :BinaryProtocolAcceleratedFactory }.freeze

  # What a socket does: it gives some bytes, and not more than there are.
  class Pieces
    def initialize(bytes, size)
      @bytes = bytes.b
      @size = size
      @index = 0
    end

    def read(size)
      raise Thrift::TransportException.new(Thrift::TransportException::END_OF_FILE, "closed") if @index >= @bytes.bytesize

      piece = @bytes.byteslice(@index, [size, @size].min)
      @index += piece.bytesize
      piece
    end

    def read_all(size)
      read = "".b
      read << read(size - read.bytesize) while read.bytesize < size
      read
    end

    def left = @bytes.bytesize - @index
  end

  def initialize(seed, out)
    @random = Random.new(seed)
    @out = out
    @round = 0
  end

  # @param mutations [Integer] how many faulty messages to read for each object
  def run(rounds, mutations)
    rounds.times do |round|
      @round = round
      make_classes if (round % 5).zero?
      ThriftTools.wires.each { |wire| wire(wire, mutations) }
    end
  end

  private

  def wire(wire, mutations)
    object = value(["STRUCT", NAMES.sample(random: @random)])
    object.freeze if @random.rand(9).zero?
    bytes = @random.rand(4).zero? ? serialized(wire, object) : written(wire, object)
    targets = [object.class, classes.sample(random: @random)]
    read(wire, targets.first, bytes)
    mutations.times { read(wire, targets.sample(random: @random), mutated(bytes)) }
  end

  # The gem changes the encodings of what it writes, so an object is written once.
  # @return [String] what was written, even if that failed
  def written(wire, object)
    transport, bytes = target
    note("#{wire} write", ThriftTools.outcome { object.write(protocol(wire, transport), *depth).inspect })
    note("#{wire} bytes", ThriftTools.hex(bytes.call))
    bytes.call.delete_prefix("before")
  end

  # @return [String] the bytes, or nothing
  def serialized(wire, object)
    bytes = "".b
    serializer = Thrift::Serializer.new(factory(wire))
    note("#{wire} serialize", ThriftTools.outcome { ThriftTools.hex(bytes = serializer.serialize(object)) })
    bytes
  end

  def note(title, text)
    text = text.gsub(/0x\h+/, "0x")
    text = "#{text[0, 300]} … #{Zlib.crc32(text)}" if text.size > 320
    @out.puts("#{@round} #{title}: #{text}".tr("\n", " "))
  end

  # --- reading ----------------------------------------------------------------------------------------------------------

  def read(wire, klass, bytes)
    return deserialize(wire, klass, bytes) if @random.rand(12).zero?

    kind = @random.rand(5)
    existing = given(klass)
    more = bytes if @random.rand(3).zero?
    transport, left = transport(kind, more ? bytes + more : bytes)
    iprot = protocol(wire, transport)
    [existing, *(klass.new if more)].each do |one|
      returned = ThriftTools.outcome { one.read(iprot, *depth).inspect }
      note("#{wire} read #{klass} #{kind} #{ThriftTools.hex(bytes)[0, 100]}",
           "#{returned}, #{ThriftTools.show(one)}, left #{left.call}")
    end
  end

  def deserialize(wire, klass, bytes)
    deserializer = Thrift::Deserializer.new(factory(wire))
    one = given(klass)
    returned = ThriftTools.outcome { deserializer.deserialize(one, bytes.dup).equal?(one).inspect }
    note("#{wire} deserialize #{klass} #{ThriftTools.hex(bytes)[0, 100]}", "#{returned}, #{ThriftTools.show(one)}")
  end

  # @return [Object] to be read: new, or with values from before, which may be wrong, or frozen
  def given(klass)
    name = klass.name[/\w+\z/]
    case @random.rand(10)
    when 0..3 then klass.new
    when 4 then klass.allocate
    when 5 then value(["STRUCT", name]).freeze
    when 6 then value(["STRUCT", name]).tap { |one| one.instance_variable_set(:@other, 1) }
    when 7 then value(["STRUCT", name]).tap { |one| spoil(one) }
    else value(["STRUCT", name])
    end
  end

  def spoil(object)
    names = object.instance_variables.sort
    object.instance_variable_set(names.sample(random: @random), WRONG.sample(random: @random)) unless names.empty?
  end

  def factory(wire) = Thrift.const_get(FACTORIES.fetch(wire)).new

  # @return [Boolean] whether this version of the gem limits strings and levels
  def limits? = Thrift.const_defined?(:DEFAULT_RECURSION_DEPTH)

  # @return [Thrift::BaseProtocol] newer versions have a limit for strings that are read
  def protocol(wire, transport)
    limits = limits? && @random.rand(6).zero? ? { max_string_size: [1, 4, 100, nil].sample(random: @random) } : {}
    inner = ThriftTools.protocol(wire, transport, **limits)
    @random.rand(8).zero? ? Thrift::MultiplexedProtocol.new(inner, "service") : inner
  end

  # @return [Array<Integer>] the argument of newer versions that says how many levels there may be
  def depth = limits? && @random.rand(5).zero? ? [[0, 1, 2, 3, 5, 63, 64, 65, 2**40, -1].sample(random: @random)] : []

  # @return [Array(Object, Proc)] a transport to write to, and what it got
  def target
    memory = ThriftTools.memory(+"before")
    case @random.rand(4)
    when 0 then http
    when 1 then buffer(Thrift::FramedTransport.new(memory))
    when 2 then buffer(Thrift::BufferedTransport.new(memory))
    else [memory, -> { memory.instance_variable_get(:@buf) }]
    end
  end

  def buffer(transport) = [transport, -> { transport.instance_variable_get(:@wbuf) }]

  def http
    transport = Thrift::HTTPClientTransport.new("http://localhost/")
    [transport, -> { transport.instance_variable_get(:@outbuf) }]
  end

  # @return [Array(Object, Proc)] a transport that holds the bytes, and how to find out what is left in it
  def transport(kind, bytes)
    case kind
    when 0, 1
      memory = ThriftTools.memory(bytes)
      [memory, -> { memory.available }]
    when 2
      frames(bytes)
    when 3
      source = Pieces.new(bytes, 1 + @random.rand(40))
      buffered = Thrift::BufferedTransport.new(source)
      [buffered, -> { [unread(buffered), 0].max + source.left }]
    else
      http = Thrift::HTTPClientTransport.new("http://localhost/")
      input = StringIO.new(bytes.dup)
      http.instance_variable_set(:@inbuf, input)
      [http, -> { bytes.bytesize - input.pos }]
    end
  end

  def frames(bytes)
    at = @random.rand(bytes.bytesize + 1)
    parts = @random.rand(3).zero? ? [bytes[0, at], bytes[at..]] : [bytes]
    source = Pieces.new(parts.map { |part| [part.bytesize].pack("N") + part }.join.b, 1 + @random.rand(40))
    framed = Thrift::FramedTransport.new(source)
    [framed, -> { "#{[unread(framed), 0].max} #{source.left}" }]
  end

  def unread(transport) = transport.instance_variable_get(:@rbuf).bytesize - transport.instance_variable_get(:@index)

  def mutated(bytes)
    case @random.rand(6)
    when 0 then bytes[0, @random.rand(bytes.bytesize + 1)]
    when 1 then bytes + @random.bytes(3)
    when 2 then @random.bytes(@random.rand(12))
    when 3 then bytes[0, @random.rand(bytes.bytesize + 1)] + bytes[@random.rand(bytes.bytesize + 1)..]
    else
      bytes.dup.tap do |copy|
        (1 + @random.rand(2)).times do
          unless copy.empty?
            copy.setbyte(@random.rand(copy.bytesize),
                         [0, 1, 0xff, 0x0f, @random.rand(256)].sample(random: @random))
          end
        end
      end
    end
  end

  # --- classes ----------------------------------------------------------------------------------------------------------

  def classes = NAMES.map { |name| @module.const_get(name) }

  def make_classes
    Object.send(:remove_const, :Fuzz) if Object.const_defined?(:Fuzz)
    @module = Object.const_set(:Fuzz, Module.new)
    @fields = NAMES.to_h { |name| [name, fields(name)] }
    @module.module_eval(<<~RUBY, __FILE__, __LINE__ + 1)
      module Enum
        VALUE_MAP = { 1 => "ONE", 2 => "TWO", 9 => "NINE" }
        VALID_VALUES = Set.new([1, 2, 9]).freeze
      end
      #{NAMES.map { |name| "class #{name}#{base(name)}; end" }.join("\n")}
      #{NAMES.map { |name| source(name) }.join("\n")}
    RUBY
  end

  def base(name) = { "U" => " < ::Thrift::Union", "E" => " < ::Thrift::Exception" }[name]

  def source(name)
    union = name == "U"
    kind = union ? "Union" : "Struct"
    <<~RUBY
      class #{name}#{base(name)}
        include #{"::Thrift::Struct, " unless union}::Thrift::Struct_Union
        FIELDS = { #{@fields[name].map { |id, field| "#{id} => #{definition(field, union)}" }.join(", ")} }
        def struct_fields; FIELDS; end
        def validate
          #{union ? union_checks(name) : checks(name)}
          #{own(name, "validate")}
        end
        #{own(name, "initialize")}
        ::Thrift::#{kind}.generate_accessors self
      end
    RUBY
  end

  # What a class does itself now and then, and what native code has to call.
  def own(name, method)
    return if @random.rand(12).positive?

    first = @fields[name].values.first
    if method == "initialize"
      return if name == "E"

      sets = "@#{first[:name]} ||= #{first[:default].inspect}" if first && name != "U" && @random.rand(2).zero?
      "def initialize(*)\nsuper\n#{sets}\nend"
    elsif first && name != "U" && @random.rand(2).zero?
      "raise(ArgumentError, 'own') if @#{first[:name]}.to_s.size == #{@random.rand(4)}"
    else
      "hash if frozen?"
    end
  end

  # @return [Hash{Integer => Hash}] by field id
  def fields(name)
    ids = [*1..8, 15, 16, 17, 300, -3, 0].sample(name == "U" ? 5 : @random.rand(9), random: @random)
    ids.each_with_index.to_h do |id, index|
      type = type(0)
      enum = type == "I32" && @random.rand(3).zero?
      required = name != "U" && @random.rand(6).zero?
      default = default(type, enum) if name != "U" && @random.rand(5).zero?
      [id, { name: "f#{index}", type:, enum:, required:, default:, optional: @random.rand(3).zero? }]
    end
  end

  # What `inspect` writes as Ruby reads it.
  def default(type, enum)
    case type
    in "DOUBLE" then [0.0, -1.5, 3].sample(random: @random)
    in "I32" if enum then [1, 9, 9, 12].sample(random: @random)
    in String then value(type)
    in ["LIST", "I16" | "I32" | "STRING" => element] then Array.new(2) { value(element) }
    in ["MAP", "I32" | "STRING" => key, "I32" | "STRING" => element] then { value(key) => value(element) }
    else nil
    end
  end

  def scalar?(type) = type.is_a?(String)

  def type(depth)
    case @random.rand(depth > 2 ? 6 : 11)
    when 0..5 then (SCALARS + ["BINARY"]).sample(random: @random)
    when 6 then ["LIST", type(depth + 1)]
    when 7 then ["SET", type(depth + 1)]
    when 8 then ["MAP", type(depth + 1), type(depth + 1)]
    else ["STRUCT", NAMES.sample(random: @random)]
    end
  end

  def definition(field, union)
    parts = [type_of(field[:type]), ":name => '#{field[:name]}'"]
    parts << ":default => #{field[:default].inspect}" unless field[:default].nil?
    parts << ":optional => true" if field[:optional] || union
    parts << ":enum_class => ::Fuzz::Enum" if field[:enum]
    "{#{parts.join(", ")}}"
  end

  def type_of(type)
    case type
    in String then type == "BINARY" ? ":type => ::Thrift::Types::STRING, :binary => true" : ":type => ::Thrift::Types::#{type}"
    in ["LIST" | "SET" => name, element] then ":type => ::Thrift::Types::#{name}, :element => {#{type_of(element)}}"
    in ["MAP", key, value]
      ":type => ::Thrift::Types::MAP, :key => {#{type_of(key)}}, :value => {#{type_of(value)}}"
    in ["STRUCT", name] then ":type => ::Thrift::Types::STRUCT, :class => ::Fuzz::#{name}"
    end
  end

  FAULT = "::Thrift::ProtocolException.new(::Thrift::ProtocolException::INVALID_DATA"
  private_constant :FAULT

  def checks(name)
    required, enums = %i[required enum].map { |key| @fields[name].values.select { |field| field[key] } }
    lines = required.map do |field|
      condition = field[:type] == "BOOL" ? "if @#{field[:name]}.nil?" : "unless @#{field[:name]}"
      "raise #{FAULT}, 'Required field #{field[:name]} is unset!') #{condition}"
    end
    lines += enums.map do |field|
      "unless @#{field[:name]}.nil? || ::Fuzz::Enum::VALID_VALUES.include?(@#{field[:name]})\n" \
        "raise #{FAULT}, 'Invalid value of field #{field[:name]}!')\nend"
    end
    lines.join("\n")
  end

  def union_checks(name)
    lines = @fields[name].values.select { |field| field[:enum] }.map do |field|
      "if get_set_field == :#{field[:name]}\nraise #{FAULT}, 'Invalid value of field #{field[:name]}!') " \
        "unless ::Fuzz::Enum::VALID_VALUES.include?(get_value)\nend"
    end
    ["raise(StandardError, 'Union fields are not set.') if get_set_field.nil? || get_value.nil?", *lines].join("\n")
  end

  # --- values -----------------------------------------------------------------------------------------------------------

  def value(type, depth = 0)
    return WRONG.sample(random: @random) if depth.positive? && @random.rand(150).zero?

    case type
    in "BOOL" then [true, false].sample(random: @random)
    in "DOUBLE" then [0.0, -1.5, 1e300, Float::INFINITY, Float::NAN, 3].sample(random: @random)
    in "STRING" then ["", "text", "ü€", "a" * 130, "\xff"].sample(random: @random).dup
    in "BINARY" then ["".b, "\xff\x00".b, "b".b].sample(random: @random).dup
    in String then [0, 1, 2, -1, (2**(BITS.fetch(type) - 1)) - 1, -2**(BITS.fetch(type) - 1), 9].sample(random: @random)
    in ["LIST", element] then Array.new(size(depth)) { value(element, depth + 1) }
    in ["SET", element] then set(Array.new(size(depth)) { value(element, depth + 1) })
    in ["MAP", key, element] then Array.new(size(depth)) { [value(key, depth + 1), value(element, depth + 1)] }.to_h
    in ["STRUCT", name] then object(name, depth + 1)
    end
  end

  # Deep values end soon. A long list has another header than a short one.
  def size(depth)
    if depth > 3
      0
    else
      [0, 1, 2, 2, depth.zero? ? 16 : 3].sample(random: @random)
    end
  end

  def set(values)
    case @random.rand(4)
    when 0 then values
    when 1 then values.to_h { |value| [value, true] }
    else Set.new(values)
    end
  end

  def object(name, depth)
    klass = @module.const_get(name)
    fields = @fields.fetch(name).values
    return union(klass, fields, depth) if name == "U"

    object = klass.new
    fields.each do |field|
      next if @random.rand(depth > 2 ? 2 : 8).zero? && !(field[:required] && @random.rand(20).positive?)
      next if depth > 4 && !scalar?(field[:type])

      object.instance_variable_set("@#{field[:name]}", field_value(field, depth))
    end
    object
  end

  def field_value(field, depth)
    return [1, 2, 9, 9, 9, @random.rand(12)].sample(random: @random) if field[:enum]

    value(field[:type], depth)
  end

  def union(klass, fields, depth)
    fields = fields.select { |field| scalar?(field[:type]) } if depth > 4
    field = fields.sample(random: @random) or return klass.new
    klass.new.tap do |union|
      union.instance_variable_set(:@setfield, @random.rand(9).zero? ? field[:name] : field[:name].to_sym)
      union.instance_variable_set(:@value, field_value(field, depth))
    end
  end
end

if $PROGRAM_NAME == __FILE__
  mode, version, *numbers = ARGV
  ThriftMode.load(mode, version)
  seed, rounds, mutations = numbers.map { |number| Integer(number) }
  ThriftRandom.new(seed, $stdout).run(rounds, mutations)
end
