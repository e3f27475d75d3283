# typed: true

# Generated from circle_b.thrift by sparpack generate: do not edit.

module IDLFixtures
  module CircleB
    Many = T.let(T.unsafe(nil), ::Sparpack::Type)

    class B < ::Sparpack::Struct
      sig do
        params(
          as: T.nilable(T::Array[::IDLFixtures::CircleA::A]),
          many: T.nilable(T::Array[::IDLFixtures::CircleA::A])
        ).void
      end
      def initialize(as: nil, many: nil); end

      sig { returns(T.nilable(T::Array[::IDLFixtures::CircleA::A])) }
      def as; end

      sig { params(value: T.nilable(T::Array[::IDLFixtures::CircleA::A])).returns(T.nilable(T::Array[::IDLFixtures::CircleA::A])) }
      def as=(value); end

      sig { returns(T.nilable(T::Array[::IDLFixtures::CircleA::A])) }
      def many; end

      sig { params(value: T.nilable(T::Array[::IDLFixtures::CircleA::A])).returns(T.nilable(T::Array[::IDLFixtures::CircleA::A])) }
      def many=(value); end
    end
  end
end
