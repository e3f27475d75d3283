# frozen_string_literal: true

require "test_helper"
require "support/reading"
require "support/thrift_stub"
require "support/apache_shop"

# Dumps of adopted objects. Marshal restores their instance variables itself, even hidden ones, and checks none of them.
class AdoptedDumpsTest < Minitest::Test
  include Reading

  # A dump may hold anything in place of kept fields.
  def test_what_marshal_puts_in_place_of_kept_fields_does_no_harm
    kept = codec(unknown: :keep).decode(writer(:compact).message([3000, :string, "new"]))
    dump = Marshal.dump(kept)
    (0...dump.bytesize).each do |place|
      [0, 1, 127, 255].each do |byte|
        changed = dump.dup.tap { |bytes| bytes.setbyte(place, byte) }
        begin
          codec.encode(load_dump(changed))
        rescue StandardError, NoMemoryError
          next # Marshal's own error, or a fault
        end
      end
    end
    assert_equal kept, load_dump(dump)
  end

  # Bytes that no decode has kept are not fields.
  def test_kept_fields_of_a_dump_that_cannot_be_read_are_ignored
    good = "\x0b\x0b\xb8\0\0\0\x03new".b
    dump = Marshal.dump(codec(unknown: :keep).decode(writer(:compact).message([3000, :string, "new"])))
    none = codec.encode(load_dump(dump.sub(dumped(good), dumped(nil))))
    long = ["", "\0", "#{good}\x0b", good[..-2], good * 2, "\x0b\x0b\xb8\x7f\xff\xff\xff", "\x0c\x0b\xb8" * 2000]

    ["\x0b", "\x0b\x0b", "\x0b\x0b\xb8", *long].each do |broken|
      object = load_dump(dump.sub(dumped(good)) { dumped(broken.b) })

      assert_equal none, codec.encode(object)
      assert_equal codec(:binary).encode(codec.decode(none)), codec(:binary).encode(object)
    end
    refute_equal none, codec.encode(load_dump(dump))
  end

  private

  def codec(wire = :compact, **options) = Sparpack::Codec.new(Shop::Everything, wire, **options)

  def load_dump(dump) = Marshal.load(dump) # rubocop:disable Security/MarshalLoad -- our own

  # What stands in a dump for an object, without the version of the format.
  def dumped(object) = Marshal.dump(object)[2..]
end
