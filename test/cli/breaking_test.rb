# frozen_string_literal: true

# bin/test: not sanitized, for it runs no native code

require "test_helper"
require "fileutils"
require "json"
require "sparpack/cli"
require "stringio"
require "tmpdir"
require "support/command"

# Runs `sparpack breaking` on files, folders and git revisions.
class CLIBreakingTest < Minitest::Test
  DOCS = File.expand_path("../../docs/breaking.md", __dir__)

  # Stands for a terminal.
  Screen = Class.new(StringIO) { def tty? = true }

  def setup
    @folder = File.realpath(Dir.mktmpdir)
    @before = Dir.pwd
    Dir.chdir(@folder)
  end

  def teardown
    Dir.chdir(@before)
    FileUtils.rm_rf(@folder)
  end

  # --- what is compared -------------------------------------------------------------------------------------------------

  def test_files
    write "old.thrift", "struct S { 1: i32 a }"
    write "new.thrift", "struct S {\n  1: i64 a\n}"

    assert_breaking 1, "new.thrift:2:3: error: [type_changed] S.a was i32 and is now i64", "old.thrift", "new.thrift"
    assert_equal "1 error", @output.lines.last.chomp
    assert_breaking 0, "no breaking changes", "new.thrift", "new.thrift"
  end

  def test_warnings_alone_are_fine
    write "old.thrift", "struct S { 1: i32 a = 1 2: i32 b }"
    write "new.thrift", "struct S { 1: i32 a = 2 2: i32 b = 1 }"

    assert_breaking 0, "2 warnings\n", "old.thrift", "new.thrift"
  end

  def test_levels
    write "old.thrift", "struct S { 1: i32 a } struct T {}"
    write "new.thrift", "struct S { 1: i32 b }"

    assert_breaking 0, "no breaking changes", "old.thrift", "new.thrift", "--level", "wire"
    assert_breaking 1, "1 error\n", "old.thrift", "new.thrift"
    assert_breaking 1, "2 errors\n", "old.thrift", "new.thrift", "--level=source"
  end

  def test_folders
    write "old/a.thrift", "include 'sub/b.thrift' struct S { 1: b.B b }"
    write "old/sub/b.thrift", "include 'c.thrift' struct B { 1: c.C c }"
    write "old/c.thrift", "struct C { 1: i32 x }"
    write "old/.hidden/d.thrift", "nonsense"
    FileUtils.cp_r("old", "new")

    assert_breaking 0, "no breaking changes", "old", "new/", "--level", "source"
    write "new/c.thrift", "struct C { 1: i64 x }"
    FileUtils.rm("new/a.thrift")

    assert_breaking 1, "new/c.thrift:1:12: error: [type_changed] C.x was", "old", "new"
    assert_breaking 1, "old/a.thrift:1:1: error: [file_removed] a.thrift was removed", "./old", "./new", "--level", "source"
    assert_includes @output, "(in OLD)"
  end

  def test_a_folder_that_is_named_as_a_file
    write "old/a.thrift", "struct S { 1: i32 a }"
    write "old/gen.thrift/b.thrift", "struct T { 1: i32 a }"
    FileUtils.cp_r("old", "new")
    write "new/gen.thrift/b.thrift", "struct T { 1: i64 a }"

    assert_breaking 1, "new/gen.thrift/b.thrift:1:12: error: [type_changed] T.a was i32", "old", "new"
    FileUtils.rm(%w[old/a.thrift old/gen.thrift/b.thrift])

    assert_breaking 2, "no .thrift files in old", "old", "new"
  end

  def test_include_folders
    write "old/a.thrift", "include 'b.thrift' struct S { 1: b.B b }"
    write "new/a.thrift", "include 'b.thrift' struct S { 1: b.B b = {'x': 1} }"
    write "lib/b.thrift", "struct B { 1: i32 x }"

    assert_breaking 2, "old/a.thrift:1:1: expected a file to include, found no \"b.thrift\" in old", "old", "new"
    assert_breaking 0, "1 warning\n", "old", "new", "-I", "lib"
    assert_breaking 0, "1 warning\n", "old/a.thrift", "new/a.thrift", "--include", "lib", "--level", "source"
  end

  def test_ids_that_are_not_positive
    write "old.thrift", "struct S { -1: i32 a }"

    assert_breaking 2, "expected an id from 1 to 32767 (--allow-neg-keys permits lower ids), found -1",
                    "old.thrift", "old.thrift"
    assert_breaking 0, "no breaking changes", "old.thrift", "old.thrift", "--allow-neg-keys"
  end

  # --- git ----------------------------------------------------------------------------------------------------------------

  def test_git_revisions
    repository
    write "idl/shared.thrift", "struct P { 1: i64 x }"

    assert_breaking 1, "idl/shared.thrift:1:12: error: [type_changed] P.x was i32", "HEAD:idl", "idl"
    assert_breaking 0, "no breaking changes", "HEAD~1:idl/a.thrift", "HEAD:idl/a.thrift"
    assert_breaking 0, "no breaking changes", "HEAD^{/first: one}:idl", "v1:./idl/"
    commit "third"

    assert_breaking 1, "idl/shared.thrift:1:12: error", "v1:", "HEAD:."
    assert_breaking 1, "idl/shared.thrift:1:12: error", "v1:idl/a.thrift", "HEAD:idl/a.thrift"
    Dir.chdir("idl") do
      assert_breaking 1, "idl/shared.thrift:1:12: error", "v1:./", "HEAD:idl"
      assert_breaking 1, "\nshared.thrift:1:12: error", "HEAD~2:./shared.thrift", "shared.thrift"
    end
  end

  def test_include_folders_of_a_revision
    repository
    write "idl/a.thrift", "include 'shared.thrift' include 'base.thrift' include 'out.thrift' struct S { 1: base.B b }"
    write "lib/base.thrift", "struct B { 1: i32 x }"
    commit "base", "lib", "idl"
    write "lib/base.thrift", "struct B { 1: i64 x }"
    write "elsewhere/out.thrift", ""
    arguments = ["HEAD:idl", "idl", "-I", "lib", "--include=elsewhere"]

    assert_breaking 1, "lib/base.thrift:1:12: error: [type_changed] B.x was i32 and is now i64", *arguments
    Dir.chdir("idl") do
      assert_breaking 1, "B.x was i32", "HEAD:./a.thrift", "a.thrift", "-I", "../lib", "-I", "../elsewhere"
    end
  end

  def test_links_in_a_revision
    repository
    File.symlink("shared.thrift", "idl/link.thrift")
    write "idl/b.thrift", "include 'link.thrift' struct S { 1: link.P p }"
    commit "links", "idl"

    assert_breaking 0, "no breaking changes", "HEAD:idl/b.thrift", "idl/b.thrift", "--level", "source"
    assert_breaking 0, "no breaking changes", "HEAD:idl/link.thrift", "idl/shared.thrift"
  end

  # Also where the file system refuses such names.
  def test_names_in_a_revision_that_are_not_utf8
    repository
    object = Command.capture2e("git", "hash-object", "-w", "idl/shared.thrift")[0].chomp
    ["caf\xe9.txt", "idl/caf\xe9/b.thrift", "idl/caf\xe9.thrift"].each do |path|
      git "update-index", "--add", "--cacheinfo", "100644,#{object},#{path}"
    end
    commit "names", changes: []

    assert_breaking 0, "no breaking changes", "HEAD:idl", "HEAD:idl", "--level", "source"
    assert_breaking 0, "no breaking changes", "HEAD:idl/caf\xe9.thrift", "HEAD:idl/caf\xe9/b.thrift"
    assert_breaking 0, "no breaking changes", "v1:idl", "idl"
    assert_breaking 1, "idl/caf?.thrift:1:1: error: [file_removed] caf?.thrift was removed",
                    "HEAD:idl", "idl", "--level", "source"
    assert_breaking 1, "::error file=idl/caf?.thrift,line=1", "HEAD:idl", "idl", "--level", "source", "--format", "github"
    assert_breaking 1, '"file": "idl/caf?.thrift"', "HEAD:idl", "idl", "--level", "source", "--format", "json"
    assert_breaking 2, "no file or folder \"idl/caf\\xE8.thrift\" in the revision HEAD", "HEAD:idl/caf\xe8.thrift", "idl"
  end

  def test_names_on_the_disk_that_are_not_utf8
    begin
      write "old/caf\xe9/\xe9.thrift", "include 'b.thrift' struct S { 1: b.B b }"
    rescue SystemCallError
      skip "the file system takes only UTF-8"
    end
    write "old/caf\xe9/b.thrift", "struct B { 1: i32 x }"
    FileUtils.cp_r("old", "new")
    write "new/caf\xe9/b.thrift", "struct B { 1: i64 x }"
    said = "b.thrift:1:12: error: [type_changed] B.x was i32 and is now i64"

    assert_breaking 1, "new/caf?/#{said}", "old", "new"
    assert_breaking 1, "new/caf?/#{said}", "old/caf\xe9", "new/caf\xe9"
    assert_breaking 1, "new/caf?/#{said}", "old/caf\xe9/\xe9.thrift", "new/caf\xe9/\xe9.thrift"
    write "allow.yml", "breaking: { allow: [{ rule: all, file: new/**/b.thrift }] }"

    assert_breaking 0, "1 allowed", "old", "new", "--config", "allow.yml"
  end

  def test_links_to_folders_in_a_revision
    repository
    FileUtils.mkdir_p("links/deep")
    { "link" => "idl", "idl/link" => ".", "links/up" => "../link", "links/deep/link" => "../up", "idl/dir.thrift" => ".",
      "out" => "..", "root" => "/", "round" => "round/round" }.each { |path, target| File.symlink(target, path) }
    commit "links", *%w[link idl/link links idl/dir.thrift out root round]
    write "idl/shared.thrift", "struct P { 1: i64 x }"

    %w[link link/ link/link links/up ./links/deep/link].each do |path|
      assert_breaking 1, "idl/shared.thrift:1:12: error: [type_changed] P.x was i32", "HEAD:#{path}", "idl"
      assert_breaking 0, "no breaking changes", "HEAD:idl", "HEAD:#{path}", "--level", "source"
    end
    assert_breaking 1, "idl/shared.thrift:1:12: error", "HEAD:links/deep/link/a.thrift", "idl/a.thrift"
    assert_breaking 1, "link/shared.thrift:1:12: error", "idl", "HEAD:link"
    assert_breaking 1, "link/shared.thrift:1:12: error", "idl/a.thrift", "HEAD:link/a.thrift"
    %w[out root round root/idl].each do |path|
      assert_breaking 2, "no file or folder \"#{path}\" in the revision HEAD", "HEAD:#{path}", "idl"
    end
  end

  def test_what_is_not_in_git
    assert_breaking 2, "cannot look up the git revision \"HEAD\": git says fatal: not a git repository", "HEAD:a", "HEAD:a"
    repository

    assert_breaking 2, "no git revision \"nope\" in #{@folder}", "nope:idl", "idl"
    assert_breaking 2, "no git revision \"--help\"", "--", "--help:idl", "idl"
    assert_breaking 2, "no file or folder \"idl/b.thrift\" in the revision HEAD (did you mean \"idl/a.thrift\"?)",
                    "HEAD:idl/b.thrift", "idl/a.thrift"
    assert_breaking 2, "no file or folder \"../idl\" in the revision v1", "v1:../idl", "idl"
    assert_breaking 2, "no file or folder \"old\" (for one in a git revision, write REV:path, for example HEAD~1:idl)",
                    "old", "idl"
  end

  def test_a_file_of_that_name_comes_first
    repository
    write "HEAD:idl", "struct S { 1: bool p }"
    write "new.thrift", "struct S { 1: i32 p }"

    assert_breaking 1, "S.p was bool and is now i32", "HEAD:idl", "new.thrift"
  end

  def test_faults_name_the_revision
    repository
    write "idl/a.thrift", "struct S {"
    commit "broken"

    assert_breaking 2, "HEAD:idl/a.thrift:1:11: expected a type, found the end of the file " \
                       "(the \"{\" in line 1 is not closed)", "HEAD:idl", "v1:idl"
    assert_breaking 2, "idl/a.thrift:1:11: expected a type", "v1:idl", "idl"
  end

  # --- what is allowed ----------------------------------------------------------------------------------------------------

  def test_a_configuration
    old_and_new
    write ".sparpack.yml", <<~YAML
      breaking:
        level: wire
        allow:
          - rule: field_removed
            at: S.*
            file: "*/a.thrift"
    YAML
    assert_breaking 1, "1 error, 1 allowed", "old", "new"
    assert_breaking 1, "2 errors, 1 allowed", "old", "new", "--level", "names"
    write "other.yml", "breaking: { allow: [all] }"

    assert_breaking 0, "no breaking changes, 3 allowed", "old", "new", "--config", "other.yml"
    FileUtils.mkdir_p(%w[sub/deep .git])
    Dir.chdir("sub/deep") { assert_breaking 1, "1 error, 1 allowed", "../../old", "../../new" }
    FileUtils.rmdir(".git")
    Dir.chdir("sub/deep") { assert_breaking 1, "3 errors", "../../old", "../../new" }
  end

  {
    "breaking: [" => "other.yml:2:1: did not find expected node content while parsing a flow node",
    "- a" => "other.yml: expected a map, found [\"a\"]",
    "braking: {}" => "other.yml: unknown key \"braking\" (did you mean \"breaking\"?)",
    "breaking: x" => "other.yml: breaking: expected a map, found \"x\"",
    "breaking: { levels: wire }" => "other.yml: breaking: unknown key \"levels\" (did you mean \"level\"?)",
    "breaking: { level: wires }" => "other.yml: breaking.level: unknown value \"wires\" (did you mean \"wire\"?)",
    "breaking: { allow: all }" => "other.yml: breaking.allow: expected a list, found \"all\"",
    "breaking: { allow: [field_remove] }" => "other.yml: breaking.allow[0].rule: unknown rule \"field_remove\" " \
                                             "(did you mean \"field_removed\"?)",
    "breaking: { allow: [{ at: x }] }" => "other.yml: breaking.allow[0].rule: expected the name of a rule, found nil",
    "breaking: { allow: [all, 5] }" => "other.yml: breaking.allow[1]: expected a map, found 5",
    "breaking: { allow: [{ rule: all, at: [x] }] }" => "other.yml: breaking.allow[0].at: expected a string, found [\"x\"]",
    "breaking: !ruby/object:Object {}" => "other.yml: Tried to load unspecified class: Object"
  }.each_with_index do |(yaml, message), index|
    define_method(:"test_a_wrong_configuration_#{index}") do
      old_and_new
      write "other.yml", yaml

      assert_breaking 2, message, "old", "new", "--config", "other.yml"
    end
  end

  def test_an_empty_configuration
    old_and_new
    write ".sparpack.yml", "breaking:\n"

    assert_breaking 1, "3 errors", "old", "new"
    write ".sparpack.yml", ""

    assert_breaking 1, "3 errors", "old", "new"
  end

  # --- the output ---------------------------------------------------------------------------------------------------------

  def test_json
    old_and_new
    assert_breaking 1, "", "old", "new", "--format", "json"
    result = JSON.parse(@output)

    assert_equal %w[findings errors warnings allowed], result.keys
    assert_equal [3, 0, 0], result.values.drop(1)
    assert_equal({ "rule" => "field_removed", "severity" => "error", "level" => "wire",
                   "file" => "new/a.thrift", "line" => 1, "column" => 1, "at" => "S.b", "side" => "new",
                   "message" => "S.b was removed: new readers ignore what old writers send in it, " \
                                "and old readers no longer receive it" },
                 result["findings"].find { |finding| finding["at"] == "S.b" })
    assert_breaking 0, "", "old", "old", "--format", "json"
    assert_equal({ "findings" => [], "errors" => 0, "warnings" => 0, "allowed" => 0 }, JSON.parse(@output))
  end

  def test_github
    write "old,1/a.thrift", "struct S { 1: string a = '1%' }"
    write "new,1:2/a.thrift", "struct S { 1: string a = '2%' }"

    assert_breaking 0, "::warning file=new%2C1%3A2/a.thrift,line=1,col=12,title=default_changed::" \
                       "S.a had the default '1%25' and now has the default '2%25': ",
                    "old,1", "new,1:2", "--format", "github"
    assert_equal 1, @output.lines.size
    assert_breaking 0, "", "old,1", "old,1", "--format=github"
    assert_empty @output
  end

  def test_colours
    old_and_new
    screen = Screen.new
    before = ENV.values_at("NO_COLOR", "TERM")
    ENV["NO_COLOR"] = nil
    ENV["TERM"] = "xterm"
    Sparpack::CLI.run(%w[breaking old new], output: screen, errors: StringIO.new)

    assert_includes screen.string, "\e[1mnew/a.thrift:1:1:\e[0m \e[31merror:\e[0m [field_removed] S.b"
  ensure
    ENV["NO_COLOR"], ENV["TERM"] = before
  end

  def test_rules_are_those_of_the_document
    assert_breaking 0, "field_removed", "--rules"
    listed = @output.lines.map { |line| line.chomp.split(/ {2,}/, 4) }
    written = File.readlines(DOCS).grep(/\A\| `/).map { |line| line.chomp.delete("`").delete_prefix("| ").split(" | ") }
    written.each { |row| row[-1] = row[-1].delete_suffix(" |") }

    assert_equal listed, written
    assert_equal Sparpack::IDL::Breaking::Rule::ALL.keys.map(&:name), listed.map(&:first)
  end

  def test_misuse
    old_and_new
    {
      [] => "expected two versions, OLD and NEW", ["old"] => "expected two versions", %w[old new new] => "expected two",
      %w[old new --level fast] => "unknown --level \"fast\" (known: ",
      %w[old new --format xml] => "unknown --format \"xml\" (known: ",
      %w[old new/a.thrift] => "old is a folder, but new/a.thrift is a file", %w[old none] => "no file or folder \"none\"",
      %w[old new --config none] => "none", %w[old empty] => "no .thrift files in empty",
      %w[old new --x] => "invalid option: --x"
    }.each do |arguments, message|
      FileUtils.mkdir_p("empty")

      assert_breaking 2, message, *arguments
      assert_empty @output
    end
  end

  def test_help
    assert_breaking 0, "Usage: sparpack breaking OLD NEW", "--help"
  end

  private

  def write(path, text)
    FileUtils.mkdir_p(File.dirname(path))
    File.write(path, text)
  end

  # Writes two versions with three errors, one of them at the level `names`.
  def old_and_new
    write "old/a.thrift", "struct S { 1: i32 a 2: i32 b 3: i32 c }"
    write "new/a.thrift", "struct S { 1: i64 a 3: i32 d }"
  end

  # Makes two commits of the same IDL. The second one has the tag v1.
  def repository
    git "init", "-q"
    write "idl/a.thrift", "include 'shared.thrift' struct S { 1: shared.P p }"
    write "idl/shared.thrift", "struct P { 1: i32 x }"
    commit "first: one", "idl"
    write "idl/a.thrift", "include 'shared.thrift'\nstruct S { 1: shared.P p }"
    commit "second"
    git "tag", "v1"
  end

  def commit(message, *added, changes: ["-a"])
    git "add", *added unless added.empty?
    git "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-q", *changes, "-m", message
  end

  def git(*arguments)
    output, status = Command.capture2e("git", *arguments)

    assert_predicate status, :success?, output
  end

  def assert_breaking(status, said, *arguments)
    output = StringIO.new
    errors = StringIO.new
    found = Sparpack::CLI.run(["breaking", *arguments], output:, errors:)
    @output = output.string

    assert_includes "\n#{output.string}#{errors.string}", said
    assert_equal status, found, errors.string
  end
end
