# typed: true

# Generated from shop.thrift by sparpack generate: do not edit.

module IDLFixtures
  module Shop
    # Who.
    UserId = T.let(T.unsafe(nil), ::Sparpack::Type)

    AdminId = T.let(T.unsafe(nil), ::Sparpack::Type)
    Nodes = T.let(T.unsafe(nil), ::Sparpack::Type)
    ByStatus = T.let(T.unsafe(nil), ::Sparpack::Type)

    # How it is.
    #
    # Really.
    module Status
      extend ::Sparpack::Enum

      ACTIVE = T.let(T.unsafe(nil), ::Integer)
      ACTIVE_TWO = T.let(T.unsafe(nil), ::Integer)
    end

    LIMIT = T.let(T.unsafe(nil), ::Integer)
    BYTES = T.let(T.unsafe(nil), ::String)
    BY_NAME = T.let(T.unsafe(nil), T::Hash[::String, T::Array[::Integer]])
    ROOT = T.let(T.unsafe(nil), ::IDLFixtures::Shop::Node)

    class Empty < ::Sparpack::Struct
      sig { void }
      def initialize; end
    end

    # A node.
    class Node < ::Sparpack::Struct
      sig do
        params(
          value: ::IDLFixtures::Shop::Value,
          nodes: T.nilable(T::Array[::IDLFixtures::Shop::Node]),
          status: T.nilable(::Integer),
          user_id: T.nilable(::Integer),
          class: T.nilable(::String),
          origin: T.nilable(::IDLFixtures::Shared::Point),
          texts: T.nilable(T::Array[::String]),
          ids: T.nilable(T::Set[::String]),
          self: T.nilable(::IDLFixtures::Shop::Node)
        ).void
      end
      def initialize(value: T.unsafe(nil), nodes: nil, status: nil, user_id: nil, class: nil, origin: nil, texts: nil, ids: nil, self: nil); end

      sig { returns(::IDLFixtures::Shop::Value) }
      def value; end

      sig { params(value: ::IDLFixtures::Shop::Value).returns(::IDLFixtures::Shop::Value) }
      def value=(value); end

      # more
      sig { returns(T.nilable(T::Array[::IDLFixtures::Shop::Node])) }
      def nodes; end

      sig { params(value: T.nilable(T::Array[::IDLFixtures::Shop::Node])).returns(T.nilable(T::Array[::IDLFixtures::Shop::Node])) }
      def nodes=(value); end

      sig { returns(T.nilable(::Integer)) }
      def status; end

      sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
      def status=(value); end

      sig { returns(T.nilable(::Integer)) }
      def user_id; end

      sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
      def user_id=(value); end

      sig { returns(T.nilable(::String)) }
      def class_; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def class_=(value); end

      sig { returns(T.nilable(::IDLFixtures::Shared::Point)) }
      def origin; end

      sig { params(value: T.nilable(::IDLFixtures::Shared::Point)).returns(T.nilable(::IDLFixtures::Shared::Point)) }
      def origin=(value); end

      sig { returns(T.nilable(T::Array[::String])) }
      def texts; end

      sig { params(value: T.nilable(T::Array[::String])).returns(T.nilable(T::Array[::String])) }
      def texts=(value); end

      sig { returns(T.nilable(T::Set[::String])) }
      def ids; end

      sig { params(value: T.nilable(T::Set[::String])).returns(T.nilable(T::Set[::String])) }
      def ids=(value); end

      sig { returns(T.nilable(::IDLFixtures::Shop::Node)) }
      def self; end

      sig { params(value: T.nilable(::IDLFixtures::Shop::Node)).returns(T.nilable(::IDLFixtures::Shop::Node)) }
      def self=(value); end
    end

    class Value < ::Sparpack::Union
      sig { params(text: T.nilable(::String), node: T.nilable(::IDLFixtures::Shop::Node)).void }
      def initialize(text: nil, node: nil); end

      sig { params(value: ::String).returns(T.attached_class) }
      def self.text(value); end

      sig { params(value: ::IDLFixtures::Shop::Node).returns(T.attached_class) }
      def self.node(value); end

      sig { returns(T.nilable(::String)) }
      def text; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def text=(value); end

      sig { returns(T.nilable(::IDLFixtures::Shop::Node)) }
      def node; end

      sig { params(value: T.nilable(::IDLFixtures::Shop::Node)).returns(T.nilable(::IDLFixtures::Shop::Node)) }
      def node=(value); end
    end

    class Gone < ::Sparpack::Exception
      sig { params(text: T.untyped, message: T.nilable(::String)).void }
      def initialize(text = nil, message: nil); end

      sig { returns(T.nilable(::String)) }
      def message; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def message=(value); end
    end

    class Users < ::IDLFixtures::Shared::Base
      class Ping_args < ::Sparpack::Struct
        sig { void }
        def initialize; end
      end

      class Get_user_args < ::Sparpack::Struct
        sig { params(id: T.nilable(::Integer), end: T.nilable(::IDLFixtures::Shared::Point)).void }
        def initialize(id: nil, end: nil); end

        sig { returns(T.nilable(::Integer)) }
        def id; end

        sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
        def id=(value); end

        sig { returns(T.nilable(::IDLFixtures::Shared::Point)) }
        def end; end

        sig { params(value: T.nilable(::IDLFixtures::Shared::Point)).returns(T.nilable(::IDLFixtures::Shared::Point)) }
        def end=(value); end
      end

      class Get_user_result < ::Sparpack::Struct
        sig { params(success: T.nilable(::IDLFixtures::Shop::Node), gone: T.nilable(::IDLFixtures::Shop::Gone)).void }
        def initialize(success: nil, gone: nil); end

        sig { returns(T.nilable(::IDLFixtures::Shop::Node)) }
        def success; end

        sig { params(value: T.nilable(::IDLFixtures::Shop::Node)).returns(T.nilable(::IDLFixtures::Shop::Node)) }
        def success=(value); end

        sig { returns(T.nilable(::IDLFixtures::Shop::Gone)) }
        def gone; end

        sig { params(value: T.nilable(::IDLFixtures::Shop::Gone)).returns(T.nilable(::IDLFixtures::Shop::Gone)) }
        def gone=(value); end
      end
    end
  end
end
