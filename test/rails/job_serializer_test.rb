# frozen_string_literal: true

require "test_helper"
require "active_job"
require "json"
require "sparpack/rails"
require "support/command"

# Structs as arguments of jobs.
class RailsJobSerializerTest < Minitest::Test
  Serializer = Sparpack::Rails::JobSerializer

  class Line < Sparpack::Struct
    field 1, :cents, :i64, required: true
  end

  class Order < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :lines, list(Line)
    field 3, :photo, :binary
  end

  class Answer < Sparpack::Union
    field 1, :text, :string
  end

  class Special < Line
  end

  class Job < ActiveJob::Base
    cattr_accessor :performed, :discarded
    self.queue_adapter = :test
    discard_on(ActiveJob::DeserializationError) { |_, error| self.discarded = error }

    def perform(*arguments) = self.class.performed = arguments
  end

  ORDER = Order.new(id: 7, lines: [Line.new(cents: 5)], photo: "\xFF\0".b)

  ActiveJob::Serializers.add_serializers(Serializer)
  ActiveJob::Base.logger = nil

  # Through JSON, as a queue passes them on.
  def passed_on(*arguments)
    JSON.parse(JSON.generate(ActiveJob::Arguments.serialize(arguments)))
  end

  def test_at_any_depth
    [ORDER, [ORDER, [ORDER]], { "a" => { b: [ORDER] } }, Answer.text("yes"), Special.new(cents: 1)].each do |argument|
      read = ActiveJob::Arguments.deserialize(passed_on(argument)).first

      assert_equal argument, read
      assert_instance_of argument.class, read
    end
  end

  def test_what_is_in_the_queue
    assert_equal({ "_aj_serialized" => "Sparpack::Rails::JobSerializer", "class" => "RailsJobSerializerTest::Line",
                   "compact" => ["\x16\x0A\0".b].pack("m0") }, passed_on(Line.new(cents: 5)).first)
  end

  def test_fields_that_a_worker_does_not_know
    hash = passed_on(ORDER).first.merge("class" => "RailsJobSerializerTest::Special")
    hash["compact"] = [Order.new(id: 1, photo: "a").encode].pack("m0")
    read = ActiveJob::Arguments.deserialize([hash]).first

    assert_predicate read, :unknown?
    assert_equal hash, passed_on(read).first
  end

  autoload :Moved, "/nowhere/moved"

  def test_what_cannot_be_read
    hash = passed_on(ORDER).first
    { { "compact" => "AAAA" } => Sparpack::DecodeError, { "compact" => "?" } => ArgumentError,
      { "compact" => nil } => ArgumentError, { "class" => "NoSuchClass" } => NameError, { "class" => "Kernel" } => NameError,
      { "class" => "#{self.class}::Moved" } => NameError, { "class" => 5 } => ArgumentError }.each do |change, cause|
      error = assert_raises(ActiveJob::DeserializationError) { ActiveJob::Arguments.deserialize([hash.merge(change)]) }
      assert_kind_of cause, error.cause
    end
  end

  def test_names_that_a_log_must_not_show_as_they_are
    hash = passed_on(ORDER).first
    ["\e[2JLine", "Line\u202E", "Line\n", "L" * 5_000_000, "Object::" * 100_000].each do |name|
      error = assert_raises(ActiveJob::DeserializationError) { ActiveJob::Arguments.deserialize([hash.merge("class" => name)]) }

      assert_kind_of NameError, error.cause
      assert_operator error.message.size, :<, 400
      refute_includes error.message, name
    end
  end

  def test_what_cannot_be_written
    error = assert_raises(ActiveJob::SerializationError) { passed_on(Class.new(Line).new(cents: 1)) }

    assert_match(/a class without a name/, error.message)
    assert_raises(Sparpack::EncodeError::MissingField) { passed_on(Line.new) }
  end

  def test_a_worker_without_the_gem
    script = <<~RUBY
      require "active_job"
      require "json"
      begin
        ActiveJob::Arguments.deserialize(JSON.parse($stdin.read))
      rescue ActiveJob::DeserializationError => e
        puts e.cause.class, defined?(Sparpack).inspect
      end
    RUBY
    output, = Command.capture2e(RbConfig.ruby, "-W0", "-rbundler/setup", "-e", script,
                                stdin_data: JSON.generate(passed_on(ORDER)))

    assert_equal %w[ArgumentError nil], output.split
  end

  def test_a_job
    data = JSON.parse(JSON.generate(Job.new(ORDER, order: ORDER).serialize))
    ActiveJob::Base.execute(data)

    assert_equal [ORDER, { order: ORDER }], Job.performed
    data["arguments"].first["compact"] = "AAAA"
    ActiveJob::Base.execute(data)

    assert_kind_of Sparpack::DecodeError, Job.discarded.cause
  end
end
