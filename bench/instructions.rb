# frozen_string_literal: true

require "fileutils"
require "rbconfig"
require "tmpdir"

module Bench
  # Counts the instructions of encoding and decoding the listing (compact, then binary), and of packing and unpacking it as a
  # Hash. Two builds whose times cannot be told apart on a noisy machine differ clearly here.
  module Instructions
    WORKS = %i[encode decode encode_binary decode_binary pack unpack].freeze
    SCRIPT = File.expand_path("instructions/work.rb", __dir__)

    # Only the checkout's own library may be found, and Bundler need not be counted.
    ENVIRONMENT = { "RUBYLIB" => nil, "RUBYOPT" => nil }.freeze

    module_function

    # @param folder [String] a checkout whose native part is compiled
    # @param times [Integer] how often each work is done in a round
    # @param rounds [Integer] rounds in a process
    # @param processes [Integer] each has another seed for hashes, so counts differ by some tenths of a percent
    # @return [Hash{Symbol => Float}] the instructions that each work takes, once, in the best round
    # @raise [RuntimeError] if callgrind fails
    def count(folder, times: 100, rounds: 8, processes: 2)
      counts = Array.new(processes) { process(folder, times, rounds) }.flatten(1).transpose
      WORKS.zip(counts.map { |works| works.min.fdiv(times) }).to_h
    end

    # @return [String, nil] says what is missing on this machine
    def missing
      return if system("valgrind", "--version", out: File::NULL, err: File::NULL)

      "valgrind is missing: apt-get install valgrind"
    end

    # @return [Array<Array<Integer>>] for each round, the instructions of each work
    def process(folder, times, rounds)
      Dir.mktmpdir do |dumps|
        # The same library in another folder, or beside a .git, can take 2% more or fewer instructions, because objects lie
        # elsewhere in the heap. So all are counted in the same surroundings.
        FileUtils.cp_r(File.join(folder, "lib"), dumps)
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=#{dumps}/dump", "--dump-before=getppid",
                   RbConfig.ruby, "--disable-gems", "-I#{dumps}/lib", SCRIPT, times.to_s, rounds.to_s]
        output = IO.popen(ENVIRONMENT, command, err: %i[child out], &:read)
        raise "callgrind failed:\n#{output.lines.last(20).join}" unless $?.success?

        totals(dumps, rounds).each_slice(WORKS.size).to_a
      end
    end

    # Every other dump holds what was counted between the rounds.
    def totals(dumps, rounds)
      numbers = (1..(rounds * WORKS.size)).map { |index| 2 * index }
      numbers.map { |number| Integer(File.read("#{dumps}/dump.#{number}")[/^totals: (\d+)/, 1]) }
    end

    private_class_method :process, :totals
  end
end
