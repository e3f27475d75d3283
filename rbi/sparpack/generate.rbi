# typed: true

# Generated from sig/sparpack/generate.rbs by `rake rbi`: do not edit.

module Sparpack
  # Generates source code for .thrift files.
  module Generate
    LAYOUTS = T.let(T.unsafe(nil), T::Array[::Symbol])
    STYLES = T.let(T.unsafe(nil), T::Array[::Symbol])

    sig do
      params(
        paths: T.any(T::Array[::String], ::String),
        include: T::Array[::String],
        layout: ::Symbol,
        names: ::Symbol,
        style: ::Symbol,
        ruby: T::Boolean,
        rbs: T::Boolean,
        rbi: T::Boolean,
        included: T::Boolean,
        allow_neg_keys: T::Boolean,
        block: T.nilable(T.proc.params(warning: ::String).void)
      ).returns(T::Hash[::String, ::String])
    end
    def self.files(
      paths,
      include: T.unsafe(nil),
      layout: T.unsafe(nil),
      names: T.unsafe(nil),
      style: T.unsafe(nil),
      ruby: T.unsafe(nil),
      rbs: T.unsafe(nil),
      rbi: T.unsafe(nil),
      included: T.unsafe(nil),
      allow_neg_keys: T.unsafe(nil),
      &block
    ); end

    sig { params(files: T::Hash[::String, ::String], folder: ::String).returns(T::Array[::String]) }
    def self.stale(files, folder); end

    sig { params(files: T::Hash[::String, ::String], folder: ::String).returns(T::Array[::String]) }
    def self.write(files, folder); end

    sig { params(files: T::Hash[::String, ::String], folder: ::String, shared: T::Boolean).returns(T::Array[::String]) }
    def self.leftovers(files, folder, shared: T.unsafe(nil)); end

    sig { params(files: T::Hash[::String, ::String], folder: ::String, shared: T::Boolean).returns(T::Array[::String]) }
    def self.clean(files, folder, shared: T.unsafe(nil)); end
  end
end
