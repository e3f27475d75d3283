# frozen_string_literal: true

# Random .thrift texts of everything that the grammar allows, with random spelling and spacing, some with comments anywhere.
class RandomThrift
  # Comments of all kinds: on the line of the token before or after, or on lines of their own.
  COMMENTS = ["// c\n", "# c\n", "/* c */", "/** d */", "\n/* c */\n", "/* c */\n", "\n// c\n", "\n/** d */\n", "/**/",
              "/***/", "\n\n/* c */\n\n", "/* a\n   b */", "/** a\n *  b */", "\n    /** a\n  b */\n",
              "\n   /* a\n      b */\n", "\n\t/*\n\t * a \t\n\n\tb */\n", "// a\r\n// b \t\r\n", "/* a */ /* b */",
              "/* a */ // b\n", "// b\n/** d */", "/** d */ // c\n", "\n/* ä \u{1F48E} */\n", "\n\n"].freeze
  BLANKS = [" ", "\n", "\n\n\n", "\t", "  \r\n", " \n "].freeze
  STRINGS = ["''", "'a'", '"a"', %q('"'), %q('it\'s'), "'a \t'", "'ä'", '"\\\\\\n"'].freeze

  # @param random [Random]
  # @param comments [Float] the share of tokens with a comment before them
  def initialize(random, comments)
    @random = random
    @comments = comments
    @out = +""
  end

  # @return [String]
  def text
    many(3) { header }
    many(5) { definition }
    put
    @out
  end

  private

  def put(*tokens)
    (tokens.empty? ? [""] : tokens).each do |token|
      @out << pick(BLANKS)
      @out << pick(COMMENTS) << pick(BLANKS) while chance(@comments)
      @out << token
    end
  end

  def pick(all) = all.sample(random: @random)

  def chance(part) = @random.rand < part

  def many(most, &) = @random.rand(most + 1).times(&)

  # Some names are so long that lines of 100 columns are just filled.
  def name = put("n#{"x" * (chance(0.1) ? @random.rand(70) : @random.rand(9))}")

  def separator = chance(0.5) && put(pick([",", ";"]))

  def header
    case @random.rand(3)
    when 0 then put(pick(%w[include cpp_include]), pick(STRINGS))
    when 1 then put("namespace", pick(["rb", "*"]), "a.b") && annotations
    else put("namespace", "smalltalk", pick(STRINGS)) && annotations
    end
    separator
  end

  def definition
    send(pick(%i[const typedef enum record record service service]))
  end

  def const
    put("const")
    type
    name
    put("=")
    constant
    annotations
    separator
  end

  def typedef
    put("typedef")
    type
    name
    annotations
    separator
  end

  def enum
    put("enum")
    name
    braces do
      name
      put("=", pick(%w[1 -5 0x1F +7 007])) if chance(0.5)
      annotations
      separator
    end
    annotations
  end

  def record
    put(pick(%w[struct union exception]))
    name
    put("xsd_all") if chance(0.1)
    braces { field }
    annotations
  end

  def service
    put("service")
    name
    put("extends", "a.B") if chance(0.3)
    braces { function }
    annotations
  end

  def function
    put(pick(%w[oneway async])) if chance(0.2)
    chance(0.3) ? put("void") : type
    name
    fields
    put("throws") && fields if chance(0.4)
    annotations
    separator
  end

  def fields
    put("(")
    many(4) { field }
    put(")")
  end

  def field
    put(@random.rand(99).to_s, ":") if chance(0.8)
    put(pick(%w[required optional])) if chance(0.3)
    type
    put("&") if chance(0.1)
    chance(0.1) ? put(pick(%w[list struct required])) : name
    put("=") && constant if chance(0.3)
    xsd if chance(0.05)
    annotations
    separator
  end

  def xsd
    put("xsd_optional") if chance(0.5)
    put("xsd_nillable") if chance(0.5)
    put("xsd_attrs") && braces { field }
  end

  def type(depth = 0)
    container = pick(%w[list set map]) if depth < 3 && chance(0.4)
    return put(pick(%w[i32 string a.B byte])) && annotations(0.1) unless container

    put(container)
    leading = chance(0.1)
    put("cpp_type", pick(STRINGS)) if leading
    put("<")
    type(depth + 1)
    put(",") && type(depth + 1) if container == "map"
    put(">")
    put("cpp_type", pick(STRINGS)) if !leading && chance(0.1)
    annotations(0.1)
  end

  def constant(depth = 0)
    case depth > 2 ? 0 : @random.rand(6)
    when 0, 1, 2 then put(pick(["1", "-0x1f", ".5", "1e3", "A.B", "true", *STRINGS]))
    when 3 then uuid
    when 4 then bracketed("[", "]") { constant(depth + 1) && separator }
    else bracketed("{", "}") { pair(depth + 1) }
    end
  end

  def uuid = put("{", pick(STRINGS), "}")

  def pair(depth)
    constant(depth)
    put(":")
    constant(depth)
    separator
  end

  def annotations(part = 0.2)
    return unless chance(part)

    bracketed("(", ")") do
      name
      put("=", pick(STRINGS)) if chance(0.7)
      separator
    end
  end

  def braces(&) = bracketed("{", "}", &)

  def bracketed(open, close, &)
    put(open)
    many(chance(0.2) ? 20 : 4, &)
    put(close)
  end
end
