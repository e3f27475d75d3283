# frozen_string_literal: true

module Sparpack
  module IDL
    # Removes what {Definer} has defined for a file.
    #
    # @api private
    class Unloader
      # @param into [Module] the module in which the namespaces are
      # @raise [TypeError] if it is not a Module
      def initialize(into)
        raise TypeError, "into: must be a Module, not #{into.class}" unless ::Module === into # rubocop:disable Style/CaseEquality -- a BasicObject

        @into = into
        @registry = into.instance_variable_get(:@sparpack_idl) || {}
      end

      # @param path [String]
      # @return [Array<String>] the names of the constants that were removed, sorted
      # @raise [SchemaError] if this is not the main Ractor
      def run(path)
        raise SchemaError, "IDL.unload removes classes, so it works only in the main Ractor" unless Native.main_ractor?

        gone = real(path)
        Definer::LOCK.synchronize do
          @registry.keys.select { |file, *| file == gone }.flat_map { |key| remove(key) }.sort
        end
      end

      private

      # The file may have been deleted.
      def real(path)
        File.realpath(path)
      rescue SystemCallError
        folder, name = File.split(File.expand_path(path))
        File.join(File.exist?(folder) ? File.realpath(folder) : folder, name)
      end

      def remove(key)
        loaded = @registry.delete(key)
        outer = within(@into, key[1], inherit: @into.equal?(Object)) or return []
        # What is in another definition goes first.
        loaded.constants.sort_by { |path, _| -path.count(":") }.filter_map { |path, value| remove_one(outer, path, value) }
      end

      # A constant that is somebody else's by now stays.
      def remove_one(outer, path, value)
        *parts, name = path.delete_prefix("::").split("::")
        owner = within(path.start_with?("::") ? @into : outer, parts)
        return unless owner&.const_defined?(name, false) && !owner.autoload?(name, false)
        return unless owner.const_get(name, false).equal?(value)

        owner.send(:remove_const, name)
        owner.equal?(Object) ? name : "#{owner.name}::#{name}"
      end

      # @return [Module, nil]
      def within(outer, names, inherit: false)
        names.reduce(outer) do |at, name|
          break unless at.const_defined?(name, inherit) && !at.autoload?(name, inherit)

          found = at.const_get(name, inherit)
          break unless ::Module === found # rubocop:disable Style/CaseEquality -- a BasicObject

          found
        end
      end
    end
  end
end
