# typed: true

# Generated from plain-file.v2.thrift by sparpack generate: do not edit.

module PlainFileV2
  class User_profile < ::Sparpack::Struct
    sig { params(userId: T.nilable(::Integer), first_name: T.nilable(::String), others_: T.untyped).void }
    def initialize(userId: nil, first_name: nil, **others_); end

    sig { returns(T.nilable(::Integer)) }
    def userId; end

    sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
    def userId=(value); end

    sig { returns(T.nilable(::Integer)) }
    def HTTPCode; end

    sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
    def HTTPCode=(value); end

    sig { returns(T.nilable(::String)) }
    def first_name; end

    sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
    def first_name=(value); end
  end

  module User_state
    extend ::Sparpack::Enum

    Inactive = T.let(T.unsafe(nil), ::Integer)
    IsActive = T.let(T.unsafe(nil), ::Integer)
  end

  MaxCount = T.let(T.unsafe(nil), ::Integer)

  class User_service < ::Sparpack::Service
    class GetUser_args < ::Sparpack::Struct
      sig { params(userID: T.nilable(::Integer)).void }
      def initialize(userID: nil); end

      sig { returns(T.nilable(::Integer)) }
      def userID; end

      sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
      def userID=(value); end
    end

    class GetUser_result < ::Sparpack::Struct
      sig { params(success: T.nilable(::PlainFileV2::User_profile)).void }
      def initialize(success: nil); end

      sig { returns(T.nilable(::PlainFileV2::User_profile)) }
      def success; end

      sig { params(value: T.nilable(::PlainFileV2::User_profile)).returns(T.nilable(::PlainFileV2::User_profile)) }
      def success=(value); end
    end
  end
end
