# frozen_string_literal: true

# bin/test: not sanitized, for other tests run the same native code

require "test_helper"
require "io/console"
require "json"
require "stringio"
require "tmpdir"
require "support/pseudo_terminal"

# What `sparpack convert`, `select` and `columns` write to a terminal: no character in it is hidden or changes how others are
# shown. Elsewhere, nothing is escaped.
class CLITerminalTextTest < Minitest::Test
  include PseudoTerminal

  FOLDER = Dir.mktmpdir
  Minitest.after_run { FileUtils.rm_rf(FOLDER) }
  SCHEMA = "#{FOLDER}/note.thrift".freeze
  File.write(SCHEMA, "struct Note { 1: string text, 2: map<string, i32> labels }")
  TYPED = ["--schema", SCHEMA].freeze

  class Note < Sparpack::Struct
    field 1, :text, :string
    field 2, :labels, map(:string, :i32)
  end

  HIDDEN = "a\u202Eb\u009B2J\u007F\u200B\u{E0041}\u2028é\u{1F600}"
  ESCAPED = 'a\u202eb\u009b2J\u007f\u200b\udb40\udc41\u2028é' + "\u{1F600}" # rubocop:disable Style/StringConcatenation
  NOTE = Note.new(text: HIDDEN, labels: { HIDDEN => 1 })
  TEXT = "{\"text\":\"#{HIDDEN}\",\"labels\":{\"#{HIDDEN}\":1}}\n".freeze
  SHOWN = "{\"text\":\"#{ESCAPED}\",\"labels\":{\"#{ESCAPED}\":1}}\n".freeze

  CALLS = [
    [%w[convert --to json], Sparpack::MessagePack.pack(NOTE.to_h.transform_keys(&:name))],
    [["convert", *TYPED, "--from", "compact", "--to", "json"], NOTE.encode],
    [["select", *TYPED, "--from", "compact", "--to", "json", "--limit", "1"], NOTE.encode],
    [["select", *TYPED, "--from", "json", "--limit", "1"], TEXT.b]
  ].freeze

  def test_json_on_a_terminal
    CALLS.each do |arguments, input|
      assert_equal SHOWN, run_on(terminal, arguments, input), arguments
      assert_equal TEXT, run_on(StringIO.new, arguments, input), arguments
    end
    assert_equal JSON.parse(TEXT), JSON.parse(SHOWN)
  end

  def test_a_pseudo_terminal
    reader, tty = pseudo_terminal
    run_on(tty, *CALLS.first)

    assert_equal SHOWN.chomp, reader.readpartial(1000).force_encoding(Encoding::UTF_8).chomp
  ensure
    [reader, tty].each { |io| io&.close }
  end

  def test_thrift_json
    call = ["convert", *TYPED, "--from", "compact", "--to", "thrift_json"]

    assert_includes run_on(terminal, call, NOTE.encode), "\"#{ESCAPED}\""
    assert_includes run_on(StringIO.new, call, NOTE.encode), "\"#{HIDDEN}\""
  end

  def test_columns
    call = ["columns", "text", *TYPED, "--from", "compact", "--to", "jsonl"]

    assert_equal "{\"text\":\"#{ESCAPED}\"}\n", run_on(terminal, call, NOTE.encode)
    assert_equal "{\"text\":\"#{HIDDEN}\"}\n", run_on(StringIO.new, call, NOTE.encode)
    call[-1] = "csv"

    assert_equal "text\r\n", run_on(terminal, call, NOTE.encode).lines.first
  end

  # White space between values stays, but nothing is written over.
  def test_white_space
    assert_equal "{ \n\t\"text\": \"a\"}\n", in_pieces(["{\r\n\t\"text\":\r\"a\"}\n"])
  end

  # Characters may be cut between two pieces of the output.
  def test_pieces_of_any_size
    1.upto(TEXT.bytesize) do |size|
      assert_equal SHOWN, in_pieces(TEXT.b.scan(/.{1,#{size}}/mn)), size
    end
  end

  def test_bytes_that_are_no_text
    assert_equal "\uFFFDa\uFFFD", in_pieces(["\x9Ba\xE2\x80".b])
    assert_equal "\uFFFDa", in_pieces(["\xE2".b, "a".b])
    assert_equal "", in_pieces([])
  end

  private

  def terminal = StringIO.new.tap { |io| def io.tty? = true }

  def run_on(output, arguments, input)
    errors = StringIO.new
    status = Sparpack::CLI.run(arguments, input: StringIO.new(input), output:, errors:)

    assert_equal [0, ""], [status, errors.string], arguments
    output.string.dup.force_encoding(Encoding::UTF_8) if output.is_a?(StringIO)
  end

  def in_pieces(pieces)
    output = StringIO.new("".b)
    target = Sparpack::CLI::Terminal::Target.new(Sparpack::Convert::StreamTarget.new(output))
    pieces.each { |piece| target.write(piece.freeze) }
    target.commit
    output.string.force_encoding(Encoding::UTF_8)
  end
end
