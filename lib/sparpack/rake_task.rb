# frozen_string_literal: true

require "rake"
require "rake/tasklib"
require "sparpack"

module Sparpack
  # Tasks that write Ruby classes for .thrift files, check that they are up to date, and remove files that are no longer
  # generated.
  #
  # @example In a Rakefile
  #   require "sparpack/rake_task"
  #
  #   Sparpack::RakeTask.new(:thrift) do |task|
  #     task.files = FileList["idl/**/*.thrift"]
  #     task.out = "lib/gen"
  #     task.options = { rbs: true }
  #   end
  #   # rake thrift, rake thrift:check, rake thrift:clean
  class RakeTask < Rake::TaskLib
    # @return [Symbol, String] the name of the task
    attr_reader :name

    # @return [Array<String>, String] the paths of the .thrift files
    attr_accessor :files

    # @return [String] the folder to write to
    attr_accessor :out

    # @return [Hash] options for {Generate.files}
    attr_accessor :options

    # @return [Boolean] whether other tasks write to the same folder, see {Generate.leftovers}
    attr_accessor :shared

    # @param name [Symbol, String]
    # @yieldparam task [RakeTask] the task, to set its options
    def initialize(name = :sparpack)
      super()
      @name = name
      @files = Rake::FileList["**/*.thrift"]
      @out = "lib"
      @options = {}
      @shared = false
      yield self if block_given?
      define
    end

    private

    def define
      desc "Write Ruby classes for .thrift files to #{out}"
      task(name) do
        files = texts
        Generate.write(files, out).each { |path| puts "wrote #{File.join(out, path)}" }
        leftovers(files).each { |line| warn line }
      end

      desc "Check that the Ruby classes for .thrift files in #{out} are up to date"
      task("#{name}:check") do
        files = texts
        stale = Generate.stale(files, out).map { |path| "#{File.join(out, path)} is not up to date: rake #{name}" }
        wrong = stale + leftovers(files)
        abort wrong.join("\n") if wrong.any?
      end

      desc "Remove Ruby classes in #{out} that are no longer generated"
      task("#{name}:clean") { Generate.clean(texts, out, shared:).each { |path| puts "removed #{File.join(out, path)}" } }
    end

    def leftovers(files)
      Generate.leftovers(files, out, shared:).map do |path|
        "#{File.join(out, path)} is no longer generated: rake #{name}:clean removes it"
      end
    end

    # Refuses an empty list: everything that was generated would be left over.
    def texts
      paths = Array(files)
      raise ArgumentError, "rake #{name}: there are no .thrift files, because `files` is empty" if paths.empty?

      Generate.files(paths, **options) { |warning| warn warning }
    end
  end
end
