# typed: true

# Generated from base.thrift by sparpack generate: do not edit.

module IDLFixtures
  module Shared
    class Point < ::Sparpack::Struct
      sig do
        params(
          x: ::T.nilable(::Integer),
          y: ::T.nilable(::Integer),
          block: ::T.nilable(::T.proc.params(object: Point).void)
        ).void
      end
      def initialize(x: nil, y: nil, &block); end

      sig { returns(::T.nilable(::Integer)) }
      attr_accessor :x

      sig { returns(::T.nilable(::Integer)) }
      attr_accessor :y
    end

    # All services have this.
    class Base < ::Sparpack::Service
      class Origin_args < ::Sparpack::Struct
        sig { params(block: ::T.nilable(::T.proc.params(object: Origin_args).void)).void }
        def initialize(&block); end
      end

      class Origin_result < ::Sparpack::Struct
        sig do
          params(
            success: ::T.nilable(::IDLFixtures::Shared::Point),
            block: ::T.nilable(::T.proc.params(object: Origin_result).void)
          ).void
        end
        def initialize(success: nil, &block); end

        sig { returns(::T.nilable(::IDLFixtures::Shared::Point)) }
        attr_accessor :success
      end
    end
  end
end
