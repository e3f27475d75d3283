# frozen_string_literal: true

require "fileutils"
require "rbconfig"

module Bench
  module Instructions
    # Another revision of the repository, compiled in a folder of its own, which the next count uses again.
    class Checkout
      ROOT = File.expand_path("../..", __dir__)
      FOLDER = File.join(ROOT, "tmp/instructions")

      # @return [String] as it was asked for
      attr_reader :revision

      # @param revision [String] anything that git takes for a commit
      # @raise [ArgumentError] if the repository does not have it
      def initialize(revision)
        @revision = revision
        @commit = git("rev-parse", "--verify", "--quiet", "--end-of-options", "#{revision}^{commit}").chomp
        raise ArgumentError, "#{revision} is not a revision of this repository" if @commit.empty?
      end

      # @return [String] the folder, with a compiled native part
      def folder = File.join(FOLDER, @commit[0, 12])

      # Checks the revision out and compiles it, unless that was done before.
      #
      # @return [self]
      # @raise [RuntimeError] if it cannot be compiled
      def compile
        git("worktree", "prune")
        git("worktree", "add", "--quiet", "--detach", folder, @commit) unless File.exist?(folder)
        done = system(RbConfig.ruby, "-I#{folder}/bin/lib", "-rbuild", "-e", "Build.new.run", chdir: folder)
        raise "#{revision} could not be compiled" unless done

        self
      end

      private

      def git(*arguments) = IO.popen(["git", "-C", ROOT, *arguments], &:read)
    end
  end
end
