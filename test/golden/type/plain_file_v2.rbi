# typed: true

# Generated from plain-file.v2.thrift by sparpack generate: do not edit.

module PlainFileV2
  class User_profile < ::Sparpack::Struct
    sig { params(userId: ::T.nilable(::Integer), first_name: ::T.nilable(::String), others: ::T.untyped).void }
    def initialize(userId: nil, first_name: nil, **others); end

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
      sig { params(userID: ::T.nilable(::Integer)).void }
      def initialize(userID: nil); end

      sig { returns(::T.nilable(::Integer)) }
      attr_accessor :userID
    end

    class GetUser_result < ::Sparpack::Struct
      sig { params(success: ::T.nilable(::PlainFileV2::User_profile)).void }
      def initialize(success: nil); end

      sig { returns(::T.nilable(::PlainFileV2::User_profile)) }
      attr_accessor :success
    end
  end
end
