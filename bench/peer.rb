# frozen_string_literal: true

require_relative "contestant"

module Bench
  # A library that is measured, and how it encodes and decodes a document. A subclass defines #contestants.
  class Peer
    class << self
      # @return [String] the library's name in the tables, and the name of its gem
      attr_accessor :title

      # @return [String, nil] why it cannot take part, and what to do about it
      def missing
        load
        nil
      rescue LoadError => e
        "#{title}: #{e.message.lines.first.chomp}. Install it: #{install}"
      end

      def install = "gem install #{title}"

      def version = Gem.loaded_specs[title]&.version&.to_s

      private

      def load = require(title)
    end

    # @param document [Document]
    def initialize(document)
      @document = document
    end

    # @return [Hash{Symbol => Array<Contestant>}] by operation: :encode, :decode, :read (decode, then every field), and what
    #   only some libraries have
    def contestants
      raise NotImplementedError
    end

    private

    def contestant(source, **options)
      Contestant.new(self.class.title, source, **options)
    end

    # Checks a round trip: what a peer encodes must decode to the document.
    def document?(value) = value == @document.value

    # Returns source that decodes and then reads every field.
    def reading(source) = "decoded = #{source}; #{@document.reads}"
  end

  # A library that encodes Hashes and Arrays, and decodes to them.
  class HashPeer < Peer
    # encode: source that uses `object`; decode: source that uses `input`; locals: other local variables. A variant without
    # a source to encode reads what the first variant writes.
    Way = ::Struct.new(:variant, :encode, :decode, :locals)

    def contestants
      ways = self.ways
      writers = ways.select(&:encode).to_h { |way| [way, writer(way)] }
      readers = ways.map { |way| reader(way, (writers[way] || writers.values.first).once) }
      { encode: writers.values, decode: readers }
    end

    private

    def writer(way)
      check = ->(output) { document?(reader(way, output).once) }
      contestant(way.encode, variant: way.variant, object: @document.value, check:, **way.locals)
    end

    def reader(way, input)
      contestant(way.decode, variant: way.variant, input:, bytes: input.bytesize, check: method(:document?),
                             **way.locals)
    end
  end

  # A library with its own classes for the document's records. A subclass defines #define, which returns them by name.
  class RecordPeer < Peer
    def initialize(document)
      super
      @classes = define(document.records)
    end

    # Returns the document as objects of the library. All contestants get the same ones, because their addresses matter.
    def object = @object ||= build(@document.value, @document.root)

    # @return [Hash{Symbol => Array<Contestant>}] by operation: :new (with keywords) and :attributes (reads each field of the
    #   root once)
    def values
      fields = fields(@document.value, @document.root)
      keywords = fields.keys.map { |name| "#{name}: #{name}" }.join(", ")
      readers = fields.keys.map { |name| "object.#{name}" }.join("; ")
      { new:        [contestant("type.new(#{keywords})", type: root, check: method(:same?), **fields)],
        attributes: [contestant(readers, object:)] }
    end

    private

    def root = @classes.fetch(@document.root)

    # Returns the keywords that make an object, without unset fields.
    def fields(value, record)
      present = @document.records.fetch(record).select { |field| value.key?(field.name.to_s) }
      present.to_h { |field| [field.name, to_object(field.type, value[field.name.to_s])] }
    end

    def build(value, record)
      @classes.fetch(record).new(**fields(value, record))
    end

    def to_object(type, value)
      case type
      in [:list, element] then value.map { |item| to_object(element, item) }
      in [:record, name] then build(value, name)
      else value
      end
    end

    # Converts an object back, with its readers.
    def to_value(object, record = @document.root)
      @document.records.fetch(record).each_with_object({}) do |field, value|
        content = object.public_send(field.name)
        value[field.name.to_s] = from_object(field.type, content) unless content.nil?
      end
    end

    def from_object(type, content)
      case type
      in [:list, element] then content.map { |item| from_object(element, item) }
      in [:record, name] then to_value(content, name)
      else content
      end
    end

    def same?(object) = object.is_a?(root) && document?(to_value(object))
  end
end
