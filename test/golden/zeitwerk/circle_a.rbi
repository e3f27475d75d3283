# typed: true

# Generated from circle_a.thrift by sparpack generate: do not edit.

module IDLFixtures
  module CircleA
    class A < ::Sparpack::Struct
      sig do
        params(
          b: ::T.nilable(::IDLFixtures::CircleB::B),
          name: ::T.nilable(::String),
          block: ::T.nilable(::T.proc.params(object: A).void)
        ).void
      end
      def initialize(b: nil, name: nil, &block); end

      sig { returns(::T.nilable(::IDLFixtures::CircleB::B)) }
      attr_accessor :b

      sig { returns(::T.nilable(::String)) }
      attr_accessor :name
    end

    class ServiceA < ::Sparpack::Service
      class Get_args < ::Sparpack::Struct
        sig do
          params(
            a: ::T.nilable(::IDLFixtures::CircleA::A),
            block: ::T.nilable(::T.proc.params(object: Get_args).void)
          ).void
        end
        def initialize(a: nil, &block); end

        sig { returns(::T.nilable(::IDLFixtures::CircleA::A)) }
        attr_accessor :a
      end

      class Get_result < ::Sparpack::Struct
        sig do
          params(
            success: ::T.nilable(::IDLFixtures::CircleB::B),
            block: ::T.nilable(::T.proc.params(object: Get_result).void)
          ).void
        end
        def initialize(success: nil, &block); end

        sig { returns(::T.nilable(::IDLFixtures::CircleB::B)) }
        attr_accessor :success
      end
    end
  end
end
