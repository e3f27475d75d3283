# frozen_string_literal: true

# bin/test: not sanitized, for the sources are the same

require "minitest/autorun"
require "rbconfig"
require "rubygems"
require_relative "../../bin/lib/depend"
require "support/command"

# The structure of the sources: which room may include which, and how long a file may be.
class HouseTest < Minitest::Test
  ROOT   = Build::ROOT
  NATIVE = Build::SOURCE

  # Each room, and the other rooms that it may include. Plans know the wires' types and tables of fields (wire/wire_type.hpp,
  # wire/field_table.hpp): kinds name their wire type, and a link holds the table in which a wire looks ids up.
  ARROWS = {
    "bytes"        => [],
    "wire"         => %w[bytes],
    "values"       => %w[bytes],
    "glue"         => %w[values bytes],
    "plan"         => %w[glue values wire bytes],
    "objects"      => %w[plan glue values wire bytes],
    "declare"      => %w[objects plan glue values wire bytes],
    "guess"        => %w[objects plan glue values wire bytes],
    "streams"      => %w[plan glue values wire bytes],
    "codec"        => %w[streams guess objects plan glue values wire bytes],
    "hashes"       => %w[objects plan glue values wire bytes],
    "lazy"         => %w[codec streams objects plan glue values wire bytes],
    "foreign"      => %w[codec objects plan glue values wire bytes],
    "convert"      => %w[streams objects plan glue values wire bytes],
    "annotate"     => %w[plan glue values wire bytes],
    "transcode"    => %w[glue values wire bytes],
    "message_pack" => %w[glue values wire bytes]
  }.freeze

  # The same for Ruby: which constants the code of a folder of lib/sparpack, or the core, may not mention. Only
  # lib/sparpack.rb names what is autoloaded. A drop-in uses only public methods.
  UNSPOKEN = {
    "cli" => %w[DropIn], "generate" => %w[CLI DropIn], "idl" => %w[CLI Generate DropIn],
    "convert" => %w[CLI Generate IDL RakeTask DropIn],
    "drop_in" => %w[CLI Convert Generate IDL RakeTask Native Extensions Types],
    "rack" => %w[CLI Convert Generate IDL RakeTask DropIn Native Faraday Karafka Notifications OpenTelemetry Rails],
    "faraday" => %w[CLI Convert Generate IDL RakeTask DropIn Native Rack Karafka Notifications OpenTelemetry Rails],
    "karafka" => %w[CLI Convert Generate IDL RakeTask DropIn Native Rack Faraday Notifications OpenTelemetry Rails],
    "notifications" => %w[CLI Convert Generate IDL RakeTask DropIn Native Media Rack Faraday Karafka OpenTelemetry Rails],
    "opentelemetry" => %w[CLI Convert Generate IDL RakeTask DropIn Native Media Rack Faraday Karafka Notifications Rails],
    "rails" => %w[CLI Convert Generate RakeTask DropIn Faraday Karafka Notifications OpenTelemetry],
    "media" => %w[CLI Convert Generate IDL RakeTask DropIn Rack Faraday Karafka Notifications OpenTelemetry Rails],
    "core" => %w[CLI Convert Generate IDL RakeTask DropIn Media Rack Faraday Karafka Notifications OpenTelemetry Rails]
  }.freeze

  # The sparsam gem has a module of this name, too.
  SPOKEN = { "drop_in/sparsam/library.rb" => %w[Types] }.freeze

  WITHOUT_RUBY = %w[bytes wire].freeze

  # The library for LZ4 is linked without the core, so it can use only the core's headers that need no object file.
  LZ4 = "#{ROOT}/ext/sparpack_lz4".freeze

  # The compiler finds only the standard library.
  ALONE = %w[-std=c++17 -fsyntax-only -Wall -Wextra -Werror -I. -x c++ -].freeze

  # The files that know where objects keep their fields, and what these files alone may say (`instance_method` is Ruby's).
  SEAM = %w[objects/instance.cpp objects/instance.hpp objects/ivars.cpp objects/ivars.hpp
            objects/lazy_instance.cpp objects/lazy_instance.hpp objects/mapped.cpp objects/mapped.hpp
            objects/storage.cpp objects/storage.hpp].freeze
  FIELDS_OF_OBJECTS =
    /\bInstance\b|\b(?:instance|ivars|mapped)_(?!method\b)|\b(?:instance|ivars|mapped)\.hpp"|\brb_ivar_foreach\b/

  # Libraries that left the standard library, up to Ruby 4.1. Under Bundler, a file that requires one of them while it loads
  # would fail, unless the Gemfile names it.
  GONE = %w[abbrev base64 benchmark bigdecimal cgi csv drb fiddle getoptlong irb logger mutex_m nkf observer ostruct
            pstore rdoc readline reline resolv-replace rinda rss syslog tsort win32-registry win32ole].freeze
  GEMS_OF_OURS = %w[bigdecimal].freeze # Active Support brings it

  # Calls that start a process and may wait for it for ever.
  UNBOUNDED = /
    \bOpen3\b | \bProcess\.(?:wait|detach)(?!.*WNOHANG) | \bPTY\.spawn | \bIO\.popen\(.*& |
    (?<![.\w])(?:system|spawn|fork)(?:\(|\ ?\{|\ do\b)
  /x

  # The rooms of the core in lib/sparpack, and the other rooms that the code of each may mention. They are no modules: what
  # their files define is in Sparpack itself. Everything may mention what is at the top of lib/sparpack, and Native.
  ROOMS = {
    "declare" => %w[objects render words],
    "io"      => %w[words],
    "native"  => %w[declare io objects words],
    "objects" => %w[declare io words],
    "render"  => %w[declare native objects words],
    "words"   => %w[declare io]
  }.freeze

  # The same for lib/sparpack/idl, whose rooms are no modules either.
  ROOMS_OF_IDL = { "idl/syntax" => [], "idl/files" => [], "idl/linking" => %w[idl/ruby], "idl/ruby" => [] }.freeze

  # Files with public names are at the top of lib/sparpack, and the others in rooms.
  TOP = 30

  # The most sources in a folder. Whoever looks for something reads the names of all files beside it.
  FULLEST = 26

  # What a file of lib/sparpack defines beside what its name says: a plural names several classes of a sort, and some files
  # add to a module that another file defines.
  NAMED_OTHERWISE = {
    "drop_in/verification.rb" => [], # methods of DropIn
    "objects/conveniences.rb" => [], "version.rb" => [], "drop_in/msgpack/core_classes.rb" => [],
    "native/calls.rb" => %w[Native], "message_pack/pool.rb" => %w[Factory], "drop_in/sparsam/library.rb" => []
  }.freeze

  # A file should be readable in one sitting.
  LINES = 400

  def test_rooms_include_only_what_they_may
    wrong = native.select { |file| room(file) }.flat_map do |file|
      (included_rooms(file) - [room(file)] - ARROWS.fetch(room(file))).map { |other| "#{file} includes #{other}" }
    end

    assert_empty wrong
  end

  def test_each_room_is_in_the_list
    assert_equal ARROWS.keys.sort, native.filter_map { |file| room(file) }.uniq.sort
  end

  # A file of which no all.cpp knows is compiled by itself.
  def test_each_source_is_compiled_once
    units = Makefile.units(NATIVE)
    parts = native.grep(/\ball\.cpp\z/).flat_map do |all|
      included(read(all)).map { |path| resolve(path, File.dirname(all)) }
    end

    assert_equal native.grep(/cpp\z/), (units + parts).sort
    refute_empty parts
  end

  # What follows it in the same unit would be compiled to be small, too.
  def test_what_is_compiled_to_be_small_is_compiled_alone
    small = native.grep(/cpp\z/).select { |file| included(read(file)).any? { |path| path.end_with?("bytes/small.hpp") } }

    refute_empty small
    assert_empty small - Makefile.units(NATIVE)
  end

  # The engine calls the API by callbacks.hpp alone.
  def test_the_engine_of_message_pack_does_not_include_its_api
    engine = native(["message_pack"]).reject { |file| file.start_with?("message_pack/api/") }

    assert_empty(engine.select { |file| read(file).include?('#include "api/') })
  end

  def test_bytes_and_wire_know_no_ruby
    naming = native(WITHOUT_RUBY).select { |file| read(file).match?(%r{ruby\.h|ruby/}) }

    assert_empty naming
  end

  def test_headers_of_bytes_and_wire_compile_alone
    native(WITHOUT_RUBY).grep(/hpp\z/).each do |file|
      output, status = compile_alone("#include \"#{file}\"\n")

      assert_predicate status, :success?, "#{file} does not compile alone:\n#{output}"
    end
  end

  def test_the_library_for_lz4_includes_little_that_knows_ruby
    core = lz4_sources.flat_map { |file| included(read(file, LZ4)).filter_map { |path| path[%r{\A\.\./sparpack/(.+)}, 1] } }

    refute_empty core
    others = core.reject { |file| WITHOUT_RUBY.include?(room(file)) }

    assert_equal ["values/unlocked.hpp"], others, "a header that needs no functions of the core"
  end

  # The core finds it through Ruby alone, and works without it.
  def test_the_core_does_not_include_the_library_for_lz4
    assert_empty(native.select { |file| included(read(file)).any? { |path| path.match?(/sparpack_lz4|\blz4\.h\b/) } })
  end

  def test_the_blocks_of_lz4_know_no_ruby
    output, status = compile_alone("#include \"../sparpack_lz4/blocks.hpp\"\n")

    assert_predicate status, :success?, "blocks.hpp does not compile alone:\n#{output}"
  end

  def test_the_library_for_lz4_raises_nothing
    assert_empty(lz4_sources.select { |file| read(file, LZ4).match?(/\brb_(exc_)?raise\b/) })
  end

  def test_only_glue_raises
    raising = (native - native(["glue"])).select { |file| read(file).match?(/\brb_(exc_)?raise\b/) }

    assert_empty raising
  end

  # An object's fields may be in its own memory or elsewhere, so only the seam knows where they are.
  def test_only_the_seam_of_storage_touches_the_fields_of_objects
    touching = native.select { |file| code(file).match?(FIELDS_OF_OBJECTS) }

    assert_empty touching - SEAM
    assert_equal SEAM, touching, "the pattern finds nothing where fields are touched"
  end

  # All pairs of wires would be 1.2 MB of code, and 40% of the time that compiling takes.
  def test_at_most_four_pairs_of_wires_are_compiled
    pairs = read("convert/fused.cpp").scan(/fused_payload<\w+, \w+>/)
    files = native.select { |file| code(file).match?(/template <class From, class To\b/) }

    assert_equal pairs.uniq, pairs
    assert_includes 1..4, pairs.size
    assert_equal %w[convert/fused.hpp], files
  end

  def test_files_can_be_read_in_a_sitting
    long = Dir["{lib,ext}/**/*.{rb,cpp,hpp}", base: ROOT].to_h { |file| [file, File.foreach("#{ROOT}/#{file}").count] }

    assert_empty(long.select { |_, lines| lines > LINES })
  end

  # Whoever looks for a class looks for a file of its name.
  def test_ruby_files_are_named_for_what_they_define
    wrong = Dir["**/*.rb", base: "#{ROOT}/lib/sparpack"].reject { |file| file.include?("/load_path/") }.filter_map do |file|
      names = definitions(file)
      "#{file} defines #{names.join(", ")}" unless named_for?(file, names)
    end

    assert_empty wrong
  end

  def test_depend_is_current
    Depend::FOLDERS.each do |folder|
      written = File.readlines(Depend.path(folder))
      current = Depend.text(folder).lines

      assert_empty (current - written) + (written - current), "#{folder}/depend is not current: bundle exec rake depend"
    end
  end

  def test_ruby_speaks_only_of_what_lies_below
    wrong = Dir["**/*.rb", base: "#{ROOT}/lib/sparpack"].flat_map do |file|
      part = UNSPOKEN.keys.find { |name| file.start_with?("#{name}/", "#{name}.rb") } || "core"
      next [] if file == "rake_task.rb"

      mentioned(file, UNSPOKEN.fetch(part) - SPOKEN.fetch(file, [])).map { |name| "#{file} speaks of #{name}" }
    end

    assert_empty wrong
  end

  def test_rooms_of_ruby_speak_only_of_what_they_may
    assert_empty([ROOMS, ROOMS_OF_IDL].flat_map { |arrows| wrong_arrows(arrows) })
  end

  def test_the_top_of_lib_is_not_a_heap
    assert_operator Dir["lib/sparpack/*.rb", base: ROOT].size, :<=, TOP, "move what users do not name into a room"
  end

  # Of several copies of an inline function the linker takes the first.
  def test_what_is_compiled_to_be_small_is_linked_last
    small = native.grep(/cpp\z/).select { |file| included(read(file)).any? { |path| path.end_with?("/small.hpp") } }
    objects = File.read(File.join(Build.new.folder, "Makefile"))[/^OBJS = (.*)/, 1].split

    refute_empty small
    assert_equal small, objects.last(small.size).map { |object| object.sub(/o\z/, "cpp") }.sort
  end

  def test_no_folder_is_a_heap
    files = Dir["{lib,ext}/**/*.{rb,css,js,c,h,cpp,hpp}", base: ROOT]
    counts = files.map { |file| File.dirname(file) }.tally

    assert_empty counts.select { |_, count| count > FULLEST }, "part them by what the files know"
  end

  def test_nothing_inside_requires_a_drop_in
    inside = Dir["lib/**/*.rb", base: ROOT].reject { |file| file.start_with?("lib/sparpack/drop_in/") }

    assert_empty(inside.select { |file| read(file, ROOT).match?(/^\s*(require|autoload)\b.*drop_in/) })
  end

  # Those that only Rails or Tapioca loads are only parsed.
  def test_ruby_does_not_warn
    foreign = Dir["lib/{generators,tapioca}/**/*.rb", base: ROOT]
    foreign.each do |file|
      output, = Command.capture2e(RbConfig.ruby, "-wc", "#{ROOT}/#{file}")

      assert_equal "Syntax OK\n", output
    end
    files = Dir["lib/**/*.rb", base: ROOT].reject { |file| file.include?("/drop_in/") || foreign.include?(file) }
                                          .sort_by { |file| file.count("/") } # files that others are parts of come first
    requires = files.map { |file| "-r#{ROOT}/#{file}" }
    output, = Command.capture2e(RbConfig.ruby, "-w", "-I#{ROOT}/lib", "-rbundler/setup", "-rfaraday",
                                "-r#{ROOT}/test/support/waterdrop", "-ractive_support/all",
                                "-r#{ROOT}/test/support/railtie_stub",
                                "-r#{ROOT}/test/support/opentelemetry_stub", "-rsparpack",
                                *requires, "-e", "")

    assert_empty output
  end

  def test_nothing_requires_what_the_standard_library_has_lost
    tools = Dir["{bin,bench,examples,fuzz,rakelib,test}/**/*.{rb,rake}", "bin/*", "Rakefile", base: ROOT]
    tools.select! { |file| File.file?("#{ROOT}/#{file}") }
    users = Dir["{lib,exe,ext}/**/*.rb", "exe/*", base: ROOT]
    wrong = { users => GONE, tools => GONE - GEMS_OF_OURS }.flat_map do |files, gone|
      files.flat_map { |file| (required(file) & gone).map { |name| "#{file} requires #{name}" } }
    end

    assert_empty wrong
  end

  def test_tests_are_in_rooms
    assert_empty Dir["test/*_test.rb", base: ROOT], "move them into the room of their subject (docs/design/tests.md)"
  end

  # macOS has none of these.
  def test_tests_ask_whether_files_of_linux_exist
    files = Dir["#{ROOT}/test/**/*_test.rb"].select { |path| File.read(path).match?(%r{["'](?:/proc/|/dev/full)}) }

    assert_operator files.size, :>, 5
    assert_empty(files.reject { |path| File.read(path).match?(%r{(?:exist|readable|directory)\?\("/(?:proc/|dev/full)}) })
  end

  # Command and Child (test/support) end whatever takes too long.
  def test_tests_start_processes_that_end
    waiting = Dir["test/**/*_test.rb", base: ROOT].flat_map do |file|
      next [] if file == "test/house/house_test.rb"

      read(file, ROOT).lines.each.with_index(1).filter_map do |line, number|
        "#{file}:#{number}: #{line.strip}" if line.match?(UNBOUNDED)
      end
    end

    assert_empty waiting, "use Command or Child of test/support: they end what takes too long"
  end

  # Ruby's macro does not link in C++ from Ruby 3.3 on.
  def test_the_native_part_freezes_by_its_own_function
    found = Dir.glob("**/*.{cpp,hpp}", base: NATIVE).select { |file| read(file).match?(/\bOBJ_FREEZE(?:_RAW)?\(/) }

    assert_empty found, "use freeze_raw (values/ruby.hpp)"
    assert_match(/RB_OBJ_FREEZE\(/, read("values/ruby.hpp"))
  end

  # The C driver links the library, so anything from libstdc++ would be missing on a machine without it.
  def test_the_native_part_does_without_libstdcxx
    core = ENV.fetch("SPARPACK_NATIVE") { Build.new.library }
    [core, File.join(File.dirname(core), "lz4", File.basename(core))].each do |library|
      refute_includes File.binread(library), "libstdc++.so"
    end
  end

  def test_the_gem_has_its_files
    gem = Gem::Specification.load("#{ROOT}/sparpack.gemspec")
    needed = %w[LICENSE README.md CHANGELOG.md ext/sparpack/extconf.rb lib/sparpack.rb ext/sparpack_lz4/vendor/LICENSE]

    assert_empty needed + Dir["{lib,ext}/**/*.{rb,c,h,cpp,hpp}", base: ROOT] - gem.files
    assert_empty gem.runtime_dependencies
    assert_equal Gem::Requirement.new(">= 3.1"), gem.required_ruby_version
  end

  private

  # @return [Array<String>] which of these constants the code of a file of lib/sparpack mentions
  def mentioned(file, names)
    code = read("lib/sparpack/#{file}", ROOT).gsub(/^\s*#.*$/, "").gsub(/(?<![\w:])::[A-Z]\w*/, "") # such as ::Exception
    names.select { |name| code.match?(/\b#{name}\b(?!["'])/) }
  end

  # @param arrows [Hash{String => Array<String>}] for each room of lib/sparpack, the others that it may mention
  # @return [Array<String>] what the code of these rooms mentions of another one without being allowed to
  def wrong_arrows(arrows)
    rooms = arrows.keys.to_h { |room| [room, Dir["#{room}/*.rb", base: "#{ROOT}/lib/sparpack"]] }
    names = rooms.transform_values { |files| files.flat_map { |file| definitions(file) } - %w[Native] }
    rooms.flat_map do |room, files|
      refute_empty files, room
      others = names.except(room, *arrows.fetch(room)).values.flatten
      files.flat_map { |file| mentioned(file, others).map { |name| "#{file} speaks of #{name}" } }
    end
  end

  # What a file of lib/sparpack defines in the module of its folder, or of the folder around it if that is a room.
  def definitions(file)
    folder = File.dirname(file)
    margin = "  " * (file.count("/") + (ROOMS.key?(folder) || ROOMS_OF_IDL.key?(folder) ? 0 : 1))
    text = read("lib/sparpack/#{file}", ROOT)
    text.scan(/^#{margin}(?:class|module) (\w+)|^#{margin}([A-Z]\w*[a-z]\w*) = ::Struct\b/).flatten.compact.uniq
  end

  def named_for?(file, names)
    return names == NAMED_OTHERWISE[file] if NAMED_OTHERWISE.key?(file)
    return names.all? { |name| name.end_with?("Error", "LimitExceeded") } if File.basename(file) == "errors.rb"

    names.map(&:downcase) == [File.basename(file, ".rb").delete("_")]
  end

  # @return [Array<String>] what a file requires while it loads
  def required(file) = read(file, ROOT).scan(%r{^require ["']([^"'/]+)}).flatten

  # @return [Array<String>] the sources in these rooms, or all of them, relative to ext/sparpack
  def native(rooms = nil)
    sources = Dir.glob("**/*.{cpp,hpp}", base: NATIVE).sort
    rooms ? sources.select { |file| rooms.include?(room(file)) } : sources
  end

  # @return [String, nil] the folder at the top; nil for a file there, such as native.cpp, which may include everything
  def room(file) = file[%r{\A[^/]+(?=/)}]

  def included_rooms(file)
    included(read(file)).filter_map { |path| room(resolve(path, File.dirname(file))) }.uniq
  end

  # @return [Array<String>] the paths that a source includes, as they are written
  def included(source) = source.scan(/^\s*#\s*include\s+"([^"]+)"/).flatten

  # @return [Array<String>] the sources of the library for LZ4 that are ours
  def lz4_sources = Dir.glob("*.{c,cpp,hpp}", base: LZ4).sort

  # An include is relative to its file, or otherwise to ext/sparpack.
  def resolve(path, folder)
    places = [folder, "."].map { |base| File.expand_path(path, File.join(NATIVE, base)) }
    found  = places.find { |place| File.file?(place) }
    (found || path).delete_prefix("#{NATIVE}/")
  end

  def compile_alone(unit)
    Command.capture2e(RbConfig::CONFIG["CXX"], *ALONE, stdin_data: unit, chdir: NATIVE)
  end

  # @return [String] a source without its comments
  def code(file) = read(file).gsub(%r{//.*}, "")

  # The sources are UTF-8, whatever the machine's locale is.
  def read(file, folder = NATIVE) = File.read(File.join(folder, file), encoding: Encoding::UTF_8)
end
