# frozen_string_literal: true

module Sparpack
  module IDL
    class Dump
      # Where things are in Ruby: an IDL's namespace stands for modules, not for classes.
      #
      # @api private
      class Places
        # What Ruby puts before the names of what is in a module without a name.
        NAMELESS = /\A#<(?:Module|Class):0x\h+>::/
        private_constant :NAMELESS

        # A class may have a method `name` of its own.
        #
        # @param object [Module]
        # @return [String, nil]
        def self.name_of(object) = Module.instance_method(:name).bind_call(object)

        # @param object [Module]
        # @return [String] its path from the top, or from the nameless module that it is in
        # @raise [SchemaError] if it has no name
        def self.path(object)
          path = name_of(object).to_s.sub(NAMELESS, "")
          return path if RubyNames::PATH.match?(path)

          raise SchemaError, "#{Quote.value(object)} has no name, which IDL needs: assign it to a constant"
        end

        # @param object [Module]
        # @return [Module, nil] what it is in; nil if that cannot be found
        def self.around(object) = at(name_of(object).to_s.rpartition("::").first)

        # @param path [String]
        # @return [Object, nil] what the constant is, if it is there without being loaded
        def self.at(path)
          path.split("::").reduce(Object) do |outer, name|
            there = outer.is_a?(Module) && name.match?(RubyNames::CONSTANT) && outer.const_defined?(name, false)
            there &&= !outer.autoload?(name, false)
            break unless there

            outer.const_get(name, false)
          end
        end

        # @param objects [Array<Module>]
        # @raise [SchemaError] if one has no name, or two have the same
        def initialize(objects)
          @paths = {}.compare_by_identity
          @objects = {}
          objects.each do |object|
            path = Places.path(object)
            raise SchemaError, "two classes are called #{path}: was it defined anew?" if @objects.key?(path)

            @objects[path] = object
            @paths[object] = path
          end
        end

        # @param object [Module] one of those that were given
        # @return [String]
        def path(object) = @paths.fetch(object)

        # @param path [String]
        # @return [Array(Array<String>, String)] the modules that it is in, and its constant there: a path where classes are
        #   around it
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
