# typed: true

# Generated from plain-file.v2.thrift by sparpack generate: do not edit.

module PlainFileV2
  class UserProfile < ::Sparpack::Struct
    sig do
      params(
        user_id: ::T.nilable(::Integer),
        http_code: ::T.nilable(::Integer),
        first_name: ::T.nilable(::String),
        block: ::T.nilable(::T.proc.params(object: UserProfile).void)
      ).void
    end
    def initialize(user_id: nil, http_code: nil, first_name: nil, &block); end

    sig { returns(::T.nilable(::Integer)) }
    attr_accessor :user_id

    sig { returns(::T.nilable(::Integer)) }
    attr_accessor :http_code

    sig { returns(::T.nilable(::String)) }
    attr_accessor :first_name
  end

  module UserState
    extend ::Sparpack::Enum

    INACTIVE = ::T.let(::T.unsafe(nil), ::Integer)
    IS_ACTIVE = ::T.let(::T.unsafe(nil), ::Integer)
  end

  MAX_COUNT = ::T.let(::T.unsafe(nil), ::Integer)

  class UserService < ::Sparpack::Service
    class Get_user_args < ::Sparpack::Struct
      sig do
        params(
          user_id: ::T.nilable(::Integer),
          block: ::T.nilable(::T.proc.params(object: Get_user_args).void)
        ).void
      end
      def initialize(user_id: nil, &block); end

      sig { returns(::T.nilable(::Integer)) }
      attr_accessor :user_id
    end

    class Get_user_result < ::Sparpack::Struct
      sig do
        params(
          success: ::T.nilable(::PlainFileV2::UserProfile),
          block: ::T.nilable(::T.proc.params(object: Get_user_result).void)
        ).void
      end
      def initialize(success: nil, &block); end

      sig { returns(::T.nilable(::PlainFileV2::UserProfile)) }
      attr_accessor :success
    end
  end
end
