# frozen_string_literal: true

require "open3"

module Sparpack
  module IDL
    # Reads files from a git revision, for {Loader}. Paths are relative to the root of the repository. As in git, a path that
    # begins with `./` or `../` is relative to the current folder. An absolute path is a file on the disk.
    #
    # @example
    #   files = Sparpack::IDL::Revision.new("HEAD~1")
    #   program, = Sparpack::IDL::Loader.new(files:).run(files.list("idl"))
    #
    # @api private
    class Revision
      LINK = "120000"
      LINKS = 10 # the most links from one to the next
      private_constant :LINK, :LINKS

      # A file or a link. The content of a link is a path.
      Entry = ::Struct.new(:mode, :object)
      private_constant :Entry

      # @return [String] the name of the revision, as it was given
      attr_reader :name

      # @param name [String] a branch, a tag, a commit or any other name of a revision
      # @param folder [String] a folder in the repository
      # @raise [ArgumentError] if there is no such revision, if the folder is not in a repository, or if git is not installed
      def initialize(name, folder: Dir.pwd)
        @name = name
        @folder = folder
        @root, @prefix = place
        @entries = entries(tree)
        @blobs = {}
      end

      # @param path [String]
      # @return [String] the shortest form of the path, relative to the root of the repository
      def normal(path)
        return path if File.absolute_path?(path)

        path = Source.utf8(path)
        seen = path.start_with?("./", "../") || path == "."
        Paths.clean(seen ? File.join(".", @prefix, path) : path)
      end

      # @param path [String] a folder on the disk
      # @return [String] its path in this revision if the revision has this folder; otherwise its path on the disk
      def folder(path)
        full = Paths.full(path, @folder)
        inside = Paths.relative(full, @root)
        folder?(inside) ? inside : full
      end

      # @param path [String]
      # @return [Boolean] whether there is such a file
      def file?(path) = File.absolute_path?(path) ? File.file?(path) : @entries.key?(resolve(path))

      # @param path [String]
      # @return [Boolean] whether the revision has such a folder
      def folder?(path)
        path = resolve(path) or return false
        path == "." || @entries.each_key.any? { |known| known.start_with?("#{path}/") }
      end

      # @param path [String]
      # @return [String] the content of the file, in BINARY
      # @raise [Errno::ENOENT] if there is no such file
      def read(path)
        return File.binread(path) if File.absolute_path?(path)

        entry = @entries[resolve(path)] or raise Errno::ENOENT, "#{name}:#{path}"
        fetch([entry.object])
        @blobs.fetch(entry.object)
      end

      # @param path [String]
      # @return [String] an identifier that is the same for all paths to the same file
      def identity(path) = File.absolute_path?(path) ? File.realpath(path) : resolve(path)

      # @param path [String] a folder
      # @param suffix [String]
      # @return [Array<String>] the files in the folder with this suffix, at any depth, without hidden ones
      def list(path, suffix = ".thrift")
        shown, below = [normal(path), resolve(path)].map { |folder| folder == "." ? "" : "#{folder}/" }
        found = @entries.keys.select do |known|
          known.start_with?(below) && known.end_with?(suffix) && !"/#{known.delete_prefix(below)}".include?("/.")
        end
        fetch(found.map { |known| @entries[known].object })
        found.reject! { |known| link?(known) && folder?(known) }
        found.map { |known| "#{shown}#{known.delete_prefix(below)}" }.sort
      end

      private

      def place
        output, status, error = git("rev-parse", "--show-toplevel", "--show-prefix")
        unless status.success?
          reason = Quote.path(error.lines.first.to_s.chomp)
          raise ArgumentError, "cannot look up the git revision #{Quote.value(name)}: git says #{reason}"
        end

        root, prefix = output.split("\n", -1).map { |path| Source.utf8(path) }
        [root, prefix.to_s]
      end

      # Git would read a name that begins with a hyphen as an option. A name longer than any path could not be passed to it.
      def tree
        possible = !name.start_with?("-") && Quote.short?(name, Quote::PATH)
        output, status = git("rev-parse", "--verify", "--quiet", "#{name}^{tree}") if possible
        unless status&.success?
          raise ArgumentError, "no git revision #{Quote.value(name)} in #{Quote.path(@root)} (was it fetched?)"
        end

        output.strip
      end

      def entries(tree)
        output, = git("ls-tree", "-r", "-z", "--full-tree", tree)
        output.split("\0").each_with_object({}) do |line, entries|
          about, path = line.split("\t", 2)
          mode, kind, object = about.split
          entries[Source.utf8(path)] = Entry.new(mode, object) if kind == "blob"
        end
      end

      def link?(path) = @entries[path]&.mode == LINK

      # Follows links to files and folders of the revision.
      #
      # @return [String, nil] nil if links lead to links without end
      def resolve(path)
        path = normal(path)
        LINKS.times do
          link = folders(path).find { |folder| link?(folder) } or return path

          fetch([@entries[link].object])
          target = Source.utf8(@blobs.fetch(@entries[link].object))
          return target if File.absolute_path?(target)

          path = Paths.clean(File.join(File.dirname(link), target, path.delete_prefix(link)))
        end
        nil
      end

      # @return [Array<String>] the folders that lead to the path, beginning with the outermost, and the path itself
      def folders(path)
        found = [path]
        found.unshift(File.dirname(found.first)) while found.first.include?("/") && found.first != "/"
        found
      end

      # Reads all objects with one process, because a process for each would be slow.
      def fetch(objects)
        missing = objects.uniq.reject { |object| @blobs.key?(object) }
        return if missing.empty?

        output, = git("cat-file", "--batch", input: missing.join("\n"))
        at = 0
        missing.each do |object|
          finish = output.index("\n", at)
          size = Integer(output[at...finish].split[2])
          @blobs[object] = output[finish + 1, size]
          at = finish + size + 2
        end
      end

      def git(*arguments, input: "")
        output, error, status = Open3.capture3("git", "-C", @folder, *arguments, stdin_data: input, binmode: true)
        [output, status, error]
      rescue Errno::ENOENT
        raise ArgumentError, "cannot look up the git revision #{Quote.value(name)}: git is not installed"
      end
    end
  end
end
