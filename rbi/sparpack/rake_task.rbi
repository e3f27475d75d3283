# typed: true

# Generated from sig/sparpack/rake_task.rbs by `rake rbi`: do not edit.

module Sparpack
  # Tasks that write Ruby classes for .thrift files. If Rake has signatures, it is a Rake::TaskLib.
  class RakeTask
    sig { returns(T.any(::Symbol, ::String)) }
    attr_reader :name

    sig { returns(T.any(T::Array[::String], ::String)) }
    attr_accessor :files

    sig { returns(::String) }
    attr_accessor :out

    sig { returns(T::Hash[::Symbol, T.untyped]) }
    attr_accessor :options

    sig { returns(T::Boolean) }
    attr_accessor :shared

    sig do
      params(
        name: T.any(::Symbol, ::String),
        block: T.nilable(T.proc.params(task: ::Sparpack::RakeTask).void)
      ).void
    end
    def initialize(name = T.unsafe(nil), &block); end
  end
end
