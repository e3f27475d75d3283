# frozen_string_literal: true

# Turns the values of values.json into those of a MessagePack library: the gem's or ours.
class MessagePackNotation
  DOUBLES = { "NaN" => Float::NAN, "Infinity" => Float::INFINITY, "-Infinity" => -Float::INFINITY }.freeze

  # @param library [Module] has ExtensionValue and Timestamp
  def initialize(library)
    @library = library
  end

  # @param written [Object] as JSON has it
  # @return [Object]
  def value(written)
    case written
    when Array then written.map { |element| value(element) }
    when Hash then special(*written.first)
    else written
    end
  end

  # Does the reverse. Doubles are written by their bits, because NaN equals nothing.
  #
  # @param found [Object]
  # @return [Object]
  def write(found)
    case found
    when Array then found.map { |element| write(element) }
    when Hash then { "map" => found.map { |pair| write(pair) } }
    when Float then { "bits" => [found].pack("G").unpack1("H*") }
    when @library::ExtensionValue then { "ext" => [found.type, write(found.payload)] }
    when @library::Timestamp then { "timestamp" => [found.sec, found.nsec] }
    when String then found.encoding == Encoding::BINARY ? { "hex" => found.unpack1("H*") } : found
    else found
    end
  end

  private

  def special(kind, inner)
    case kind
    when "hex" then [inner].pack("H*")
    when "double" then DOUBLES.fetch(inner) { Float(inner) }
    when "repeat" then value(inner[0]) * inner[1]
    when "map" then inner.to_h { |pair| value(pair) }
    when "count_map" then (0...inner).to_h { |key| [key, nil] }
    when "nested" then (inner - 1).times.reduce([]) { |nested, _| [nested] }
    when "ext" then @library::ExtensionValue.new(inner[0], value(inner[1]))
    when "timestamp" then @library::Timestamp.new(*inner)
    else raise ArgumentError, kind
    end
  end
end
