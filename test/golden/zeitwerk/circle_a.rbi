# typed: true

# Generated from circle_a.thrift by sparpack generate: do not edit.

module IDLFixtures
  module CircleA
    class A < ::Sparpack::Struct
      sig { params(b: T.nilable(::IDLFixtures::CircleB::B), name: T.nilable(::String)).void }
      def initialize(b: nil, name: nil); end

      sig { returns(T.nilable(::IDLFixtures::CircleB::B)) }
      def b; end

      sig { params(value: T.nilable(::IDLFixtures::CircleB::B)).returns(T.nilable(::IDLFixtures::CircleB::B)) }
      def b=(value); end

      sig { returns(T.nilable(::String)) }
      def name; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def name=(value); end
    end

    class ServiceA < ::Sparpack::Service
      class Get_args < ::Sparpack::Struct
        sig { params(a: T.nilable(::IDLFixtures::CircleA::A)).void }
        def initialize(a: nil); end

        sig { returns(T.nilable(::IDLFixtures::CircleA::A)) }
        def a; end

        sig { params(value: T.nilable(::IDLFixtures::CircleA::A)).returns(T.nilable(::IDLFixtures::CircleA::A)) }
        def a=(value); end
      end

      class Get_result < ::Sparpack::Struct
        sig { params(success: T.nilable(::IDLFixtures::CircleB::B)).void }
        def initialize(success: nil); end

        sig { returns(T.nilable(::IDLFixtures::CircleB::B)) }
        def success; end

        sig { params(value: T.nilable(::IDLFixtures::CircleB::B)).returns(T.nilable(::IDLFixtures::CircleB::B)) }
        def success=(value); end
      end
    end
  end
end
