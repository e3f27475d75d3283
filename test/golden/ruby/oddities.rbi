# typed: true

# Generated from oddities.thrift by sparpack generate: do not edit.

module IDLFixtures
  module Oddities
    HEX = ::T.let(::T.unsafe(nil), ::Integer)
    NEGATIVE_HEX = ::T.let(::T.unsafe(nil), ::Integer)
    LEADING_ZERO = ::T.let(::T.unsafe(nil), ::Integer)
    PLUS = ::T.let(::T.unsafe(nil), ::Integer)
    POINT = ::T.let(::T.unsafe(nil), ::Float)
    WHOLE = ::T.let(::T.unsafe(nil), ::Float)
    EXPONENT = ::T.let(::T.unsafe(nil), ::Float)
    YES = ::T.let(::T.unsafe(nil), ::T::Boolean)
    NO = ::T.let(::T.unsafe(nil), ::T::Boolean)
    QUOTES = ::T.let(::T.unsafe(nil), ::String)
    ESCAPES = ::T.let(::T.unsafe(nil), ::String)
    HASH = ::T.let(::T.unsafe(nil), ::String)
    UNICODE = ::T.let(::T.unsafe(nil), ::String)
    BYTES = ::T.let(::T.unsafe(nil), ::String)
    SEPARATORS = ::T.let(::T.unsafe(nil), ::T::Array[::Integer])
    SET = ::T.let(::T.unsafe(nil), ::T::Set[::Integer])
    EMPTY_SET = ::T.let(::T.unsafe(nil), ::T::Set[::String])
    MAP = ::T.let(::T.unsafe(nil), ::T::Hash[::String, ::T::Array[::Float]])
    KEYS = ::T.let(::T.unsafe(nil), ::T::Hash[::T::Array[::Integer], ::T::Set[::String]])
    STRUCT = ::T.let(::T.unsafe(nil), ::IDLFixtures::Oddities::Ordinary)
    STRUCT_KEYS = ::T.let(::T.unsafe(nil), ::T::Hash[::IDLFixtures::Oddities::Ordinary, ::Integer])
    AGAIN = ::T.let(::T.unsafe(nil), ::T::Array[::IDLFixtures::Oddities::Ordinary])
    FAVOURITE = ::T.let(::T.unsafe(nil), ::Integer)
    SAME = ::T.let(::T.unsafe(nil), ::Integer)
    NUMBER_OF_A_COLOUR = ::T.let(::T.unsafe(nil), ::Integer)
    ID = ::T.let(::T.unsafe(nil), ::String)

    Number = ::T.let(::T.unsafe(nil), ::Sparpack::Type)
    AnotherNumber = ::T.let(::T.unsafe(nil), ::T.any(::Sparpack::Type, ::Sparpack::Type::Name))
    Index = ::T.let(::T.unsafe(nil), ::Sparpack::Type)
    Tint = ::T.let(::T.unsafe(nil), ::T.any(::Sparpack::Type, ::Sparpack::Type::Name))

    module Colour
      extend ::Sparpack::Enum

      RED = ::T.let(::T.unsafe(nil), ::Integer)
      BLUE = ::T.let(::T.unsafe(nil), ::Integer)
      NEGATIVE = ::T.let(::T.unsafe(nil), ::Integer)
      AFTER_NEGATIVE = ::T.let(::T.unsafe(nil), ::Integer)
      CRIMSON = ::T.let(::T.unsafe(nil), ::Integer)
      HEX = ::T.let(::T.unsafe(nil), ::Integer)
    end

    module Empty
      extend ::Sparpack::Enum
    end

    class Ordinary < ::Sparpack::Struct
      sig do
        params(
          x: ::T.nilable(::Integer),
          nested: ::T.nilable(::IDLFixtures::Oddities::Ordinary),
          words: ::T.nilable(::T::Array[::String]),
          block: ::T.nilable(::T.proc.params(object: Ordinary).void)
        ).void
      end
      def initialize(x: nil, nested: nil, words: nil, &block); end

      sig { returns(::T.nilable(::Integer)) }
      attr_accessor :x

      sig { returns(::T.nilable(::IDLFixtures::Oddities::Ordinary)) }
      attr_accessor :nested

      sig { returns(::T.nilable(::T::Array[::String])) }
      attr_accessor :words
    end

    class Implicit < ::Sparpack::Struct
      sig do
        params(
          first: ::T.nilable(::Integer),
          second: ::T.nilable(::String),
          fifth: ::T.nilable(::T::Boolean),
          third: ::T.nilable(::T::Array[::Integer]),
          block: ::T.nilable(::T.proc.params(object: Implicit).void)
        ).void
      end
      def initialize(first: nil, second: nil, fifth: nil, third: nil, &block); end

      sig { returns(::T.nilable(::Integer)) }
      attr_accessor :first

      sig { returns(::T.nilable(::String)) }
      attr_accessor :second

      sig { returns(::T.nilable(::T::Boolean)) }
      attr_accessor :fifth

      sig { returns(::T.nilable(::T::Array[::Integer])) }
      attr_accessor :third
    end

    class Keywords < ::Sparpack::Struct
      sig do
        params(
          class: ::T.nilable(::String),
          hash: ::T.nilable(::String),
          method: ::T.nilable(::String),
          send: ::T.nilable(::String),
          end: ::T.nilable(::String),
          self: ::T.nilable(::String),
          nil: ::T.nilable(::String),
          begin: ::T.nilable(::String),
          encode: ::T.nilable(::String),
          list: ::T.nilable(::String),
          struct: ::T.nilable(::String),
          required: ::T.nilable(::String),
          initialize: ::T.nilable(::String),
          object_id: ::T.nilable(::String),
          capital: ::T.nilable(::String),
          __private: ::T.nilable(::String),
          block: ::T.nilable(::T.proc.params(object: Keywords).void)
        ).void
      end
      def initialize(class: nil, hash: nil, method: nil, send: nil, end: nil, self: nil, nil: nil, begin: nil, encode: nil, list: nil, struct: nil, required: nil, initialize: nil, object_id: nil, capital: nil, __private: nil, &block); end

      sig { returns(::T.nilable(::String)) }
      attr_accessor :class_
      alias class= class_=

      sig { returns(::T.nilable(::String)) }
      attr_accessor :hash_
      alias hash= hash_=

      sig { returns(::T.nilable(::String)) }
      attr_accessor :method_
      alias method= method_=

      sig { returns(::T.nilable(::String)) }
      attr_accessor :send_
      alias send= send_=

      sig { returns(::T.nilable(::String)) }
      attr_accessor :end

      sig { returns(::T.nilable(::String)) }
      attr_accessor :self

      sig { returns(::T.nilable(::String)) }
      attr_accessor :nil

      sig { returns(::T.nilable(::String)) }
      attr_accessor :begin

      sig { returns(::T.nilable(::String)) }
      attr_accessor :encode_
      alias encode= encode_=

      sig { returns(::T.nilable(::String)) }
      attr_accessor :list

      sig { returns(::T.nilable(::String)) }
      attr_accessor :struct

      sig { returns(::T.nilable(::String)) }
      attr_accessor :required

      sig { returns(::T.nilable(::String)) }
      attr_accessor :initialize_
      alias initialize= initialize_=

      sig { returns(::T.nilable(::String)) }
      attr_accessor :object_id_
      alias object_id= object_id_=

      sig { returns(::T.nilable(::String)) }
      attr_accessor :capital

      sig { returns(::T.nilable(::String)) }
      attr_accessor :__private
    end

    class Types < ::Sparpack::Struct
      sig do
        params(
          a: ::T::Boolean,
          b: ::T.nilable(::Integer),
          c: ::T.nilable(::Integer),
          d: ::T.nilable(::Integer),
          e: ::T.nilable(::Integer),
          f: ::T.nilable(::Integer),
          g: ::T.nilable(::Float),
          h: ::T.nilable(::String),
          i: ::T.nilable(::String),
          j: ::T.nilable(::String),
          k: ::T.nilable(::T::Hash[::Integer, ::T::Set[::T::Array[::IDLFixtures::Oddities::Ordinary]]]),
          l: ::T.nilable(::T::Set[::Integer]),
          m: ::T.nilable(::T::Hash[::String, ::Integer]),
          n: ::T.nilable(::T::Array[::Integer]),
          o: ::T.nilable(::Integer),
          p: ::T.nilable(::T::Array[::Integer]),
          q: ::T.nilable(::IDLFixtures::Oddities::Ordinary),
          r: ::T.nilable(::IDLFixtures::Oddities::Failure),
          s: ::T.nilable(::IDLFixtures::Oddities::Choice),
          t: ::T.nilable(::Integer),
          block: ::T.nilable(::T.proc.params(object: Types).void)
        ).void
      end
      def initialize(a: ::T.unsafe(nil), b: nil, c: nil, d: nil, e: nil, f: nil, g: nil, h: nil, i: nil, j: nil, k: nil, l: nil, m: nil, n: nil, o: nil, p: nil, q: nil, r: nil, s: nil, t: nil, &block); end

      sig { returns(::T::Boolean) }
      attr_accessor :a

      sig { returns(::T.nilable(::Integer)) }
      attr_accessor :b

      sig { returns(::T.nilable(::Integer)) }
      attr_accessor :c

      sig { returns(::T.nilable(::Integer)) }
      attr_accessor :d

      sig { returns(::T.nilable(::Integer)) }
      attr_accessor :e

      sig { returns(::T.nilable(::Integer)) }
      attr_accessor :f

      sig { returns(::T.nilable(::Float)) }
      attr_accessor :g

      sig { returns(::T.nilable(::String)) }
      attr_accessor :h

      sig { returns(::T.nilable(::String)) }
      attr_accessor :i

      sig { returns(::T.nilable(::String)) }
      attr_accessor :j

      sig { returns(::T.nilable(::T::Hash[::Integer, ::T::Set[::T::Array[::IDLFixtures::Oddities::Ordinary]]])) }
      attr_accessor :k

      sig { returns(::T.nilable(::T::Set[::Integer])) }
      attr_accessor :l

      sig { returns(::T.nilable(::T::Hash[::String, ::Integer])) }
      attr_accessor :m

      sig { returns(::T.nilable(::T::Array[::Integer])) }
      attr_accessor :n

      sig { returns(::T.nilable(::Integer)) }
      attr_accessor :o

      sig { returns(::T.nilable(::T::Array[::Integer])) }
      attr_accessor :p

      sig { returns(::T.nilable(::IDLFixtures::Oddities::Ordinary)) }
      attr_accessor :q

      sig { returns(::T.nilable(::IDLFixtures::Oddities::Failure)) }
      attr_accessor :r

      sig { returns(::T.nilable(::IDLFixtures::Oddities::Choice)) }
      attr_accessor :s

      sig { returns(::T.nilable(::Integer)) }
      attr_accessor :t
    end

    class Defaults < ::Sparpack::Struct
      sig do
        params(
          a: ::T.nilable(::T::Boolean),
          b: ::T.nilable(::Float),
          c: ::T.nilable(::String),
          d: ::T.nilable(::String),
          e: ::T.nilable(::T::Array[::Integer]),
          f: ::T.nilable(::T::Set[::String]),
          g: ::T.nilable(::T::Hash[::Integer, ::IDLFixtures::Oddities::Ordinary]),
          h: ::T.nilable(::IDLFixtures::Oddities::Ordinary),
          i: ::T.nilable(::String),
          j: ::Integer,
          k: ::T.nilable(::Integer),
          l: ::T.nilable(::Integer),
          m: ::T.nilable(::T::Array[::T::Array[::Integer]]),
          block: ::T.nilable(::T.proc.params(object: Defaults).void)
        ).void
      end
      def initialize(a: nil, b: nil, c: nil, d: nil, e: nil, f: nil, g: nil, h: nil, i: nil, j: ::T.unsafe(nil), k: nil, l: nil, m: nil, &block); end

      sig { returns(::T.nilable(::T::Boolean)) }
      attr_accessor :a

      sig { returns(::T.nilable(::Float)) }
      attr_accessor :b

      sig { returns(::T.nilable(::String)) }
      attr_accessor :c

      sig { returns(::T.nilable(::String)) }
      attr_accessor :d

      sig { returns(::T.nilable(::T::Array[::Integer])) }
      attr_accessor :e

      sig { returns(::T.nilable(::T::Set[::String])) }
      attr_accessor :f

      sig { returns(::T.nilable(::T::Hash[::Integer, ::IDLFixtures::Oddities::Ordinary])) }
      attr_accessor :g

      sig { returns(::T.nilable(::IDLFixtures::Oddities::Ordinary)) }
      attr_accessor :h

      sig { returns(::T.nilable(::String)) }
      attr_accessor :i

      sig { returns(::Integer) }
      attr_accessor :j

      sig { returns(::T.nilable(::Integer)) }
      attr_accessor :k

      sig { returns(::T.nilable(::Integer)) }
      attr_accessor :l

      sig { returns(::T.nilable(::T::Array[::T::Array[::Integer]])) }
      attr_accessor :m
    end

    class Choice < ::Sparpack::Union
      sig do
        params(
          text: ::T.nilable(::String),
          ordinary: ::T.nilable(::IDLFixtures::Oddities::Ordinary),
          choices: ::T.nilable(::T::Array[::IDLFixtures::Oddities::Choice]),
          new: ::T.nilable(::String),
          i64_value: ::T.nilable(::Integer),
          block: ::T.nilable(::T.proc.params(object: Choice).void)
        ).void
      end
      def initialize(text: nil, ordinary: nil, choices: nil, new: nil, i64_value: nil, &block); end

      sig { params(value: ::String).returns(::T.attached_class) }
      def self.text(value); end

      sig { params(value: ::IDLFixtures::Oddities::Ordinary).returns(::T.attached_class) }
      def self.ordinary(value); end

      sig { params(value: ::T::Array[::IDLFixtures::Oddities::Choice]).returns(::T.attached_class) }
      def self.choices(value); end

      sig { params(value: ::String).returns(::T.attached_class) }
      def self.new_(value); end

      sig { params(value: ::Integer).returns(::T.attached_class) }
      def self.i64_value(value); end

      sig { returns(::T.nilable(::String)) }
      attr_accessor :text

      sig { returns(::T.nilable(::IDLFixtures::Oddities::Ordinary)) }
      attr_accessor :ordinary

      sig { returns(::T.nilable(::T::Array[::IDLFixtures::Oddities::Choice])) }
      attr_accessor :choices

      sig { returns(::T.nilable(::String)) }
      attr_accessor :new

      sig { returns(::T.nilable(::Integer)) }
      attr_accessor :i64_value
    end

    class Failure < ::Sparpack::Exception
      sig do
        params(
          text: ::T.untyped,
          message: ::T.nilable(::String),
          code: ::T.nilable(::Integer),
          backtrace: ::T.nilable(::String),
          block: ::T.nilable(::T.proc.params(object: Failure).void)
        ).void
      end
      def initialize(text = nil, message: nil, code: nil, backtrace: nil, &block); end

      sig { returns(::String) }
      def message; end

      sig { params(message: ::T.nilable(::String)).returns(::T.nilable(::String)) }
      def message=(message); end

      sig { returns(::T.nilable(::Integer)) }
      attr_accessor :code

      sig { returns(::T.nilable(::String)) }
      attr_accessor :backtrace_
      alias backtrace= backtrace_=
    end

    class Nameless < ::Sparpack::Exception
      sig { params(text: ::T.untyped, block: ::T.nilable(::T.proc.params(object: Nameless).void)).void }
      def initialize(text = nil, &block); end
    end

    class Parent < ::Sparpack::Service
      class Ping_args < ::Sparpack::Struct
        sig { params(block: ::T.nilable(::T.proc.params(object: Ping_args).void)).void }
        def initialize(&block); end
      end

      class Ping_result < ::Sparpack::Struct
        sig { params(block: ::T.nilable(::T.proc.params(object: Ping_result).void)).void }
        def initialize(&block); end
      end
    end

    class Everything < ::IDLFixtures::Oddities::Parent
      class Fire_args < ::Sparpack::Struct
        sig do
          params(
            id: ::T.nilable(::Integer),
            end: ::T.nilable(::String),
            block: ::T.nilable(::T.proc.params(object: Fire_args).void)
          ).void
        end
        def initialize(id: nil, end: nil, &block); end

        sig { returns(::T.nilable(::Integer)) }
        attr_accessor :id

        sig { returns(::T.nilable(::String)) }
        attr_accessor :end
      end

      class Forget_args < ::Sparpack::Struct
        sig { params(block: ::T.nilable(::T.proc.params(object: Forget_args).void)).void }
        def initialize(&block); end
      end

      class Find_args < ::Sparpack::Struct
        sig do
          params(
            query: ::T.nilable(::T::Hash[::String, ::Integer]),
            limit: ::T.nilable(::Integer),
            class: ::T::Boolean,
            block: ::T.nilable(::T.proc.params(object: Find_args).void)
          ).void
        end
        def initialize(query: nil, limit: nil, class: ::T.unsafe(nil), &block); end

        sig { returns(::T.nilable(::T::Hash[::String, ::Integer])) }
        attr_accessor :query

        sig { returns(::T.nilable(::Integer)) }
        attr_accessor :limit

        sig { returns(::T::Boolean) }
        attr_accessor :class_
        alias class= class_=
      end

      class Find_result < ::Sparpack::Struct
        sig do
          params(
            success_: ::T.nilable(::T::Array[::IDLFixtures::Oddities::Ordinary]),
            failure: ::T.nilable(::IDLFixtures::Oddities::Failure),
            success: ::T.nilable(::IDLFixtures::Oddities::Nameless),
            block: ::T.nilable(::T.proc.params(object: Find_result).void)
          ).void
        end
        def initialize(success_: nil, failure: nil, success: nil, &block); end

        sig { returns(::T.nilable(::T::Array[::IDLFixtures::Oddities::Ordinary])) }
        attr_accessor :success_

        sig { returns(::T.nilable(::IDLFixtures::Oddities::Failure)) }
        attr_accessor :failure

        sig { returns(::T.nilable(::IDLFixtures::Oddities::Nameless)) }
        attr_accessor :success
      end

      class Implicit_args < ::Sparpack::Struct
        sig do
          params(
            a: ::T.nilable(::Integer),
            b: ::T.nilable(::Integer),
            block: ::T.nilable(::T.proc.params(object: Implicit_args).void)
          ).void
        end
        def initialize(a: nil, b: nil, &block); end

        sig { returns(::T.nilable(::Integer)) }
        attr_accessor :a

        sig { returns(::T.nilable(::Integer)) }
        attr_accessor :b
      end

      class Implicit_result < ::Sparpack::Struct
        sig do
          params(
            success: ::T.nilable(::Integer),
            failure: ::T.nilable(::IDLFixtures::Oddities::Failure),
            block: ::T.nilable(::T.proc.params(object: Implicit_result).void)
          ).void
        end
        def initialize(success: nil, failure: nil, &block); end

        sig { returns(::T.nilable(::Integer)) }
        attr_accessor :success

        sig { returns(::T.nilable(::IDLFixtures::Oddities::Failure)) }
        attr_accessor :failure
      end

      class End_args < ::Sparpack::Struct
        sig { params(block: ::T.nilable(::T.proc.params(object: End_args).void)).void }
        def initialize(&block); end
      end

      class End_result < ::Sparpack::Struct
        sig { params(block: ::T.nilable(::T.proc.params(object: End_result).void)).void }
        def initialize(&block); end
      end

      class Class_args < ::Sparpack::Struct
        sig { params(block: ::T.nilable(::T.proc.params(object: Class_args).void)).void }
        def initialize(&block); end
      end

      class Class_result < ::Sparpack::Struct
        sig { params(block: ::T.nilable(::T.proc.params(object: Class_result).void)).void }
        def initialize(&block); end
      end
    end
  end
end
