# frozen_string_literal: true

module Sparpack
  # Generates Ruby classes, RBS signatures and RBI signatures from .thrift files.
  #
  # @example
  #   files = Sparpack::Generate.files(["listing.thrift"], rbs: true)
  #   Sparpack::Generate.write(files, "lib/gen") # => ["listing.rb", "listing.rbs"]
  module Generate
    autoload :Apache, "sparpack/generate/apache"
    autoload :Clashes, "sparpack/generate/clashes"
    autoload :ClassRBI, "sparpack/generate/class_rbi"
    autoload :Expression, "sparpack/generate/expression"
    autoload :Layout, "sparpack/generate/layout"
    autoload :Leftovers, "sparpack/generate/leftovers"
    autoload :NameCheck, "sparpack/generate/name_check"
    autoload :Outputs, "sparpack/generate/outputs"
    autoload :RBI, "sparpack/generate/rbi"
    autoload :RBS, "sparpack/generate/rbs"
    autoload :Ruby, "sparpack/generate/ruby"
    autoload :Signature, "sparpack/generate/signature"
    autoload :Sparsam, "sparpack/generate/sparsam"
    autoload :Surroundings, "sparpack/generate/surroundings"
    autoload :Text, "sparpack/generate/text"
    autoload :Thrift, "sparpack/generate/thrift"

    # The ways to distribute definitions over files.
    LAYOUTS = %i[file type zeitwerk namespaced].freeze

    # The libraries whose classes are generated.
    STYLES = %i[sparpack sparsam thrift].freeze

    # The layouts of each style.
    #
    # @api private
    LAYOUTS_OF = { sparpack: %i[file type zeitwerk], sparsam: %i[file], thrift: %i[file namespaced] }.freeze

    module_function

    # Generates the source texts for .thrift files. It writes nothing to the disk: {write} does.
    #
    # @param paths [Array<String>, String] the paths of the .thrift files
    # @param include [Array<String>] folders to search for included files
    # @param layout [Symbol] how to distribute the definitions. `:file` makes one file for each .thrift file. `:type` also
    #   makes a file for each struct, union, exception, enum and service. `:zeitwerk` makes the files that Zeitwerk expects.
    #   `:namespaced` is only for the style `:thrift`: it puts the files into folders by namespace.
    # @param names [Symbol] `:idl` or `:ruby`, as in {IDL.load}
    # @param style [Symbol] the library whose classes are generated: `:sparpack`, `:sparsam` as `sparsam-gen` writes them, or
    #   `:thrift` as `thrift --gen rb` writes them. The last two have the names of the IDL and no signatures. They have the
    #   layout `:file`, and `:thrift` also has `:namespaced`.
    # @param ruby [Boolean] whether to generate the classes; if false, only signatures are generated
    # @param rbs [Boolean] whether to generate RBS signatures
    # @param rbi [Boolean] whether to generate RBI signatures for Sorbet
    # @param included [Boolean] whether to generate the included files, too
    # @param allow_neg_keys [Boolean] whether to accept ids that are not positive, as in {IDL.link}
    # @yieldparam warning [String] something in the IDL that is probably a mistake, or a setting that Zeitwerk needs
    # @return [Hash{String => String}] the texts by path; the same IDL always gives the same texts
    # @raise [IDL::Error] if a .thrift file is not valid, or if two of its names are the same in Ruby
    # @raise [ArgumentError] if `paths` is empty, if an option, layout or style is unknown, if options cannot be combined, if
    #   two texts would have the same path, or if files that include one another could not be loaded in any order
    # @raise [SystemCallError] if a file does not exist (Errno::ENOENT), is a folder, or cannot be read
    # @example
    #   Sparpack::Generate.files(["listing.thrift"], rbs: true).keys # => ["listing.rb", "listing.rbs"]
    def files(paths, include: [], layout: :file, names: :idl, style: :sparpack, ruby: true, rbs: false, rbi: false,
              included: true, allow_neg_keys: false, **unknown, &warn)
      Options.refuse(unknown, method(:files)) unless unknown.empty?
      check_known("layout", layout, LAYOUTS)
      check_known("style", style, STYLES)
      check_layout(layout, style)
      check_foreign(style, names, ruby, rbs || rbi) unless style == :sparpack

      paths = Array(paths)
      raise ArgumentError, "no .thrift files to generate: the list of paths is empty" if paths.empty?

      names = IDL::RubyNames.new(names)
      roots, all = link(paths, include, allow_neg_keys, &warn)
      programs = included ? all : roots
      NameCheck.new((names if style == :sparpack), ascii: rbs).check(all)
      return Thrift.new(layout, programs).files if style == :thrift

      IDL::Collisions.new(names).check(all)
      return Sparsam.new(names, programs).files if style == :sparsam

      Layout.new(names, layout, programs, &warn).files(ruby:, rbs:, rbi:)
    end

    # Finds the files that are missing in a folder or differ from the generated text.
    #
    # @param files [Hash{String => String}] the result of {files}
    # @param folder [String] the folder that the files belong in
    # @return [Array<String>] their paths, relative to the folder
    # @raise [ArgumentError] if `folder` is empty, or if a path leads out of it
    # @raise [SystemCallError] if a file cannot be read
    # @example
    #   files = Sparpack::Generate.files("listing.thrift")
    #   Sparpack::Generate.stale(files, "lib/gen") # => ["listing.rb"]
    def stale(files, folder)
      check_folder(folder)
      files.keys.reject do |path|
        check_inside(path)
        place = File.join(folder, path)
        File.file?(place) && File.binread(place) == files[path].b
      end
    end

    # Writes the files that are missing in a folder or have changed. It creates folders as needed.
    #
    # @param files [Hash{String => String}] the result of {files}
    # @param folder [String] the folder to write to
    # @return [Array<String>] the paths of the files that were written, relative to the folder
    # @raise [ArgumentError] if `folder` is empty, or if a path leads out of it. Nothing is written then.
    # @raise [SystemCallError] if a file cannot be read or written
    # @example
    #   files = Sparpack::Generate.files("listing.thrift")
    #   Sparpack::Generate.write(files, "lib/gen") # => ["listing.rb"]
    def write(files, folder)
      require "fileutils"
      stale(files, folder).each do |path|
        place = File.join(folder, path)
        FileUtils.mkdir_p(File.dirname(place))
        File.binwrite(place, files[path])
      end
    end

    # Finds files in the folder that were generated earlier and would not be generated now. The reason may be that their
    # .thrift file or a definition in it was removed or renamed, or that the layout changed. Generated files are recognized
    # by the comment at their top. Symbolic links are ignored.
    #
    # @param files [Hash{String => String}] the result of {files}
    # @param folder [String] the folder to search
    # @param shared [Boolean] whether other .thrift files are generated into the folder, too. If so, only files that were
    #   generated from the same .thrift files are found. The names of .thrift files are compared without their folders.
    # @return [Array<String>] the paths of the files, relative to the folder and sorted
    # @raise [ArgumentError] if `folder` is empty, or if an option is unknown
    # @example
    #   files = Sparpack::Generate.files("listing.thrift")
    #   Sparpack::Generate.leftovers(files, "lib/gen") # => ["neighborhood.rb"]
    def leftovers(files, folder, shared: false, **unknown)
      Options.refuse(unknown, method(:leftovers)) unless unknown.empty?
      check_folder(folder)
      Leftovers.new(files, folder, shared:).paths
    end

    # Removes the files that {leftovers} finds, and the folders that are empty afterwards.
    #
    # @param files [Hash{String => String}] the result of {files}
    # @param folder [String] the folder to clean
    # @param shared [Boolean] whether other .thrift files are generated into the folder, too, as in {leftovers}
    # @return [Array<String>] the paths of the removed files, relative to the folder
    # @raise [ArgumentError] if `folder` is empty, or if an option is unknown
    # @raise [SystemCallError] if a file cannot be removed
    # @example
    #   Sparpack::Generate.clean(Sparpack::Generate.files("listing.thrift"), "lib/gen") # => ["neighborhood.rb"]
    def clean(files, folder, shared: false, **unknown)
      Options.refuse(unknown, method(:clean)) unless unknown.empty?
      check_folder(folder)
      Leftovers.new(files, folder, shared:).remove
    end

    def check_known(what, value, known)
      return if known.include?(value)

      raise ArgumentError, "unknown #{what} #{Quote.value(value)}#{Names.hint(value, known)}"
    end
    private_class_method :check_known

    def check_layout(layout, style)
      known = LAYOUTS_OF.fetch(style)
      return if known.include?(layout)

      raise ArgumentError, "the style #{style.inspect} has no layout #{layout.inspect} " \
                           "(it has: #{known.map(&:inspect).join(", ")})"
    end
    private_class_method :check_layout

    def check_foreign(style, names, ruby, signatures)
      return if names == :idl && ruby && !signatures

      raise ArgumentError, "the style #{style.inspect} has the names of the IDL and no signatures"
    end
    private_class_method :check_foreign

    # With an empty name, File.join would name the root of the disk.
    def check_folder(folder)
      raise ArgumentError, "the folder's name is empty (for the current folder, write \".\")" if File.path(folder).empty?
    end
    private_class_method :check_folder

    def check_inside(path)
      return unless File.absolute_path?(path) || path.split(%r{[/\\]}).include?("..")

      raise ArgumentError, "expected the path of a file in the folder, got #{Quote.value(path)}"
    end
    private_class_method :check_inside

    def link(paths, include, allow_neg_keys)
      roots = IDL::Loader.new(include:).run(paths).uniq
      all = IDL::Order.of(roots, &:includes).first
      linker = IDL::Linker.new(all, allow_neg_keys:).run
      linker.warnings.each { |warning| yield warning.message } if block_given?
      [all & roots, all]
    end
    private_class_method :link
  end
end
