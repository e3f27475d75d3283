# frozen_string_literal: true

# Uses generated classes of the thrift gem whose only field has the name of a method, one class for each kind and name:
#
#     ruby thrift_names.rb FILE FOLDER NAME…
#
# The file is required first: the gem, or the drop-in for it. What does not work is printed.

require "timeout"

file, folder, *names = ARGV
require file
require File.join(folder, "names_types")

# Uses objects of classes whose fields have odd names, in every way that users do.
class Uses
  FACTORIES = [Thrift::CompactProtocolFactory.new, Thrift::BinaryProtocolFactory.new,
               Thrift::BinaryProtocolAcceleratedFactory.new].freeze

  def initialize(klass, name, kind)
    @klass = klass
    @name = name
    @kind = kind
    @reader = klass.public_method_defined?("#{name}_") ? "#{name}_" : name
    @predicate = klass.public_method_defined?("#{name}_?") ? "#{name}_?" : "#{name}?"
  end

  def run
    %i[values copies objects bytes accessors].each { |use| check(use) }
    check(:raising) if @kind == "Exception"
    check(:constructors) if @kind == "Union"
  end

  private

  def check(use)
    found = Timeout.timeout(5) { __send__(use) }
    puts "#{@kind} #{@name}: #{use} #{found.index(false)}" unless found.all?
  rescue SystemStackError, StandardError => e
    puts "#{@kind} #{@name}: #{use}: #{e.class} #{e.message[0, 200]}"
  end

  def make(value)
    return @klass.new(@name.to_sym, value) if @kind == "Union"

    @klass.new(@name => value)
  end

  def values
    one = make("v")
    same = make("v")
    other = make("w")
    [one == same, one != other, one.eql?(same), one.hash == same.hash, { one => 1 }[same] == 1, (one <=> other) == -1,
     (one <=> same).zero?, [[one]].flatten == [one], (make(nil) <=> one) == (@kind == "Union" ? nil : 1)]
  rescue Thrift::Exception # a union without a value
    [@kind == "Union"]
  end

  def copies
    one = make("v")
    frozen = one.dup.freeze
    [one.dup == one, one.clone == one, Marshal.load(Marshal.dump(one)) == one, frozen.frozen?, !one.frozen?]
  end

  def objects
    one = make("v")
    [one.inspect.include?("v"), one.object_id == one.__id__, one.is_a?(@klass), one.instance_of?(@klass), !one.nil?,
     one.respond_to?(:write), one.method(:write).respond_to?(:call), one.public_send(:class) == @klass,
     one.instance_variable_get(@kind == "Union" ? :@value : :"@#{@name}") == "v", one.equal?(one)]
  end

  def bytes
    FACTORIES.flat_map do |factory|
      one = make("v")
      bytes = Thrift::Serializer.new(factory).serialize(one)
      read = Thrift::Deserializer.new(factory).deserialize(@klass.new, bytes)
      [read == one, read.__send__(@reader) == "v"]
    end
  end

  def accessors
    one = make("v")
    one.__send__("#{@name}=", "w")
    Thrift.type_checking = true
    refused = begin
      one.__send__("#{@name}=", 5)
    rescue Thrift::TypeError => e
      e.message == "Expected Types::STRING, received Integer for field #{@name}"
    end
    [one.__send__(@reader) == "w", one.__send__(@predicate) == true, @klass.new.__send__(@predicate) == false, refused]
  ensure
    Thrift.type_checking = false
  end

  def raising
    raise make("v")
  rescue @klass => e
    [e.backtrace.all?(String), e.full_message.is_a?(String), e.is_a?(Thrift::Exception), e == make("v")]
  end

  def constructors
    maker = @klass.respond_to?("#{@name}_") ? "#{@name}_" : @name
    [@klass.__send__(maker, "v") == make("v"), @klass.name.start_with?("Names::Union"), { @klass => 1 }[@klass] == 1,
     @klass.inspect == @klass.name, @klass.instance_method(:write).name == :write, @klass.const_get(:FIELDS).size == 1,
     @klass.dup.superclass == Thrift::Union, @klass.allocate.is_a?(@klass), Class.new(@klass).superclass == @klass]
  end
end

names.each_with_index do |name, index|
  %w[Struct Exception Union].each { |kind| Uses.new(Names.const_get("#{kind}#{index}"), name, kind).run }
  begin
    raise Names.const_get("Text#{index}"), "v"
  rescue Thrift::Exception => e
    puts "Text #{name}: #{e.message}" unless e.message == "v" && e.instance_variable_get("@#{name}") == "v"
  end
end
puts "#{names.size} names"
