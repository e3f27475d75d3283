# typed: true

# Generated from oddities.thrift by sparpack generate: do not edit.

module IDLFixtures
  module Oddities
    HEX = T.let(T.unsafe(nil), ::Integer)
    NEGATIVE_HEX = T.let(T.unsafe(nil), ::Integer)
    LEADING_ZERO = T.let(T.unsafe(nil), ::Integer)
    PLUS = T.let(T.unsafe(nil), ::Integer)
    POINT = T.let(T.unsafe(nil), ::Float)
    WHOLE = T.let(T.unsafe(nil), ::Float)
    EXPONENT = T.let(T.unsafe(nil), ::Float)
    YES = T.let(T.unsafe(nil), T::Boolean)
    NO = T.let(T.unsafe(nil), T::Boolean)
    QUOTES = T.let(T.unsafe(nil), ::String)
    ESCAPES = T.let(T.unsafe(nil), ::String)
    HASH = T.let(T.unsafe(nil), ::String)
    UNICODE = T.let(T.unsafe(nil), ::String)
    BYTES = T.let(T.unsafe(nil), ::String)
    SEPARATORS = T.let(T.unsafe(nil), T::Array[::Integer])
    SET = T.let(T.unsafe(nil), T::Set[::Integer])
    EMPTY_SET = T.let(T.unsafe(nil), T::Set[::String])
    MAP = T.let(T.unsafe(nil), T::Hash[::String, T::Array[::Float]])
    KEYS = T.let(T.unsafe(nil), T::Hash[T::Array[::Integer], T::Set[::String]])
    STRUCT = T.let(T.unsafe(nil), ::IDLFixtures::Oddities::Ordinary)
    STRUCT_KEYS = T.let(T.unsafe(nil), T::Hash[::IDLFixtures::Oddities::Ordinary, ::Integer])
    AGAIN = T.let(T.unsafe(nil), T::Array[::IDLFixtures::Oddities::Ordinary])
    FAVOURITE = T.let(T.unsafe(nil), ::Integer)
    SAME = T.let(T.unsafe(nil), ::Integer)
    NUMBER_OF_A_COLOUR = T.let(T.unsafe(nil), ::Integer)
    ID = T.let(T.unsafe(nil), ::String)

    Number = T.let(T.unsafe(nil), ::Sparpack::Type)
    AnotherNumber = T.let(T.unsafe(nil), ::Sparpack::Type)
    Index = T.let(T.unsafe(nil), ::Sparpack::Type)
    Tint = T.let(T.unsafe(nil), ::Sparpack::Type)

    module Colour
      extend ::Sparpack::Enum

      RED = T.let(T.unsafe(nil), ::Integer)
      BLUE = T.let(T.unsafe(nil), ::Integer)
      NEGATIVE = T.let(T.unsafe(nil), ::Integer)
      AFTER_NEGATIVE = T.let(T.unsafe(nil), ::Integer)
      CRIMSON = T.let(T.unsafe(nil), ::Integer)
      HEX = T.let(T.unsafe(nil), ::Integer)
    end

    module Empty
      extend ::Sparpack::Enum

    end

    class Ordinary < ::Sparpack::Struct
      sig do
        params(
          x: T.nilable(::Integer),
          nested: T.nilable(::IDLFixtures::Oddities::Ordinary),
          words: T.nilable(T::Array[::String])
        ).void
      end
      def initialize(x: nil, nested: nil, words: nil); end

      sig { returns(T.nilable(::Integer)) }
      def x; end

      sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
      def x=(value); end

      sig { returns(T.nilable(::IDLFixtures::Oddities::Ordinary)) }
      def nested; end

      sig { params(value: T.nilable(::IDLFixtures::Oddities::Ordinary)).returns(T.nilable(::IDLFixtures::Oddities::Ordinary)) }
      def nested=(value); end

      sig { returns(T.nilable(T::Array[::String])) }
      def words; end

      sig { params(value: T.nilable(T::Array[::String])).returns(T.nilable(T::Array[::String])) }
      def words=(value); end
    end

    class Implicit < ::Sparpack::Struct
      sig do
        params(
          first: T.nilable(::Integer),
          second: T.nilable(::String),
          fifth: T.nilable(T::Boolean),
          third: T.nilable(T::Array[::Integer])
        ).void
      end
      def initialize(first: nil, second: nil, fifth: nil, third: nil); end

      sig { returns(T.nilable(::Integer)) }
      def first; end

      sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
      def first=(value); end

      sig { returns(T.nilable(::String)) }
      def second; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def second=(value); end

      sig { returns(T.nilable(T::Boolean)) }
      def fifth; end

      sig { params(value: T.nilable(T::Boolean)).returns(T.nilable(T::Boolean)) }
      def fifth=(value); end

      sig { returns(T.nilable(T::Array[::Integer])) }
      def third; end

      sig { params(value: T.nilable(T::Array[::Integer])).returns(T.nilable(T::Array[::Integer])) }
      def third=(value); end
    end

    class Keywords < ::Sparpack::Struct
      sig do
        params(
          class: T.nilable(::String),
          hash: T.nilable(::String),
          method: T.nilable(::String),
          send: T.nilable(::String),
          end: T.nilable(::String),
          self: T.nilable(::String),
          nil: T.nilable(::String),
          encode: T.nilable(::String),
          list: T.nilable(::String),
          struct: T.nilable(::String),
          required: T.nilable(::String),
          initialize: T.nilable(::String),
          object_id: T.nilable(::String),
          __private: T.nilable(::String),
          others_: T.untyped
        ).void
      end
      def initialize(class: nil, hash: nil, method: nil, send: nil, end: nil, self: nil, nil: nil, encode: nil, list: nil, struct: nil, required: nil, initialize: nil, object_id: nil, __private: nil, **others_); end

      sig { returns(T.nilable(::String)) }
      def class_; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def class_=(value); end

      sig { returns(T.nilable(::String)) }
      def hash_; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def hash_=(value); end

      sig { returns(T.nilable(::String)) }
      def method_; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def method_=(value); end

      sig { returns(T.nilable(::String)) }
      def send_; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def send_=(value); end

      sig { returns(T.nilable(::String)) }
      def end; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def end=(value); end

      sig { returns(T.nilable(::String)) }
      def self; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def self=(value); end

      sig { returns(T.nilable(::String)) }
      def nil; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def nil=(value); end

      sig { returns(T.nilable(::String)) }
      def BEGIN; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def BEGIN=(value); end

      sig { returns(T.nilable(::String)) }
      def encode_; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def encode_=(value); end

      sig { returns(T.nilable(::String)) }
      def list; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def list=(value); end

      sig { returns(T.nilable(::String)) }
      def struct; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def struct=(value); end

      sig { returns(T.nilable(::String)) }
      def required; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def required=(value); end

      sig { returns(T.nilable(::String)) }
      def initialize_; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def initialize_=(value); end

      sig { returns(T.nilable(::String)) }
      def object_id_; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def object_id_=(value); end

      sig { returns(T.nilable(::String)) }
      def Capital; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def Capital=(value); end

      sig { returns(T.nilable(::String)) }
      def __private; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def __private=(value); end
    end

    class Types < ::Sparpack::Struct
      sig do
        params(
          a: T::Boolean,
          b: T.nilable(::Integer),
          c: T.nilable(::Integer),
          d: T.nilable(::Integer),
          e: T.nilable(::Integer),
          f: T.nilable(::Integer),
          g: T.nilable(::Float),
          h: T.nilable(::String),
          i: T.nilable(::String),
          j: T.nilable(::String),
          k: T.nilable(T::Hash[::Integer, T::Set[T::Array[::IDLFixtures::Oddities::Ordinary]]]),
          l: T.nilable(T::Set[::Integer]),
          m: T.nilable(T::Hash[::String, ::Integer]),
          n: T.nilable(T::Array[::Integer]),
          o: T.nilable(::Integer),
          p: T.nilable(T::Array[::Integer]),
          q: T.nilable(::IDLFixtures::Oddities::Ordinary),
          r: T.nilable(::IDLFixtures::Oddities::Failure),
          s: T.nilable(::IDLFixtures::Oddities::Choice),
          t: T.nilable(::Integer)
        ).void
      end
      def initialize(a: T.unsafe(nil), b: nil, c: nil, d: nil, e: nil, f: nil, g: nil, h: nil, i: nil, j: nil, k: nil, l: nil, m: nil, n: nil, o: nil, p: nil, q: nil, r: nil, s: nil, t: nil); end

      sig { returns(T::Boolean) }
      def a; end

      sig { params(value: T::Boolean).returns(T::Boolean) }
      def a=(value); end

      sig { returns(T.nilable(::Integer)) }
      def b; end

      sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
      def b=(value); end

      sig { returns(T.nilable(::Integer)) }
      def c; end

      sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
      def c=(value); end

      sig { returns(T.nilable(::Integer)) }
      def d; end

      sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
      def d=(value); end

      sig { returns(T.nilable(::Integer)) }
      def e; end

      sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
      def e=(value); end

      sig { returns(T.nilable(::Integer)) }
      def f; end

      sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
      def f=(value); end

      sig { returns(T.nilable(::Float)) }
      def g; end

      sig { params(value: T.nilable(::Float)).returns(T.nilable(::Float)) }
      def g=(value); end

      sig { returns(T.nilable(::String)) }
      def h; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def h=(value); end

      sig { returns(T.nilable(::String)) }
      def i; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def i=(value); end

      sig { returns(T.nilable(::String)) }
      def j; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def j=(value); end

      sig { returns(T.nilable(T::Hash[::Integer, T::Set[T::Array[::IDLFixtures::Oddities::Ordinary]]])) }
      def k; end

      sig { params(value: T.nilable(T::Hash[::Integer, T::Set[T::Array[::IDLFixtures::Oddities::Ordinary]]])).returns(T.nilable(T::Hash[::Integer, T::Set[T::Array[::IDLFixtures::Oddities::Ordinary]]])) }
      def k=(value); end

      sig { returns(T.nilable(T::Set[::Integer])) }
      def l; end

      sig { params(value: T.nilable(T::Set[::Integer])).returns(T.nilable(T::Set[::Integer])) }
      def l=(value); end

      sig { returns(T.nilable(T::Hash[::String, ::Integer])) }
      def m; end

      sig { params(value: T.nilable(T::Hash[::String, ::Integer])).returns(T.nilable(T::Hash[::String, ::Integer])) }
      def m=(value); end

      sig { returns(T.nilable(T::Array[::Integer])) }
      def n; end

      sig { params(value: T.nilable(T::Array[::Integer])).returns(T.nilable(T::Array[::Integer])) }
      def n=(value); end

      sig { returns(T.nilable(::Integer)) }
      def o; end

      sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
      def o=(value); end

      sig { returns(T.nilable(T::Array[::Integer])) }
      def p; end

      sig { params(value: T.nilable(T::Array[::Integer])).returns(T.nilable(T::Array[::Integer])) }
      def p=(value); end

      sig { returns(T.nilable(::IDLFixtures::Oddities::Ordinary)) }
      def q; end

      sig { params(value: T.nilable(::IDLFixtures::Oddities::Ordinary)).returns(T.nilable(::IDLFixtures::Oddities::Ordinary)) }
      def q=(value); end

      sig { returns(T.nilable(::IDLFixtures::Oddities::Failure)) }
      def r; end

      sig { params(value: T.nilable(::IDLFixtures::Oddities::Failure)).returns(T.nilable(::IDLFixtures::Oddities::Failure)) }
      def r=(value); end

      sig { returns(T.nilable(::IDLFixtures::Oddities::Choice)) }
      def s; end

      sig { params(value: T.nilable(::IDLFixtures::Oddities::Choice)).returns(T.nilable(::IDLFixtures::Oddities::Choice)) }
      def s=(value); end

      sig { returns(T.nilable(::Integer)) }
      def t; end

      sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
      def t=(value); end
    end

    class Defaults < ::Sparpack::Struct
      sig do
        params(
          a: T.nilable(T::Boolean),
          b: T.nilable(::Float),
          c: T.nilable(::String),
          d: T.nilable(::String),
          e: T.nilable(T::Array[::Integer]),
          f: T.nilable(T::Set[::String]),
          g: T.nilable(T::Hash[::Integer, ::IDLFixtures::Oddities::Ordinary]),
          h: T.nilable(::IDLFixtures::Oddities::Ordinary),
          i: T.nilable(::String),
          j: ::Integer,
          k: T.nilable(::Integer),
          l: T.nilable(::Integer),
          m: T.nilable(T::Array[T::Array[::Integer]])
        ).void
      end
      def initialize(a: nil, b: nil, c: nil, d: nil, e: nil, f: nil, g: nil, h: nil, i: nil, j: T.unsafe(nil), k: nil, l: nil, m: nil); end

      sig { returns(T.nilable(T::Boolean)) }
      def a; end

      sig { params(value: T.nilable(T::Boolean)).returns(T.nilable(T::Boolean)) }
      def a=(value); end

      sig { returns(T.nilable(::Float)) }
      def b; end

      sig { params(value: T.nilable(::Float)).returns(T.nilable(::Float)) }
      def b=(value); end

      sig { returns(T.nilable(::String)) }
      def c; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def c=(value); end

      sig { returns(T.nilable(::String)) }
      def d; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def d=(value); end

      sig { returns(T.nilable(T::Array[::Integer])) }
      def e; end

      sig { params(value: T.nilable(T::Array[::Integer])).returns(T.nilable(T::Array[::Integer])) }
      def e=(value); end

      sig { returns(T.nilable(T::Set[::String])) }
      def f; end

      sig { params(value: T.nilable(T::Set[::String])).returns(T.nilable(T::Set[::String])) }
      def f=(value); end

      sig { returns(T.nilable(T::Hash[::Integer, ::IDLFixtures::Oddities::Ordinary])) }
      def g; end

      sig { params(value: T.nilable(T::Hash[::Integer, ::IDLFixtures::Oddities::Ordinary])).returns(T.nilable(T::Hash[::Integer, ::IDLFixtures::Oddities::Ordinary])) }
      def g=(value); end

      sig { returns(T.nilable(::IDLFixtures::Oddities::Ordinary)) }
      def h; end

      sig { params(value: T.nilable(::IDLFixtures::Oddities::Ordinary)).returns(T.nilable(::IDLFixtures::Oddities::Ordinary)) }
      def h=(value); end

      sig { returns(T.nilable(::String)) }
      def i; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def i=(value); end

      sig { returns(::Integer) }
      def j; end

      sig { params(value: ::Integer).returns(::Integer) }
      def j=(value); end

      sig { returns(T.nilable(::Integer)) }
      def k; end

      sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
      def k=(value); end

      sig { returns(T.nilable(::Integer)) }
      def l; end

      sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
      def l=(value); end

      sig { returns(T.nilable(T::Array[T::Array[::Integer]])) }
      def m; end

      sig { params(value: T.nilable(T::Array[T::Array[::Integer]])).returns(T.nilable(T::Array[T::Array[::Integer]])) }
      def m=(value); end
    end

    class Choice < ::Sparpack::Union
      sig do
        params(
          text: T.nilable(::String),
          ordinary: T.nilable(::IDLFixtures::Oddities::Ordinary),
          choices: T.nilable(T::Array[::IDLFixtures::Oddities::Choice]),
          new: T.nilable(::String),
          i64_value: T.nilable(::Integer)
        ).void
      end
      def initialize(text: nil, ordinary: nil, choices: nil, new: nil, i64_value: nil); end

      sig { params(value: ::String).returns(T.attached_class) }
      def self.text(value); end

      sig { params(value: ::IDLFixtures::Oddities::Ordinary).returns(T.attached_class) }
      def self.ordinary(value); end

      sig { params(value: T::Array[::IDLFixtures::Oddities::Choice]).returns(T.attached_class) }
      def self.choices(value); end

      sig { params(value: ::Integer).returns(T.attached_class) }
      def self.i64_value(value); end

      sig { returns(T.nilable(::String)) }
      def text; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def text=(value); end

      sig { returns(T.nilable(::IDLFixtures::Oddities::Ordinary)) }
      def ordinary; end

      sig { params(value: T.nilable(::IDLFixtures::Oddities::Ordinary)).returns(T.nilable(::IDLFixtures::Oddities::Ordinary)) }
      def ordinary=(value); end

      sig { returns(T.nilable(T::Array[::IDLFixtures::Oddities::Choice])) }
      def choices; end

      sig { params(value: T.nilable(T::Array[::IDLFixtures::Oddities::Choice])).returns(T.nilable(T::Array[::IDLFixtures::Oddities::Choice])) }
      def choices=(value); end

      sig { returns(T.nilable(::String)) }
      def new; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def new=(value); end

      sig { returns(T.nilable(::Integer)) }
      def i64_value; end

      sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
      def i64_value=(value); end
    end

    class Failure < ::Sparpack::Exception
      sig do
        params(
          text: T.untyped,
          message: T.nilable(::String),
          code: T.nilable(::Integer),
          backtrace: T.nilable(::String)
        ).void
      end
      def initialize(text = nil, message: nil, code: nil, backtrace: nil); end

      sig { returns(T.nilable(::String)) }
      def message; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def message=(value); end

      sig { returns(T.nilable(::Integer)) }
      def code; end

      sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
      def code=(value); end

      sig { returns(T.nilable(::String)) }
      def backtrace_; end

      sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
      def backtrace_=(value); end
    end

    class Nameless < ::Sparpack::Exception
      sig { params(text: T.untyped).void }
      def initialize(text = nil); end
    end

    class Parent < ::Sparpack::Service
      class Ping_args < ::Sparpack::Struct
        sig { void }
        def initialize; end
      end

      class Ping_result < ::Sparpack::Struct
        sig { void }
        def initialize; end
      end
    end

    class Everything < ::IDLFixtures::Oddities::Parent
      class Fire_args < ::Sparpack::Struct
        sig { params(id: T.nilable(::Integer), end: T.nilable(::String)).void }
        def initialize(id: nil, end: nil); end

        sig { returns(T.nilable(::Integer)) }
        def id; end

        sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
        def id=(value); end

        sig { returns(T.nilable(::String)) }
        def end; end

        sig { params(value: T.nilable(::String)).returns(T.nilable(::String)) }
        def end=(value); end
      end

      class Forget_args < ::Sparpack::Struct
        sig { void }
        def initialize; end
      end

      class Find_args < ::Sparpack::Struct
        sig do
          params(
            query: T.nilable(T::Hash[::String, ::Integer]),
            limit: T.nilable(::Integer),
            class: T::Boolean
          ).void
        end
        def initialize(query: nil, limit: nil, class: T.unsafe(nil)); end

        sig { returns(T.nilable(T::Hash[::String, ::Integer])) }
        def query; end

        sig { params(value: T.nilable(T::Hash[::String, ::Integer])).returns(T.nilable(T::Hash[::String, ::Integer])) }
        def query=(value); end

        sig { returns(T.nilable(::Integer)) }
        def limit; end

        sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
        def limit=(value); end

        sig { returns(T::Boolean) }
        def class_; end

        sig { params(value: T::Boolean).returns(T::Boolean) }
        def class_=(value); end
      end

      class Find_result < ::Sparpack::Struct
        sig do
          params(
            success_: T.nilable(T::Array[::IDLFixtures::Oddities::Ordinary]),
            failure: T.nilable(::IDLFixtures::Oddities::Failure),
            success: T.nilable(::IDLFixtures::Oddities::Nameless)
          ).void
        end
        def initialize(success_: nil, failure: nil, success: nil); end

        sig { returns(T.nilable(T::Array[::IDLFixtures::Oddities::Ordinary])) }
        def success_; end

        sig { params(value: T.nilable(T::Array[::IDLFixtures::Oddities::Ordinary])).returns(T.nilable(T::Array[::IDLFixtures::Oddities::Ordinary])) }
        def success_=(value); end

        sig { returns(T.nilable(::IDLFixtures::Oddities::Failure)) }
        def failure; end

        sig { params(value: T.nilable(::IDLFixtures::Oddities::Failure)).returns(T.nilable(::IDLFixtures::Oddities::Failure)) }
        def failure=(value); end

        sig { returns(T.nilable(::IDLFixtures::Oddities::Nameless)) }
        def success; end

        sig { params(value: T.nilable(::IDLFixtures::Oddities::Nameless)).returns(T.nilable(::IDLFixtures::Oddities::Nameless)) }
        def success=(value); end
      end

      class Implicit_args < ::Sparpack::Struct
        sig { params(a: T.nilable(::Integer), b: T.nilable(::Integer)).void }
        def initialize(a: nil, b: nil); end

        sig { returns(T.nilable(::Integer)) }
        def a; end

        sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
        def a=(value); end

        sig { returns(T.nilable(::Integer)) }
        def b; end

        sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
        def b=(value); end
      end

      class Implicit_result < ::Sparpack::Struct
        sig { params(success: T.nilable(::Integer), failure: T.nilable(::IDLFixtures::Oddities::Failure)).void }
        def initialize(success: nil, failure: nil); end

        sig { returns(T.nilable(::Integer)) }
        def success; end

        sig { params(value: T.nilable(::Integer)).returns(T.nilable(::Integer)) }
        def success=(value); end

        sig { returns(T.nilable(::IDLFixtures::Oddities::Failure)) }
        def failure; end

        sig { params(value: T.nilable(::IDLFixtures::Oddities::Failure)).returns(T.nilable(::IDLFixtures::Oddities::Failure)) }
        def failure=(value); end
      end

      class End_args < ::Sparpack::Struct
        sig { void }
        def initialize; end
      end

      class End_result < ::Sparpack::Struct
        sig { void }
        def initialize; end
      end

      class Class_args < ::Sparpack::Struct
        sig { void }
        def initialize; end
      end

      class Class_result < ::Sparpack::Struct
        sig { void }
        def initialize; end
      end
    end
  end
end
