# frozen_string_literal: true

# An IDL with names that mean something else to Ruby, RBS, Sorbet or Sparpack.
module NastyNames
  WORDS = %w[
    alias and begin BEGIN break case class def defined do else elsif end END ensure false for if in module next nil not or
    redo rescue retry return self super then true undef unless until when while yield __FILE__ __LINE__ __ENCODING__
    __END__ __method__ as attr_accessor attr_reader attr_writer bool boolish bot include instance interface out prepend
    private protected public singleton skip static top type unchecked untyped use void __todo__ hash method new initialize
    with errors message backtrace cause text text_ others others_ fields Capital _1 _x __private _ __ a A params returns T
    object_id send encode decode field value unknown list set map schema codec name freeze inspect to_s to_h raise format
    test p print puts open proc lambda loop require block arguments result throws function success
  ].freeze

  # Names of classes of Ruby, the gem and Sorbet.
  CONSTANTS = %w[T Array BEGIN Class END Enum Exception Float Hash Integer Kernel Nil Object Self Set Sparpack String Struct
                 Type Union].freeze

  # Functions cannot have the names of IDL keywords.
  FUNCTIONS = %w[class self nil end BEGIN Capital __private new initialize success with T].freeze

  module_function

  # @return [String] with definitions in Nasty::Names
  def idl
    <<~THRIFT
      namespace rb Nasty.Names
      #{record("struct Words", WORDS)}
      #{record("struct Required", WORDS, "required i32")}
      #{record("union Choice", WORDS)}
      #{record("exception Trouble", WORDS)}
      #{record("exception Plain", WORDS.grep_v(/\Atext/))}
      enum Values { #{WORDS.uniq { |word| Sparpack::Names.constant(word) }.join(", ")} }
      enum Nothing {}
      typedef T First
      typedef First Second
      typedef list<Later> Third
      typedef Later Fourth
      enum Later { x }
      const list<First> ALL = [{"a": "x"}]
      #{CONSTANTS.each_cons(2).map { |name, other| "struct #{name} { 1: string a, 2: #{other} b, 3: set<#{other}> c }" }.join("\n")}
      struct #{CONSTANTS.last} {}
      service Words_service {
      #{FUNCTIONS.map { |name| "  Words #{name}(1: required i32 #{name}, 2: string a) throws (1: Trouble #{name}, 2: Plain a)" }.join("\n")}
      }
    THRIFT
  end

  def record(head, names, type = "string")
    "#{head} {\n#{names.each_with_index.map { |name, i| "  #{i + 1}: #{type} #{name}" }.join("\n")}\n}"
  end
end
