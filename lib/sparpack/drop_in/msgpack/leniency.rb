# frozen_string_literal: true

module Sparpack
  module DropIn
    module Msgpack
      # Lets pass what the msgpack gem lets pass. Sparpack::MessagePack refuses it with an error that says what to do.
      module Leniency
        # Options that there are not do nothing.
        def check_names(_options, _known) = nil

        # An io that cannot be read fails when it is read.
        def check_input(io) = (super if Input.path?(io))

        def check_source(_source) = nil

        # An io that cannot be written to fails when it is written to.
        def check_output(io) = (super if Input.path?(io))

        # "" is the end, for now: whoever reads on asks the io again.
        def input(io) = io.is_a?(Input) ? io : Input.new(io, again: true, empty_ends: true)

        # The gem writes to a Pathname as to an io, which replaces the file with each piece.
        def open_output(io, &) = Input.path?(io) ? io.open("wb", &) : super
      end

      MessagePack::Arguments.singleton_class.prepend(Leniency)
    end
  end
end
