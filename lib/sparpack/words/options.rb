# frozen_string_literal: true

module Sparpack
  # Refuses unknown options, with a hint at similar ones.
  #
  # @api private
  module Options
    module_function

    # @param given [Hash] options by name
    # @param known [Array<Symbol>]
    # @yieldparam name [Object] the unknown option
    # @yieldparam known [Array<Symbol>]
    # @yieldreturn [String] a hint; without a block, it is about similar names
    # @return [void]
    # @raise [ArgumentError] for the first unknown option
    def check(given, known)
      given.each_key do |name|
        next if known.include?(name)

        meant = known.find { |other| name == other.name } # the given name is a String
        hint = " (did you mean #{Quote.value(meant)}?)" if meant
        hint ||= block_given? ? yield(name, known) : Names.hint(name, known)
        raise ArgumentError, "unknown option #{Quote.value(name)}#{hint}"
      end
    end

    # Refuses the keywords that a method collects with `**`.
    #
    # @param unknown [Hash] the collected keywords
    # @param method [Method] the method, whose other keywords are the known options
    # @yieldreturn [String] as for {check}
    # @return [void]
    # @raise [ArgumentError] unless `unknown` is empty
    def refuse(unknown, method, &hint)
      check(unknown, method.parameters.filter_map { |kind, name| name if kind == :key }, &hint)
    end

    # Lets the hint of a block's error be about the caller's own options, too. The block passes the others on, and what it
    # calls knows only those.
    #
    # @param given [Hash] the options that are passed on
    # @param known [Array<Symbol>] the caller's own
    # @return [Object] what the block returns
    # @raise [ArgumentError] as the block does, or with another hint
    def beside(given, known)
      yield
    rescue ArgumentError => e
      name = refused(given, e)
      refuse_similar([name], known) if name
      raise
    end

    # @param given [Hash] the options that were passed on
    # @param error [ArgumentError]
    # @return [Object, nil] the name of the option that the error refuses, if it is one of them
    def refused(given, error)
      given.each_key.find { |each| error.message.start_with?("unknown option #{Quote.value(each)}") }
    end

    # Refuses names that are similar to known ones. Others are somebody else's.
    #
    # @param names [Array<Symbol>]
    # @param known [Array<Symbol>]
    # @return [void]
    # @raise [ArgumentError] for the first one
    def refuse_similar(names, known)
      (names - known).each { |name| check({ name => nil }, known) if Names.closest(name, known) }
    end
  end
end
