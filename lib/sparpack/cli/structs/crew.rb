# frozen_string_literal: true

module Sparpack
  module CLI
    module Structs
      # Several processes that work on the parts of a stream. Text of a table and copies of structs are made by Ruby code, so
      # threads would wait for one another.
      #
      # The parent looks where structs begin and end, and gives each child a part in turn. Before that it takes what the
      # child has made of its last part. So the order stays, and neither waits for the other for ever.
      class Crew
        # A part has about so many bytes.
        PART = 1 << 20

        # What a child makes of a part: what to write, how many rows that were, and the error that ended it.
        Answer = ::Struct.new(:text, :rows, :error)

        # A process: its number, the pipe to it, the pipe from it, and whether it has a part.
        Child = ::Struct.new(:pid, :to, :from, :busy)
        GONE = "a process ended before it had done its part"
        private_constant :PART, :Answer, :Child, :GONE

        # Works on a stream. With a size of 1, this process does it.
        #
        # @param size [Integer] the number of processes
        # @param codec [Codec]
        # @param frame [Symbol, nil]
        # @param paths [Array<Array<Object>>] as {Batch} takes them
        # @param reading [Reading]
        # @param writing [Writing]
        # @yieldparam batch [Batch]
        # @yieldparam target [#write] takes what is made of it
        # @yieldreturn [Integer] how many rows that were
        # @return [Integer] how many rows there were
        # @raise [DecodeError, EncodeError] at the first fault. What comes before it was written
        def self.each(size, codec, frame, paths, reading, writing, &work)
          return new(codec, frame, paths, work).run(size, reading, writing) if size > 1 && Process.respond_to?(:fork)

          rows = 0
          Batch.each(codec, frame, paths, reading, writing) { |batch| rows += yield(batch, writing) }
          rows
        end

        def initialize(codec, frame, paths, work)
          @codec = codec
          @frame = frame
          @paths = paths
          @work = work
          @count = 0
          @over = false
        end

        # (see Crew.each)
        def run(size, reading, writing)
          @writing = writing
          @crew = []
          Forks.open do |forks|
            @forks = forks
            size.times { @crew << start }
            give_out(reading)
            @crew.size.times { collect(@crew.rotate!.last) }
          end
          @count
        end

        private

        # --- the parent ----------------------------------------------------------------------------------------------------

        # A fault is raised after everything before it was written.
        def give_out(reading)
          parts = Parts.new(@codec)
          reading.before { reading.lines&.converted }
          @codec.each_payload(reading, Frame.find(@frame, @codec.wire), parts) { give(parts.take) if parts.size >= PART }
          give(parts.take)
        rescue DecodeError
          raise if @over

          give(parts.take)
          @crew.size.times { collect(@crew.rotate!.last) }
          raise
        end

        # The next child is the one that has been at work for the longest time.
        def give(parts)
          return if parts.empty? || @over

          child = @crew.rotate!.last
          collect(child)
          send_to(child.to, parts)
          child.busy = true
        rescue Errno::EPIPE
          gone(child)
        end

        def gone(child) = raise(Error, "#{GONE}#{@forks.fate(child.pid)}")

        def collect(child)
          return unless child.busy

          child.busy = false
          answer = loaded(@forks.read(child.from, child.pid)) || gone(child)
          @writing.write(answer.text)
          return @count += answer.rows unless answer.error

          @over = true # what comes behind it is not written
          raise numbered(answer.error)
        end

        # A child counts rows from the beginning of its part.
        def numbered(error)
          message = error.message.sub(/(?<=, in row )\d+\z/) { |row| (row.to_i + @count).to_s }
          error.exception(message)
        end

        # --- the children --------------------------------------------------------------------------------------------------

        def start
          theirs, to = @forks.pipe
          from, ours = @forks.pipe
          pid = @forks.start(theirs, ours) { serve(theirs, ours) }
          Child.new(pid, to, from, false)
        end

        # The parent stops its children, also after an interrupt that all of them get.
        def serve(input, output)
          %w[INT TERM].each { |signal| trap(signal, "IGNORE") }
          while (parts = loaded(Forks.read(input)))
            send_to(output, answer(parts))
          end
        end

        def answer(parts)
          text = +"".b
          count = 0
          target = Text.new(text)
          Batch.of(@codec, @paths, parts, framed: !@frame.nil?) { |batch| count += @work.call(batch, target) }
          Answer.new(text, count, nil)
        rescue DecodeError, EncodeError => e
          Answer.new(text, count, e)
        end

        # --- pipes ---------------------------------------------------------------------------------------------------------

        def send_to(pipe, object) = Forks.write(pipe, Marshal.dump(object))

        # @param bytes [String, nil] nil if the other process is gone
        def loaded(bytes)
          Marshal.load(bytes) if bytes # rubocop:disable Security/MarshalLoad -- our own process wrote it
        end

        # Collects what is written.
        Text = ::Struct.new(:text) do
          def write(bytes)
            text << bytes.b
            bytes.bytesize
          end
        end

        # A reader for {Codec#each_payload} that keeps the bytes of payloads.
        class Parts
          # @return [Integer] how many bytes there are
          attr_reader :size

          # @param codec [Codec]
          def initialize(codec)
            @limit = Native.codec_payload_limit(codec)
            clear
          end

          # @return [Array<Array(String, Integer)>] the bytes of payloads that follow one another, and where they begin
          def take = @parts.tap { clear }

          # Passes over several payloads at once, unless the bytes are enough to hide one that is too long, which the caller
          # refuses.
          #
          # (see Ranges::Count.decode_prefix)
          def decode_prefix(codec, bytes, offset, base, partial)
            reader = bytes.bytesize > @limit ? Ranges::Each : Ranges::Count
            reader.decode_prefix(codec, bytes, offset, base, partial).tap do |_, last|
              add(bytes.byteslice(offset, last - offset), base + offset) if last - offset <= @limit
            end
          end

          # (see Ranges::Count.decode_payload)
          def decode_payload(codec, bytes, base)
            Ranges::Count.decode_payload(codec, bytes, base).tap { add(bytes, base) }
          end

          private

          def clear
            @parts = []
            @size = 0
          end

          def add(bytes, base)
            @parts << [bytes, base]
            @size += bytes.bytesize
          end
        end
        private_constant :Text, :Parts
      end
    end
  end
end
