# frozen_string_literal: true

# bin/test: not sanitized, for it runs no native code

require "test_helper"
require_relative "../../bin/lib/build"
require "fileutils"

# Compiling the native part.
class BuildTest < Minitest::Test
  # A process that holds the lock and never ends is not waited for without an end.
  def test_a_lock_that_another_holds
    build = Build.new(:debug, patience: 1)
    FileUtils.mkdir_p(build.folder)
    File.open(File.join(build.folder, "lock"), File::CREAT | File::RDWR) do |lock|
      lock.flock(File::LOCK_EX | File::LOCK_NB)
      _, told = capture_io { assert_raises(SystemExit) { build.run } }

      assert_equal "Another process has held #{lock.path} for 1 seconds. End it and try again.\n", told
    end
  end
end
