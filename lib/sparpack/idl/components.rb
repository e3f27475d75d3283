# frozen_string_literal: true

module Sparpack
  module IDL
    # Finds strongly connected components with Tarjan's algorithm: groups of nodes that need one another, directly or
    # indirectly. This is a loop and not a recursion because chains may be long.
    #
    # @api private
    class Components
      # @param nodes [Array<Object>]
      # @yieldparam node [Object]
      # @yieldreturn [Array<Object>] the nodes that it needs
      # @return [Array<Array<Object>>] the nodes and everything that they need, each once. Nodes that need one another are in
      #   the same group. Each group comes after those that it needs.
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

      # A group is complete if its first node reaches no earlier one. The nodes of a complete group have no lowest index.
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
