# frozen_string_literal: true

module Sparpack
  # Decodes the payloads of a source in several processes: finds where they are, gives each process a part of them, and
  # collects what the block returned.
  #
  # @api private
  class Processes
    # The most processes.
    MOST = 64

    # What a child sends.
    Answer = ::Struct.new(:results, :error)

    LEFT = "processes: the block has left its process, by break, return, throw or exit"
    UNSENT = "processes: the block must return what Marshal can dump, such as numbers and Strings"
    private_constant :MOST, :Answer, :LEFT, :UNSENT

    class << self
      # @param codec [Codec]
      # @param source [String, Pathname]
      # @param frame [Frame, nil]
      # @param count [Integer]
      # @param on_error [Object, nil] must be nil
      # @yieldparam object [Value]
      # @return [Array<Object>] what the block returned, in the order of the payloads
      # @raise [ArgumentError] for a wrong number, without a block, or if the source is an io
      def run(codec, source, frame, count, on_error, &block)
        raise ArgumentError, "processes: needs a block" unless block
        raise ArgumentError, "on_error: cannot be called from other processes" if on_error

        unless count.is_a?(Integer) && count.between?(1, MOST)
          raise ArgumentError, "processes: expected an Integer from 1 to #{MOST}, got #{Quote.value(count)}"
        end
        unless source.is_a?(String) || Input.path?(source)
          raise ArgumentError, "processes: cannot share an io: pass a String, or the Pathname of a file"
        end

        new(codec, source, frame).run(count, &block)
      end
    end

    def initialize(codec, source, frame)
      @codec  = codec
      # Ranges of it are read later, when another thread may read an io into the String.
      @source = source.is_a?(String) ? String.new(Native.unlocked(source)).freeze : source
      @frame  = frame
    end

    def run(count, &block)
      parts = parts(count)
      return parts.flat_map { |part| each_object(part).map(&block) } if parts.size < 2 || !Process.respond_to?(:fork)

      collect(parts, block)
    end

    private

    # Adjacent ranges for each process, of about the same size. A child gets no more than it has to decode.
    def parts(count)
      ranges = []
      @codec.each_payload(@source, @frame, Ranges::Each) { |range| ranges << range }
      return [ranges] if count == 1 || ranges.size < 2

      share = ranges.last.end.fdiv(count)
      ranges.chunk_while { |one, other| (one.begin / share).floor == (other.begin / share).floor }.to_a
    end

    def collect(parts, block)
      Forks.open do |forks|
        parts.map { |part| start(forks, part, block) }.flat_map do |pid, pipe|
          bytes = forks.read(pipe, pid)
          raise Error, "a process ended before it had decoded its part#{forks.fate(pid)}" unless bytes

          forks.answered(pid)
          results(bytes)
        end
      end
    end

    def results(bytes)
      answer = Marshal.load(bytes) # rubocop:disable Security/MarshalLoad -- our own child wrote it
      raise answer.error if answer.error

      answer.results
    end

    def start(forks, part, block)
      reader, writer = forks.pipe
      pid = forks.start(writer) { send_answer(writer, part, block) }
      [pid, reader]
    end

    # The block may leave this process on a way that passes no rescue. A process that somebody ends has no answer.
    def send_answer(writer, part, block)
      bytes = dump(answer(part, block))
    rescue SignalException
      ended = true
      raise
    ensure
      bytes ||= dump(Answer.new(nil, Error.new(LEFT))) unless ended
      flush
      Forks.write(writer, bytes) if bytes
    end

    def answer(part, block)
      Answer.new(each_object(part).map(&block), nil)
    rescue SystemExit, SignalException
      raise
    rescue ::Exception => e # rubocop:disable Lint/RescueException -- it is raised in the process that waits
      Answer.new(nil, e)
    end

    # A `marshal_dump` may raise anything.
    def dump(answer)
      Marshal.dump(answer)
    rescue StandardError, SystemStackError => e
      raised = answer.error
      error = raised ? Error.new("#{raised.class}: #{raised.message}") : TypeError.new("#{UNSENT} (#{e.message})")
      error.set_backtrace(raised.backtrace) if raised
      Marshal.dump(Answer.new(nil, error))
    end

    # The process ends without that. (What its parent had in these buffers was written by `fork`.) Nobody may be reading any
    # more, but that does not change what the block returned.
    def flush
      [$stdout, $stderr].each do |io|
        io.flush
      rescue StandardError
        nil
      end
    end

    def each_object(ranges)
      return enum_for(:each_object, ranges) unless block_given?

      reader = @codec.reading(Native)
      Input.open(@source) do |io|
        ranges.each { |range| yield reader.decode_payload(@codec, bytes(io, range), range.begin) }
      end
    end

    def bytes(source, range)
      source.is_a?(String) ? source.byteslice(range) : source.pread(range.size, range.begin)
    end
  end
end
