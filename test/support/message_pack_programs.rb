# frozen_string_literal: true

require "stringio"
require_relative "message_pack_values"

# Makes random sequences of calls of a packer, an unpacker or a buffer. A program is a list of calls, and two libraries must
# give the same results for it.
#
# Intended differences are left out (message_pack/api_test.rb lists them): an unpacker that raised is reset.
module MessagePackPrograms
  extend MessagePackValues

  SIZES = [0, 1, 15, 16, 31, 32, 255, 256, 65_535, 65_536, (2**32) - 1].freeze
  OPTIONS = { symbolize_keys: true, freeze: true, key_cache: true, allow_unknown_ext: true, io_buffer_size: 1024,
              read_reference_threshold: 1, write_reference_threshold: 1 }.freeze

  # Arguments that every writer method of this name refuses.
  REFUSED = { write_string: 1, write_array: {}, write_hash: [], write_symbol: "a", write_int: 1.5, write_bin: nil,
              write_float32: "1", write_extension: 5, write: 2**64, pack: Object.new, write_array_header: "1" }.freeze

  module_function

  # --- Programs ---------------------------------------------------------------------------------------------------------

  def packer(random) = Array.new(1 + random.rand(30)) { packer_call(random) }

  def packer_call(random)
    case random.rand(14)
    when 0..3 then [%i[write pack].sample(random:), random_value(random, 3, keys: :any)]
    when 4 then [%i[write_nil write_true write_false].sample(random:)]
    when 5 then [:write_int, random_integer(random)]
    when 6 then [%i[write_float write_float32].sample(random:), [random_float(random), 5, 1r / 3, 2**70].sample(random:)]
    when 7 then text_call(random)
    when 8 then [%i[write_array_header write_map_header write_bin_header].sample(random:), SIZES.sample(random:)]
    when 9 then [:write_ext, random.rand(256) - 128, random.bytes(random.rand(20))]
    when 10 then [:write_extension, random.rand(256) - 128, random.bytes([1, 2, 4, 8, 16, 17, 300].sample(random:))]
    when 11 then REFUSED.to_a.sample(random:)
    else [%i[reset clear to_s to_str to_a size empty? full_pack flush write_to compatibility_mode?].sample(random:)]
    end
  end

  def text_call(random)
    [[:write_string, ["text ä" * random.rand(60), "\xFF".b, :sym.name].sample(random:)],
     [:write_bin, ["seven bits", "\xFF\0".b].sample(random:) * random.rand(60)],
     [:write_symbol, [:a, :"ä ö"].sample(random:)],
     [:write_array, Array.new(random.rand(20))], [:write_hash, { "a" => 1, b: nil }]].sample(random:)
  end

  # Values one after another, either fed whole and read in any way, or fed in pieces and each read with feed_each.
  def unpacker(random)
    return Array.new(1 + random.rand(12)) { unpacker_call(random) } if random.rand < 0.6

    bytes = Array.new(1 + random.rand(5)) { packed(random) }.join
    cuts = Array.new(random.rand(8)) { random.rand(bytes.bytesize + 1) }.sort
    [0, *cuts, bytes.bytesize].each_cons(2).map do |from, to|
      [%i[feed_each each].sample(random:), bytes.byteslice(from...to)]
    end
  end

  def unpacker_call(random)
    case random.rand(10)
    when 0..3 then [%i[feed feed_reference].sample(random:), packed(random)]
    when 4, 5 then [%i[read unpack].sample(random:)]
    when 6 then [%i[skip skip_nil].sample(random:)]
    when 7 then [%i[read_array_header read_map_header].sample(random:)]
    when 8 then [%i[full_unpack each reset].sample(random:)]
    else [%i[symbolize_keys? freeze? allow_unknown_ext? registered_types].sample(random:)]
    end
  end

  def packed(random) = Sparpack::MessagePack.pack(random_value(random, 3))

  # With an io, only reading is compared. How much is read ahead is not.
  def buffer(random, with_io)
    Array.new(1 + random.rand(40)) do
      size = [0, 1, 2, 5, 100, 1_000].sample(random:)
      case random.rand(with_io ? 6 : 9)
      when 0 then [:read, size]
      when 1 then [:read_all, size]
      when 2 then [:skip, size]
      when 3 then [:skip_all, size]
      when 4 then random.rand < 0.2 ? [%i[read read_all].sample(random:)] : [:read_into, size]
      when 5 then with_io ? [:io] : [%i[<< write].sample(random:), random.bytes(random.rand(300))]
      when 6 then [:<<, ["ä" * random.rand(9), "abc", random.bytes(20_000)].sample(random:)]
      else [%i[size empty? to_s to_str to_a clear write_to flush].sample(random:)]
      end
    end
  end

  # --- Running a program with a library ---------------------------------------------------------------------------------

  def run_packer(library, program, options)
    packer = library::Packer.new(options)
    program.map { |call| told(library) { call(library, packer, call) } }
  end

  def run_unpacker(library, program, options)
    unpacker = library::Unpacker.new(options)
    program.map do |call|
      told(library) { call(library, unpacker, call) }.tap { |found| unpacker.reset if found.is_a?(Symbol) }
    end
  end

  def run_buffer(library, program, source)
    buffer = source ? library::Buffer.new(StringIO.new(source)) : library::Buffer.new
    program.map { |call| told(library) { call(library, buffer, call) } }
  end

  def call(library, object, (name, *arguments))
    case name
    when :write_extension
      object.write_extension(arguments.size == 2 ? library::ExtensionValue.new(*arguments) : arguments[0])
    when :write_to then StringIO.new("".b).then { |io| [object.write_to(io), io.string] }
    when :to_a then object.to_a.join.b # each library may choose how many pieces
    when :each then (arguments.empty? ? object : object.feed(*arguments)).each.to_a
    when :feed_each then object.feed_each(*arguments).to_a
    when :read_into then [object.read(arguments[0], into = "".b), into]
    else object.public_send(name, *arguments)
    end
  end

  # Returns a result that both libraries can have, or the class of an error.
  def told(library)
    plain(library, yield)
  rescue StandardError => e
    :"#{e.class.name.delete_prefix("Sparpack::")}"
  end

  def plain(library, found)
    case found
    when library::Packer, library::Unpacker, library::Buffer then "itself"
    when library::ExtensionValue then ["extension", found.type, found.payload]
    when StringIO then "io"
    when Array then [found.frozen?, found.map { |element| plain(library, element) }]
    when Hash then [found.frozen?, found.map { |key, value| [plain(library, key), plain(library, value)] }]
    when String then [found, found.encoding, found.frozen?]
    when Symbol then [found, found.encoding]
    when Float then [found].pack("G")
    else found
    end
  end
end
