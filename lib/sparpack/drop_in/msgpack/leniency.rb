# frozen_string_literal: true

module Sparpack
  module DropIn
    module Msgpack
      # Accepts everything that the msgpack gem accepts. Sparpack::MessagePack refuses some of it, with an error that says
      # what to do.
      module Leniency
        # Unknown options are ignored.
        def check_names(_options, _known) = nil

        # Anything but a Pathname is accepted, and fails when it is read.
        def check_input(io) = (super if Input.path?(io))

        def check_source(_source) = nil

        # The number is refused with the gem's message.
        def refuse_number(type)
          raise RangeError, "bignum too big to convert into `long'" if type.bit_length > 63

          raise RangeError, "integer #{type} too big to convert to `signed char'"
        end

        # Anything but a Pathname is accepted, and fails when it is written to.
        def check_output(io) = (super if Input.path?(io))

        # "" counts as the end for now. The next read calls the io again.
        def input(io) = io.is_a?(Input) ? io : Input.new(io, again: true, empty_ends: true)

        # A Pathname is opened. The gem calls its `write`, which replaces the file with each piece.
        def open_output(io, &) = Input.path?(io) ? io.open("wb", &) : super
      end

      MessagePack::Arguments.singleton_class.prepend(Leniency)
    end
  end
end
