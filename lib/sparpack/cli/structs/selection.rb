# frozen_string_literal: true

module Sparpack
  module CLI
    module Structs
      # Passes on the structs of a stream that match some conditions. Only the fields of the conditions are read.
      class Selection
        # The format of a stream: the wire, and the frame or nil.
        Form = ::Struct.new(:wire, :frame)

        # What cannot be done by copying.
        CHANGING = { unknown: %i[skip], mismatch: %i[skip], keys: nil, enums: nil, i64: nil }.freeze
        private_constant :CHANGING

        # @param struct_class [Class]
        # @param conditions [Array<Condition>] what all must match
        # @param from [Form]
        # @param to [Form, nil] nil if they are only counted
        # @param limit [Integer, nil] the most structs
        # @param threads [Integer] how many processes share the work, unless there is a limit
        # @param options [Hash] of a {Converter}, but for its frames
        def initialize(struct_class, conditions, from:, to:, limit: nil, threads: 1, **options)
          @class = struct_class
          @conditions = conditions
          @from = from
          @to = to
          @frame = Frame.find(to.frame, to.wire, "to_frame") if to
          @left = limit
          @threads = limit ? 1 : threads
          @options = options
          @count = 0
        end

        # @return [Integer] how many have matched
        attr_reader :count

        # Passes on what matches, until there are enough. What was read before a fault is passed on.
        #
        # @param reading [Reading]
        # @param target [#write]
        # @return [void]
        # @raise [DecodeError, EncodeError] at the first fault
        def run(reading, target)
          Writing.open(target, reading) do |writing|
            catch(self) do
              throw self if @left&.zero?

              unknown = @options[:unknown] == :reject ? :reject : :skip # what is copied has them anyhow
              @codec = Stream.codec(@class, @from.wire, **@options, unknown:)
              @count = Crew.each(@threads, @codec, @from.frame, paths, reading, writing) { |batch, out| pass(batch, out) }
            end
          end
        end

        private

        # The rows have to be structs, so at least one path must not lead into the list of the others.
        def paths
          places = @conditions.map(&:place)
          rows = places.empty? ? [] : Place.rows(places)
          [*places.map(&:steps), *(rows && [Place.anchor(@class, rows)].compact)]
        end

        def pass(batch, writing)
          rows = matching(batch)
          rows = rows.first(@left) if @left
          @count += rows.size # what was thrown leaves no other count
          batch.each_payload(rows) { |bytes, base| write(bytes, base, writing) } if @to && !rows.empty?
          @left -= rows.size if @left
          throw self if @left&.zero?
          rows.size
        end

        def matching(batch)
          return batch.numbers.to_a if @conditions.empty?

          @conditions.zip(batch.columns).reduce(batch.numbers) { |rows, (condition, values)| condition.select(values, rows) }
        end

        def write(bytes, base, writing)
          bytes = copied(bytes) || steps.decode_payload(converter.from, bytes, base)
          bytes = @frame.wrap(bytes, copies? ? @codec : converter.to) if @frame
          writing.write(bytes)
        end

        # JSON must be on one line if a line ends a struct.
        def copied(bytes)
          return unless copies?
          return bytes unless @from.wire == :json

          bytes = bytes.strip
          bytes unless @to.frame == :lines && bytes.include?("\n")
        end

        def copies?
          return @copies if defined?(@copies)

          changed = CHANGING.any? { |name, values| @options.key?(name) && (values.nil? || values.include?(@options[name])) }
          @copies = @from.wire == @to.wire && !changed
        end

        def converter = @converter ||= Converter.new(@class, from: @from.wire, to: @to.wire, **@options)
        def steps = @steps ||= Converter::Steps.new(converter, nil)
      end
    end
  end
end
