# frozen_string_literal: true

require "test_helper"
require "support/command"
require "support/random_schema"
require "support/seeded"
require "support/spelling"
require "support/wire_forms"
require "msgpack"
require "tmpdir"

using WireForms

# Structs in MessagePack as other libraries see them: the msgpack gem, and Python's msgpack if it is installed.
class MessagePackInteropTest < Minitest::Test
  include Seeded

  PYTHON = "/usr/bin/python3"
  ROUND = <<~PYTHON_PROGRAM
    import msgpack, sys
    with open(sys.argv[1], "rb") as payloads, open(sys.argv[2], "wb") as again:
        for value in msgpack.Unpacker(payloads, strict_map_key=False, raw=False):
            again.write(msgpack.packb(value, use_bin_type=True))
  PYTHON_PROGRAM

  # What a struct is as a Hash by names, by ids, or as an Array.
  def plain(object, form)
    fields = object.class.schema.fields.sort_by(&:id)
    set = fields.reject { |field| object[field.name].nil? }
    set = set.to_h { |field| [field, value(field.type, object[field.name], form)] }
    return set.transform_keys(&:idl_name) if form == :message_pack_names
    return set.transform_keys(&:id) if form == :message_pack_ids
    return set.map { |field, value| [field.id, value] }.first if object.is_a?(Sparpack::Union)

    by_id = set.transform_keys(&:id)
    fields.empty? ? [] : (0..fields.last.id).map { |id| by_id[id] }
  end

  def value(type, value, form)
    case type.kind
    when :struct, :union then plain(value, form)
    when :list, :set then value.map { |each| value(type.element, each, form) }
    when :map then value.to_h { |key, each| [value(type.key, key, form), value(type.element, each, form)] }
    else value
    end
  end

  FORMS = %i[message_pack message_pack_names message_pack_ids].freeze

  def each_object
    100.times do
      schema = RandomSchema.new(random)
      object = schema.object(schema.struct_class)
      FORMS.each { |form| yield object, form if WireForms.holds?(form, object.class) }
    end
  end

  def test_the_gem_writes_the_same_bytes_and_reads_them
    each_object do |object, form|
      bytes = object.encode(form)

      assert_equal MessagePack.pack(plain(object, form)), bytes
      assert_equal object, object.class.decode(MessagePack.pack(plain(object, form)), :message_pack)
      assert_equal plain(object, form), MessagePack.unpack(bytes)
    end
  end

  class Listing < Sparpack::Struct
    field 0, :id, :i64
    field 1, :names, map(:string, list(:double))
    field 4, :blob, :binary
    field 5, :inner, "Listing"
  end

  def test_python_reads_and_rewrites_the_same_bytes
    _, status = Command.capture2e(PYTHON, "-c", "import msgpack") if File.executable?(PYTHON)
    skip "Python's msgpack is not installed" unless status&.success?

    inner = Listing.new(id: -(1 << 40), blob: (0..255).to_a.pack("C*"))
    object = Listing.new(id: 5, names: { "ü" * 40 => [0.5, -1e300], "" => [] }, inner:)
    payloads = FORMS.map { |form| object.encode(form) }
    # Python has no lists and dictionaries as keys.
    each_object { |each, form| payloads << each.encode(form) unless Spelling.compound_keys?(each) }

    assert_operator payloads.size, :>, 100
    assert_equal payloads.join, rewritten(payloads.join)
  end

  private

  # @return [String] what Python writes of what it has read
  def rewritten(bytes)
    Dir.mktmpdir do |folder|
      payloads, again = %w[payloads again].map { |name| File.join(folder, name) }
      File.binwrite(payloads, bytes)
      output, status = Command.capture2e(PYTHON, "-c", ROUND, payloads, again)

      assert_predicate status, :success?, output
      File.binread(again)
    end
  end
end
