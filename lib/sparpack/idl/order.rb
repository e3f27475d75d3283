# frozen_string_literal: true

module Sparpack
  module IDL
    # What is needed before what needs it.
    #
    # @api private
    module Order
      # @param nodes [Array<Object>]
      # @yieldparam node [Object]
      # @yieldreturn [Array<Object>] what it needs
      # @return [Array(Array<Object>, Array<Object>)] the nodes and what they need, each once, in the order in which they can
      #   be made; and those that need what is not made yet because that needs them
      def self.of(nodes, &needs)
        order = []
        circles = []
        state = {}.compare_by_identity
        nodes.each { |node| visit(node, state, order, circles, needs) unless state[node] }
        [order, circles]
      end

      # Without recursion: chains may be long.
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
