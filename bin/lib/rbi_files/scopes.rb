# frozen_string_literal: true

require_relative "methods"

module RBIFiles
  # Makes classes and modules of RBI from those of RBS. {Types} replaces aliases and interfaces where they are used, so their
  # declarations are left out.
  class Scopes
    ATTRIBUTES = {
      RBS::AST::Members::AttrReader => RBI::AttrReader, RBS::AST::Members::AttrAccessor => RBI::AttrAccessor
    }.freeze

    # Sorbet wants to see this in a module whose methods return an `instance` of the class that the module extends.
    HAS_ATTACHED_CLASS = [
      RBI::Extend.new("T::Generic"), RBI::Send.new("has_attached_class!", [RBI::Arg.new(":out")])
    ].freeze

    # @param aliases [Hash{RBS::TypeName => RBS::Types::t}]
    def initialize(aliases)
      @types = Types.new(aliases)
    end

    # @param tree [RBI::Tree] gets a node for each declaration or member
    # @param list [Array<RBS::AST::Declarations::Base, RBS::AST::Members::Base>]
    # @param scope [String] the full name of the class or module that contains them
    # @param methods [Methods]
    def fill(tree, list, scope: "", methods: Methods.new(@types))
      list.filter_map { |found| node(found, list, scope, methods) }.each { |node| tree << node }
      hidden = list.select { |found| hidden?(found) }
      tree << singleton_class(hidden, scope, methods) if hidden.any?
    end

    private

    def node(found, list, scope, methods)
      case found
      when RBS::AST::Declarations::Module, RBS::AST::Declarations::Class then class_or_module(found, scope)
      when RBS::AST::Declarations::Constant
        value = "T.let(T.unsafe(nil), #{methods.type(found.type)})"
        RBI::Const.new(relative(found.name, scope), value, comments: methods.comments(found))
      when RBS::AST::Declarations::TypeAlias, RBS::AST::Declarations::Interface then nil
      when RBS::AST::Members::Include then RBI::Include.new(found.name.to_s)
      when RBS::AST::Members::Extend then RBI::Extend.new(found.name.to_s)
      when RBS::AST::Members::Private then RBI::Private.new
      when RBS::AST::Members::Public then RBI::Public.new
      when RBS::AST::Members::MethodDefinition then method(found, scope, methods) unless hidden?(found)
      when RBS::AST::Members::Alias then copy(found, list, scope, methods)
      when *ATTRIBUTES.keys then attribute(found, scope, methods)
      else raise ArgumentError, "#{scope}: no rule for #{found.class}"
      end
    end

    def relative(name, scope) = name.to_s.delete_prefix("#{scope}::")

    def class_or_module(declaration, scope)
      methods = Methods.new(@types.inside(declaration.type_params))
      name = relative(declaration.name, scope)
      options = { comments: methods.comments(declaration) }
      made =
        case declaration
        when RBS::AST::Declarations::Module then RBI::Module.new(name, **options)
        else RBI::Class.new(name, superclass_name: declaration.super_class&.name&.to_s, **options)
        end
      fill(made, declaration.members, scope: declaration.name.to_s, methods:)
      made.nodes.unshift(*HAS_ATTACHED_CLASS) if made.is_a?(RBI::Module) && attached?(made)
      made
    end

    def attached?(mod)
      methods = mod.nodes.grep(RBI::Method).reject(&:is_singleton)
      methods.any? { |method| method.sigs.any? { |sig| sig.string.include?("T.attached_class") } }
    end

    def method(member, scope, methods, **options)
      made = methods.method(scope, member, **options)
      made.is_singleton = member.singleton?
      visible(made, member)
    end

    def visible(made, member)
      made.visibility = RBI::Private.new if member.visibility == :private
      made
    end

    # An alias gets the same signature.
    def copy(member, list, scope, methods)
      original = list.find do |found|
        found.is_a?(RBS::AST::Members::MethodDefinition) && found.name == member.old_name && found.kind == member.kind
      end
      raise ArgumentError, "#{scope}: no method #{member.old_name} for the alias #{member.new_name}" if original.nil?

      method(original, scope, methods, name: member.new_name)
    end

    # Ruby's `private` does not apply to `def self.`, so these methods go into the singleton class.
    def hidden?(found) = found.is_a?(RBS::AST::Members::MethodDefinition) && found.singleton? && found.visibility == :private

    def singleton_class(members, scope, methods)
      made = RBI::SingletonClass.new
      made << RBI::Private.new
      members.each { |member| made << methods.method(scope, member) }
      made
    end

    def attribute(member, scope, methods)
      raise ArgumentError, "#{scope}: no rule for attributes of a class" if member.kind == :singleton

      sig = RBI::Sig.new(return_type: methods.type(member.type))
      visible(ATTRIBUTES.fetch(member.class).new(member.name, sigs: [sig], comments: methods.comments(member)), member)
    end
  end
end
