# frozen_string_literal: true

require "test_helper"

# A uuid is 36 characters in Ruby and 16 bytes on the wire (RFC 9562, section 4).
class UuidTest < Minitest::Test
  class Tagged < Sparpack::Struct
    field 1, :id, :uuid
  end

  LOWER = "01234567-89ab-cdef-0123-456789abcdef"
  BYTES = [LOWER.delete("-")].pack("H*")

  # The neighbours of "0".."9", "a".."f" and "A".."F", and characters that differ from digits by one bit.
  WRONG = ["/", ":", "`", "g", "@", "G", " ", "\0", "\x7f", "x", "Z"].freeze
  HYPHENS = [8, 13, 18, 23].freeze

  def test_either_case_is_encoded_and_decodes_in_lowercase
    [LOWER, LOWER.upcase, LOWER.sub("abcdef", "AbCdEf")].each do |text|
      %i[compact binary].each do |wire|
        bytes = encode(text, wire)

        assert_includes bytes, BYTES, text.inspect
        assert_equal LOWER, Tagged.decode(bytes, wire).id
      end
    end
  end

  def test_every_byte_is_written_and_read
    256.times do |byte|
      text = format("%02x", byte).*(16).unpack("a8a4a4a4a12").join("-")

      assert_equal text, Tagged.decode(encode(text.upcase)).id
    end
  end

  def test_other_lengths_are_refused
    (0..80).each do |size|
      next if size == 36

      refute_accepted (LOWER * 3)[0, size]
    end
    refute_accepted "#{LOWER}\0"
    refute_accepted "#{LOWER}\n"
    refute_accepted LOWER.delete("-")
    refute_accepted "{#{LOWER}}"
  end

  def test_every_character_is_checked
    36.times do |place|
      (HYPHENS.include?(place) ? [*WRONG, "0", "a", "_"] : [*WRONG, "-"]).each do |wrong|
        [LOWER, LOWER.upcase].each do |text|
          changed = text.dup
          changed[place] = wrong
          refute_accepted changed
        end
      end
    end
  end

  def test_characters_of_several_bytes_are_refused
    refute_accepted LOWER.tr("0", "\u0660")          # 36 characters, more bytes
    refute_accepted "#{LOWER[0, 34]}\u00e9"          # 35 characters, 36 bytes
    refute_accepted LOWER.tr("0", "\uff10").byteslice(0, 36).b
  end

  private

  def encode(text, wire = :compact) = Tagged.new(id: text).encode(wire)

  def refute_accepted(text)
    %i[compact binary].each do |wire|
      error = assert_raises(Sparpack::EncodeError, text.inspect) { encode(text, wire) }

      assert_equal "UuidTest::Tagged.id", error.path, text.inspect
    end
    refute Tagged.new(id: text).valid?(:strict), text.inspect
  end
end
