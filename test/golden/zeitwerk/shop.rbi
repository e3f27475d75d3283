# typed: true

# Generated from shop.thrift by sparpack generate: do not edit.

module IDLFixtures
  module Shop
    # Who.
    UserId = ::T.let(::T.unsafe(nil), ::Sparpack::Type)

    AdminId = ::T.let(::T.unsafe(nil), ::T.any(::Sparpack::Type, ::Sparpack::Type::Name))
    Nodes = ::T.let(::T.unsafe(nil), ::Sparpack::Type)
    ByStatus = ::T.let(::T.unsafe(nil), ::Sparpack::Type)

    # How it is.
    #
    # Really.
    module Status
      extend ::Sparpack::Enum

      ACTIVE = ::T.let(::T.unsafe(nil), ::Integer)
      ACTIVE_TWO = ::T.let(::T.unsafe(nil), ::Integer)
    end
    # over
    Status::END = ::T.let(::T.unsafe(nil), ::Integer)

    LIMIT = ::T.let(::T.unsafe(nil), ::Integer)
    BYTES = ::T.let(::T.unsafe(nil), ::String)
    BY_NAME = ::T.let(::T.unsafe(nil), ::T::Hash[::String, ::T::Array[::Integer]])
    ROOT = ::T.let(::T.unsafe(nil), ::IDLFixtures::Shop::Node)

    class Empty < ::Sparpack::Struct
      sig { params(block: ::T.nilable(::T.proc.params(object: Empty).void)).void }
      def initialize(&block); end
    end

    # A node.
    class Node < ::Sparpack::Struct
      sig do
        params(
          value: ::IDLFixtures::Shop::Value,
          nodes: ::T.nilable(::T::Array[::IDLFixtures::Shop::Node]),
          status: ::T.nilable(::Integer),
          user_id: ::T.nilable(::Integer),
          class: ::T.nilable(::String),
          origin: ::T.nilable(::IDLFixtures::Shared::Point),
          texts: ::T.nilable(::T::Array[::String]),
          ids: ::T.nilable(::T::Set[::String]),
          self: ::T.nilable(::IDLFixtures::Shop::Node),
          block: ::T.nilable(::T.proc.params(object: Node).void)
        ).void
      end
      def initialize(value: ::T.unsafe(nil), nodes: nil, status: nil, user_id: nil, class: nil, origin: nil, texts: nil, ids: nil, self: nil, &block); end

      sig { returns(::IDLFixtures::Shop::Value) }
      attr_accessor :value

      # more
      sig { returns(::T.nilable(::T::Array[::IDLFixtures::Shop::Node])) }
      attr_accessor :nodes

      sig { returns(::T.nilable(::Integer)) }
      attr_accessor :status

      sig { returns(::T.nilable(::Integer)) }
      attr_accessor :user_id

      sig { returns(::T.nilable(::String)) }
      attr_accessor :class_
      alias class= class_=

      sig { returns(::T.nilable(::IDLFixtures::Shared::Point)) }
      attr_accessor :origin

      sig { returns(::T.nilable(::T::Array[::String])) }
      attr_accessor :texts

      sig { returns(::T.nilable(::T::Set[::String])) }
      attr_accessor :ids

      sig { returns(::T.nilable(::IDLFixtures::Shop::Node)) }
      attr_accessor :self
    end

    class Value < ::Sparpack::Union
      sig do
        params(
          text: ::T.nilable(::String),
          node: ::T.nilable(::IDLFixtures::Shop::Node),
          block: ::T.nilable(::T.proc.params(object: Value).void)
        ).void
      end
      def initialize(text: nil, node: nil, &block); end

      sig { params(value: ::String).returns(::T.attached_class) }
      def self.text(value); end

      sig { params(value: ::IDLFixtures::Shop::Node).returns(::T.attached_class) }
      def self.node(value); end

      sig { returns(::T.nilable(::String)) }
      attr_accessor :text

      sig { returns(::T.nilable(::IDLFixtures::Shop::Node)) }
      attr_accessor :node
    end

    class Gone < ::Sparpack::Exception
      sig do
        params(
          text: ::T.untyped,
          message: ::T.nilable(::String),
          block: ::T.nilable(::T.proc.params(object: Gone).void)
        ).void
      end
      def initialize(text = nil, message: nil, &block); end

      sig { returns(::String) }
      def message; end

      sig { params(message: ::T.nilable(::String)).returns(::T.nilable(::String)) }
      def message=(message); end
    end

    class Users < ::IDLFixtures::Shared::Base
      class Ping_args < ::Sparpack::Struct
        sig { params(block: ::T.nilable(::T.proc.params(object: Ping_args).void)).void }
        def initialize(&block); end
      end

      class Get_user_args < ::Sparpack::Struct
        sig do
          params(
            id: ::T.nilable(::Integer),
            end: ::T.nilable(::IDLFixtures::Shared::Point),
            block: ::T.nilable(::T.proc.params(object: Get_user_args).void)
          ).void
        end
        def initialize(id: nil, end: nil, &block); end

        sig { returns(::T.nilable(::Integer)) }
        attr_accessor :id

        sig { returns(::T.nilable(::IDLFixtures::Shared::Point)) }
        attr_accessor :end
      end

      class Get_user_result < ::Sparpack::Struct
        sig do
          params(
            success: ::T.nilable(::IDLFixtures::Shop::Node),
            gone: ::T.nilable(::IDLFixtures::Shop::Gone),
            block: ::T.nilable(::T.proc.params(object: Get_user_result).void)
          ).void
        end
        def initialize(success: nil, gone: nil, &block); end

        sig { returns(::T.nilable(::IDLFixtures::Shop::Node)) }
        attr_accessor :success

        sig { returns(::T.nilable(::IDLFixtures::Shop::Gone)) }
        attr_accessor :gone
      end
    end
  end
end
