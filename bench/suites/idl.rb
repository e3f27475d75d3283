# frozen_string_literal: true

require_relative "../idl_text"
require_relative "../peers"
require_relative "../step_suite"
require "tmpdir"

module Bench
  module Suites
    # Measures how much of a .thrift file of 50,000 lines each step reads in a second.
    class IDL < StepSuite
      PEERS = [Bench::Peers::Sparpack].freeze
      LINES = 50_000
      PARTS = %w[tokens parse link load format generate].freeze
      DEMAND = ["load", "text to classes (load): MB per second", 1].freeze

      private

      def with_input
        text = IDLText.new(LINES).to_s
        Dir.mktmpdir do |folder|
          path = File.join(folder, "many_lines.thrift")
          File.write(path, text)
          yield "IDL of #{text.count("\n")} lines, #{text.bytesize} bytes", text.bytesize, turns(text, path)
        end
      end

      # Each step includes those that it needs: `load` parses, links and defines classes.
      def turns(text, path)
        { "tokens" => -> { Sparpack::IDL::Lexer.new(Sparpack::IDL::Source.new(text)).run },
          "parse" => -> { Sparpack::IDL.parse(text) },
          "link" => -> { Sparpack::IDL.link(path) },
          "load" => -> { Sparpack::IDL.load(path, into: Module.new) },
          "format" => -> { Sparpack::IDL.format(text) },
          "generate" => -> { Sparpack::Generate.files([path], rbs: true, rbi: true) } }
      end
    end
  end
end
