# frozen_string_literal: true

module Mutation
  # The mutants of a room that somebody has looked at, and that no test can or need notice. The file has a paragraph for each
  # reason: the reason as a comment, and the keys of its mutants. A key stands there as often as its mutant exists.
  class Judged
    FOLDER = File.join(__dir__, "judged")

    # @return [String] the file, below the root of the project
    attr_reader :path

    # @param room [Symbol]
    # @return [Judged] empty if the room has no file
    def self.load(room)
      file = File.join(FOLDER, "#{room}.txt")
      new("bin/lib/mutation/judged/#{room}.txt", File.exist?(file) ? File.read(file, encoding: Encoding::UTF_8) : "")
    end

    # @param text [String] what is in the file
    def initialize(path, text)
      @path = path
      @counts = text.lines(chomp: true).reject { |line| line.empty? || line.start_with?("#") }.tally
    end

    # @param survivors [Array<Sources::Mutant>]
    # @return [Array<Sources::Mutant>] those that are not in the file
    def without(survivors)
      left = @counts.dup
      survivors.reject { |mutant| left.fetch(mutant.key, 0).positive? && (left[mutant.key] -= 1) }
    end

    # @return [Array<String>] the keys of which fewer have survived than the file has
    def noticed(survivors)
      found = survivors.map(&:key).tally
      @counts.filter_map { |key, count| key if found.fetch(key, 0) < count }
    end
  end
end
