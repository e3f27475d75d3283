# frozen_string_literal: true

# bin/test: not sanitized, for it runs little native code

require "test_helper"
require "tmpdir"
require_relative "../../fuzz/names"

# No name, namespace, string, comment or file name of an IDL becomes code, or leads out of the folder.
class GenerateNamesTest < Minitest::Test
  STYLES = %i[thrift sparsam].freeze

  def setup
    @folder = Dir.mktmpdir
  end

  def teardown
    FileUtils.rm_rf(@folder)
  end

  # fuzz/names.rb continues for as long as you like.
  def test_hostile_texts
    fuzzer = NamesFuzzer.new(Integer(ENV.fetch("SEED", 20_261_124)))
    60.times { fuzzer.step }

    assert_equal %i[clashing generated loaded not_loaded refused], fuzzer.counts.keys.sort
  end

  def test_namespaces_that_are_no_names
    ["Foo;exit!", "../x", "/x", ".x", "a..b", "a/b", "a b", "1", "A\u3164"].each do |namespace|
      STYLES.each do |style|
        error = assert_raises(Sparpack::IDL::Error) { generate("namespace rb \"#{namespace}\" struct S {}", style:) }

        assert_equal "#{@folder}/one.thrift:1:1: expected a namespace of names of constants, with dots between them, " \
                     "found #{namespace.inspect.gsub("\u3164") { "\u3164" }}", error.message.gsub('\u3164', "\u3164")
      end
    end
    assert_raises(Sparpack::IDL::Error) { generate("namespace rb '../x' struct S {}", style: :thrift, layout: :namespaced) }
  end

  # The check does not rely on the parser.
  def test_names_that_the_parser_refuses
    [Sparpack::IDL::RubyNames.new, nil].each do |names|
      8.times do |place|
        expected = place < 5 ? "the name of a constant" : "a name of letters, digits and _"
        error = assert_raises(Sparpack::IDL::Error) { Sparpack::Generate::NameCheck.new(names).check([hostile(place)]) }

        assert_includes error.message, "expected #{expected}, found"
      end
    end
  end

  def test_rbs_has_only_ascii
    idl = "struct S { 1: i32 a (sparpack.ruby = '\u00E4') } (sparpack.ruby = '\u00C4')"
    error = assert_raises(Sparpack::IDL::Error) { generate(idl, rbs: true) }

    assert_includes error.message, "expected the name of a constant in ASCII, because RBS has no others, found \"\u00C4\""
    assert_includes error.message, "expected a name of letters, digits and _ in ASCII, because RBS has no others"
    assert_includes generate(idl)["one.rb"], "field 1, :\u00E4, :i32, idl_name: \"a\""
  end

  # In another encoding than UTF-8, the bytes of a string could contain its end.
  def test_the_name_of_a_file_is_no_encoding
    ["coding=shift_jis", "-*- coding: us-ascii -*-", "CODING : us-ascii"].each do |name|
      [:sparpack, *STYLES].each do |style|
        generate("const string A = '\u00C1'", file: name, style:).each_value do |text|
          refute_match(/coding\s*[:=]/i, text.lines.first(3).join)
          refute_match(/^#.*-\*-/, text)
        end
      end
    end
  end

  def test_sources_are_what_they_look_like
    text = "/** a\u202Eb\u2066c\u2028d\uFEFF */ const string A = 'a\u202Eb\u2066c\u2028d\u200De\u3164f'"
    source = generate(text)["one.rb"]

    assert_includes source, "# a?b?c?d?\n"
    assert_includes source, '"a\u202Eb\u2066c\u2028d\u200De\u3164f"'
  end

  def test_nothing_is_written_outside_of_the_folder
    ["../a.rb", "a/../../b.rb", "/a.rb", "a\\..\\..\\b.rb"].each do |path|
      files = { "fine.rb" => "", path => "" }
      %i[write stale].each do |method|
        error = assert_raises(ArgumentError) { Sparpack::Generate.public_send(method, files, "#{@folder}/out") }

        assert_equal "expected the path of a file in the folder, got #{path.inspect}", error.message
      end
    end
    refute_path_exists "#{@folder}/out"
  end

  def test_constants_are_no_modules
    %w[const\ i32\ A\ =\ 1 typedef\ i32\ A].each do |outer|
      error = assert_raises(Sparpack::IDL::Error) { generate("#{outer} struct S {} (sparpack.ruby = 'A::B')") }

      assert_includes error.message, "expected a path of modules and classes, found One::A::B, in which One::A is \"A\" ("
    end
  end

  def test_keywords_as_names
    source = generate("enum E { BEGIN, END, A }", style: :sparsam)["one_types.rb"]

    assert_includes source, "const_set(:BEGIN, 0)\n  const_set(:END, 1)\n  A = 2\n"
    assert_includes source, "VALID_VALUES = ::Set.new([0, 1, A]).freeze"
    assert_includes generate("union U { 1: i32 _1 } service S { void _2() }", style: :thrift).values.join, "def _1_(val)"
    ["struct END {}", "struct String {}", "enum E { INVERTED_VALUE_MAP }"].each do |text|
      assert_raises(ArgumentError) { generate(text, style: :sparsam) }
    end
  end

  # A client that calls a function must not run code in a handler that does not define it.
  def test_functions_that_would_run_code
    source = generate("service S { void instance_eval(1: string a), void public_send(1: string b) }", style: :thrift)["s.rb"]

    assert_includes source, "@handler.instance_eval_(args.a)"
    assert_includes source, "@handler.public_send_(args.b)"
  end

  private

  def generate(text, file: "one", **options)
    File.write("#{@folder}/#{file}.thrift", text)
    Sparpack::Generate.files("#{@folder}/#{file}.thrift", **options)
  end

  # @return [Sparpack::IDL::Program] one that no text could give
  def hostile(place)
    document = Sparpack::IDL.parse("struct A { 1: i32 a } enum B { C } const i32 D = 1 " \
                                   "service E { void f(1: i32 b) } typedef i32 G")
    record, enum, const, service, typedef = document.definitions
    function = service.functions[0]
    value = enum.enum_values[0]
    nodes = [record, enum, value, const, typedef, record.fields[0], function, function.arguments[0]]
    nodes[place].name = "X; exit!"
    program = Sparpack::IDL::Program.new(document)
    Sparpack::IDL::Linker.new([program]).run
    program
  end
end
