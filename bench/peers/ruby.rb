# frozen_string_literal: true

module Bench
  module Peers
    # Ruby's own value classes, which are only built and read, not encoded.
    class RubyStruct < RecordPeer
      self.title = "Struct"

      class << self
        def version = RUBY_VERSION

        private

        def load = nil
      end

      def contestants = {}

      private

      def define(records)
        records.transform_values { |fields| ::Struct.new(*fields.map(&:name), keyword_init: true) }
      end
    end

    # A class as one would write it by hand.
    class RubyClass < RubyStruct
      self.title = "attr_reader"

      private

      def define(records)
        records.transform_values do |fields|
          names = fields.map(&:name)
          Class.new do
            attr_reader(*names)

            class_eval(<<~RUBY, __FILE__, __LINE__ + 1)
              # def initialize(number: nil, name: nil)
              #   @number = number; @name = name
              # end
              def initialize(#{names.map { |name| "#{name}: nil" }.join(", ")})
                #{names.map { |name| "@#{name} = #{name}" }.join("; ")}
              end
            RUBY
          end
        end
      end
    end
  end
end
