# frozen_string_literal: true

module Sparpack
  module CLI
    # `sparpack completion`: what shells complete, from the verbs' own options.
    class Completion < Verb
      SHELLS = %w[bash zsh].freeze
      private_constant :SHELLS

      describe usage: "bash|zsh",
               about: "Prints the completion of verbs, options and files for a shell.",
               example: <<~TEXT
                 sparpack completion bash > ~/.local/share/bash-completion/completions/sparpack
                 sparpack completion zsh > ~/.zfunc/_sparpack   # a folder of $fpath
               TEXT

      # @param arguments [Array<String>]
      # @return [Integer] the exit status
      def run(arguments)
        shell, *more = arguments
        raise Misuse, "one shell is needed: bash or zsh" if shell.nil? || more.any?
        raise Misuse, "unknown shell #{Quote.value(shell)}#{Names.hint(shell, SHELLS)}" unless SHELLS.include?(shell)

        @output.puts(send(shell))
        0
      end

      private

      # @return [Hash{String => Array<OptionParser::Switch>}]
      def switches
        VERBS.keys.to_h { |name| [name, CLI.verb(name).parser.top.list.grep(OptionParser::Switch)] }
      end

      def words(name, list)
        flags = list.flat_map { |switch| switch.long.map { |long| long.sub("[no-]", "") } + switch.short.map { |s| s } }
        flags.concat(SHELLS) if name == "completion"
        flags.concat(VERBS.keys) if name == "help"
        flags.join(" ")
      end

      def bash
        cases = switches.map { |name, list| "    #{name}) words=\"#{words(name, list)}\" ;;" }
        <<~BASH
          # bash completion for sparpack
          _sparpack() {
            local current="${COMP_WORDS[COMP_CWORD]}" words=""
            if ((COMP_CWORD == 1)); then
              words="#{VERBS.keys.join(" ")} --help --version"
            else
              case "${COMP_WORDS[1]}" in
          #{cases.join("\n")}
              esac
            fi
            COMPREPLY=($(compgen -W "$words" -- "$current"))
            if ((COMP_CWORD > 1)); then
              local files='!*.thrift'
              [[ ${COMP_WORDS[1]} == convert ]] && files='!*.@(msgpack|mpk|mp|json|jsonl|ndjson)'
              COMPREPLY+=($(shopt -s extglob; compgen -d -S / -- "$current"; compgen -f -X "$files" -- "$current"))
            fi
          }
          complete -o nospace -F _sparpack sparpack
        BASH
      end

      def zsh
        verbs = VERBS.map { |name, (_, about)| "    '#{name}:#{about}'" }
        cases = switches.map { |name, list| "    #{name}) _arguments #{zsh_options(name, list).join(" ")} ;;" }
        <<~ZSH
          #compdef sparpack
          _sparpack() {
            local -a verbs=(
          #{verbs.join("\n")}
            )
            if ((CURRENT == 2)); then
              _describe verb verbs
              return
            fi
            shift words
            ((CURRENT--))
            case "$words[1]" in
          #{cases.join("\n")}
            esac
          }
          _sparpack "$@"
        ZSH
      end

      def zsh_options(name, list)
        flags = list.flat_map do |switch|
          about = switch.desc.join(" ").tr("'[]:", "")
          value = ":value:#{switch.arg.include?("|") ? "(#{switch.arg.strip.tr("|", " ")})" : "_files"}" if switch.arg
          (switch.long + switch.short).map { |flag| "'#{flag.sub("[no-]", "")}[#{about}]#{value}'" }
        end
        rest = {
          "completion" => "'1:shell:(bash zsh)'", "help" => "'1:verb:(#{VERBS.keys.join(" ")})'",
          "convert" => "'*:file:_files -g \"*.(msgpack|mpk|mp|json|jsonl|ndjson)(-.) *(-/)\"'"
        }
        flags << rest.fetch(name, "'*:file:_files -g \"*.thrift(-.) *(-/)\"'")
      end
    end
  end
end
