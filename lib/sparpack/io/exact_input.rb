# frozen_string_literal: true

module Sparpack
  # Reads no more bytes than it is asked for, and appends them to a String. If the io is of one of Ruby's own classes, an
  # interrupt loses none of them.
  #
  # @api private
  class ExactInput < Input
    # Ruby's own classes. Their `ungetbyte` takes a whole String. Other classes may use only its first byte.
    OWN = %i[IO StringIO Tempfile].freeze
    private_constant :OWN

    # @param io [#readpartial, #read]
    # @param bytes [String]
    def initialize(io, bytes)
      super(io)
      @bytes = bytes
      @own = OWN.any? { |name| Object.const_defined?(name) && io.is_a?(Object.const_get(name)) }
    end

    # Gives all bytes back to the io, if it takes them.
    #
    # @return [void]
    # @raise [IOError] if the io cannot take so many bytes
    def put_back
      return if @bytes.empty? || !@io.respond_to?(:ungetbyte) || (@io.respond_to?(:closed?) && @io.closed?)

      Thread.handle_interrupt(Object => :never) do
        @own ? @io.ungetbyte(@bytes) : @bytes.bytes.reverse_each { |byte| @io.ungetbyte(byte) }
      rescue IOError => e
        raise IOError, "#{@io.class} cannot take back #{@bytes.bytesize} bytes, which are lost (close it): #{e.message}"
      end
    end

    private

    # Ruby loses bytes if an interrupt comes while IO#readpartial returns them, but not while it waits for an io. A fiber
    # scheduler raises only where IO#readpartial waits, and other fibers must not run with interrupts held back.
    def ask(size)
      return keep(super, size) unless @own && !Fiber.current_scheduler

      wait if @io.is_a?(IO)
      Thread.handle_interrupt(Object => :never) { keep(super(size), size) }
    end

    # IO#wait_readable follows IO#timeout=. Ruby 3.1 has neither, unless the program requires io/wait.
    def wait
      return IO.select([@io]) unless @io.respond_to?(:wait_readable) # rubocop:disable Lint/IncompatibleIoSelectWithFiberScheduler

      ready = @io.wait_readable
      raise IO::TimeoutError, "Blocking operation timed out!" unless ready
    end

    def keep(answer, size)
      return if answer.nil?

      if answer.bytesize > size
        raise IOError, "#{@io.class}##{@name} returned #{answer.bytesize} bytes, although at most #{size} were asked for"
      end

      @bytes << answer
      answer
    end
  end
end
