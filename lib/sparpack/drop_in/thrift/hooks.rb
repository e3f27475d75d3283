# frozen_string_literal: true

require_relative "methods"

module Sparpack
  module DropIn
    module Thrift
      # Notices changes of a module. It is put in front of the methods of the module itself, calls what the module has under
      # the same names, and adds nothing to its ancestors.
      #
      # @api private
      module Hooks
        # Puts hooks into a module, unless it has them or is one of Ruby's own. A class does not rely on those of its parent,
        # because its own `method_added` may not call `super`.
        #
        # @param place [Module]
        # @return [void]
        def self.add(place)
          singleton = Methods.singleton_class(place)
          here = singleton.ancestors.take_while { |each| !each.equal?(singleton) }
          singleton.prepend(self) unless here.include?(self) || Methods.native?(place)
        end

        # These must be methods of their own, because a block cannot be called in another Ractor.
        %w[prepend include].each do |name|
          class_eval <<~RUBY, __FILE__, __LINE__ + 1
            def #{name}(*modules)             # def prepend(*modules)
              super.tap do
                modules.each { |each| Hooks.add(each) }
                Watch.changed(self, nil)
              end
            end
          RUBY
        end

        def extend(*)
          super.tap { Watch.changed(self, nil) }
        end

        %w[method_added method_removed method_undefined singleton_method_added singleton_method_removed
           singleton_method_undefined const_added].each do |name|
          next unless ::Module.private_method_defined?(name) # Ruby 3.1 has no const_added

          class_eval <<~RUBY, __FILE__, __LINE__ + 1
            def #{name}(changed)              # def method_added(changed)
              super
              Watch.changed(self, changed)
            end
            private :#{name}                  # private :method_added
          RUBY
        end
      end
    end
  end
end
