# frozen_string_literal: true

module Sparpack
  module IDL
    # What needs one another in the end, found by Tarjan's algorithm. Without recursion: chains may be long.
    #
    # @api private
    class Components
      # @param nodes [Array<Object>]
      # @yieldparam node [Object]
      # @yieldreturn [Array<Object>] what it needs
      # @return [Array<Array<Object>>] the nodes and what they need, each once; those that need one another are together, and
      #   come after what they need
      def self.of(nodes, &needs) = new(needs).run(nodes)

      def initialize(needs)
        @needs = needs
        @index = {}.compare_by_identity
        @lowest = {}.compare_by_identity
        @open = []
        @found = []
      end

      # @param nodes [Array<Object>]
      # @return [Array<Array<Object>>]
      def run(nodes)
        nodes.each { |node| visit(node) unless @index.key?(node) }
        @found
      end

      private

      def visit(root)
        path = [enter(root)]
        until path.empty?
          node, rest = path.last
          if rest.empty?
            path.pop
            leave(node, path.last&.first)
          elsif !@index.key?(needed = rest.shift)
            path.push(enter(needed))
          else
            lower(node, @lowest[needed])
          end
        end
      end

      def enter(node)
        @lowest[node] = @index[node] = @index.size
        @open.push(node)
        [node, @needs.call(node).dup]
      end

      # What is complete has no lowest one any more.
      def leave(node, parent)
        lowest = @lowest[node]
        if lowest == @index[node]
          together = @open.pop(@open.size - @open.rindex { |other| other.equal?(node) })
          together.each { |other| @lowest[other] = nil }
          @found << together
        else
          lower(parent, lowest)
        end
      end

      def lower(node, index)
        @lowest[node] = index if index && index < @lowest[node]
      end
    end
  end
end
