# frozen_string_literal: true

require "test_helper"
require "support/fresh_ruby"
require "bundler"
require "tmpdir"

# Structs in a program that has loaded all of Active Support: in caches that use Marshal or MessagePack, both with the
# msgpack gem and with Sparpack as its drop-in. The examples of docs/rails_parameters.md run as a test of that page.
class ActiveSupportTest < Minitest::Test
  include FreshRuby

  ENGINES = { gem: 'require "msgpack"', drop_in: 'require "sparpack/drop_in/msgpack"' }.freeze

  CLASSES = <<~'RUBY'
    require "sparpack"
    require "active_support/all"
    require "active_support/message_pack"
    require "tmpdir"

    module Shop
      module Status
        extend Sparpack::Enum

        OPEN = 1
      end

      class Line < Sparpack::Struct
        field 1, :cents, :i64, required: true
        field 2, :note, :string
      end

      class Payment < Sparpack::Union
        field 1, :card, :string
        field 2, :cash, Line
      end

      class Gone < Sparpack::Exception
        field 1, :message, :string
        field 2, :line, Line
      end

      class Order < Sparpack::Struct
        field 1, :id, :i64, required: true
        field 2, :status, Status, default: Status::OPEN
        field 3, :lines, list(Line)
        field 4, :tags, set(:string)
        field 5, :by_line, map(Line, list(:double))
        field 6, :payment, Payment
        field 7, :photo, :binary
        field 8, :similar, "Shop::Order"
      end

      # Variants that have the names of methods which a serializer needs.
      class Odd < Sparpack::Union
        field 1, :decode, :string
        field 2, :from_msgpack_ext, :string
        field 3, :to_msgpack_ext, :string
      end

      class Rush < Order
      end

      # The fields that an older version of Line has.
      class OldLine < Sparpack::Struct
        field 1, :cents, :i64, required: true
      end
    end

    include Shop

    LINE = Line.new(cents: 5, note: "ä")
    VALUES = [
      LINE, Payment.card("visa"), Payment.new(cash: LINE), Gone.new("sold", line: LINE), Rush.new(id: 2),
      Odd.decode("a"), Odd.from_msgpack_ext_("a"), Odd.to_msgpack_ext_("a"),
      Order.new(id: 1, lines: [LINE, Line.new(cents: -2**63)], tags: Set["a"], by_line: { LINE => [1.5, -0.0] },
                payment: Payment.card("visa"), photo: "\xFF".b, similar: Order.new(id: 2)),
      OldLine.decode(LINE.encode, unknown: :keep), Line.decode("\x16\x02\x18\x01\xFF\x00".b, utf8: :keep),
      [LINE, { line: LINE, "lines" => Set[LINE] }], 5
    ].freeze
    CACHE = ActiveSupport::MessagePack::CacheSerializer
  RUBY

  # --- The cache serializer :message_pack -------------------------------------------------------------------------------

  ROUND_TRIPS = <<~RUBY
    dumps = VALUES.map { |value| CACHE.dump(value) }
    again = dumps.map { |bytes| CACHE.load(bytes) }
    File.binwrite(ARGV.last, Marshal.dump([dumps, again.zip(VALUES).map { |a, b| a == b && a.class == b.class }]))
  RUBY

  def test_what_the_serializer_packs_it_reads
    results = ENGINES.values.map { |load| fresh_result(load + "\n#{CLASSES}#{ROUND_TRIPS}") }

    assert_equal([[true]] * 2, results.map { |_, same| same.uniq })
    assert_equal(*results.map(&:first)) # so each reads what the other wrote
  end

  STORES = <<~RUBY
    result = Dir.mktmpdir do |folder|
      [ActiveSupport::Cache::MemoryStore.new(serializer: :message_pack),
       ActiveSupport::Cache::FileStore.new(folder, serializer: :message_pack)].map do |store|
        VALUES.each_with_index { |value, index| store.write(index, value, expires_in: 60) }
        read = VALUES.each_index.map { |index| store.read(index) } + store.read_multi(*VALUES.each_index.to_a).values
        [read == VALUES * 2, store.fetch("new") { LINE } == LINE, store.fetch("new") { flunk } == LINE]
      end
    end
    File.binwrite(ARGV.last, Marshal.dump(result))
  RUBY

  def test_stores_keep_structs
    ENGINES.each_value do |load|
      assert_equal [[true] * 3] * 2, fresh_result(load + "\n#{CLASSES}#{STORES}")
    end
  end

  # A class that changes after an entry was written, and values that no message can hold.
  FAULTS = <<~'RUBY'
    require "logger"
    store = ActiveSupport::Cache::MemoryStore.new(serializer: :message_pack)
    store.write("line", LINE)
    store.write("lines", [LINE] * 3)
    Shop.send(:remove_const, :Line)
    class Shop::Line < Sparpack::Struct
      field 1, :cents, :string
    end
    new = Shop::Line.new(cents: "5")
    misses = [store.read("line"), store.read_multi("line", "lines"), store.exist?("line"), store.fetch("line") { new } == new,
              store.read("line") == new]
    Shop.send(:remove_const, :Line)
    class Shop::Line < Sparpack::Struct
      field 1, :cents, :string
      field 9, :currency, :string, required: true
    end
    misses << store.fetch("line") { 1 }
    broken = [Shop::Line.new(cents: "5"), [Shop::Line.new(cents: 5, currency: "EUR")]].map do |value|
      store.write("broken", value)
    rescue Sparpack::EncodeError => e
      [e.class.name, e.message, store.read("broken")]
    end
    outside = begin
      Shop::Line.from_msgpack_ext("\x00".b)
    rescue StandardError => e
      [e.class.name, e.message, e.cause.class.name]
    end
    File.binwrite(ARGV.last, Marshal.dump([misses, broken, outside]))
  RUBY

  def test_an_entry_that_the_class_cannot_read_is_a_miss
    ENGINES.each_value do |load|
      misses, broken, outside = fresh_result(load + "\n#{CLASSES}#{FAULTS}")

      assert_equal [nil, {}, false, true, true, 1], misses
      assert_equal [["Sparpack::EncodeError::MissingField", "Shop::Line.currency: expected a required field, found none " \
                                                            "(compact)", nil],
                    ["Sparpack::EncodeError::TypeMismatch", "Shop::Line.cents: expected string, found 5 (compact)", nil]],
                   broken
      assert_equal ["ActiveSupport::Cache::DeserializationError",
                    "Shop::Line.currency: expected a required field, found none (compact, byte 1)",
                    "Sparpack::DecodeError::MissingField"], outside
    end
  end

  def test_without_active_support_it_is_a_decode_error
    struct = Class.new(Sparpack::Struct) { field 1, :id, :i64, required: true }

    assert_equal struct.new(id: 1), struct.from_msgpack_ext(struct.new(id: 1).to_msgpack_ext)
    assert_raises(Sparpack::DecodeError::MissingField) { struct.from_msgpack_ext("\x00".b) }
  end

  # --- Messages: cookies, tokens ----------------------------------------------------------------------------------------

  MESSAGES = <<~RUBY
    verifier = ActiveSupport::MessageVerifier.new("secret", serializer: :message_pack)
    refused = begin
      verifier.generate(LINE)
    rescue ActiveSupport::MessagePack::UnserializableObjectError => e
      e.message
    end
    ActiveSupport::MessagePack.message_pack_factory = MessagePack::Factory.new
    ActiveSupport::MessagePack.register_type(20, Shop::Line, packer: :to_msgpack_ext, unpacker: :from_msgpack_ext)
    message = verifier.generate([LINE, { line: LINE }], purpose: :order)
    result = verifier.verified(message, purpose: :order) == [LINE, { line: LINE }]
    File.binwrite(ARGV.last, Marshal.dump([refused, result, verifier.verified(message + "x", purpose: :order)]))
  RUBY

  def test_a_class_can_be_registered_for_messages
    ENGINES.each_value do |load|
      refused, result, forged = fresh_result(load + "\n#{CLASSES}#{MESSAGES}")

      assert_match(/\AUnsupported type Shop::Line for object/, refused)
      assert_equal [true, nil], [result, forged]
    end
  end
end
