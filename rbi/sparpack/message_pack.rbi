# typed: true

module Sparpack
  # Ruby's own values to MessagePack's bytes and back.
  module MessagePack
    class UnpackError < ::StandardError; end
    class MalformedFormatError < UnpackError; end
    class UnknownExtTypeError < UnpackError; end
    class StackError < UnpackError; end

    sig { params(value: T.untyped).returns(::String) }
    def self.pack(value); end

    sig { params(bytes: ::String).returns(T.untyped) }
    def self.unpack(bytes); end

    sig { params(value: T.untyped).returns(::String) }
    def self.dump(value); end

    sig { params(bytes: ::String).returns(T.untyped) }
    def self.load(bytes); end
  end
end
