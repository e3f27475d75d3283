# frozen_string_literal: true

module Sparpack
  module Rails
    # The `.thrift` files of a Rails application: `config.sparpack.idl`. They are loaded at boot, and in development again
    # after a change.
    #
    # @api private
    class IdlFiles
      # @param app [::Rails::Application]
      # @return [IdlFiles]
      def self.of(app)
        config = app.config
        files = new(config.sparpack.idl, root: app.root, options: config.sparpack.idl_options, logger: ::Rails.logger)
        return files unless config.reloading_enabled?

        files.watch(config.file_watcher)
        app.reloaders << files
        files
      end

      # @param folders [Array<String, Pathname>, String, Pathname]
      # @param root [Pathname] where relative folders are
      # @param options [Hash] as {IDL.load} takes them
      # @param logger [#warn, nil] gets the warnings
      def initialize(folders, root:, options:, logger: nil)
        @folders = Array(folders).map { |folder| File.expand_path(folder.to_s, root.to_s) }
        @options = { include: @folders, **options }
        @logger = logger
        @loaded = []
      end

      # @param checker [Class] such as `ActiveSupport::FileUpdateChecker`
      # @return [void]
      def watch(checker)
        @changes = checker.new([], @folders.to_h { |folder| [folder, ["thrift"]] }) { unload }
      end

      # Rails asks this before each request, and reloads all classes then. After a fault it tries again each time, so that
      # the error does not give way to that of a missing constant.
      #
      # @return [Boolean]
      def updated? = @faulty || @changes&.updated? || false

      # Loads all files: those that have not changed once, unless a reload of the classes has removed their constants. If one
      # has a fault, the others are loaded nevertheless.
      #
      # @return [void]
      # @raise [ArgumentError] if a folder does not exist
      # @raise [IDL::Error, SchemaError] as {IDL.load}, for the first file with a fault
      def prepare
        @faulty ? unload : @changes&.execute_if_updated
        @faulty = true
        error = faults.first
        raise error if error

        @faulty = false
      end

      private

      def faults
        missing = @folders.find { |folder| !File.directory?(folder) }
        raise ArgumentError, "config.sparpack.idl: there is no folder #{Quote.path(missing)}" if missing

        files.filter_map do |file|
          @loaded |= [file]
          IDL.load(file, **@options) { |warning| @logger&.warn(warning) }
          nil
        rescue IDL::Error, SchemaError => e
          e
        end
      end

      # They are all loaded again, because they include one another.
      def unload
        @loaded.each { |file| IDL.unload(file, **@options.slice(:into)) }
        @loaded.clear
      end

      def files = @folders.flat_map { |folder| Dir[File.join(folder, "**/*.thrift")] }
    end
  end
end
