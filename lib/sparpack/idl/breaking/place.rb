# frozen_string_literal: true

module Sparpack
  module IDL
    class Breaking
      # The place of a declaration. `parts` leads from a definition to a part of it, such as a field. Without parts, the
      # place is the whole file, or the `header` in it.
      #
      # @api private
      Place = ::Struct.new(:program, :parts, :header) do
        # @param definition [Model::Definition]
        # @return [Place] its place
        def self.of(definition) = new(definition.program, [definition])

        # @param other [#name, #node] a part of what is at this place
        # @return [Place] the place of that part
        def +(other) = self.class.new(program, [*parts, other])

        # @return [String] the name of what is there, for example `Listing.title`
        def name = parts.empty? ? File.basename(program.path) : parts.map(&:name).join(".")

        # @return [Hash{Symbol => String, Integer}] the file, the line and the column
        def to_location
          offset = (parts.last&.node || header)&.offset || 0
          source = program.source
          { file: Paths.clean(source.path), line: source.line(offset), column: source.column(offset) }
        end

        # @param node [Object] a node of the {AST}
        # @return [String, nil] its text in the file, in UTF-8 and with escapes for what nobody sees; nil if that is too long
        #   to show
        def text(node)
          size = node.finish - node.offset
          return if size > 400 # whatever spaces are in it: many findings may show the same text

          written = Quote.utf8(program.source.text.byteslice(node.offset, size)).gsub(/\s+/, " ")
          Quote.visible(written) if written.size <= 40
        end
      end
    end
  end
end
