# frozen_string_literal: true

require "rake"
require "rake/tasklib"
require "sparpack"

module Sparpack
  # Tasks that write Ruby classes for .thrift files, and that see whether they are up to date.
  #
  # @example In a Rakefile
  #   require "sparpack/rake_task"
  #
  #   Sparpack::RakeTask.new(:thrift) do |task|
  #     task.files = FileList["idl/**/*.thrift"]
  #     task.out = "lib/gen"
  #     task.options = { rbs: true }
  #   end
  #   # rake thrift, rake thrift:check
  class RakeTask < Rake::TaskLib
    # @return [Symbol, String] the task's
    attr_reader :name

    # @return [Array<String>, String] of .thrift files
    attr_accessor :files

    # @return [String] the folder to write to
    attr_accessor :out

    # @return [Hash] as {Generate.files} takes them
    attr_accessor :options

    # @param name [Symbol, String]
    # @yieldparam task [RakeTask] to be set
    def initialize(name = :sparpack)
      super()
      @name = name
      @files = Rake::FileList["**/*.thrift"]
      @out = "lib"
      @options = {}
      yield self if block_given?
      define
    end

    private

    def define
      desc "Write Ruby classes for .thrift files to #{out}"
      task(name) { Generate.write(texts, out).each { |path| puts "wrote #{File.join(out, path)}" } }

      desc "See whether the Ruby classes for .thrift files in #{out} are up to date"
      task("#{name}:check") do
        stale = Generate.stale(texts, out)
        abort stale.map { |path| "#{File.join(out, path)} is not up to date: rake #{name}" }.join("\n") if stale.any?
      end
    end

    def texts = Generate.files(Array(files), **options) { |warning| warn warning }
  end
end
