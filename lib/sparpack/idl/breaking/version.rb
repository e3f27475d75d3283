# frozen_string_literal: true

module Sparpack
  module IDL
    class Breaking
      # One version of an IDL: a set of files and everything that they include.
      class Version
        # `REV:path`. A revision may have colons inside braces: `HEAD^{/fix: ids}`.
        REVISION = /\A(?<revision>(?:[^:{]|\{[^}]*\})+):(?<path>.*)\z/m
        private_constant :REVISION

        # Where a version was found. `files` is what the {Loader} reads from, `path` the path that was given, `folder`
        # whether it is a folder, `paths` the files to read, and `include` the folders to search for included files.
        Origin = ::Struct.new(:files, :path, :folder, :paths, :include)
        private_constant :Origin

        class << self
          # Reads a version from the disk or from git.
          #
          # @param name [String] a file, a folder, or `REV:path` for a file or folder in a git revision
          # @param include [Array<String>] folders to search for included files
          # @param allow_neg_keys [Boolean] whether to accept ids that are not positive, as in {IDL.link}
          # @return [Version]
          # @raise [ArgumentError] if there is no such file, folder or revision, if the folder has no .thrift files, or if an
          #   option is unknown
          # @raise [IDL::Error] if the files are not valid, with all faults of all files
          # @example
          #   Sparpack::IDL::Breaking::Version.at("v1.0:idl", include: ["vendor/idl"])
          def at(name, include: [], allow_neg_keys: false, **unknown)
            Options.refuse(unknown, method(:at)) unless unknown.empty?
            origin = File.exist?(name) ? on_disk(name, include) : in_git(name, include)
            raise ArgumentError, "no .thrift files in #{Quote.path(name)}" if origin.paths.empty?

            load(origin, allow_neg_keys)
          end

          private

          def on_disk(path, include)
            folder = File.directory?(path)
            Origin.new(Loader::Disk, path, folder, folder ? files_in(path) : [path], include)
          end

          def files_in(folder)
            paths = Dir.glob("**/*.thrift", base: folder).sort.map { |file| Source.utf8(File.join(folder.b, file.b)) }
            paths.reject { |path| File.directory?(path) }
          end

          def in_git(name, include)
            parts = REVISION.match(name.b) or
              raise ArgumentError, "no file or folder #{Quote.value(name)} (for one in a git revision, write REV:path, " \
                                   "for example HEAD~1:idl)"

            files = Revision.new(Source.utf8(parts[:revision]))
            path = files.normal(parts[:path].empty? ? "" : parts[:path])
            folder = files.folder?(path)
            missing(files, path) unless folder || files.file?(path)
            Origin.new(files, path, folder, folder ? files.list(path) : [path], include.map { |base| files.folder(base) })
          end

          def missing(files, path)
            raise ArgumentError, "no file or folder #{Quote.value(path)} in the revision #{Quote.plain(files.name)}" \
                                 "#{Names.close(path, files.list("."))}"
          end

          def load(origin, allow_neg_keys)
            root = origin.folder ? origin.path : File.dirname(origin.path)
            include = origin.folder ? [root, *origin.include] : origin.include
            programs = Loader.new(include:, files: origin.files).run(origin.paths).uniq
            version = new(programs, bases: [root, *origin.include], folder: origin.folder)
            Linker.new(version.programs, allow_neg_keys:).run
            version
          rescue Error => e
            raise origin.files.is_a?(Revision) ? in_revision(e, origin.files.name) : e
          end

          # The same faults, with the name of the revision before each path.
          def in_revision(error, name)
            sources = Hash.new { |known, source| known[source] = Source.new(source.text, "#{name}:#{source.path}") }
            Error.new(error.faults.map do |fault|
              Fault.new(sources[fault.source], fault.offset, fault.expected, fault.found, fault.text, fault.chain)
            end)
          end
        end

        # @return [Array<Program>] the files and everything that they include
        attr_reader :programs

        # Makes a version from files that were read already. {.at} is the usual way.
        #
        # @param programs [Array<Program>] the files to compare, without those that they include
        # @param bases [Array<String>] folders. A file is identified by its path relative to the first of them that it is in.
        # @param folder [Boolean] whether to compare all files of a folder. Otherwise one file is compared with another one,
        #   and their names do not matter.
        def initialize(programs, bases: ["."], folder: true)
          @programs = Order.of(programs, &:includes).first
          @bases = bases.map { |base| Paths.full(base) }
          @folder = folder
          @roots = programs.to_h { |program| [program, true] }.compare_by_identity
          @keys = @programs.to_h { |program| [program, name(program)] }
          @by_key = @keys.invert
          @names = RubyNames.new
        end

        # Finds the Ruby namespace of a file.
        #
        # @param program [Program]
        # @return [String, nil] the Ruby namespace of its definitions. It is nil for the file of a comparison of two single
        #   files if only the file's name determines the namespace.
        def namespace(program)
          @names.namespace(program).join("::") if program.namespace("rb") || @folder || !root?(program)
        end

        # @param definition [Model::Definition]
        # @return [String, nil] the Ruby namespace of one definition, which an annotation may change
        # @api private
        def home(definition)
          return namespace(definition.program) unless RubyNames.given(definition.node)

          @names.qualified(definition).rpartition("::").first
        end

        # @return [Boolean] whether all files of a folder are compared
        def folder? = @folder

        # Tells whether a file is one of those to compare. The others are only included.
        #
        # @param program [Program]
        # @return [Boolean]
        def root?(program) = @roots.key?(program)

        # Identifies a file.
        #
        # @param program [Program]
        # @return [Array] a key that is the same for the same file in both versions
        def key(program) = @keys.fetch(program)

        # Finds a file by its key.
        #
        # @param key [Array] a key as {#key} returns it
        # @return [Program, nil] the file with this key
        def program(key) = @by_key[key]

        private

        # A single file has a key of its own. Others are identified by the index of a base folder and their path in it.
        def name(program)
          return [:root] if root?(program) && !@folder

          path = Paths.full(program.path)
          number = @bases.index { |folder| path.start_with?("#{folder.chomp("/")}/") } || 0
          [number, Paths.relative(path, @bases[number])]
        end
      end
    end
  end
end
