# frozen_string_literal: true

module Sparpack
  # Looks at the bytes that an io has, and leaves them there. So a reader that must not read ahead knows how many bytes it
  # may ask for. Ruby's sockets, files and StringIOs can show them. Pipes cannot.
  #
  # @api private
  class Peek
    WAYS = { BasicSocket: :socket, File: :file, StringIO: :string }.freeze
    FIRST = 4096
    private_constant :WAYS, :FIRST

    # @param io [#readpartial, #read]
    # @return [Peek, nil] nil for an io that cannot show its bytes, or that reads them in a way of its own
    def self.of(io)
      name, way = WAYS.find { |name, _| Object.const_defined?(name) && Object.const_get(name) === io } # rubocop:disable Style/CaseEquality
      return unless name

      own = Object.const_get(name).instance_method(:readpartial).owner
      return unless Kernel.instance_method(:method).bind_call(io, :readpartial).owner.equal?(own)

      new(io, way) if way != :file || io.stat.file?
    rescue SystemCallError, IOError
      nil
    end

    # @param io [BasicSocket, File, StringIO]
    # @param way [Symbol] how it shows its bytes
    def initialize(io, way)
      @io = io
      @way = way
      @size = FIRST
    end

    # @return [String, nil] some of the bytes that come next; nil if the io shows none at the moment
    def bytes
      bytes = send(@way, @size)
      @size = [@size * 4, ReadBuffer::CHUNK].min
      bytes unless bytes.nil? || bytes.empty?
    rescue SystemCallError, IOError # the end of a file, or bytes in Ruby's own buffer
      nil
    end

    private

    def socket(size)
      answer = @io.recv_nonblock(size, ::Socket::MSG_PEEK, exception: false)
      answer if answer.is_a?(String)
    end

    # IO#sysseek raises if there are bytes in Ruby's own buffer, which need not be those of the file.
    def file(size) = @io.pread(size, @io.sysseek(0, IO::SEEK_CUR))
    def string(size) = @io.string&.byteslice(@io.pos, size)&.b
  end
end
