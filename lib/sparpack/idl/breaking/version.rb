# frozen_string_literal: true

require "pathname"

module Sparpack
  module IDL
    class Breaking
      # One version of an IDL: files and all that they include.
      class Version
        # `REV:path`; in braces a revision may have colons: `HEAD^{/fix: ids}`.
        REVISION = /\A(?<revision>(?:[^:{]|\{[^}]*\})+):(?<path>.*)\z/m
        private_constant :REVISION

        # Where a version was found: `files` for the {Loader}, a `path` there, whether it is a `folder`, the `paths` of
        # files, and the folders to `include` from.
        Origin = ::Struct.new(:files, :path, :folder, :paths, :include)
        private_constant :Origin

        class << self
          # @param name [String] a file, a folder, or `REV:path` for one of these in a git revision
          # @param include [Array<String>] folders that are searched for included files
          # @param allow_neg_keys [Boolean] as for {IDL.link}
          # @return [Version]
          # @raise [ArgumentError] if there is none
          # @raise [IDL::Error] with all faults of all files
          def at(name, include: [], allow_neg_keys: false, **unknown)
            Options.refuse(unknown, method(:at)) unless unknown.empty?
            origin = File.exist?(name) ? on_disk(name, include) : in_git(name, include)
            raise ArgumentError, "no .thrift files in #{Quote.path(name)}" if origin.paths.empty?

            load(origin, allow_neg_keys)
          end

          private

          def on_disk(path, include)
            folder = File.directory?(path)
            paths = folder ? Dir.glob("**/*.thrift", base: path).sort.map { |file| File.join(path, file) } : [path]
            Origin.new(Loader::Disk, path, folder, paths, include)
          end

          def in_git(name, include)
            parts = REVISION.match(name) or
              raise ArgumentError, "no file or folder #{Quote.value(name)} (in a git revision: REV:path, as in HEAD~1:idl)"

            files = Revision.new(parts[:revision])
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

          # The same faults, with the revision before the path.
          def in_revision(error, name)
            sources = Hash.new { |known, source| known[source] = Source.new(source.text, "#{name}:#{source.path}") }
            Error.new(error.faults.map do |fault|
              Fault.new(sources[fault.source], fault.offset, fault.expected, fault.found, fault.text, fault.chain)
            end)
          end
        end

        # @return [Array<Program>] the files, and those that they include
        attr_reader :programs

        # @param programs [Array<Program>] linked, but for those that they include
        # @param bases [Array<String>] folders: a file is known by its path from the first one that it is in
        # @param folder [Boolean] whether all files of a folder are meant; else it is about one file, whatever its name
        def initialize(programs, bases: ["."], folder: true)
          @programs = Order.of(programs, &:includes).first
          @bases = bases.map { |base| Pathname.new(File.expand_path(base)) }
          @folder = folder
          @roots = programs.to_h { |program| [program, true] }.compare_by_identity
          @keys = @programs.to_h { |program| [program, name(program)] }
          @by_key = @keys.invert
          @names = RubyNames.new
        end

        # @param program [Program]
        # @return [String, nil] the Ruby modules that its definitions are in; nil where a file that is compared whatever its
        #   name leaves that to its name
        def namespace(program)
          @names.namespace(program).join("::") if program.namespace("rb") || @folder || !root?(program)
        end

        # @param definition [Model::Definition]
        # @return [String, nil] the same for one of its definitions, which may say that it is in others
        # @api private
        def home(definition)
          return namespace(definition.program) unless RubyNames.given(definition.node)

          @names.qualified(definition).rpartition("::").first
        end

        # @return [Boolean] whether all files of a folder are meant
        def folder? = @folder

        # @param program [Program]
        # @return [Boolean] whether it is not only included
        def root?(program) = @roots.key?(program)

        # @param program [Program]
        # @return [Array] by which it is known: its path in a folder
        def key(program) = @keys.fetch(program)

        # @param key [Array]
        # @return [Program, nil]
        def program(key) = @by_key[key]

        private

        # The one file that is meant is known as such, others by the folder's number and their path from there.
        def name(program)
          return [:root] if root?(program) && !@folder

          path = Pathname.new(File.expand_path(program.path))
          number = @bases.index { |folder| path.to_s.start_with?("#{folder.to_s.chomp("/")}/") } || 0
          [number, path.relative_path_from(@bases[number]).to_s]
        end
      end
    end
  end
end
