# frozen_string_literal: true

module Sparpack
  module DropIn
    module Verify
      # Says where native code and the gem differ, and how. It never holds anything of your data.
      class Difference
        # What each kind means.
        KINDS = {
          bytes: "the bytes differ", end: "reading ends at another byte",
          raised: "native code succeeds where the gem raises",
          error: "native code raises", class: "the classes differ", value: "the values differ", size: "the sizes differ",
          encoding: "the encodings differ", frozen: "only one is frozen",
          absent: "the instance variable is absent with native code", present: "the instance variable is absent with the gem"
        }.freeze

        # @return [String] the name of the class that was read or written
        attr_reader :class_name

        # @return [Symbol] `:read` or `:write`
        attr_reader :operation

        # @return [Symbol] `:compact` or `:binary`
        attr_reader :protocol

        # @return [String] such as `Listing.neighborhoods[2].name`. Keys of a map are `keys[0]`, its values `values[0]`.
        attr_reader :path

        # @return [Symbol] one of the keys of {KINDS}
        attr_reader :kind

        # @return [Integer, nil] the first byte that differs, or where the gem ended; nil for values
        attr_reader :offset

        # @api private
        def initialize(class_name:, operation:, protocol:, path:, kind:, offset: nil)
          @class_name = -class_name
          @operation = operation
          @protocol = protocol
          @path = -path
          @kind = kind
          @offset = offset
          freeze
        end

        # @return [Hash{Symbol => Object}]
        # @example
        #   require "sparpack/drop_in/thrift"
        #   Sparpack::DropIn.verify(rate: 1) { |difference| p difference.to_h }
        #   # { class_name: "Listing", operation: :read, protocol: :compact, path: "Listing.name", kind: :encoding,
        #   #   offset: nil }
        def to_h = { class_name:, operation:, protocol:, path:, kind:, offset: }

        # @return [String]
        # @example
        #   require "sparpack/drop_in/thrift"
        #   Sparpack::DropIn.verify(rate: 1) { |difference| puts difference }
        #   # read Listing (compact): Listing.name: the encodings differ
        def to_s = "#{text(path)}#{" (byte #{offset})" if offset}"

        # The same for all elements of a container.
        #
        # @api private
        # @return [String]
        def group = text(path.gsub(/\[\d+\]/, "[]"))

        # @return [Boolean] whether another object says the same
        def ==(other) = other.instance_of?(Difference) && to_h == other.to_h
        alias eql? ==

        # @return [Integer]
        def hash = to_h.hash

        private

        def text(path) = "#{operation} #{class_name} (#{protocol}): #{path}: #{KINDS.fetch(kind)}"
      end
    end
  end
end
