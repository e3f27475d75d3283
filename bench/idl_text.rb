# frozen_string_literal: true

module Bench
  # A .thrift text of many lines, such as a large company has. The same number of lines always gives the same text.
  class IDLText
    TYPES = ["bool", "i32", "i64", "double", "string", "binary", "list<string>", "set<i32>", "map<string, i64>"].freeze
    WORDS = %w[user listing price city night host guest review amount currency created updated status count rate photo
               market room check payout].freeze

    # @param lines [Integer] the least number of lines
    # @param seed [Integer]
    def initialize(lines, seed: 1)
      @lines = lines
      @random = Random.new(seed)
      @names = []
    end

    # @return [String]
    def to_s
      parts = ["namespace rb BenchIDL", ""]
      parts.concat(definition(@names.size)) until parts.size >= @lines
      "#{parts.join("\n")}\n"
    end

    private

    def pick(list) = list[@random.rand(list.size)]

    def name(count) = Array.new(count) { pick(WORDS).capitalize }.join

    def definition(index)
      case @random.rand(12)
      when 0 then enum(index)
      when 1 then ["typedef #{type} Alias#{index}", ""].tap { @names << "Alias#{index}" }
      when 2 then ["const i32 LIMIT_#{index} = #{@random.rand(1000)}", ""].tap { @names << "i32" }
      when 3 then service(index)
      else struct(index)
      end
    end

    def type = @names.size > 5 && @random.rand < 0.3 ? pick(@names.last(50)) : pick(TYPES)

    def struct(index)
      struct = "#{name(2)}#{index}"
      fields = Array.new(3 + @random.rand(12)) { |id| field(id + 1) }
      @names << struct
      ["/**", " * #{name(3)}: what it is, and what it is good for.", " */", "struct #{struct} {", *fields, "}", ""]
    end

    def field(id)
      required = pick(["required ", "optional ", "", ""])
      comment = @random.rand < 0.2 ? "  // in #{pick(WORDS)}s" : ""
      default = @random.rand < 0.05 ? ["i32", " = #{@random.rand(100)}"] : nil
      "  #{id}: #{required}#{default ? default[0] : type} #{pick(WORDS)}_#{pick(WORDS)}_#{id}#{default&.last},#{comment}"
    end

    def enum(index)
      enum = "#{name(1)}Kind#{index}"
      @names << enum
      values = Array.new(3 + @random.rand(6)) { |number| "  #{pick(WORDS).upcase}_#{number} = #{number}," }
      ["enum #{enum} {", *values, "}", ""]
    end

    def service(index)
      functions = Array.new(1 + @random.rand(6)) do |number|
        "  #{type} #{pick(WORDS)}#{name(1)}#{number}(1: #{type} #{pick(WORDS)}, 2: optional i64 limit),"
      end
      @names << "i64"
      ["service #{name(1)}Service#{index} {", *functions, "}", ""]
    end
  end
end
