# typed: true

# Generated from base.thrift by sparpack generate: do not edit.

module IDLFixtures
  module Shared
    class Point < ::Sparpack::Struct
      sig { params(x: ::T.nilable(::Integer), y: ::T.nilable(::Integer)).void }
      def initialize(x: nil, y: nil); end

      sig { returns(::T.nilable(::Integer)) }
      attr_accessor :x

      sig { returns(::T.nilable(::Integer)) }
      attr_accessor :y
    end

    # All services have this.
    class Base < ::Sparpack::Service
      class Origin_args < ::Sparpack::Struct
        sig { void }
        def initialize; end
      end

      class Origin_result < ::Sparpack::Struct
        sig { params(success: ::T.nilable(::IDLFixtures::Shared::Point)).void }
        def initialize(success: nil); end

        sig { returns(::T.nilable(::IDLFixtures::Shared::Point)) }
        attr_accessor :success
      end
    end
  end
end
