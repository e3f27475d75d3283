# frozen_string_literal: true

module Sparpack
  module IDL
    # Services above and below one another.
    #
    # @api private
    class Inheritance
      # A function that a service above has, too: `inherited`, of the service `owner`.
      Repeated = ::Struct.new(:service, :function, :owner, :inherited)

      # @return [Array<Repeated>] service by service
      attr_reader :repeated

      # @return [Array<Model::Service>] those that extend themselves in the end, or one that does
      attr_reader :circular

      # Each service is entered below the one that it extends, and left: in between, what that has is known. Without
      # recursion: chains may be long.
      #
      # @param services [Array<Model::Service>] with all that they extend
      # @yieldparam function [Model::Function]
      # @yieldreturn [Object] what two of them must not share
      def initialize(services, &name)
        @name = name
        @repeated = []
        @known = {}
        @below = services.group_by(&:parent).compare_by_identity
        pending = @below.fetch(nil, []).reverse.map { |service| [:enter, service] }
        entered = {}.compare_by_identity
        until pending.empty?
          step, service = pending.pop
          entered[service] = true
          pending.concat(send(step, service))
        end
        @circular = services.reject { |service| entered[service] }
      end

      private

      # Answers what comes next, from last to first.
      def enter(service)
        own = service.functions.reject { |function| repeated?(service, function) }
        own.each { |function| @known[@name.call(function)] ||= [service, function] }
        [[:leave, service], *@below.fetch(service, []).reverse.map { |below| [:enter, below] }]
      end

      def repeated?(service, function)
        owner, inherited = @known[@name.call(function)]
        @repeated << Repeated.new(service, function, owner, inherited) if owner
        owner
      end

      def leave(service)
        service.functions.each do |function|
          name = @name.call(function)
          @known.delete(name) if @known[name]&.first.equal?(service)
        end
        []
      end
    end
  end
end
