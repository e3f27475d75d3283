# frozen_string_literal: true

module Sparpack
  class Mapping
    # Makes the procs that read all members of one or more objects by their methods. A call from the native core costs about
    # as much as two calls within Ruby code, so one call reads as much as possible.
    #
    # @api private
    module Reading
      # How many values a proc returns at most.
      MOST = 80

      # A proc that reads fewer values of one object is slower than calls from the native core.
      LEAST = 5

      class << self
        # There is a proc for each number of objects, up to what the native core passes, so that most lists need only one
        # call.
        #
        # @param readers [Array<Reader>]
        # @return [Array<Proc, nil>] for each number from 1 on, what returns the members of so many objects; nil or nothing
        #   if calls from the native core are faster
        def procs(readers)
          calls, plain = readers.partition { |reader| !reader.plain? }.map(&:size)
          return [] if calls <= plain

          names = readers.map(&:name)
          (1..Native::MAPPED_READERS).map do |count|
            values = count * names.size
            reader(names, count) if values <= MOST && (count > 1 || values >= LEAST)
          end
        end

        private

        # @return [Proc] which several Ractors may call
        def reader(names, count)
          objects = Array.new(count) { |index| "o#{index}" }
          values  = objects.product(names).map { |object, name| "#{object}.#{name}" }
          code    = "lambda { |#{objects.join(", ")}| [#{values.join(", ")}] }"
          ::Ractor.make_shareable(nil.instance_eval(code, __FILE__, __LINE__))
        end
      end
    end
    private_constant :Reading
  end
end
