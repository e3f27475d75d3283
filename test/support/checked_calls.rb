# frozen_string_literal: true

# A program that calls the gem's methods and those of generated classes, while RBS checks each call against signatures.
#
#     ruby checked_calls.rb FOLDER NAMESPACE IDL…
#
# FOLDER holds the classes and their signatures.

require "sparpack"
require "rbs"
require "rbs/test"
require "stringio"

# Installs the checks.
module Checked
  SIG = File.expand_path("../../sig", __dir__)

  module_function

  # @param folder [String] that has the signatures of the classes
  # @param classes [Array<Class>] the generated classes
  # @return [void]
  def install(folder, classes)
    loader = RBS::EnvironmentLoader.new
    [SIG, folder].each { |path| loader.add(path: Pathname(path)) }
    env = RBS::Environment.from_loader(loader).resolve_type_names
    tester = RBS::Test::Tester.new(env:)
    own = [Sparpack, *modules(Sparpack)].select { |mod| env.module_name?(RBS::TypeName.parse("::#{mod}")) }
    (own + classes).each { |mod| tester.install!(mod, sample_size: nil, unchecked_classes: []) }
  end

  def modules(mod)
    found = mod.constants(false).map { |name| [name, mod.const_get(name)] }
    found = found.filter_map { |name, value| value if value.is_a?(Module) && value.name == "#{mod}::#{name}" }
    found + found.flat_map { |inner| modules(inner) }
  end

  # RBS checks only methods that a class defines itself. Accessors are in a module, so this copies them into the class.
  def own_accessors(klass)
    accessors = klass.included_modules - klass.superclass.included_modules
    accessors.flat_map { |mod| mod.public_instance_methods(false) }.each do |name|
      klass.define_method(name) { |*values| super(*values) }
    end
  end
end

# Makes a value of each type.
module Sample
  SCALARS = { bool: true, i8: 1, i16: 2, i32: 3, i64: 4, double: 0.5, string: "s", binary: "b".b,
              uuid: "00112233-4455-6677-8899-aabbccddeeff" }.freeze

  module_function

  def of(type, depth = 2)
    case type.kind
    when :list then depth.positive? ? [of(type.element, depth - 1)] : []
    when :set then depth.positive? ? Set[of(type.element, depth - 1)] : Set[]
    when :map then depth.positive? ? { of(type.key, depth - 1) => of(type.element, depth - 1) } : {}
    when :enum then type.target.values.first || 0
    when :struct, :union then object(type.target, depth - 1)
    else SCALARS.fetch(type.kind)
    end
  end

  def object(klass, depth = 2)
    fields = Sparpack.schema(klass).fields
    fields = fields.first(1) if klass < Sparpack::Union
    fields = fields.select(&:required?) if depth.negative? && !(klass < Sparpack::Union)
    klass.new(**fields.to_h { |field| [field.name, of(field.type, depth)] })
  end
end

# Calls the methods.
module Calls
  # Methods of {Sparpack::Value}. They are bound explicitly, because fields hide some of them.
  METHODS = { validate: [], errors: [:none], with: [], valid?: [:strict], schema: [], to_h: [], inspect: [], as_json: [],
              to_json: [], deconstruct_keys: [nil] }.freeze

  module_function

  def value(klass)
    object = Sample.object(klass)
    fields(klass, object)
    METHODS.each { |name, arguments| Sparpack::Value.instance_method(name).bind_call(object, *arguments) }
    Sparpack.errors(Sparpack.validate(object), :strict)
    round(klass, object)
    object.freeze(deep: true)
  end

  def fields(klass, object)
    schema = class_method(klass, :schema)
    schema.fields.each do |field|
      object.public_send(:"#{field.reader}=", object.public_send(field.reader))
      object.public_send(:"#{field.name}=", object[field.name])
      object.set?(field.name)
      constructor = Sparpack::Names.constructor(field.name)
      klass.public_send(constructor, Sample.of(field.type)) if klass.singleton_methods(false).include?(constructor)
    end
    [klass.new, schema, *schema.fields, *schema.fields.map(&:type)].each(&:inspect)
  end

  # Variants of a union hide some class methods.
  def class_method(klass, name, ...) = Sparpack::Declaration.instance_method(name).bind_call(klass, ...)

  def round(klass, object)
    codec = class_method(klass, :codec, :binary, unknown: :keep, limits: Sparpack::Limits.new(depth: 32).with(string: 100))
    bytes = object.encode(:binary, validate: :recursive)
    io = StringIO.new("".b)
    codec.encode_to(io, object)
    found = [class_method(klass, :decode, bytes, :binary, freeze: false), codec.decode(codec.encode(object)),
             codec.decode_prefix(bytes).first, class_method(klass, :from_h, object.to_h(deep: true)),
             Marshal.load(Marshal.dump(object)),
             *class_method(klass, :decode_each, io.string, :binary), *codec.decode_each(io.string)]
    codec.decode_each(StringIO.new(io.string)) { |again| found << again }
    [codec.wire, codec.options, codec.inspect]
    abort "#{klass}: it should be the same" unless found.uniq == [object] && found.size == 8
  end

  def enum(enum)
    [enum.names, enum.to_h, enum.idl_name, enum.annotations]
    enum.to_h.each do |name, value|
      [enum.value_of(name), enum.name_of(value), enum.idl_name_of(value), enum.annotations(name)]
    end
  end

  def service(service)
    service.functions.each { |function| [service[function.name], function.type, function.throws, function.oneway?] }
  end

  def program(program)
    walk(program.definitions)
    %i[source path name doc typedefs enums records constants services type_names constant_names service_names includes chain
       inspect].each { |name| program.public_send(name) }
    program.definitions.each do |found|
      %i[type constant service].each { |kind| program.public_send(kind, found.name) }
    end
    program.enums.each { |enum| [enum.value_of_number(1), enum.value_of_name("x"), enum.qualified_name] }
    program.namespace("rb")
    Sparpack::IDL.format(program.source.text, program.path)
  end

  def breaking(old, new)
    breaking = Sparpack::IDL::Breaking.new(old, new, level: :source)
    walk(breaking.findings)
    breaking.findings.each { |finding| [finding.error?, finding.place, finding.explanation] }
    walk(Sparpack::IDL::Breaking::Rule::ALL)
    [breaking.allowed, breaking.errors?, old.programs, old.folder?]
    old.programs.each { |program| [old.namespace(program), old.root?(program), old.program(old.key(program))] }
  end

  # Visits everything that Structs hold, at any depth.
  def walk(value, seen = {}.compare_by_identity)
    case value
    when Array, Hash, Set then value.to_a.flatten(1).each { |element| walk(element, seen) }
    when ::Struct
      return if seen[value]

      seen[value] = true
      value.members.each { |member| walk(value.public_send(member), seen) }
    end
  end

  def fault
    Sparpack::IDL.parse("struct A {")
  rescue Sparpack::IDL::Error => e
    [e.file, e.line, e.column, e.faults.map { |fault| [fault.message, fault.text, fault.chain] }]
  end
end

# Ends the program if RBS accepts a wrong call.
def refused(about)
  yield
rescue RBS::Test::Tester::TypeError
  nil
else
  abort "#{about}: RBS should refuse it"
end

folder, namespace, *idl = ARGV
Dir["#{folder}/*.rb"].each { |path| require path }
all = Checked.modules(Object.const_get(namespace))
values = all.grep(Class).select { |klass| klass < Sparpack::Value }
values.each { |klass| Checked.own_accessors(klass) }

# Runs before the checks, because unfinished nodes do not fit their signatures.
documents = idl.map { |path| Sparpack::IDL.parse(File.read(path), path) }
programs = idl.flat_map { |path| Sparpack::IDL.link(path).all }
versions = idl.map { |path| Sparpack::IDL::Breaking::Version.at(path) }

Checked.install(folder, values)
values.each { |klass| klass < Sparpack::Union && Sparpack.schema(klass).fields.empty? ? next : Calls.value(klass) }
all.grep(Sparpack::Enum).each { |enum| Calls.enum(enum) }
all.grep(Class).select { |klass| klass < Sparpack::Service }.each { |service| Calls.service(service) }
Calls.walk(documents)
programs.each { |program| Calls.program(program) }
Calls.fault
Calls.breaking(*versions.values_at(0, -1))

struct = values.find { |klass| klass < Sparpack::Struct && klass.schema.fields.any? { |field| field.type.kind == :string } }
string = struct.schema.fields.find { |field| field.type.kind == :string }
refused("#{struct}.new") { struct.new(string.name => 1) }
refused("#{struct}##{string.name}") { struct.new.tap { |object| object[string.name] = 1 }.public_send(string.reader) }
refused("#{struct}.decode") { struct.decode("", :json5) }

puts "#{values.size} classes hold what their signatures say"
