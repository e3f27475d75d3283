# frozen_string_literal: true

# bin/test: not sanitized, for the sources are the same

require "minitest/autorun"

# An encode calls Ruby code in the middle through one function, call_ruby (glue/output.hpp), which asks afterwards whether
# the encode still goes on. A continuation may have returned into it after its memory was given away.
#
# Whatever has an encode in hand (an Encoder or a Pack) is searched for calls that may run Ruby code and stand elsewhere.
class RubyCallsTest < Minitest::Test
  NATIVE = File.expand_path("../../ext/sparpack", __dir__)

  # What has an encode in hand.
  ENCODES = /\b(?:Encoder|Pack) &/

  # The ways to call Ruby code. The last two are built on the first.
  CALLS = /\b(?:call_ruby|call_readers|pack_call)\(/

  # Functions of Ruby that may run Ruby code.
  RUBYS = /
    rb_(?: funcall\w* | check_funcall\w* | proc_call\w* | method_call\w* | block_call\w* | yield\w* | call_super\w* |
           obj_call_init\w* | class_new_instance\w* | protect | ensure | rescue2? | eval\w* | catch\w* | iterate | each |
           respond_to | obj_respond_to | equal | eql | hash | hash_(?:aset|aref|lookup2?|fetch|bulk_insert|delete) |
           inspect | any_to_s | obj_as_string | String | Array | Hash | Integer | Float | to_int | to_float |
           convert_type | check_(?:array|string|hash|convert)_type\w* | str_(?:encode|export\w*|conv_enc\w*) |
           time_timespec | path2class | const_get\w* | public_const_get\w* | require\w* | exec_recursive\w* | obj_dup |
           obj_clone | io_\w+ | thread_\w+ | fiber_(?:resume|yield|transfer)\w* | mutex_\w+ | warn\w* | enumeratorize\w* |
           ary_(?:sort\w*|includes|delete|to_s|join)) |
    StringValue\w* | NUM2\w+
  /x

  # Functions of ours that do.
  OURS = /
    native_call\w* | extensions_call | hash_insert | set_add_many | enum_name | buffer_write_to | io_write | text_utf8 |
    pack | embed | call_validate | packs_itself | fault_quote | storage_(?:view|view_batch|variant_value|read)(?=\(plan) |
    mapped_(?:view|read|build)\w*
  /x

  RUNS = /\b(?:#{RUBYS}|#{OURS})\s*\(/

  # Lines with such a call that are right. A fault may run what it likes: nothing is written any more.
  ALLOWED = {
    # A Fixnum or a Symbol as a key: Ruby finds it by itself.
    "codec/encoder.hpp" => ["RB_FIXNUM_P(number) ? enum_name(type.names, number)"],
    "codec/value_writer.hpp" => ["!RB_FIXNUM_P(value) || NIL_P(rb_hash_lookup2(type.names, value, Qnil))"],
    "message_pack/pack.cpp" => [
      "options.depth = NUM2INT(rb_ary_entry(row, 2));" # before a packing
    ],
    "message_pack/builtin.cpp" => [
      # called by pack_call
      "rb_hash_aset(hash, element, Qnil);",
      # while reading
      "set_add_many(set, elements, count);", 'extensions_call("data", 2, arguments);',
      'extensions_call("decimal", 1, &text);'
    ],
    "message_pack/callbacks.hpp" => ["VALUE extensions_call(const char *function, int argc, const VALUE *argv);"],
    "message_pack/api/packer.cpp" => [
      # called by call_ruby and pack_call
      'VALUE result = extensions_call("write", 3, attached.arguments);',
      "static bool packs_itself(VALUE value) {", 'return rb_obj_respond_to(value, rb_intern("to_msgpack"), 1) ||',
      # methods of a packer, called by Ruby code, which look afterwards for a packing
      'VALUE string = before ? rb_funcall(packer.buffer, rb_intern("to_s"), 0)',
      "buffer_write_to(packer.buffer, buffer.io, Qnil);"
    ],
    "message_pack/embedded_types.cpp" => ["VALUE codec = rb_proc_call_with_block(proc, 1, &given, Qnil);"], # reads
    "message_pack/api/packer_write.cpp" => [
      "buffer_write_to(packer.buffer, buffer.io, Qnil);", # after the packing
      # arguments of a packer's methods, before they look for a packing
      "NUM2DBL(number)", "count = rb_to_int(count);", "NUM2LL(count)", "NUM2UINT(count)", "int type = NUM2INT(number);",
      "    StringValue(data);\n",
      # faults
      "rb_inspect(value), expected);", "if (RB_TYPE_P(number, T_BIGNUM)) NUM2LONG(number);", "fault_quote(number));"
    ]
  }.freeze

  def test_an_encode_calls_ruby_code_only_through_one_function
    found = encodes.to_h { |file| [file, stray(file)] }
    wrong = found.flat_map do |file, lines|
      allowed = ALLOWED.fetch(file, [])
      lines.reject { |line| allowed.any? { |part| line.include?(part) } }.map { |line| "#{file}: #{line.strip}" }
    end

    assert_empty wrong, "call Ruby code by call_ruby"
    stale = ALLOWED.flat_map do |file, parts|
      parts.reject { |part| found.fetch(file).any? { |line| line.include?(part) } }.map { |part| "#{file}: #{part}" }
    end

    assert_empty stale, "nothing like this is there"
  end

  # A decode that fails adds to the path on its way out, and may have to look at the bytes again afterwards.
  def test_pieces_of_a_path_run_no_ruby_code
    functions = read("glue/fault.cpp").scan(/^(?:void (?:add_piece|fault_at_\w+)|VALUE key_of_piece)\(.*?(?: }$|^}$)/m)

    assert_equal 7, functions.size
    assert_empty functions.grep(/#{RUNS}|\bname_text\(/o)
  end

  # What a decode that fails calls before its last look at the bytes.
  def test_a_fault_in_text_runs_no_ruby_code
    text = read("codec/text/fault.cpp")
    whole, _, after = read("codec/decode.cpp").partition("missing_hint(")

    assert_empty text[...text.index("VALUE missing_hint(")].lines.grep(RUNS)
    assert_includes whole, "guess_hint("
    refute_match(/\b(?:guess_hint|text_fault)\(/, after)
  end

  # A list that finds nothing would forbid nothing.
  def test_the_calls_that_there_are_would_be_found_elsewhere
    hidden = encodes.flat_map { |file| read(file).lines.grep(RUNS) - stray(file) }

    assert_operator hidden.size, :>=, 12, hidden
  end

  # What Ruby code calls in the middle of an encode writes on, too.
  def test_a_packer_asks_whether_its_packing_goes_on
    write = read("message_pack/api/packer_write.cpp")[/VALUE piece_inside\(.*?^}/m]
    seen  = read("message_pack/api/packer.cpp")[/^Seen seen_of\(.*?^}/m]

    assert_operator write.index("ruby_ran(k);"), :<, write.index("writer_reserve(")
    assert_operator seen.index("output_check(*k);"), :<, seen.index("writer.begin")
  end

  private

  def encodes = Dir.glob("**/*.{cpp,hpp}", base: NATIVE).sort.select { |file| read(file).match?(ENCODES) }

  # @return [Array<String>] the lines in which Ruby code may be called, other than in the arguments of CALLS
  def stray(file) = without_calls(read(file)).lines.grep(RUNS)

  def without_calls(source)
    rest = +""
    while (found = CALLS.match(source))
      rest << found.pre_match << "("
      source = found.post_match
      source = source[length_of_arguments(source)..]
    end
    rest << source
  end

  def length_of_arguments(source)
    open = 1
    source.each_char.with_index do |char, index|
      open += { "(" => 1, ")" => -1 }.fetch(char, 0)
      return index if open.zero?
    end
  end

  def read(file) = File.read("#{NATIVE}/#{file}", encoding: Encoding::UTF_8).gsub(%r{//.*}, "")
end
