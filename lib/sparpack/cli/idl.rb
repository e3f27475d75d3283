# frozen_string_literal: true

module Sparpack
  module CLI
    # `sparpack idl`: classes as .thrift files.
    class Idl < Verb
      describe usage: "[-r FILE…] [CLASS…] [--out DIR] [options]",
               about: <<~TEXT,
                 Prints .thrift files for structs, unions, exceptions, enums and services that are declared in Ruby, and for
                 everything that they refer to. A module stands for everything in it. Without CLASS, it prints everything
                 that the required files define.

                 Each Ruby module has a file of its own. --out DIR writes the files to a folder. With --check, nothing is
                 written, and the exit status is 1 if a file in DIR is missing or out of date.
               TEXT
               example: <<~TEXT
                 sparpack idl -r ./app.rb Shop::Order
                 sparpack idl -r ./config/environment Shop --out idl
               TEXT

      # Since Ruby 3.3, this file has the `require` of programs that run with Bundler.
      REQUIRE = File.join(RbConfig::CONFIG["rubylibdir"], "bundled_gems.rb").freeze
      private_constant :REQUIRE

      # @param arguments [Array<String>]
      # @return [Integer] the exit status
      def run(arguments)
        check_options(arguments)
        files = dump(load(arguments))
        return print(files) unless @out

        @check ? check(files) : write(files)
      end

      private

      def options(parser)
        @requires = []
        @folders = []
        parser.on("-r", "--require FILE", "a Ruby file to load, like Ruby's -r; may be", "repeated") do |path|
          @requires << path
        end
        parser.on("-I", "--include DIR", "a folder to search for required files, like",
                  "Ruby's -I; may be repeated") { |folder| @folders << folder }
        parser.on("-o", "--out DIR", "the folder to write to, instead of printing") { |folder| @out = folder }
        choice(parser, "--names", IDL::RubyNames::STYLES, "ruby if they will be loaded with names: :ruby") do |names|
          @names = names
        end
        parser.on("--check", "write nothing, report what is out of date in DIR") { @check = true }
      end

      def check_options(arguments)
        raise Misuse, "which classes? (-r FILE requires the file that defines them)" if arguments.empty? && @requires.empty?
        raise Misuse, "--check needs the folder to look at: --out DIR" if @check && !@out
        raise Misuse, "--out DIR needs a name" if @out && @out.empty?
        raise Misuse, "--out #{@out}: not a folder" if @out && File.exist?(@out) && !File.directory?(@out)
      end

      # --- finding classes ---------------------------------------------------------------------------------------------

      def load(names)
        before = definitions
        $LOAD_PATH.unshift(*@folders.map { |folder| File.expand_path(folder) })
        @requires.each { |path| require_file(path) }
        return names.map { |name| constant(name) } if names.any?

        found = (definitions - before).select { |object| object.name&.match?(/\A[[:upper:]]/) }
        raise Misuse, "#{@requires.map { |path| Quote.path(path) }.join(", ")}: no classes are defined there" if found.empty?

        found
      end

      # Takes a name as Ruby's `require` does, or a path.
      def require_file(path)
        raise Misuse, "#{Quote.path(path)} is a folder: name a file" if File.directory?(path)

        there = [path, "#{path}.rb"].find { |file| File.file?(file) }
        raise Errno::EACCES, there unless there.nil? || File.readable?(there)

        loading(path) { require(there ? File.expand_path(there) : path) }
      end

      def loading(path)
        yield
      rescue Errno::EPIPE # not the file's fault
        raise
      rescue ScriptError, StandardError => e
        raise Misuse, "no file #{Quote.path(path)}" if e.is_a?(LoadError) && e.path == path

        where = e.backtrace_locations&.find { |place| !place.path.start_with?("<internal", __FILE__, REQUIRE) }
        where = (" at #{Quote.path(where.path)}:#{where.lineno}" unless where.nil? || e.is_a?(SyntaxError)) # that says where
        raise Misuse, "#{Quote.path(path)} cannot be loaded: #{e.message.lines.first.chomp} (#{e.class}#{where})"
      end

      # Loads a constant that is autoloaded.
      def constant(name)
        name.delete_prefix("::").split("::").reduce(Object) do |outer, part|
          unless constant?(outer, part)
            raise Misuse, "no class #{Quote.plain(name)}#{Names.hint(name, definitions.filter_map(&:name))}"
          end

          loading(name) { outer.const_get(part) }
        end
      end

      def constant?(outer, name)
        outer.is_a?(Module) && IDL::RubyGrammar.constant?(name) && outer.const_defined?(name, outer.equal?(Object))
      end

      def dump(roots)
        Sparpack::IDL.dump(*roots, names: @names || :idl)
      rescue ArgumentError => e
        raise Misuse, e.message
      end

      # All definitions, without bases, subclasses that only add behaviour, and the structs of services.
      def definitions
        classes = ObjectSpace.each_object(Class).select { |found| IDL::Dump::Reach.definition?(found) }
        classes.reject! { |found| base?(found) }
        [*classes, *ObjectSpace.each_object(Enum)].sort_by { |found| found.name.to_s }
      end

      def base?(found)
        return false unless found.is_a?(Declaration)

        !Declared.owner(found).equal?(found) || (Declared.fields(found).empty? && found.subclasses.any?)
      end

      # --- writing files -----------------------------------------------------------------------------------------------

      def print(files)
        texts = files.map { |path, text| files.size > 1 ? "// #{path}\n#{text}" : text }
        @output.print(texts.join("\n"))
        0
      end

      def check(files)
        stale = stale(files)
        stale.each { |path| @errors.puts("#{@errors.paint(Quote.path(File.join(@out, path)), :bold)} is not up to date") }
        return 1 if stale.any?

        @output.puts("#{count(files)} up to date")
        0
      end

      def write(files)
        require "fileutils"
        FileUtils.mkdir_p(@out)
        written = stale(files)
        written.each do |path|
          File.binwrite(File.join(@out, path), files[path])
          @output.puts("wrote #{Quote.path(File.join(@out, path))}")
        end
        @output.puts("#{count(files)} up to date") if written.empty?
        0
      end

      def stale(files)
        files.keys.reject do |path|
          place = File.join(@out, path)
          File.file?(place) && File.binread(place) == files[path].b
        end
      end

      def count(files) = files.size == 1 ? "1 file is" : "#{files.size} files are"
    end
  end
end
