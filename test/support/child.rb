# frozen_string_literal: true

require "tempfile"

# What may crash, or changes the whole process, runs in a child: a crash is then the failure of one test.
module Child
  # @yieldreturn [Object] anything that Marshal knows
  # @return [Object] the same
  def in_child(&block)
    Tempfile.create("child") do |result|
      Tempfile.create("stderr") do |stderr|
        status = Child.run(block, result, stderr)
        flunk Child.crash(status, stderr) unless status.success?
        value, raised = Marshal.load(result.tap(&:rewind).read) # rubocop:disable Security/MarshalLoad -- our own
        raised ? flunk("Raised in the child: #{raised}") : value
      end
    end
  end

  class << self
    def run(block, result, stderr)
      pid = fork do
        $stderr.reopen(stderr)
        result.write(Marshal.dump(answer(block)))
        result.flush
        exit!(0)
      end
      Process.wait2(pid).last
    end

    def crash(status, stderr)
      "The child ended by #{status}:\n#{File.read(stderr.path).lines.grep(/BUG|ERROR|runtime error|#\d /).first(12).join}"
    end

    private

    def answer(block)
      [block.call, nil]
    rescue StandardError, NoMemoryError, SystemStackError, Minitest::Assertion => e
      [nil, e.full_message(highlight: false).lines.first(6).join]
    end
  end
end
