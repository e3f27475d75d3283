# frozen_string_literal: true

module Sparpack
  module IDL
    # Sorts nodes so that each comes after the nodes that it needs.
    #
    # @api private
    module Order
      # @param nodes [Array<Object>]
      # @yieldparam node [Object]
      # @yieldreturn [Array<Object>] the nodes that it needs
      # @return [Array(Array<Object>, Array<Object>)] first the nodes and everything that they need, each once and after what
      #   it needs; then the nodes that are needed again inside a cycle
      def self.of(nodes, &needs)
        order = []
        circles = []
        state = {}.compare_by_identity
        nodes.each { |node| visit(node, state, order, circles, needs) unless state[node] }
        [order, circles]
      end

      # This is a loop and not a recursion because chains may be long.
      def self.visit(node, state, order, circles, needs)
        stack = [[node, needs.call(node).dup]]
        state[node] = :open
        until stack.empty?
          current, rest = stack.last
          if rest.empty?
            state[current] = :done
            order << current
            stack.pop
          elsif state[following = rest.shift] == :open
            circles << current
          elsif state[following].nil?
            state[following] = :open
            stack.push([following, needs.call(following).dup])
          end
        end
      end
      private_class_method :visit
    end
  end
end
