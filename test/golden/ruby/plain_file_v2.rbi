# typed: true

# Generated from plain-file.v2.thrift by sparpack generate: do not edit.

module PlainFileV2
  class UserProfile < ::Sparpack::Struct
    sig do
      params(
        user_id: T.nilable(::Integer),
        http_code: T.nilable(::Integer),
        first_name: T.nilable(::String)
      ).void
    end
    def initialize(user_id: nil, http_code: nil, first_name: nil); end

    sig { returns(T.nilable(::Integer)) }
    def user_id; end

    sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
    def user_id=(value); end

    sig { returns(T.nilable(::Integer)) }
    def http_code; end

    sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
    def http_code=(value); end

    sig { returns(T.nilable(::String)) }
    def first_name; end

    sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
    def first_name=(value); end
  end

  module UserState
    extend ::Sparpack::Enum

    INACTIVE = T.let(T.unsafe(nil), ::Integer)
    IS_ACTIVE = T.let(T.unsafe(nil), ::Integer)
  end

  MAX_COUNT = T.let(T.unsafe(nil), ::Integer)

  class UserService < ::Sparpack::Service
    class Get_user_args < ::Sparpack::Struct
      sig { params(user_id: T.nilable(::Integer)).void }
      def initialize(user_id: nil); end

      sig { returns(T.nilable(::Integer)) }
      def user_id; end

      sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
      def user_id=(value); end
    end

    class Get_user_result < ::Sparpack::Struct
      sig { params(success: T.nilable(::PlainFileV2::UserProfile)).void }
      def initialize(success: nil); end

      sig { returns(T.nilable(::PlainFileV2::UserProfile)) }
      def success; end

      sig { params(value: T.nilable(::PlainFileV2::UserProfile)).returns(T.nilable(::PlainFileV2::UserProfile)) }
      def success=(value); end
    end
  end
end
