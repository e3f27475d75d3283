# frozen_string_literal: true

require_relative "../../test/support/random_schema"
require_relative "../../test/support/wire_writer"
require_relative "joints"

module Fuzzing
  # A payload that is made from a class, changed at its joints, and written by test/support/wire_writer.rb, which can write
  # what nobody should.
  class Payload
    # A value. Its type is one of WireWriter's. What is inside is a list: of nodes, of pairs of nodes, or of [id, node]. A
    # container may claim to have another size. `known` is the type that the class says.
    Node = Struct.new(:type, :value, :known, :claim) do
      def kind = type.is_a?(Array) ? type[0] : type
      def container? = value.is_a?(Array)
    end

    # Texts that nobody sees, or that are none.
    TEXTS = [SECRET, SECRET, "Mitte\u202E", "\u034F\u115F\u3164", "\u200D\u2028", "a\e[31m\0", "\xFF", "\xED\xA0\x80", "",
             SECRET * 30].freeze

    # The fields of each class.
    FIELDS = Hash.new { |found, klass| found[klass] = klass.schema.fields }.compare_by_identity

    SCALARS = { enum: :i32, binary: :string }.freeze
    SIZES = [0, 1, 1, 2, 3].freeze

    # How often a payload is changed at a joint, and how many of its bytes are.
    CHANGES = [0, 0, 1, 1, 2, 4].freeze
    DAMAGES = [0, 0, 0, 0, 1, 2].freeze

    # Bytes that mean something in one of the wires.
    TELLING = [0x00, 0x01, 0x02, 0x0c, 0x0f, 0x19, 0x1b, 0x1c, 0x7f, 0x80, 0x90, 0xc0, 0xc1, 0xf0, 0xf9, 0xfc, 0xff,
               *'{}[],:"\un-0.e '.bytes].freeze

    # @param choices [Choices]
    # @param struct_class [Class]
    # @param changes [Integer] how many there are at joints
    def initialize(choices, struct_class, changes: choices.pick(CHANGES))
      @choices = choices
      @values = RandomSchema.new(choices)
      @root = struct(Sparpack::Type.of(struct_class), 3)
      changes.times { Joints.new(choices, @root).change }
    end

    # @return [Integer] how many fields it has
    def fields = @root.value.size

    # Repeats something in a field.
    #
    # @param at [Integer] the index of the field
    # @return [Node, nil] the container that has grown, if there is one
    def grow(at) = at < fields ? Joints.new(@choices, @root).grow(@root.value[at]) : nil

    # Lets a container end badly.
    def spoil(container) = Joints.new(@choices, @root).spoil(container)

    # @param at [Integer] the index of a field
    # @return [Payload] which has this field so many times, and no other
    def only(at, times)
      dup.tap { |copy| copy.root = Node.new(:struct, @root.value[at, 1] * times, @root.known) }
    end

    # @param wire [Symbol] as WireForms names them
    # @return [String] the payload on a wire
    def on(wire)
      @writer = WireWriter.for(wire, @root.known.target)
      @knows = @writer.method(:value).arity != 2
      @written = {}.compare_by_identity
      bytes(@root)
    end

    # @param times [Integer] how many changes
    # @return [String]
    def self.damaged(choices, bytes, times = choices.pick(DAMAGES))
      bytes = bytes.b
      times.times { bytes = changed(choices, bytes) unless bytes.empty? }
      bytes
    end

    def self.changed(choices, bytes)
      at = choices.rand(bytes.bytesize)
      head = bytes.byteslice(0, at)
      tail = bytes.byteslice(at..)
      case choices.rand(6)
      when 0 then head
      when 1 then head + choices.bytes(1) + tail.byteslice(1..)
      when 2 then head + choices.pick(TELLING).chr.b + tail.byteslice(1..)
      when 3 then head + choices.pick(TELLING).chr.b + tail
      when 4 then head + tail.byteslice((1 + choices.rand(4))..).to_s
      else head + tail.byteslice(0, choices.rand(20)) + tail
      end
    end
    private_class_method :changed

    protected

    attr_writer :root

    private

    def node(type, depth)
      case type.kind
      when :struct, :union then struct(type, depth - 1)
      when :list, :set then Node.new(on_wire(type), Array.new(size(depth)) { node(type.element, depth - 1) }, type)
      when :map then Node.new(on_wire(type), pairs(type, depth), type)
      when :string then Node.new(:string, @choices.chance(0.3) ? @choices.pick(TEXTS) : @values.value(type, 0), type)
      else Node.new(on_wire(type), @values.value(type, 0), type)
      end
    end

    # A class that refers to itself has an end.
    def struct(type, depth)
      fields = FIELDS[type.target]
      fields = [@choices.pick(fields)] if type.kind == :union
      fields = fields.first(12) if fields.size > 12 && @choices.chance(0.9)
      fields = fields.select { |field| depth > (field.required? ? -4 : 0) && @choices.chance(0.7) }
      Node.new(:struct, fields.map { |field| [field.id, node(field.type, depth)] }, type)
    end

    def pairs(type, depth) = Array.new(size(depth)) { [node(type.key, depth - 1), node(type.element, depth - 1)] }
    def size(depth) = depth.positive? ? @choices.pick(SIZES) : 0

    def on_wire(type)
      case type.kind
      when :struct, :union then :struct
      when :list, :set then [type.kind, on_wire(type.element)]
      when :map then [:map, on_wire(type.key), on_wire(type.element)]
      else SCALARS.fetch(type.kind, type.kind)
      end
    end

    # What is in several places is written once.
    def raw(node) = @written[node] ||= WireWriter::Raw.new(written(node).b)
    def bytes(node) = raw(node).bytes

    def written(node)
      type = node.type
      case node.kind
      when :struct then value(node, node.value.map { |id, child| [id, child.type, flag(child) { raw(child) }] })
      when :list, :set
        return value(node, node.value.map { |child| raw(child) }) unless node.claim

        claimed(:list, type[1], node.claim, node.value.map { |child| bytes(child) })
      when :map
        return value(node, node.value.map { |pair| pair.map { |child| raw(child) } }) unless node.claim

        claimed(:map, *type[1..], node.claim, node.value.flatten.map { |child| bytes(child) })
      else value(node, node.value)
      end
    end

    # The compact protocol writes a field that is a bool in its header.
    def flag(node) = node.type == :bool && [true, false].include?(node.value) ? node.value : yield

    def value(node, value)
      @knows ? @writer.value(node.type, value, node.known) : @writer.value(node.type, value)
    end

    # Text wires have no sizes to lie about, or write them as numbers.
    def claimed(method, *types, claim, parts)
      return "[".b << parts.map(&:b).join(",") << "]" unless @writer.respond_to?(method)

      @writer.public_send(method, *types, claim, parts.join(@writer.is_a?(SchemaWriter) ? "," : ""))
    end
  end
end
