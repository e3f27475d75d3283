# frozen_string_literal: true

module Sparpack
  class Mapping
    # Finds out how decoding makes objects of a class, and checks that it can.
    #
    # @api private
    class Construction
      # How many instance variables a Proc sets. The native core is faster for fewer, and more would be too many arguments.
      VARIABLES = (5..256)

      # @return [Symbol] one of {Mapping::BUILDS}
      attr_reader :build

      # @return [Boolean] whether `new` has to be called, because the class overrides it
      attr_reader :calls_new

      # @param klass [Class]
      # @return [Boolean] whether it is a Struct or a Data
      def self.structure?(klass) = klass < ::Struct || data?(klass)

      # @param klass [Class]
      # @return [Boolean] whether it is a Data of Ruby 3.2 or newer
      def self.data?(klass) = !!(defined?(::Data) && ::Data.respond_to?(:define) && klass < ::Data)

      # @param klass [Class] a Struct or a Data, whose own method `members` may say something else
      # @return [Array<Symbol>] its members
      # @raise [SchemaError] for a subclass of Struct that `Struct.new` has not made, and that therefore has none
      def self.members(klass)
        object = ::Class.instance_method(:allocate).bind_call(klass)
        (klass < ::Struct ? ::Struct : ::Data).instance_method(:members).bind_call(object)
      rescue TypeError
        raise SchemaError, "#{Quote.plain(klass)}: it has no members, because no objects of it can be made: map a class " \
                           "that Struct.new or Data.define has made", cause: nil
      end

      # @param klass [Class]
      # @param members [Array<Symbol>]
      # @param build [Symbol, nil]
      # @raise [SchemaError]
      def initialize(klass, members, build)
        @klass = klass
        @members = members
        fail_with "its initialize is undefined: map another class" unless klass.private_method_defined?(:initialize) ||
                                                                          klass.method_defined?(:initialize)

        @calls_new = overrides_new?
        @build = build.nil? ? suggested : check(build)
      end

      # @return [Integer] how many arguments the constructor needs by position
      def mandatory = of(:req).size

      # @return [Boolean] whether the constructor has no default for a keyword
      def mandatory?(name) = of(:keyreq).include?(name)

      # Makes a Proc that the native core runs as a method of a new object, with the values of all members.
      #
      # For `:keywords` it calls `initialize`: Ruby code can pass keywords without making a Hash. For `:allocate` it sets the
      # instance variables: Ruby code remembers where they are, while the C API looks each of them up.
      #
      # @return [Proc, nil] nil if the native core is as fast without it, or has to call `new`
      def filler
        return unless runs_blocks?

        if build == :keywords && !calls_new
          block { |values| "initialize(#{values.map { |name, value| "#{name}: #{value}" }.join(", ")})" }
        elsif build == :allocate && VARIABLES.cover?(@members.size) && !Construction.structure?(@klass)
          block { |values| values.map { |name, value| "@#{name} = #{value}" }.join("; ") }
        end
      end

      private

      # @yieldparam values [Array<Array(Symbol, String)>] each member and the parameter that has its value
      # @yieldreturn [String] Ruby code
      # @return [Proc] which several Ractors may call
      def block
        values = @members.each_with_index.map { |name, index| [name, "a#{index}"] }
        code   = "proc { |#{values.map(&:last).join(", ")}| #{yield values} }"
        ::Ractor.make_shareable(nil.instance_eval(code, __FILE__, __LINE__))
      end

      # @return [Boolean] whether `instance_exec` of an object is Ruby's own
      def runs_blocks?
        @klass.public_method_defined?(:instance_exec) && @klass.instance_method(:instance_exec).owner == ::BasicObject
      end

      # Struct and Data have a `new` of their own, which does what that of Class does.
      def overrides_new?
        singleton = @klass.singleton_class
        return true unless singleton.method_defined?(:new) || singleton.private_method_defined?(:new)

        method = singleton.instance_method(:new)
        return false if method.owner == ::Class

        !Construction.structure?(@klass) || !method.source_location.nil?
      end

      def native_initialize? = @klass.instance_method(:initialize).owner == (@klass < ::Struct ? ::Struct : ::Data)

      # @return [Array<Array>] as Method#parameters; those of Struct and Data say nothing
      def parameters
        @parameters ||=
          if !Construction.structure?(@klass) || !native_initialize?
            @klass.instance_method(:initialize).parameters
          elsif Construction.data?(@klass) then Construction.members(@klass).map { |name| [:keyreq, name] }
          elsif @klass.keyword_init? then Construction.members(@klass).map { |name| [:key, name] }
          else Construction.members(@klass).map { |name| [:opt, name] }
          end
      end

      def of(*kinds) = parameters.filter_map { |kind, name| name || kind if kinds.include?(kind) }

      def suggested
        owner = @klass.instance_method(:initialize).owner
        return :allocate if [::BasicObject, ::Struct].include?(owner)
        return :keywords if keywords_fault.nil? && !of(:key, :keyreq, :keyrest).empty?
        return :positional if positional_fault.nil? && of(:req, :opt).first(@members.size) == @members

        fail_with keywords_fault if keywords_fault && of(:req, :opt, :rest).empty? && !of(:key, :keyreq).empty?
        fail_with "its constructor does not take the members #{list(@members)} by name or in this order: " \
                  "pass build: :keywords, :positional or :allocate"
      end

      def check(build)
        unless BUILDS.include?(build)
          known = BUILDS.map { |each| Quote.value(each) }.join(", ")
          raise ArgumentError, "build: expected one of #{known}, got #{Quote.value(build)}"
        end

        fault = { keywords: :keywords_fault, positional: :positional_fault, allocate: :allocate_fault }.fetch(build)
        fault = __send__(fault)
        fault ? fail_with(fault) : build
      end

      # @return [String, nil] why members cannot be passed as keywords
      def keywords_fault
        surplus = of(:keyreq) - @members
        return "its constructor takes arguments by position: use build: :positional or :allocate" unless of(:req).empty?
        return "its constructor needs the keyword #{surplus[0]}, which is not a member" unless surplus.empty?

        unknown = @members - of(:key, :keyreq)
        return if unknown.empty? || !of(:keyrest).empty?

        "its constructor has no keyword #{unknown[0]}: use build: :positional or :allocate, or leave the member out"
      end

      # @return [String, nil] why members cannot be passed by position
      def positional_fault
        least = of(:req).size
        most  = of(:rest).empty? ? least + of(:opt).size : nil
        return "its constructor needs the keyword #{of(:keyreq)[0]}: use build: :keywords" unless of(:keyreq).empty?
        return if (least..most).cover?(@members.size)

        wanted = most.nil? ? "at least #{least}" : (least..most).minmax.uniq.join(" to ")
        "its constructor takes #{wanted} arguments, and the mapping has #{@members.size} members"
      end

      # @return [String, nil] why objects cannot be made without their constructor
      def allocate_fault
        "a Data is made by its constructor: use build: :keywords" if Construction.data?(@klass)
      end

      def list(names) = names.map { |name| Quote.plain(name) }.join(", ")

      def fail_with(message) = raise(SchemaError, "#{Quote.plain(@klass)}: #{message}")
    end
    private_constant :Construction
  end
end
