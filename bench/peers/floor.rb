# frozen_string_literal: true

require "fileutils"
require "pathname"
require "rbconfig"

module Bench
  module Peers
    # The least time that any codec needs: it allocates the same objects without parsing anything, and writes a listing by
    # hand without checking anything. It is a native extension, which is compiled when it is first needed.
    class Floor < Peer
      self.title = "floor"

      # How the memory for fields is allocated: with Ruby's xmalloc, which the garbage collector counts, or with malloc,
      # which is cheaper and makes the collector run less often. From Ruby 3.3 on there is no difference.
      MEMORY = { "xmalloc" => "build", "malloc" => "build_uncounted" }.freeze

      SOURCE = File.expand_path("../floor", __dir__)
      FOLDER = File.expand_path("../../tmp/build/#{RUBY_VERSION}-#{RUBY_PLATFORM}/floor", __dir__)
      LIBRARY = File.join(FOLDER, "bench_floor.#{RbConfig::CONFIG["DLEXT"]}")

      class << self
        def install = "apt-get install ruby-dev make gcc"
        def version = nil

        private

        def load
          compile unless compiled?
          require LIBRARY
        end

        def compiled?
          File.exist?(LIBRARY) && Dir[File.join(SOURCE, "*")].all? { |path| File.mtime(path) <= File.mtime(LIBRARY) }
        end

        def compile
          FileUtils.mkdir_p(FOLDER)
          source = Pathname(SOURCE).relative_path_from(FOLDER).join("extconf.rb").to_s # make does not know spaces
          commands = [[RbConfig.ruby, source], ["make"]]
          quiet = { chdir: FOLDER, out: File::NULL, err: File::NULL }
          return if commands.all? { |command| system(*command, **quiet) }

          raise LoadError, "its extension does not compile (log: #{File.join(FOLDER, "mkmf.log")})"
        end
      end

      # Extends a class of peers that needs the extension besides what its superclass loads.
      module Dependent
        def install = Floor.install
        def version = nil

        private

        def load
          super
          missing = Floor.missing
          raise LoadError, missing if missing
        end
      end

      def contestants
        { encode: [*(encode("encode_listing") if @document.name == "listing")],
          decode: MEMORY.keys.map { |memory| allocate(memory) } }
      end

      # Allocates the document's objects.
      # @param memory [String] a key of MEMORY
      # @param cycle [Integer, nil] how many records the list in the root has; its elements are repeated
      def allocate(memory, cycle: nil)
        contestant("template.#{MEMORY.fetch(memory)}", variant: memory, template: template(cycle),
                                                       check: cycle ? nil : method(:same?))
      end

      # Writes the document's objects by hand.
      # @param function [String] a method of Bench::Floor
      def encode(function, cycle: nil)
        contestant("floor.#{function}(object)", variant: "by hand", wire: :compact, floor: Bench::Floor,
                                                object: template(cycle).build)
      end

      private

      def template(cycle = nil)
        tree = @document.complete
        tree.transform_values! { |list| [:cycle, cycle, list] } if cycle
        Bench::Floor::Template.new(tree)
      end

      # The fields of records have no names. They are in the document's order.
      def same?(object)
        to_values(object) == values(@document.complete)
      end

      def to_values(content)
        case content
        when Bench::Floor::Record then content.fields.map { |field| to_values(field) }
        when Array then content.map { |item| to_values(item) }
        else content
        end
      end

      def values(tree)
        case tree
        when Hash then tree.values.map { |field| values(field) }
        when Array then tree.map { |item| values(item) }
        else tree
        end
      end
    end
  end
end
