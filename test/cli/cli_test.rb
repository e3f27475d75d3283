# frozen_string_literal: true

# bin/test: not sanitized, for other tests run the same native code

require "test_helper"
require "rbconfig"
require "stringio"
require "tmpdir"
require "support/child"
require "support/cli"
require "support/command"

# Runs the command as users type it, but in this process.
class CLITest < Minitest::Test
  include CLI
  include Child

  IDL = File.expand_path("../fixtures/idl", __dir__)
  EXE = File.expand_path("../../exe/sparpack", __dir__)

  # What a terminal would obey.
  ODD = "a\e]0;b\a\e[2J\n\u202E"
  SHOWN = 'a\\e]0;b\\a\\e[2J\\n\\u202E'

  def setup = @folder = Dir.mktmpdir

  def teardown = FileUtils.rm_rf(@folder)

  def test_version_and_overview
    assert_equal [0, "sparpack #{Sparpack::VERSION}\n", ""], run_cli("--version")
    status, output, errors = run_cli("--help")

    assert_equal [0, ""], [status, errors]
    Sparpack::CLI::VERBS.each_key { |name| assert_match(/^    #{name} /, output) }
    assert_equal [2, "", output], run_cli
    assert_equal [0, output, ""], run_cli("help")
  end

  def test_names_of_files_are_escaped
    bad, good, missing = %w[bad good missing].map { |name| "#{@folder}/#{name}#{ODD}" }
    [bad, good].each { |folder| FileUtils.mkdir_p(folder) }
    File.write("#{bad}/x.thrift", "struct S {")
    File.write("#{good}/#{ODD}.thrift", "struct S { 1: i32 a 2: i32 b }")
    File.write("#{good}/#{ODD}.rb", "fail %q(no)")
    File.write("#{good}/#{ODD}.json", "[")
    File.write("#{@folder}/old.thrift", "struct S { 1: i64 a 2: i32 b }")
    [["format", bad], ["format", "--check", good], ["format", good], ["generate", bad, "--out", "#{@folder}/out"],
     ["generate", "#{good}/#{ODD}.thrift", "--out", good], ["generate", missing, "--out", @folder],
     ["breaking", "#{@folder}/old.thrift", "#{good}/#{ODD}.thrift"], ["breaking", bad, bad], ["breaking", missing, missing],
     ["convert", missing, "--from", "json"], ["convert", "#{good}/#{ODD}.json", "--from", "json"],
     ["convert", good, "--from", "json"],
     ["idl", "--require", "#{good}/#{ODD}.rb"], ["idl", "--require", good], ["idl", "--require", missing],
     ["idl", "--require", "set", ODD], [ODD], ["generate", "--#{ODD}"], ["help", ODD]].each do |arguments|
      _, *texts = run_cli(*arguments)

      assert_escaped(texts, *arguments)
    end
  end

  def test_help_of_every_verb
    Sparpack::CLI::VERBS.each_key do |name|
      status, output, errors = run_cli(name, "--help")

      assert_equal [0, ""], [status, errors]
      assert_match(/\AUsage: sparpack #{name} .*^Options:\n.*^    -h, --help .*^Example:\n    sparpack #{name} /m, output)
      assert_operator output.lines.map(&:size).max, :<=, 125, output
      assert_equal [0, output, ""], run_cli("help", name)
    end
  end

  def test_misuse
    {
      %w[genrate] => 'sparpack: unknown verb "genrate" (did you mean "generate"?)',
      %w[--foo] => 'sparpack: unknown option --foo (known: "--help", "--version")',
      %w[--versoin] => 'sparpack: unknown option --versoin (did you mean "--version"?)',
      %w[generate --layuot type] => "sparpack generate: invalid option: --layuot (did you mean --layout?)\n",
      %w[help nope] => 'sparpack help: unknown verb "nope"',
      %w[completion] => "sparpack completion: expected one shell: bash, zsh or fish",
      %w[completion nushell] => 'sparpack completion: unknown shell "nushell" (known: "bash", "zsh", "fish")',
      %w[completion fihs] => 'sparpack completion: unknown shell "fihs" (did you mean "fish"?)',
      %w[generate] => "sparpack generate: which .thrift files?",
      %W[generate #{IDL}/shop.thrift] => "sparpack generate: --out DIR is missing: the folder to write to",
      ["generate", "#{IDL}/shop.thrift", "--out", ""] => "sparpack generate: --out DIR is missing: the folder to write to",
      ["generate", "#{IDL}/shop.thrift", "--out", __FILE__] => "sparpack generate: --out #{__FILE__}: not a folder",
      ["generate", "\xFF", "--out", "x"] => "sparpack generate: No such file or directory: ",
      ["generate", "--layout", "\xFF"] =>
        'sparpack generate: unknown --layout "\xFF" (known: "file", "type", "zeitwerk", "namespaced")',
      ["\xFF"] => 'sparpack: unknown verb "\xFF"',
      %w[generate x --outt y] => "sparpack generate: invalid option: --outt",
      %w[generate x.thrift --out y] => "sparpack generate: No such file or directory: x.thrift\n",
      ["generate", "#{IDL}/shp.thrift", "--out", "y"] =>
        "sparpack generate: No such file or directory: #{IDL}/shp.thrift (did you mean \"#{IDL}/shop.thrift\"?)\n",
      ["format", "#{IDL}/shp.thrift"] =>
        "sparpack format: No such file or directory: #{IDL}/shp.thrift (did you mean \"#{IDL}/shop.thrift\"?)\n",
      %w[format idl/*.thrift] => "sparpack format: No such file or directory: idl/*.thrift (this looks like a pattern: ",
      %w[generate x --layout typ] => 'sparpack generate: unknown --layout "typ" (did you mean "type"?)',
      %w[generate test --out x --names apache] => 'sparpack generate: unknown --names "apache" (known: "idl", "ruby")'
    }.each do |arguments, message|
      status, output, errors = run_cli(*arguments)

      assert_equal [2, ""], [status, output], arguments
      assert errors.start_with?(message), "#{errors}\n#{message}"
      assert_match(/^Try: sparpack (\w+ )?--help$/, errors)
    end
  end

  # The options that take a number: the verb and the least number.
  NUMBERS = { %w[select --limit] => 0, %w[select --message-limit] => 0, %w[select --threads] => 1,
              %w[columns --message-limit] => 0, %w[columns --threads] => 1, %w[convert --message-limit] => 0,
              %w[convert --threads] => 1, %w[inspect --record] => 1, %w[inspect --limit] => 0,
              %w[inspect --strings] => 0 }.freeze

  def test_numbers_of_options
    NUMBERS.each do |(verb, option), least|
      range = option == "--threads" ? "from #{least} to 64" : "from #{least} on"
      largest = option == "--threads" ? range : "from #{least} to 4611686018427387903"
      told = ["0x2", "1_0", "0b1", "", "+1", "1.0"].to_h { |text| [text, "#{range}, in decimal digits"] }
      told.update((least - 1).to_s => range, "9223372036854775808" => largest, "9" * 23 => largest)
      told.each do |number, expected|
        status, output, errors = run_cli(verb, option, number)

        assert_equal [2, "", "sparpack #{verb}: #{option} #{number}: expected a number #{expected}\n"],
                     [status, output, errors.lines.first]
      end
      ["010", "4611686018427387903"].each do |number|
        refute_includes run_cli(verb, option, number)[2], "expected a number" unless option == "--threads" && number.size > 3
      end
    end
  end

  # A new option that takes a number belongs in the list above.
  def test_no_option_takes_a_number_in_another_way
    Sparpack::CLI::VERBS.each_key do |verb|
      options = Sparpack::CLI.verb(verb).parser.top.list.grep(OptionParser::Switch).select { |switch| switch.arg&.strip == "N" }

      assert_equal NUMBERS.keys.filter_map { |name, option| option if name == verb }.sort, options.flat_map(&:long).sort
    end
  end

  def test_generate
    arguments = ["generate", "#{IDL}/shop.thrift", "--out", "#{@folder}/gen", "--rbs"]
    status, output, errors = run_cli(*arguments)

    assert_equal 0, status
    assert_equal(%w[base.rb base.rbs shop.rb shop.rbs].map { |name| "wrote #{@folder}/gen/#{name}\n" }, output.lines)
    assert_match(/shop.thrift:\d+:15: warning: a default in a union is ignored\n\z/, errors)
    assert_equal File.read("#{__dir__}/../golden/file/shop.rb"), File.read("#{@folder}/gen/shop.rb")
    assert_equal [0, "4 files are up to date\n"], run_cli(*arguments).first(2)
    assert_equal [0, "4 files are up to date\n"], run_cli(*arguments, "--check").first(2)
    File.write("#{@folder}/gen/shop.rbs", "")

    assert_equal([1, "", "#{@folder}/gen/shop.rbs is not up to date"],
                 run_cli(*arguments, "--check").then { |s, o, e| [s, o, e.lines.last.chomp] })
    assert_equal "", File.read("#{@folder}/gen/shop.rbs")
  end

  def test_generate_tells_what_is_left_behind
    arguments = ["generate", "#{IDL}/shared/base.thrift", "--out", "#{@folder}/gen"]
    run_cli(*arguments, "--rbs", "--rbi")
    File.write("#{@folder}/gen/own.rb", "")
    told = %w[base.rbi base.rbs].map { |name| "#{@folder}/gen/#{name} is no longer generated: --clean removes it\n" }

    assert_equal [0, "1 file is up to date\n", told.join], run_cli(*arguments)
    assert_equal [1, "", told.join], run_cli(*arguments, "--check")
    assert_equal [2, "", "sparpack generate: --check and --clean cannot be combined\nTry: sparpack generate --help\n"],
                 run_cli(*arguments, "--check", "--clean")
    assert_equal [0, %w[base.rbi base.rbs].map { |name| "removed #{@folder}/gen/#{name}\n" }.join, ""],
                 run_cli(*arguments, "--clean")
    assert_equal [0, "1 file is up to date\n", ""], run_cli(*arguments, "--check")
    assert_equal %w[base.rb own.rb], Dir.children("#{@folder}/gen").sort
  end

  def test_generate_into_a_shared_folder
    shop = ["generate", "#{IDL}/shop.thrift", "--out", "#{@folder}/gen"]
    run_cli(*shop)
    odd = ["generate", "#{IDL}/oddities.thrift", "--out", "#{@folder}/gen"]

    assert_equal 2, run_cli(*odd)[2].lines.size
    assert_empty run_cli(*odd, "--shared", "--check")[2]
    assert_equal "1 file is up to date\n", run_cli(*odd, "--shared", "--clean")[1]
    assert_equal 0, run_cli(*shop, "--shared", "--check")[0]
  end

  def test_generate_options
    run_cli("generate", "#{IDL}/shop.thrift", "-o", @folder, "--layout=zeitwerk", "--names", "ruby", "--no-included",
            "--rbi")

    assert_equal %w[idl_fixtures/shop.rb idl_fixtures/shop/node.rb shop.rbi],
                 Dir["**/*.*", base: @folder].sort.grep(/shop.rb|node/)
    refute_path_exists "#{@folder}/base.rbi"
  end

  def test_generate_options_of_other_styles
    { %w[--style thrift --layout type] => "--layout type is not for --style thrift (known: file, namespaced)",
      %w[--layout namespaced] => "--layout namespaced is not for --style sparpack (known: file, type, zeitwerk)",
      %w[--style thrift --rbs] =>
        "--rbs is not for --style thrift, which has the names of the IDL and no signatures",
      %w[--style sparsam --names ruby] =>
        "--names ruby is not for --style sparsam, which has the names of the IDL and no signatures" }
      .each do |options, message|
      assert_equal [2, "", "sparpack generate: #{message}\nTry: sparpack generate --help\n"],
                   run_cli("generate", "#{IDL}/shop.thrift", "-o", @folder, *options)
    end
  end

  def test_generate_signatures_only
    arguments = ["generate", "#{IDL}/shared/base.thrift", "-o", @folder, "--no-ruby"]

    status, _, errors = run_cli(*arguments)

    assert_equal [2, "sparpack generate: --no-ruby alone leaves nothing to write: add --rbs or --rbi\n"],
                 [status, errors.lines[0]]
    assert_equal "wrote #{@folder}/base.rbi\nwrote #{@folder}/base.rbs\n", run_cli(*arguments, "--rbs", "--rbi")[1]
    assert_equal [0, "2 files are up to date\n", ""], run_cli(*arguments, "--rbs", "--rbi", "--check")
  end

  def test_generate_faults
    File.write("#{@folder}/a.thrift", "struct A { 1: i32 }\nstruct B { 1: C c }")
    File.write("#{@folder}/b.thrift", "struct B { 1: C c }\nstruct D { 1: E e }")
    File.write("#{@folder}/c.thrift", "struct b {}\nstruct B {}")

    assert_equal [1, "", "a.thrift:1:19: expected the name of a field, found \"}\"\n"], generate("a.thrift")
    assert_equal [1, "", "b.thrift:1:15: expected a type, found \"C\", which is not defined\n" \
                         "b.thrift:2:15: expected a type, found \"E\", which is not defined\n"], generate("b.thrift")
    assert_match(/c.thrift:2:1: expected a unique name in Ruby, found C::B, which is already the name of "b"/,
                 generate("c.thrift")[2])
  end

  def test_format
    File.write("#{@folder}/a.thrift", "struct A{1:i32 a}")
    File.write("#{@folder}/b.thrift", "struct B {}\n")
    File.write("#{@folder}/c.thrift", "struct {")

    assert_equal [1, "", "a.thrift is not formatted\n"], lay_out("--check", "a.thrift", "b.thrift")
    assert_equal "struct A{1:i32 a}", File.read("#{@folder}/a.thrift")
    assert_equal [1, "formatted a.thrift\n", "c.thrift:1:8: expected the name of a struct, found \"{\"\n"],
                 lay_out("c.thrift", "a.thrift")
    assert_equal "struct A {\n  1: i32 a,\n}\n", File.read("#{@folder}/a.thrift")
    assert_equal [0, "2 files are already formatted\n", ""], lay_out("a.thrift", "b.thrift")
    assert_equal [0, "2 files are already formatted\n", ""], lay_out("--check", "a.thrift", "b.thrift")
    assert_equal([2, "sparpack format: - cannot be combined with files\n"],
                 lay_out("-", "a.thrift").then { |s, _, e| [s, e.lines[0]] })
  end

  def test_format_of_the_standard_input
    assert_equal [0, "struct A {}\n", ""], run_cli("format", "-", input: "struct A{ }")
    assert_equal [1, "", "(standard input) is not formatted\n"], run_cli("format", "-", "--check", input: "struct A{ }")
    assert_equal [0, "", ""], run_cli("format", "-", "--check", input: "struct A {}\n")
    assert_equal [1, "", "(standard input):1:10: expected a type, found the end of the file " \
                         "(the \"{\" in line 1 is not closed)\n"], run_cli("format", "-", input: "struct A{")
  end

  def test_a_folder_stands_for_what_is_in_it
    FileUtils.mkdir_p(["#{@folder}/[i]dl/deep", "#{@folder}/[i]dl/folder.thrift"])
    %w[a deep/b].each { |name| File.write("#{@folder}/[i]dl/#{name}.thrift", "") }

    assert_equal 2, run_cli("generate", "#{@folder}/[i]dl", "--out", "#{@folder}/gen")[1].lines.size
    assert_match(/no .thrift files in/, run_cli("generate", "#{__dir__}/../support", "--out", @folder)[2])
  end

  def test_names_that_are_not_ascii_in_any_locale
    folder = FileUtils.mkdir_p("#{@folder}/Größe")[0]
    File.write("#{folder}/ä.thrift", "/** ä */ struct A {}")
    command = [RbConfig.ruby, EXE, "generate", folder, "--out", "#{@folder}/out"]
    output, status = Command.capture2e({ "LC_ALL" => "C" }, *command)

    assert_predicate status, :success?, output
    assert_match(/^  # ä$/, File.read("#{@folder}/out/_.rb", encoding: "UTF-8"))
  end

  def test_colours_only_on_a_terminal
    terminal = StringIO.new.tap { |io| def io.tty? = true }
    %w[a.thrift b\ c.thrift].each { |name| File.write("#{@folder}/#{name}", "struct A {") }
    Sparpack::CLI.run(["generate", "#{@folder}/b c.thrift", "--out", @folder], errors: terminal)

    assert_includes terminal.string, "\e[1m#{@folder}/b c.thrift:1:11: \e[0m" unless ENV["NO_COLOR"] || ENV["TERM"] == "dumb"
    refute_includes generate("a.thrift")[2], "\e"
  end

  def test_completion
    { "bash" => "complete -o nospace -F _sparpack sparpack", "zsh" => "#compdef sparpack",
      "fish" => "complete -c sparpack -f" }.each do |shell, line|
      status, output, = run_cli("completion", shell)

      assert_equal [0, true], [status, output.lines(chomp: true).include?(line)]
      next unless Command.success?(shell, "-c", ":")

      message, checked = Command.capture2e(shell, "-n", stdin_data: output)

      assert_predicate checked, :success?, message
    end
  end

  # Returns what bash would offer after some words.
  def test_completion_in_bash
    skip "bash is missing" unless Command.success?("bash", "-c", ":")
    script = run_cli("completion", "bash")[1]
    File.write("#{@folder}/some.bin", "")
    {
      %w[sparpack guess so] => %w[some.bin],
      %w[sparpack gen] => %w[generate],
      %w[sparpack generate --l] => %w[--layout],
      %w[sparpack completion b] => %w[bash],
      %w[sparpack help comp] => %w[completion]
    }.each do |words, expected|
      line = "#{script}\nCOMP_WORDS=(#{words.join(" ")}); COMP_CWORD=#{words.size - 1}; _sparpack; echo ${COMPREPLY[@]}"
      found, = Command.capture2e("bash", stdin_data: line, chdir: @folder)

      assert_equal expected, found.split, words
    end
  end

  # With `filenames`, bash puts a backslash before a blank, and / behind a folder.
  def test_names_with_blanks_in_bash
    skip "bash is missing" unless Command.success?("bash", "-c", ":")
    FileUtils.mkdir_p("#{@folder}/my folder")
    ["my file.bin", "my*.bin", "my.thrift"].each { |name| File.write("#{@folder}/#{name}", "") }
    {
      %w[sparpack guess my] => ["my folder", "my file.bin", "my*.bin", "my.thrift"],
      %w[sparpack format my] => ["my folder", "my.thrift"]
    }.each do |words, expected|
      line = <<~BASH
        #{run_cli("completion", "bash")[1]}
        compopt() { echo "$@"; }
        COMP_WORDS=(#{words.join(" ")}); COMP_CWORD=2; _sparpack; printf '%s\n' "${COMPREPLY[@]}"
      BASH
      found, = Command.capture2e("bash", stdin_data: line, chdir: @folder)

      assert_equal ["-o filenames", *expected.sort], found.lines(chomp: true).uniq.sort
    end
  end

  # Returns what fish would offer after some words.
  def test_completion_in_fish
    skip "fish is missing: apt-get install fish" unless Command.success?("fish", "-c", "true")
    File.write("#{@folder}/sparpack.fish", run_cli("completion", "fish")[1])
    %w[a.thrift b.json c.rb].each { |name| File.write("#{@folder}/#{name}", "") }
    FileUtils.mkdir_p("#{@folder}/idl")
    {
      "gen" => %w[generate], "generate --lay" => %w[--layout], "generate --layout " => %w[file namespaced type zeitwerk],
      "generate -" => nil, "completion f" => %w[fish], "help comp" => %w[completion], "help generate -" => %w[-h --help],
      "format a" => %w[a.thrift], "convert b" => %w[b.json], "generate --out i" => %w[idl/], "idl -r c" => %w[c.rb],
      "--v" => %w[--version]
    }.each do |words, expected|
      script = "source sparpack.fish; complete -C 'sparpack #{words}'"
      found, = Command.capture2e({ "HOME" => @folder }, "fish", "-c", script, chdir: @folder)
      found = found.lines.map { |line| line.split("\t").first.chomp }
      next assert_operator found.size, :>, 12, words unless expected

      assert_equal expected, found.first(expected.size), words
      assert_equal expected.size, found.size, words unless words.match?(/^(format|convert)/) # the others come after them
    end
  end

  def test_the_executable
    output, status = Command.capture2e(RbConfig.ruby, EXE, "format-all")

    assert_equal 2, status.exitstatus
    assert_match(/\Asparpack: unknown verb "format-all"/, output)
  end

  # A reader may stop early (which is no fault), the disk may be full, and Ctrl-C ends the command.
  def test_output_that_fails
    { Errno::EPIPE => [0, ""], Errno::ENOSPC.new("<STDOUT>", "rb_io_flush_raw") => [2, "sparpack: No space left on device: <STDOUT>\n"], Interrupt => [130, ""] }
      .each do |error, (status, message)|
      output = StringIO.new.tap { |io| io.define_singleton_method(:puts) { |*| raise error } }
      errors = StringIO.new

      assert_equal status, Sparpack::CLI.run(%w[--version], output:, errors:)
      assert_equal message, errors.string
    end
    output = StringIO.new.tap { |io| io.define_singleton_method(:puts) { |*| raise Errno::EPIPE } }
    errors = StringIO.new

    arguments = ["generate", "#{IDL}/shared/base.thrift", "-o", @folder]

    assert_equal [0, ""], [Sparpack::CLI.run(arguments, output:, errors:), errors.string]
  end

  # The verb fails if there is much to print, and otherwise only the end.
  def test_a_full_disk
    skip "there is no /dev/full" unless File.exist?("/dev/full")
    [3, 100_000].each do |size|
      File.binwrite("#{@folder}/structs.bin", "\x93".b * size)
      [["inspect", "--all", "--from", "msgpack"], ["guess"]].each do |arguments|
        command = [RbConfig.ruby, EXE, *arguments, "#{@folder}/structs.bin"]
        status = Command.run(*command, out: "/dev/full", err: "#{@folder}/errors")

        assert_equal [2, "sparpack: No space left on device: <STDOUT>\n"],
                     [status.exitstatus, File.read("#{@folder}/errors")]
      end
    end
  end

  # Does not hold for root, who may read and write everything.
  def test_what_may_not_be_read_or_written
    File.chmod(0o755, @folder)
    FileUtils.mkdir_p(%w[closed fixed].map { |name| "#{@folder}/#{name}" })
    { "a.json" => "{}", "a.rb" => "", "a.thrift" => "" }.each { |name, text| File.write("#{@folder}/#{name}", text) }
    calls = [["format", "#{@folder}/closed"], ["idl", "-r", "#{@folder}/a.rb"], ["format", "#{@folder}/a.thrift"],
             ["convert", "#{@folder}/a.json", "#{@folder}/fixed/a.msgpack"]]
    # Loads what is needed later, because another user may not read the clone.
    [*calls, ["format", "#{@folder}/none"], ["convert", "#{@folder}/a.json", "#{@folder}/none/a.msgpack"],
     ["idl", "-r", "#{@folder}/none.rb"]].each { |arguments| run_cli(*arguments) }
    FileUtils.rm_f("#{@folder}/fixed/a.msgpack")
    %w[closed a.rb a.thrift].each { |name| File.chmod(0, "#{@folder}/#{name}") }
    File.chmod(0o555, "#{@folder}/fixed")
    told = in_child do
      Process::UID.change_privilege(65_534) if Process.uid.zero?
      calls.map { |arguments| run_cli(*arguments).then { |status, _, errors| [status, errors.lines[0].chomp] } }
    end
    expected = [%w[format closed], %w[idl a.rb], %w[format a.thrift], %w[convert fixed]].map do |verb, name|
      [2, "sparpack #{verb}: Permission denied: #{@folder}/#{name}"]
    end

    assert_equal expected, told
  ensure
    File.chmod(0o755, "#{@folder}/closed")
  end

  def test_rake_task
    File.write("#{@folder}/Rakefile", <<~RUBY)
      require "sparpack/rake_task"
      Sparpack::RakeTask.new(:thrift) do |task|
        task.files = FileList["#{IDL}/shop.thrift"]
        task.out = "gen"
        task.options = { layout: :type }
      end
    RUBY
    assert_match(/gen.base.rb is not up to date: rake thrift$/, rake("thrift:check", 1))
    assert_match(%r{^wrote gen/idl_fixtures/shop/node.rb$}, rake("thrift", 0))
    assert_empty rake("thrift:check", 0).lines.grep_v(/warning/)
    FileUtils.cp("#{@folder}/gen/shop.rb", "#{@folder}/gen/old.rb")
    told = %r{^gen/old.rb is no longer generated: rake thrift:clean removes it$}

    assert_match told, rake("thrift", 0)
    assert_match told, rake("thrift:check", 1)
    assert_match(%r{^removed gen/old.rb$}, rake("thrift:clean", 0))
    assert_empty rake("thrift:check", 0).lines.grep_v(/warning/)
  end

  # Otherwise `clean` would remove everything that was generated.
  def test_rake_task_without_files
    File.write("#{@folder}/Rakefile", <<~RUBY)
      require "sparpack/rake_task"
      Sparpack::RakeTask.new(:thrift) { |task| task.files = FileList["idl/*.thrift"] }
    RUBY
    %w[thrift thrift:check thrift:clean].each do |task|
      assert_match(/rake thrift: there are no .thrift files, because `files` is empty/, rake(task, 1))
    end
  end

  private

  def rake(task, status)
    command = [RbConfig.ruby, "-S", "rake", task]
    output, result = Command.capture2e(*command, chdir: @folder)

    assert_equal status, result.exitstatus, output
    output
  end

  def generate(name)
    status, *texts = run_cli("generate", "#{@folder}/#{name}", "--out", @folder)
    [status, *texts.map { |text| text.gsub("#{@folder}/", "") }]
  end

  def lay_out(*arguments)
    paths = arguments.map { |name| name.start_with?("-") ? name : "#{@folder}/#{name}" }
    status, *texts = run_cli("format", *paths)
    [status, *texts.map { |text| text.gsub("#{@folder}/", "") }]
  end

  def assert_escaped(texts, *arguments)
    all = arguments.join(" ")
    assert_includes texts.join, SHOWN, all
    refute_match(/[\e\a\u202E]/, texts.join, all)
    refute_match(/\[2J$/, texts.join, all)
  end
end
