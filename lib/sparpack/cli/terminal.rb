# frozen_string_literal: true

module Sparpack
  module CLI
    # An io that uses colours if it is a terminal, unless NO_COLOR is set.
    class Terminal
      autoload :Progress, "sparpack/cli/terminal/progress"
      autoload :Target, "sparpack/cli/terminal/target"

      CODES = { red: 31, green: 32, yellow: 33, cyan: 36, bold: 1, dim: 2 }.freeze
      private_constant :CODES

      # @param io [IO]
      def initialize(io)
        @io = io
        @seen = io.respond_to?(:tty?) && io.tty?
        @colored = @seen && ENV.fetch("NO_COLOR", "").empty? && ENV["TERM"] != "dumb"
      end

      # @return [Boolean] whether it is a terminal
      def seen? = @seen

      # @return [Boolean] whether it gets colours
      def colored? = @colored

      # @param choice [Symbol] `:always`, `:never`, or `:auto` for what suits the io
      def color=(choice)
        @colored = choice == :always unless choice == :auto
      end

      # @return [Integer] columns: those of the terminal, or else what the variable COLUMNS says
      def width = [own_width, ENV.fetch("COLUMNS", "").to_i.clamp(0, 1000), 80].find(&:positive?)

      # @param text [String]
      # @param color [Symbol]
      # @return [String]
      def paint(text, color) = @colored ? "\e[#{CODES.fetch(color)}m#{text}\e[0m" : text

      # @param text [String]
      # @return [void]
      def print(text) = @io.print(text)

      # @param lines [Array<String>]
      # @return [void]
      def puts(*lines) = @io.puts(*lines)

      private

      # Not every terminal knows its size, and some say 0.
      def own_width
        require "io/console"
        @io.respond_to?(:winsize) ? @io.winsize.last : 0
      rescue LoadError, SystemCallError
        0
      end
    end
  end
end
