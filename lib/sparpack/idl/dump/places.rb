# frozen_string_literal: true

module Sparpack
  module IDL
    class Dump
      # Finds where definitions are in Ruby. A namespace of an IDL stands for modules and not for classes.
      #
      # @api private
      class Places
        # The prefix that Ruby puts before the name of a constant in an anonymous module.
        NAMELESS = /\A#<(?:Module|Class):0x\h+>::/

        # Returns the name of a module, even if the module has a method `name` of its own.
        #
        # @param object [Module]
        # @return [String, nil] its name; nil if it is anonymous
        def self.name_of(object) = Module.instance_method(:name).bind_call(object)

        # @param object [Module]
        # @return [String] its path from the top level, or from the anonymous module around it
        # @raise [SchemaError] if it has no name
        def self.path(object)
          path = name_of(object).to_s.sub(NAMELESS, "")
          return path if RubyGrammar.path?(path)

          raise SchemaError, "#{Quote.value(object)} has no name, but IDL needs one: assign it to a constant"
        end

        # @param object [Module]
        # @return [Module, nil] the module around it; nil if that cannot be found
        def self.around(object) = at(name_of(object).to_s.rpartition("::").first)

        # @param path [String]
        # @return [Object, nil] the value of the constant; nil if it does not exist or is not loaded yet
        def self.at(path)
          path.split("::").reduce(Object) do |outer, name|
            there = outer.is_a?(Module) && RubyGrammar.constant?(name) && outer.const_defined?(name, false)
            there &&= !outer.autoload?(name, false)
            break unless there

            outer.const_get(name, false)
          end
        end

        # @param objects [Array<Module>]
        # @raise [SchemaError] if one has no name, or if two have the same name
        def initialize(objects)
          @paths = {}.compare_by_identity
          @objects = {}
          objects.each do |object|
            path = Places.path(object)
            if @objects.key?(path)
              raise SchemaError, "two different classes are called #{path} " \
                                 "(was #{path} reloaded while another class still refers to the old one?)"
            end

            @objects[path] = object
            @paths[object] = path
          end
        end

        # @param object [Module] one of the objects
        # @return [String] its path
        def path(object) = @paths.fetch(object)

        # @param path [String]
        # @return [Array(Array<String>, String)] the names of the modules around it, and its constant in them. The constant
        #   is a path if there are classes around it.
        def split(path)
          parts = path.split("::")
          inside = (1...parts.size).find { |size| class?(parts.first(size).join("::")) }
          inside = inside ? inside - 1 : parts.size - 1
          [parts.first(inside), parts.drop(inside).join("::")]
        end

        private

        def class?(path) = @objects.key?(path) || Places.at(path).is_a?(Class)
      end
    end
  end
end
