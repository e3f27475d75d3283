# frozen_string_literal: true

require_relative "../instructions"
require_relative "../table"
require_relative "checkout"

module Bench
  module Instructions
    # A table of counts: the working tree, and how much more or less it takes than other revisions.
    class Report
      # The last commit, and the one since which every change has to be worth its instructions.
      REVISIONS = ["HEAD", File.read(File.join(__dir__, "since"))[/^\h+/]].freeze

      # @param revisions [Array<String>]
      def initialize(revisions, output: $stdout)
        @revisions = revisions
        @output = output
      end

      def print
        abort Instructions.missing if Instructions.missing

        ours = Instructions.count(Checkout::ROOT)
        others = @revisions.map { |revision| Checkout.new(revision).compile }
                           .map { |checkout| [checkout.revision[0, 12], Instructions.count(checkout.folder)] }
        @output.puts(Table.table(["instructions", "this tree", *others.flat_map { |name, _| [name, "+/-"] }],
                                 WORKS.map { |work| [work, whole(ours[work]), *compared(ours[work], others, work)] }))
      end

      private

      def compared(count, others, work)
        others.flat_map { |_, counts| [whole(counts[work]), format("%+.2f%%", ((count / counts[work]) - 1) * 100)] }
      end

      def whole(count) = count.round.to_s.gsub(/\B(?=(\d{3})+\z)/, ",")
    end
  end
end
