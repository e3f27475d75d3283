# frozen_string_literal: true

# Adds the same methods to Ruby's own classes as the msgpack gem.

# Packs itself as nil.
class NilClass
  include MessagePack::CoreExt

  private

  def to_msgpack_with_packer(packer) = packer.write_nil
end

# Packs itself as true.
class TrueClass
  include MessagePack::CoreExt

  private

  def to_msgpack_with_packer(packer) = packer.write_true
end

# Packs itself as false.
class FalseClass
  include MessagePack::CoreExt

  private

  def to_msgpack_with_packer(packer) = packer.write_false
end

# Packs itself as a double.
class Float
  include MessagePack::CoreExt

  private

  def to_msgpack_with_packer(packer) = packer.write_float(self)
end

# Packs itself as str, or as bin if it is in ASCII-8BIT.
class String
  include MessagePack::CoreExt

  private

  def to_msgpack_with_packer(packer) = packer.write_string(self)
end

# Packs itself with its elements.
class Array
  include MessagePack::CoreExt

  private

  def to_msgpack_with_packer(packer) = packer.write_array(self)
end

# Packs itself with its keys and values.
class Hash
  include MessagePack::CoreExt

  private

  def to_msgpack_with_packer(packer) = packer.write_hash(self)
end

# Packs itself in as few bytes as possible.
class Integer
  include MessagePack::CoreExt

  private

  def to_msgpack_with_packer(packer) = packer.write_int(self)
end

# Packs itself as its name.
class Symbol
  include MessagePack::CoreExt

  # @!method self.from_msgpack_ext(data)
  #   Returns the Symbol of a payload that {#to_msgpack_ext} made.
  #
  #   @param data [String]
  #   @return [Symbol]
  define_singleton_method(:from_msgpack_ext, &MessagePack::Symbols.method(:from_msgpack_ext)) # rubocop:disable Performance/MethodObjectAsBlock -- its source location tells it from other methods

  alias to_msgpack_ext name

  private

  def to_msgpack_with_packer(packer) = packer.write_symbol(self)
end
