# frozen_string_literal: true

require "delegate"
require_relative "../group"
require_relative "../peer"
require_relative "../picture"
require_relative "../table"
require_relative "../values"

module Bench
  module Suites
    # Measures what each technique of MessagePack contributes: the same work with all of them, and without each one. It needs
    # a build in which they can be switched off.
    class Ablation
      MODE = :ablation # see Build::MODES

      # Sparpack, which must be the ablation build.
      class Ours < Peer
        self.title = Group::OURS

        class << self
          def version = ::Sparpack::VERSION
          def install = "bin/bench --suite ablation, or rake compile:ablation"

          private

          def load
            super
            raise LoadError, "this is not the ablation build" unless ::Sparpack::Native.respond_to?(:technique)
          end
        end
      end

      # A contestant that runs without some of the techniques.
      class Without < SimpleDelegator
        # @param contestant [Contestant]
        # @param techniques [Array<Symbol>]
        def initialize(contestant, techniques)
          super(contestant)
          @techniques = techniques
        end

        def run(count) = switched_off { __getobj__.run(count) }
        def verify = switched_off { __getobj__.verify }

        private

        def switched_off
          @techniques.each { |name| ::Sparpack::Native.technique(name, false) }
          yield
        ensure
          @techniques.each { |name| ::Sparpack::Native.technique(name, true) }
        end
      end

      # A piece of work, and the techniques that matter for it. The source may use `mp`, `object`, `input` (the packed
      # object), `stream` (its packed elements, one after the other), `pieces` (of the stream), `unpacker`, `packer` and
      # `to_io` (a packer whose io discards everything).
      Work = ::Struct.new(:document, :operation, :object, :source, :techniques, :check)

      PEERS = [Ours].freeze
      READING = %i[key_cache bulk_hashes bulk_arrays own_utf8_check].freeze
      TITLES = { key_cache: "cache of keys", bulk_hashes: "bulk hashes", bulk_arrays: "bulk arrays",
                 own_utf8_check: "own UTF-8 check", shared_strings: "shared strings",
                 expected_size: "expected size", memory_reuse: "memory used again",
                 all: "all of them" }.freeze

      DOCUMENTS = { "db" => READING, "tweets" => READING, "blogs" => READING, "integers" => %i[bulk_arrays],
                    "points" => %i[bulk_arrays], "small" => %i[key_cache bulk_hashes] }.freeze

      PARTS = %w[db tweets blogs integers points small texts entries file].freeze

      attr_reader :groups

      # @param peers [Array<Class>] the peers that are installed
      # @param parts [Array<String>] some of PARTS
      # @param time [Float] seconds per window
      # @param rounds [Integer]
      def initialize(peers, parts: PARTS, time: 0.02, rounds: 20)
        @peers = peers
        @parts = parts
        @options = { time:, rounds: }
        @groups = []
      end

      # @yieldparam table [String] each table as soon as it is measured
      # @return [self]
      def run
        return self if @peers.empty?

        works.each { |work| yield "#{Table.group(measure(work))}\n" }
        yield matrix
        self
      end

      def bars = []
      def growth = []

      # @return [String] SVG
      def picture
        panels = TITLES.map { |technique, title| Picture::Panel.new(title, factors(technique)) }
        filled = panels.reject { |panel| panel.rows.empty? }
        Picture.new("Time that MessagePack takes without each technique, as a multiple", filled).to_s
      end

      private

      def works = @parts.flat_map { |part| respond_to?(part, true) ? send(part) : document(part) }

      def document(name)
        object = Values.all.find { |document| document.name == name }.value
        [Work.new(name, "unpack", object, "mp.unpack(input)", DOCUMENTS.fetch(name), ->(result) { result == object }),
         Work.new(name, "pack", object, "mp.pack(object)", [*(:expected_size unless name == "small"), :memory_reuse])]
      end

      def texts
        object = Values.texts
        [Work.new("texts", "unpack", object, "mp.unpack(input)", %i[own_utf8_check], ->(result) { result == object }),
         Work.new("texts", "unpack, ask if valid", object, "mp.unpack(input).all?(&:valid_encoding?)", %i[own_utf8_check],
                  :itself.to_proc)]
      end

      def entries
        object = Values.entries
        last = ->(result) { result == object.last }
        each = "unpacker.feed_each(%s) { |entry| last = entry }"
        [Work.new("entries", "feed_each", object, "last = nil; #{format(each, "stream")}; last", READING, last),
         Work.new("entries", "feed_each of 4 KB pieces", object,
                  "last = nil; pieces.each { |piece| #{format(each, "piece")} }; last", [*READING, :memory_reuse], last),
         Work.new("entries", "Packer#write of each", object,
                  "object.each { |entry| packer.write(entry) }; packer.full_pack", %i[memory_reuse])]
      end

      def file
        object = Values.file
        right = ->(result) { result == object }
        [Work.new("file", "unpack", object, "mp.unpack(input)", %i[shared_strings], right),
         Work.new("file", "feed, then read", object, "unpacker.feed(input); unpacker.read", %i[shared_strings], right),
         Work.new("file", "pack", object, "mp.pack(object)", %i[expected_size memory_reuse]),
         Work.new("file", "write to an io", object, "to_io.write(object).flush", %i[shared_strings memory_reuse])]
      end

      def measure(work)
        all = work.techniques.size > 1 ? [[:all, ::Sparpack::Native.techniques]] : []
        without = [*work.techniques.map { |name| [name, [name]] }, *all]
        contestants = [contestant(work), *without.map { |name, off| Without.new(contestant(work, name), off) }]
        Group.race(work.document, work.operation, contestants, **@options).tap { |group| @groups << group }
      end

      def contestant(work, technique = nil)
        mp = ::Sparpack::MessagePack
        stream = work.object.is_a?(Array) ? work.object.map { |value| mp.pack(value) }.join : "".b
        Contestant.new(Group::OURS, work.source, variant: technique && "without #{technique}", check: work.check, mp:,
                                                 object: work.object, input: mp.pack(work.object), stream:,
                                                 pieces: stream.scan(/.{1,4096}/mn), unpacker: mp::Unpacker.new,
                                                 packer: mp::Packer.new, to_io: mp::Packer.new(File.open(File::NULL, "wb")))
      end

      # @return [Array<(String, Float)>] the work, and its time without the technique as a multiple
      def factors(technique)
        @groups.filter_map do |group|
          result = group.of(Group::OURS, variant: "without #{technique}").first
          [title(group), group.ratio(result)] if result
        end
      end

      def title(group) = "#{group.document}: #{group.operation}"

      def matrix
        columns = TITLES.keys.to_h { |technique| [technique, factors(technique).to_h] }.reject { |_, rows| rows.empty? }
        rows = @groups.map do |group|
          [title(group), *columns.values.map { |found| found[title(group)]&.then { |factor| format("%.2f×", factor) } }]
        end
        "#{Table.table(["time without", *columns.keys.map { |technique| TITLES[technique] }], rows)}\n\n"
      end
    end
  end
end
