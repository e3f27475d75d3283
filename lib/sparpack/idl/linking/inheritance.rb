# frozen_string_literal: true

module Sparpack
  module IDL
    # Checks which services extend which others: it finds repeated functions and cycles.
    #
    # @api private
    class Inheritance
      # A `function` with the same name as `inherited`, a function that its service inherits from `owner`.
      Repeated = ::Struct.new(:service, :function, :owner, :inherited)

      # @return [Array<Repeated>] the repeated functions, service by service
      attr_reader :repeated

      # @return [Array<Model::Service>] services that extend themselves indirectly, and those that extend such a service
      attr_reader :circular

      # This is a depth-first walk from each service to those that extend it. While the walk is below a service, the
      # functions of that service are known. It is a loop and not a recursion because chains of services may be long.
      #
      # @param services [Array<Model::Service>] services, and all those that they extend
      # @yieldparam function [Model::Function]
      # @yieldreturn [Object] the name that must be unique
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

      # Returns the next steps, the last one first.
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
