# frozen_string_literal: true

require_relative "methods"
require_relative "watched"
require_relative "hooks"

module Sparpack
  module DropIn
    module Thrift
      # Knows which methods of the gem were patched.
      #
      # Native code stands in for methods of the gem's protocols, transports, structs and serializers. What somebody has
      # patched there must run, so that the protocol, the transport or the class is left to the gem. A method is the gem's
      # own if it is native or in a file of the gem. From {install} on, it must also be the same as it was then.
      #
      # Nothing is looked at while something is read or written. Hooks in the gem's modules and in each class in use notice a
      # change when it is made, in the main Ractor. Refinements do not change what the gem calls. A method of a single object
      # is for the native part to notice.
      #
      # @api private
      module Watch
        # What an object of a user's class does by methods that the class may override.
        OVERRIDES = (Watched::STRUCT + Watched::UNION).uniq.freeze

        # A module that is first defined in the gem's own folder.
        ANCHOR = "Thrift::Struct_Union"

        # The same without what makes objects.
        STRUCT = (Watched::STRUCT - Watched::CONSTRUCTION).freeze
        UNION = (Watched::UNION - Watched::CONSTRUCTION).freeze

        private_constant :OVERRIDES, :ANCHOR, :STRUCT, :UNION

        @native = nil
        @originals = nil
        @before = nil
        @found = {}
        @classes = ::ObjectSpace::WeakMap.new

        class << self
          # Notes what is patched already, lets the block put native methods in place, and watches from then on.
          #
          # @yield while definitions are not taken for patches
          # @return [void]
          def install
            @native = native?
            names = Watched.modules.to_h { |place| [place, names(place)] }
            @before = names.to_h { |place, here| [place, foreign(place, here)] }
            yield if block_given?
            @originals = names.to_h { |place, here| [place, originals(place, here)] }
            @found = @before.dup # the originals are not compared with themselves
            names.each_key { |place| Hooks.add(place) }
          end

          # Watches a class whose objects native code reads and writes.
          #
          # @param klass [Class]
          # @return [void]
          def watch(klass)
            return if @classes.key?(klass)

            @classes[klass] = true
            (klass.ancestors - ::StandardError.ancestors - Watched.modules).each { |each| Hooks.add(each) }
          end

          # @return [Hash{Module => Array<Symbol>}] the patched methods of each module of the gem that has any
          def patched = patches.transform_values(&:keys)

          # @return [Hash{Module => Hash{Symbol => String}}] where each patched method is defined
          def patches
            Watched.modules.to_h { |place| [place, patches_of(place)] }.reject { |_, found| found.empty? }
          end

          # @param place [Module] a module of the gem
          # @return [Boolean] whether native code must not stand in for it
          def patched?(place) = !patches_of(place).empty? || (bytes_for?(place) && !patches_of(::Thrift::Bytes).empty?)

          # @param place [Module] a module of the gem
          # @return [Hash{Symbol => String}] where its patched methods are defined
          def patches_of(place)
            @originals ? @found[place] ||= patches_since(place).freeze : foreign(place, names(place))
          end

          # @param klass [Class] a class of the user's
          # @return [Hash{Symbol => String}] the methods of Thrift::Struct or Thrift::Union that it overrides, or that are
          #   patched there, and where
          def overrides(klass)
            names = klass <= ::Thrift::Union ? UNION : STRUCT
            patches = ::Hash.new { |all, owner| all[owner] = patches_of(owner) if gem?(owner) }
            names.each_with_object({}) do |name, found|
              method = Methods.of(klass, name) or next
              known = patches[method.owner]
              found[name] = where(method) unless known && !known.key?(name)
            end
          end

          # @param method [UnboundMethod, nil]
          # @return [Boolean] whether it is in a file of the gem, or native
          def original?(method)
            file, = method&.source_location
            method ? file.nil? || file.start_with?(folder) : false
          end

          # @return [String] where the gem's files are
          def folder
            @folder ||= File.join(File.dirname(::Object.const_source_location(ANCHOR).first), "").freeze
          end

          # @return [Boolean] whether the native part of the gem is loaded
          def native?
            return @native unless @native.nil?

            $LOADED_FEATURES.any? { |file| file.match?(%r{(\A|/)thrift_native\.(so|bundle|dll)\z}) }
          end

          # Called by hooks.
          #
          # @param place [Module] whose methods have changed
          # @param name [Symbol, nil] of the method; nil if modules were added
          # @return [void]
          def changed(place, name)
            return unless name.nil? || matters?(place, name)

            return if unknown?(place)

            @found.clear
            affected(place).each { |each| Classes.changed(each) }
          rescue ::StandardError
            nil # A definition of the user's never fails because of this.
          end

          private

          def names(place) = Watched.names(place) { |method| original?(method) }

          def patches_since(place)
            originals = @originals.fetch(place, {})
            changed = originals.reject { |name, original| same?(Watched.method(place, name), original) }
            places = changed.to_h { |name, _| [name, where(Watched.method(place, name))] }
            @before.fetch(place, {}).merge(added(place, originals), places)
          end

          def foreign(place, names)
            names.each_with_object({}) do |name, found|
              method = Watched.method(place, name)
              found[name] = where(method) unless original?(method)
            end.freeze
          end

          # A method that nobody had, such as `method_missing`.
          def added(place, known)
            names = (names(place) - known.keys).select { |name| Watched.known?(name) }
            names.to_h { |name| [name, where(Watched.method(place, name))] }
          end

          def originals(place, names)
            (names - @before[place].keys).to_h { |name| [name, Watched.method(place, name)] }
          end

          # An alias that puts the original back is equal to it.
          def same?(method, original)
            method == original || (method && method.owner.equal?(original.owner) && !method.source_location.nil? &&
                                   method.source_location == original.source_location)
          end

          def where(method) = method ? Methods.place(method) : "removed"

          def gem?(place) = Watched.modules.include?(place)

          def matters?(place, name)
            OVERRIDES.include?(name) || Watched.name?(name) || name == :new || (name == :FIELDS && @classes.key?(place))
          end

          # A class that is still being defined has no objects and no classes below it.
          def unknown?(place) = place.is_a?(::Class) && !@classes.key?(place) && !gem?(place) && place.subclasses.empty?

          def affected(place)
            found = (Watched.modules + @classes.keys).select { |each| each <= place }
            found.concat(Watched.modules.select { |each| bytes_for?(each) }) if place.equal?(::Thrift::Bytes)
            found
          end

          # Protocols in Ruby use these functions for strings. The native part has its own.
          def bytes_for?(place) = Watched.protocol?(place) && !native?
        end
      end
    end
  end
end
