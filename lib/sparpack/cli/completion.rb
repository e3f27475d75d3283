# frozen_string_literal: true

module Sparpack
  module CLI
    # `sparpack completion`: prints scripts that complete verbs, options and files, made from the verbs' own options.
    class Completion < Verb
      SHELLS = %w[bash zsh fish].freeze

      # The suffixes of the files that a verb takes. Verbs that are not listed take .thrift files.
      SUFFIXES = { "convert" => %w[msgpack mpk mp json jsonl ndjson], "idl" => [], "guess" => [], "completion" => [],
                   "help" => [], "inspect" => [], "assemble" => [], "select" => [], "columns" => [] }.freeze

      # Verbs that take files of any name.
      ANY_FILES = %w[guess inspect assemble select columns].freeze
      private_constant :SHELLS, :SUFFIXES, :ANY_FILES

      describe usage: SHELLS.join("|"),
               about: "Prints a script that completes verbs, options and files in a shell.",
               example: <<~TEXT
                 sparpack completion bash > ~/.local/share/bash-completion/completions/sparpack
                 sparpack completion zsh > ~/.zfunc/_sparpack   # a folder of $fpath
                 sparpack completion fish > ~/.config/fish/completions/sparpack.fish
               TEXT

      # @param arguments [Array<String>]
      # @return [Integer] the exit status
      def run(arguments)
        shell, *more = arguments
        raise Misuse, "expected one shell: #{SHELLS[0...-1].join(", ")} or #{SHELLS.last}" if shell.nil? || more.any?
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
              local file files='!*.thrift'
              [[ ${COMP_WORDS[1]} == convert ]] && files='!*.@(#{SUFFIXES["convert"].join("|")})'
              [[ ${COMP_WORDS[1]} == idl ]] && files='!*.rb'
              [[ ${COMP_WORDS[1]} == @(#{ANY_FILES.join("|")}) ]] && files='!*'
              compopt -o filenames 2> /dev/null # bash 3.2 has neither compopt nor mapfile
              while IFS= read -r file; do
                COMPREPLY+=("$file")
              done < <(shopt -s extglob; compgen -d -- "$current"; compgen -f -X "$files" -- "$current")
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
          "completion" => "'1:shell:(#{SHELLS.join(" ")})'", "help" => "'1:verb:(#{VERBS.keys.join(" ")})'",
          "convert" => "'*:file:_files -g \"*.(#{SUFFIXES["convert"].join("|")})(-.) *(-/)\"'", "idl" => "'*:class: '",
          **ANY_FILES.to_h { |verb| [verb, "'*:file:_files'"] }
        }
        flags << rest.fetch(name, "'*:file:_files -g \"*.thrift(-.) *(-/)\"'")
      end

      def fish
        head = "complete -c sparpack -n __sparpack_no_verb"
        verbs = VERBS.map { |name, (_, about)| "#{head} -a #{name} -d #{fish_text(about)}" }
        <<~FISH
          # fish completion for sparpack
          function __sparpack_no_verb
            test (count (commandline -opc)) -eq 1
          end
          function __sparpack_verb
            set -l words (commandline -opc)
            test (count $words) -ge 2; and contains -- $words[2] $argv
          end
          complete -c sparpack -f
          #{verbs.join("\n")}
          #{head} -l help -s h -d 'all verbs'
          #{head} -l version -s v -d 'the version'
          #{switches.flat_map { |name, list| fish_verb(name, list) }.join("\n")}
        FISH
      end

      def fish_verb(name, list)
        head = "complete -c sparpack -n '__sparpack_verb #{name}'"
        options = list.map do |switch|
          [head, *fish_flags(switch), *fish_value(switch), "-d", fish_text(switch.desc.join(" "))].join(" ")
        end
        rest = { "completion" => SHELLS.join(" "), "help" => VERBS.keys.join(" ") }[name]
        suffixes = SUFFIXES.fetch(name, %w[thrift]).map { |suffix| "(__fish_complete_suffix .#{suffix})" }
        options << "#{head} -a '#{rest}'" if rest
        options << "#{head} -F" if ANY_FILES.include?(name)
        suffixes.empty? ? options : [*options, "#{head} -k -a '#{suffixes.join(" ")}'"]
      end

      def fish_flags(switch)
        switch.long.map { |long| "-l #{long.sub("[no-]", "").delete_prefix("--")}" } +
          switch.short.map { |short| "-s #{short.delete_prefix("-")}" }
      end

      def fish_value(switch)
        return unless switch.arg
        return "-x -a '#{switch.arg.strip.tr("|", " ")}'" if switch.arg.include?("|")

        switch.arg.include?("DIR") ? "-x -a '(__fish_complete_directories)'" : "-r -F"
      end

      def fish_text(text) = "'#{text.gsub(/['\\]/) { |char| "\\#{char}" }}'"
    end
  end
end
