# frozen_string_literal: true

require "support/thrift_cases"
require "sparpack/drop_in/thrift"

# The classes of test/fixtures/market.thrift in this process, on the drop-in.
module ThriftMarket
  $LOAD_PATH.unshift(ThriftCases::SHAPES.fetch("0.25"))
  verbose = $VERBOSE
  $VERBOSE = nil # what generated code warns of
  require "shop"
  $VERBOSE = verbose
  require "support/thrift_tools"

  private

  # @return [Market::Everything] an object with all kinds of fields
  def everything
    Market::Everything.new(
      flag: true, tiny: -1, small: 2, medium: 3, large: 2**50, real: 0.5, text: "ü" * 300, bytes: "\xff".b * 300,
      points: Array.new(30) { |x| Market::Point.new(x:, label: "label #{x}") }, words: Set["a", "b"], names: { 1 => "one" },
      answer: Market::Answer.answer(Market::Answer.text("deep")), color: 5, places: Set[Market::Point.new(x: 4)],
      by_path: { [1, 2] => Set[3] }, table: [[1], []], broken: Market::Broken.new(reason: "r", code: 1),
      inner: { "k" => Market::Everything.new(tiny: 1) }, blobs: ["\x80".b], following: Market::Everything.new
    )
  end
end
