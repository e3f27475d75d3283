# frozen_string_literal: true

module Sparpack
  # A reader for {Codec#each_payload} that collects the values of paths, and makes no objects between. What only a decode can
  # tell it decodes.
  #
  # @api private
  class Columns
    FORMS = %i[arrays packed].freeze

    # @param codec [Codec]
    # @param paths [Array<String, Array<Object>>]
    # @param form [Symbol] one of {FORMS}
    # @param share [Boolean] only true for `:arrays`
    # @param ends [Array<Integer>, nil] what gets the offset behind each payload that {#decode_prefix} takes
    # @raise [ArgumentError] if there is no path, or if anything is wrong
    def initialize(codec, paths, form, share, ends = nil)
      raise ArgumentError, "expected at least one path" if paths.empty?
      raise ArgumentError, "as: expected :arrays or :packed, got #{Quote.value(form)}" unless FORMS.include?(form)
      unless [true, false].include?(share)
        raise ArgumentError, "share: expected true or false, got #{Quote.value(share)}"
      end
      if share && form == :packed
        raise ArgumentError, "share: needs as: :arrays, because packed columns have no Strings"
      end

      @paths = paths
      @packed = form == :packed
      @ends = ends
      @elements = codec.wire == :json # there may be something between objects
      @limit = Native.codec_payload_limit(codec)
      @columns = compile_plain(codec, share) || compile(codec, share)
    end

    def decode_prefix(codec, bytes, offset, base, partial)
      many = bytes.bytesize <= @limit && (!@elements || JsonElements.behind_object?(bytes, offset))
      last = Native.columns_take(@columns, bytes, offset, many)
      return [nil, last] if last

      object, last = Native.decode_prefix(codec, bytes, offset, base, partial)
      Native.columns_follow(@columns, object, bytes, offset, last, base)
      @ends&.push(last)
      [nil, last]
    end

    def decode_payload(codec, bytes, base)
      return if Native.columns_take(@columns, bytes, 0, nil)

      object = Native.decode_payload(codec, bytes, base)
      Native.columns_follow(@columns, object, bytes, 0, bytes.bytesize, base)
    end

    # @param codec [Codec]
    # @param threads [Integer]
    # @param frame [Symbol, nil]
    # @return [Ahead, Columns] a reader that finds the numbers of many payloads at once, which {#add} takes; or this one,
    #   which reads one payload at a time
    # @raise [ArgumentError] if several threads cannot do this
    def ahead(codec, threads, frame)
      if threads > 1 && !@packed
        raise ArgumentError, "threads: needs as: :packed, because making other objects needs Ruby's lock"
      end

      Ahead.check_frame(threads, frame)
      return self unless @packed && frame

      Frame.check(frame, codec.wire)
      code = Frame::CODES.fetch(frame)
      Ahead.new(self, threads) do |bytes, offset, size, most|
        Native.columns_ahead(@columns, codec, bytes, offset, size, most, threads, code)
      end
    end

    # @param part [Object] what threads have found
    # @return [void]
    def add(part) = Native.columns_add(@columns, part)

    # @return [Hash{String, Array => Array, Column}]
    def to_h
      found = Native.columns_finish(@columns)
      found.map! { |parts| Column.new(*parts) } if @packed
      @paths.zip(found).to_h
    end

    private

    # Most paths have nothing but names, which need no look at the schema. Returns nil if there are others, or if one leads
    # nowhere. Then {#compile} reads the paths by the schema, or says what is wrong with them.
    def compile_plain(codec, share)
      paths = @paths.map { |path| Path.plain(path) if path.is_a?(String) }
      Native.columns_new(codec, paths, @packed, share, @ends) if paths.all?
    rescue ArgumentError
      nil
    end

    def compile(codec, share)
      paths = @paths.map do |path|
        case path
        when String then Path.steps(path, codec.struct_class)
        when Array then path
        else raise Steps.wrong_column(path)
        end
      end
      Native.columns_new(codec, paths, @packed, share, @ends)
    end
  end
end
