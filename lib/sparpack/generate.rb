# frozen_string_literal: true

module Sparpack
  # Source texts for what .thrift files declare.
  module Generate
    autoload :Expression, "sparpack/generate/expression"
    autoload :Layout, "sparpack/generate/layout"
    autoload :Leftovers, "sparpack/generate/leftovers"
    autoload :RBI, "sparpack/generate/rbi"
    autoload :RBS, "sparpack/generate/rbs"
    autoload :Ruby, "sparpack/generate/ruby"
    autoload :Signature, "sparpack/generate/signature"
    autoload :Surroundings, "sparpack/generate/surroundings"
    autoload :Text, "sparpack/generate/text"

    # How definitions are spread over files.
    LAYOUTS = %i[file type zeitwerk].freeze

    module_function

    # @param paths [Array<String>, String] of .thrift files
    # @param include [Array<String>] folders that are searched for included files
    # @param layout [Symbol] `:file`: one file for each IDL file; `:type`: one for each struct, union, exception, enum and
    #   service besides; `:zeitwerk`: as Zeitwerk expects them
    # @param names [Symbol] `:idl` or `:ruby`, as {IDL.load}
    # @param ruby [Boolean] whether to write the classes; without them, only signatures are written
    # @param rbs [Boolean] whether to write RBS signatures, too
    # @param rbi [Boolean] whether to write RBI signatures for Sorbet, too
    # @param included [Boolean] whether included files are generated, too
    # @param allow_neg_keys [Boolean] as {IDL.link}
    # @yieldparam warning [String] what is worth knowing
    # @return [Hash{String => String}] texts by path, the same for the same IDL
    # @raise [IDL::Error] if an IDL cannot be used
    # @raise [ArgumentError] if no file is named, for an unknown option, layout or style of names, if two texts would have
    #   one path, or if files that include one another could not be loaded in any order
    # @example
    #   Sparpack::Generate.files(["listing.thrift"], rbs: true).keys # => ["listing.rb", "listing.rbs"]
    def files(paths, include: [], layout: :file, names: :idl, ruby: true, rbs: false, rbi: false, included: true,
              allow_neg_keys: false, **unknown, &warn)
      Options.refuse(unknown, method(:files)) unless unknown.empty?
      known = LAYOUTS.include?(layout)
      raise ArgumentError, "unknown layout #{Quote.value(layout)}#{Names.hint(layout, LAYOUTS)}" unless known

      paths = Array(paths)
      raise ArgumentError, "no .thrift files were named" if paths.empty?

      names = IDL::RubyNames.new(names)
      roots, all = link(paths, include, allow_neg_keys, &warn)
      IDL::Collisions.new(names).check(all)
      Layout.new(names, layout, included ? all : roots, &warn).files(ruby:, rbs:, rbi:)
    end

    # @param files [Hash{String => String}] as {files} answers them
    # @param folder [String]
    # @return [Array<String>] paths of those that are not as they should be
    # @raise [ArgumentError] if the folder has no name
    def stale(files, folder)
      raise ArgumentError, "a folder's name is empty" if File.path(folder).empty? # File.join would name the root

      files.keys.reject do |path|
        place = File.join(folder, path)
        File.file?(place) && File.binread(place) == files[path].b
      end
    end

    # Writes what has changed.
    #
    # @param files [Hash{String => String}] as {files} answers them
    # @param folder [String]
    # @return [Array<String>] paths of those that were written
    # @raise [ArgumentError] if the folder has no name
    # @raise [SystemCallError] if a file cannot be written
    def write(files, folder)
      require "fileutils"
      stale(files, folder).each do |path|
        place = File.join(folder, path)
        FileUtils.mkdir_p(File.dirname(place))
        File.binwrite(place, files[path])
      end
    end

    # Finds files that {write} wrote to the folder earlier and would not write any more: their IDL, or a definition in it,
    # was removed or renamed, or the layout is another one. They are recognised by the comment at their top, which no other
    # file has. Symbolic links are not looked at.
    #
    # @param files [Hash{String => String}] as {files} answers them
    # @param folder [String]
    # @param shared [Boolean] whether other .thrift files are generated into the folder, too: only files that were generated
    #   from the same ones are then found. Files are told apart by their names, without folders.
    # @return [Array<String>] their paths in the folder, sorted
    # @raise [ArgumentError] if the folder has no name
    # @example
    #   files = Sparpack::Generate.files("listing.thrift")
    #   Sparpack::Generate.leftovers(files, "lib/gen") # => ["neighborhood.rb"]
    def leftovers(files, folder, shared: false, **unknown)
      Options.refuse(unknown, method(:leftovers)) unless unknown.empty?
      raise ArgumentError, "a folder's name is empty" if File.path(folder).empty?

      Leftovers.new(files, folder, shared:).paths
    end

    # Removes what {leftovers} finds, and the folders that are empty then.
    #
    # @param files [Hash{String => String}] as {files} answers them
    # @param folder [String]
    # @param shared [Boolean] as {leftovers}
    # @return [Array<String>] paths of the files that were removed
    # @raise [ArgumentError] if the folder has no name
    # @raise [SystemCallError] if a file cannot be removed
    # @example
    #   Sparpack::Generate.clean(Sparpack::Generate.files("listing.thrift"), "lib/gen") # => ["neighborhood.rb"]
    def clean(files, folder, shared: false, **unknown)
      Options.refuse(unknown, method(:clean)) unless unknown.empty?
      raise ArgumentError, "a folder's name is empty" if File.path(folder).empty?

      Leftovers.new(files, folder, shared:).remove
    end

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
