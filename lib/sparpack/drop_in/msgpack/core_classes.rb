# frozen_string_literal: true

# What the msgpack gem adds to Ruby's own classes, as it does.

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

# Packs itself as text, or as bytes where it is ASCII-8BIT.
class String
  include MessagePack::CoreExt

  private

  def to_msgpack_with_packer(packer) = packer.write_string(self)
end

# Packs itself and what is in it.
class Array
  include MessagePack::CoreExt

  private

  def to_msgpack_with_packer(packer) = packer.write_array(self)
end

# Packs itself and what is in it.
class Hash
  include MessagePack::CoreExt

  private

  def to_msgpack_with_packer(packer) = packer.write_hash(self)
end

# Packs itself in as few bytes as it takes.
class Integer
  include MessagePack::CoreExt

  private

  def to_msgpack_with_packer(packer) = packer.write_int(self)
end

# Packs itself as its name.
class Symbol
  include MessagePack::CoreExt

  # @!method self.from_msgpack_ext(data)
  #   @param data [String] as {#to_msgpack_ext} answers it
  #   @return [Symbol]
  define_singleton_method(:from_msgpack_ext, &MessagePack::Symbols.method(:from_msgpack_ext)) # rubocop:disable Performance/MethodObjectAsBlock -- it is told from others by where it stands

  alias to_msgpack_ext name

  private

  def to_msgpack_with_packer(packer) = packer.write_symbol(self)
end
