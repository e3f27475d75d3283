# frozen_string_literal: true

module Sparpack
  module IDL
    # Reads .thrift files and everything that they include. It reads each file once and reports the faults of all files
    # together.
    #
    # @api private
    class Loader
      # Reads files from the disk. Other objects with the same methods read from elsewhere, for example from a git revision.
      module Disk
        module_function

        # @param path [String]
        # @return [Boolean] whether there is such a file
        def file?(path) = File.file?(path)

        # @param path [String]
        # @return [String] the content of the file, in BINARY
        # @raise [SystemCallError] if the file cannot be read
        def read(path) = File.binread(path)

        # @param path [String]
        # @return [String] an identifier that is the same for all paths to the same file
        # @raise [SystemCallError] if there is no such file
        def identity(path) = File.realpath(path)
      end

      # @param include [Array<String>] folders to search for included files, after the folder of the including file
      # @param files [#file?, #read, #identity] where to read files from
      def initialize(include: [], files: Disk)
        @folders = Array(include).map(&:to_s)
        @files = files
        @programs = {}
        @faults = []
      end

      # @param paths [Array<String>]
      # @return [Array<Program>] one program for each path; their names are not resolved yet
      # @raise [Error] if a file is not valid or an included file cannot be read, with all faults of all files
      # @raise [SystemCallError] if the file of one of the paths cannot be read
      def run(paths)
        found = paths.map { |path| root(File.path(path)) }
        pending = found.compact
        pending.concat(includes(pending.shift)) until pending.empty?
        Error.check(@faults)

        found
      end

      private

      def root(path)
        load(path, [])
      rescue SystemCallError => e
        raise Unreadable.error(e, path)
      end

      # @return [Program, nil] nil if the file cannot be parsed
      def load(path, chain)
        identity = @files.identity(path)
        return @programs[identity] if @programs.key?(identity)

        @programs[identity] = program(path, chain)
      end

      def program(path, chain)
        Program.new(IDL.parse(@files.read(path), path), chain)
      rescue Error => e
        @faults.concat(e.faults.map { |fault| fault.in(chain) })
        nil
      end

      # Returns the included programs that were read for the first time.
      def includes(program)
        program.document.headers.grep(AST::Include).filter_map do |node|
          path = find(program, node) or next
          known = @programs.size
          included = load(path, chain(program, node)) or next
          program.add_include(included, Program.name_of(node.path))
          included if @programs.size > known
        rescue SystemCallError => e
          unreadable(program, node, "#{Quote.value(node.path)}, which cannot be read: #{Unreadable.reason(e)}")
        end
      end

      def find(program, node)
        return missing(program, node) if node.path.include?("\0") # Ruby's methods for files would raise
        return @files.file?(node.path) ? node.path : missing(program, node) if File.absolute_path?(node.path)

        folders = [File.dirname(program.path), *@folders].uniq
        places = folders.map { |folder| join(folder, node.path) }
        places.find { |place| @files.file?(place) } || missing(program, node, folders)
      end

      def join(folder, path) = [".", ""].include?(folder) ? path : File.join(folder, path)

      def missing(program, node, folders = [])
        where = " in #{folders.map { |folder| Quote.path(folder) }.join(", ")}" if folders.any?
        unreadable(program, node, "no #{Quote.value(node.path)}#{where}#{similar(node.path, folders)}")
      end

      # A hint at a file with a similar name. The names are compared without the suffix that all of them have.
      def similar(path, folders)
        return unless @files.equal?(Disk)

        known = folders.flat_map { |folder| Dir.glob("*.thrift", base: File.join(folder, File.dirname(path))) }
        close = Names.closest(File.basename(path, ".thrift"), known.map { |name| name.delete_suffix(".thrift") })
        folder = File.dirname(path)
        close &&= folder == "." ? "#{close}.thrift" : File.join(folder, "#{close}.thrift")
        " (did you mean #{Quote.value(close)}?)" if close
      rescue ArgumentError, EncodingError, SystemCallError # a name is not valid text, or there is no such folder
        nil
      end

      def unreadable(program, node, found)
        @faults << Fault.new(program.source, node.offset, "a file to include", found, node.path, program.chain)
        nil
      end

      # Keeps only the nearest includes of a long chain, and one more than messages show, so that they can say "…".
      def chain(program, node)
        ["#{Quote.path(program.path)}:#{program.source.line(node.offset)}", *program.chain.first(Fault::INCLUDES)]
      end
    end
  end
end
