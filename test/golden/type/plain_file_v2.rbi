# typed: true

# Generated from plain-file.v2.thrift by sparpack generate: do not edit.

module PlainFileV2
  class User_profile < ::Sparpack::Struct
    sig do
      params(
        userId: ::T.nilable(::Integer),
        first_name: ::T.nilable(::String),
        others: ::T.untyped,
        block: ::T.nilable(::T.proc.params(object: User_profile).void)
      ).void
    end
    def initialize(userId: nil, first_name: nil, **others, &block); end

    sig { returns(::T.nilable(::Integer)) }
    attr_accessor :userId

    sig { returns(::T.nilable(::Integer)) }
    attr_accessor :HTTPCode

    sig { returns(::T.nilable(::String)) }
    attr_accessor :first_name
  end

  module User_state
    extend ::Sparpack::Enum

    Inactive = ::T.let(::T.unsafe(nil), ::Integer)
    IsActive = ::T.let(::T.unsafe(nil), ::Integer)
  end

  MaxCount = ::T.let(::T.unsafe(nil), ::Integer)

  class User_service < ::Sparpack::Service
    class GetUser_args < ::Sparpack::Struct
      sig do
        params(
          userID: ::T.nilable(::Integer),
          block: ::T.nilable(::T.proc.params(object: GetUser_args).void)
        ).void
      end
      def initialize(userID: nil, &block); end

      sig { returns(::T.nilable(::Integer)) }
      attr_accessor :userID
    end

    class GetUser_result < ::Sparpack::Struct
      sig do
        params(
          success: ::T.nilable(::PlainFileV2::User_profile),
          block: ::T.nilable(::T.proc.params(object: GetUser_result).void)
        ).void
      end
      def initialize(success: nil, &block); end

      sig { returns(::T.nilable(::PlainFileV2::User_profile)) }
      attr_accessor :success
    end
  end
end
