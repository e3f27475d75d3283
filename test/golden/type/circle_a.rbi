# typed: true

# Generated from circle_a.thrift by sparpack generate: do not edit.

module IDLFixtures
  module CircleA
    class A < ::Sparpack::Struct
      sig { params(b: ::T.nilable(::IDLFixtures::CircleB::B), name: ::T.nilable(::String)).void }
      def initialize(b: nil, name: nil); end

      sig { returns(::T.nilable(::IDLFixtures::CircleB::B)) }
      attr_accessor :b

      sig { returns(::T.nilable(::String)) }
      attr_accessor :name
    end

    class ServiceA < ::Sparpack::Service
      class Get_args < ::Sparpack::Struct
        sig { params(a: ::T.nilable(::IDLFixtures::CircleA::A)).void }
        def initialize(a: nil); end

        sig { returns(::T.nilable(::IDLFixtures::CircleA::A)) }
        attr_accessor :a
      end

      class Get_result < ::Sparpack::Struct
        sig { params(success: ::T.nilable(::IDLFixtures::CircleB::B)).void }
        def initialize(success: nil); end

        sig { returns(::T.nilable(::IDLFixtures::CircleB::B)) }
        attr_accessor :success
      end
    end
  end
end
