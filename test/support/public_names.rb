# frozen_string_literal: true

require "rbs"
require "yard"

# Returns the public names of a library and the parameters of its methods, from the loaded library or from signatures.
#
# Paths are those of YARD: `Sparpack::Codec`, `Sparpack::Codec#encode`, `Sparpack.errors`. {shape} describes parameters.
module PublicNames
  ROOT = File.expand_path("../..", __dir__)

  # Methods that all Structs have need no signature.
  STRUCT = ::Struct.public_instance_methods
  STRUCT_CLASS = ::Struct.new(:member).singleton_methods(false)

  module_function

  # --- the library ------------------------------------------------------------------------------------------------------

  # @return [Hash{String => Array, nil}] without what the documentation marks as private
  def of_library = @of_library ||= of_module(Sparpack, hidden("lib/**/*.rb")).freeze

  # @param patterns [Array<String>]
  # @return [Set<String>] the paths of what the documentation in these files marks as private
  def hidden(*patterns) = parse(*patterns).select { |object| object.tag(:api)&.text == "private" }.to_set(&:path)

  # @return [Set<String>] the paths of what the documentation marks as deprecated
  def deprecated
    files = Dir["#{ROOT}/lib/**/*.rb"].select { |file| File.read(file, encoding: "UTF-8").include?("@deprecated") }
    parse(*files).select { |object| object.has_tag?(:deprecated) }.to_set(&:path)
  end

  def of_module(mod, hidden, found = {})
    found[mod.name] = nil
    methods(mod).each { |path, method| found[path] = shape(method.parameters) unless hidden.include?(path) }
    mod.constants(false).each do |name|
      path = "#{mod}::#{name}"
      next if hidden.include?(path)

      found[path] = nil
      value = mod.const_get(name)
      of_module(value, hidden, found) if value.is_a?(Module) && value.name == path
    end
    found
  end

  def methods(mod)
    instance = mod.public_instance_methods(false)
    instance += [:initialize] if mod.private_method_defined?(:initialize, false)
    singleton = mod.singleton_methods(false)
    if mod.is_a?(Class) && mod < ::Struct # such classes are frozen
      instance = instance.grep_v(/=\z/) - STRUCT
      singleton -= STRUCT_CLASS
    end
    { **instance.to_h { |name| ["#{mod}##{name}", mod.instance_method(name)] },
      **singleton.to_h { |name| ["#{mod}.#{name}", mod.method(name)] } }
  end

  # @param path [String]
  # @return [Boolean] whether it exists, even if it is private
  def exist?(path)
    owner, mark, name = path.rpartition(/[#.]|::/)
    return path == "Sparpack" if owner.empty?

    mod = Object.const_get(owner)
    case mark
    when "#" then own?(mod, name)
    when "." then own?(mod.singleton_class, name)
    else mod.const_defined?(name, false)
    end
  end

  def own?(mod, name) = mod.method_defined?(name, false) || mod.private_method_defined?(name, false)

  # --- RBS --------------------------------------------------------------------------------------------------------------

  # @param files [Array<String>]
  # @return [Hash{String => Array, nil}]
  def of_rbs(files)
    files.each_with_object({}) do |file, found|
      _, _, declarations = RBS::Parser.parse_signature(RBS::Buffer.new(name: file, content: File.read(file)))
      members(declarations, nil, found)
    end
  end

  def members(list, scope, found)
    list.each do |member|
      case member
      when RBS::AST::Declarations::Class, RBS::AST::Declarations::Module
        path = [scope, member.name].compact.join("::")
        found[path] = nil
        members(member.members, path, found)
      when RBS::AST::Declarations::Constant then found["#{scope}::#{member.name}"] = nil
      when RBS::AST::Members::Alias then found["#{scope}##{member.new_name}"] = found["#{scope}##{member.old_name}"]
      when RBS::AST::Members::MethodDefinition
        found["#{scope}#{member.singleton? ? "." : "#"}#{member.name}"] = rbs_shape(member.overloads.first.method_type.type)
      when RBS::AST::Members::AttrReader, RBS::AST::Members::AttrAccessor
        found["#{scope}##{member.name}"] = shape([])
        found["#{scope}##{member.name}="] = shape([[:req]]) if member.is_a?(RBS::AST::Members::AttrAccessor)
      end
    end
  end

  def rbs_shape(type)
    rest = { rest: type.rest_positionals, keyrest: type.rest_keywords }.compact.keys
    shape([*type.required_positionals.map { [:req] }, *type.optional_positionals.map { [:opt] }, *rest.zip,
           *type.required_keywords.keys.map { |name| [:keyreq, name] },
           *type.optional_keywords.keys.map { |name| [:key, name] }])
  end

  # --- RBI --------------------------------------------------------------------------------------------------------------

  # @param pattern [String]
  # @return [Hash{String => Array, nil}]
  def of_rbi(pattern)
    parse(pattern).to_h do |object|
      parameters = object.parameters.map { |name, default| rbi_parameter(name, default) } if object.type == :method
      [object.path, parameters && shape(parameters)]
    end
  end

  def rbi_parameter(name, default)
    case name
    when /\A\*\*/ then [:keyrest]
    when /\A\*/ then [:rest]
    when /\A&/ then [:block]
    when /:\z/ then [default ? :key : :keyreq, name.chomp(":").to_sym]
    else [default ? :opt : :req]
    end
  end

  # RBI is Ruby, so YARD reads it, too.
  def parse(*patterns)
    files = Dir[*patterns.map { |pattern| File.expand_path(pattern, ROOT) }]
    YARD::Registry.clear
    YARD::Logger.instance.enter_level(YARD::Logger::ERROR) { YARD::Parser::SourceParser.parse(files) }
    YARD::Registry.all
  end

  # --- parameters of a method -------------------------------------------------------------------------------------------

  # @param parameters [Array<Array>] from Method#parameters
  # @return [Array] how many are required and optional, and which keywords there are; nil if that is not known
  def shape(parameters)
    kinds = parameters.group_by(&:first)
    return [nil, nil] if kinds.key?(:rest) # as in native methods

    keywords = %i[keyreq key].map { |kind| kinds.fetch(kind, []).map(&:last).sort } unless kinds.key?(:keyrest)
    [%i[req opt].map { |kind| kinds.fetch(kind, []).size }, keywords]
  end

  # @param shape [Array]
  # @param signature [Array] its shape
  # @return [Boolean] whether a signature says the same, as far as both are known
  def fits?(shape, signature) = shape.zip(signature).all? { |found, told| found.nil? || told.nil? || found == told }
end
