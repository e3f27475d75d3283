# typed: true

# Generated from circle_b.thrift by sparpack generate: do not edit.

module IDLFixtures
  module CircleB
    Many = ::T.let(::T.unsafe(nil), ::Sparpack::Type)

    class B < ::Sparpack::Struct
      sig do
        params(
          as: ::T.nilable(::T::Array[::IDLFixtures::CircleA::A]),
          many: ::T.nilable(::T::Array[::IDLFixtures::CircleA::A]),
          block: ::T.nilable(::T.proc.params(object: B).void)
        ).void
      end
      def initialize(as: nil, many: nil, &block); end

      sig { returns(::T.nilable(::T::Array[::IDLFixtures::CircleA::A])) }
      attr_accessor :as

      sig { returns(::T.nilable(::T::Array[::IDLFixtures::CircleA::A])) }
      attr_accessor :many
    end
  end
end
