# frozen_string_literal: true

module Sparpack
  # Puts Sparpack behind the interfaces of other libraries. Each has to be required by its name.
  #
  # @api private
  module DropIn
    # Makes `require` find the files of a library that a drop-in replaces.
    #
    # @api private
    module Files
      # Registers each file under two names. Ruby looks for the bare name of a feature, even while Bootsnap starts and
      # reduces the load path to the gem. Bootsnap itself looks for files on the load path, and for features there.
      #
      # @param folder [String] the folder with a file for each file of the library
      # @return [void]
      def self.provide(folder)
        $LOAD_PATH.unshift(folder)
        Dir["**/*.rb", base: folder].each do |file|
          $LOADED_FEATURES << file.sub(/\.so\.rb\z/, ".so") << File.join(folder, file)
        end
      end
    end
  end
end
