# frozen_string_literal: true

# bin/test: not sanitized, for it runs no native code

require "test_helper"
require "psych"
require "rbconfig"
require_relative "../../bin/lib/release/native_gem"
require "support/command"

# The workflows for GitHub Actions, as far as a machine without them can tell: each command of ours exists, the matrices name
# what is released, actions are pinned, and no job may do more than it must.
class WorkflowsTest < Minitest::Test
  ROOT  = File.expand_path("../..", __dir__)
  FILES = Dir["#{ROOT}/.github/workflows/*.yml"]
  TEXTS = FILES.to_h { |path| [File.basename(path), File.read(path, encoding: "UTF-8")] }
  WORKFLOWS = TEXTS.transform_values { |text| Psych.safe_load(text) }

  # The jobs of all workflows, by the names of the file and the job.
  JOBS = WORKFLOWS.flat_map { |file, workflow| workflow["jobs"].map { |name, job| ["#{file} #{name}", job] } }.to_h
  STEPS    = JOBS.values.flat_map { |job| job.fetch("steps", []) }
  SCRIPTS  = STEPS.filter_map { |step| step["run"] }
  MATRICES = JOBS.transform_values { |job| job.dig("strategy", "matrix") }.compact

  RUNNERS = %w[ubuntu-24.04 ubuntu-24.04-arm macos-15 macos-15-intel].freeze

  # Our own commands in a script, and their arguments.
  OURS = %r{(?<![\w/.-])((?:bin|\.ci)/\w+|rake)((?:[ \\\n]+(?:"[^"]*"|[-\w./:]+))*)}

  # Folders of test/ that have no tests, and rooms that are about the clone and not about Ruby or the machine.
  NO_ROOMS  = %w[test/fixtures test/golden test/support test/vectors test/wires].freeze
  OF_CLONES = %w[test/bench test/house].freeze

  def test_each_command_exists
    found = SCRIPTS.flat_map { |script| script.scan(OURS) }

    assert_equal %w[.ci/run bin/fuzz bin/test rake], found.map(&:first).uniq.sort
    found.each do |command, text|
      arguments = text.delete("\\\n\"").split
      command == "rake" ? assert_tasks(arguments) : assert_script(command, arguments)
    end
  end

  def test_shells_understand_each_script
    SCRIPTS.each do |script|
      said, status = Command.capture2e("bash", "-n", stdin_data: script)

      assert_predicate status, :success?, said
    end
  end

  # The name of a branch could be code. Values come through the environment instead.
  def test_expressions_are_not_in_scripts
    assert_empty(SCRIPTS.grep(/\$\{\{/))
  end

  # A tag can be moved to another commit. The comment says which version it was.
  def test_actions_are_pinned
    pins = TEXTS.values.flat_map { |text| text.scan(/^\s+(?:- )?uses: (.+)$/).flatten }.uniq
    ours, others = pins.partition { |pin| pin.start_with?("./") }

    assert_empty(ours.reject { |path| File.file?("#{ROOT}/#{path}") })
    assert_empty others.grep_v(%r{\A[\w-]+/[\w/-]+@\h{40} # v\d+\.\d+\.\d+\z})
    assert_equal others.size, others.uniq { |pin| pin[/\A[^@]+/] }.size, "one version of each"
  end

  def test_no_job_may_do_more_than_it_must
    WORKFLOWS.each { |name, workflow| assert_equal({ "contents" => "read" }, workflow["permissions"], name) }

    assert_equal({ "release.yml publish" => { "id-token" => "write" } },
                 JOBS.transform_values { |job| job["permissions"] }.compact)
    checkouts = STEPS.select { |step| step["uses"].to_s.start_with?("actions/checkout@") }

    refute_empty checkouts
    assert_empty(checkouts.reject { |step| step.dig("with", "persist-credentials") == false })
    refute_match(/\bsecrets\b/, TEXTS.values.join)
  end

  # Whatever runs in this job could publish.
  def test_the_job_that_publishes
    job = JOBS.fetch("release.yml publish")

    assert_equal "release", job["environment"]["name"]
    actions = job["steps"].filter_map { |step| step["uses"]&.split("@")&.first }

    assert_equal %w[ruby/setup-ruby actions/download-artifact rubygems/configure-rubygems-credentials], actions
    assert_empty(job["steps"].select { |step| step.dig("with", "bundler-cache") })
    scripts = job["steps"].filter_map { |step| step["run"] }

    assert_includes scripts.first, "= #{NativeGem::PLATFORMS.size + 1}\n"
    assert_match(/sigstore-cli:[\d.]+ sign "\$gem" --bundle "(.+)"\s+gem push "\$gem" --attestation "\1"$/, scripts.last)
    assert_equal({ "push" => { "tags" => ["v*"] } }, WORKFLOWS["release.yml"][true]) # to YAML 1.1, "on" is true
  end

  def test_each_job_ends_and_has_a_known_machine
    JOBS.reject { |_, job| job["uses"] }.each do |name, job|
      assert_includes 1..350, job["timeout-minutes"], name
      machines = job["runs-on"].scan(/#{Regexp.union(RUNNERS.sort.reverse)}/)
      machines = MATRICES.fetch(name)["os"] if job["runs-on"] == "${{ matrix.os }}"

      refute_empty machines, name
      assert_empty machines - RUNNERS, name
    end
  end

  # Without quotes, 3.10 would be 3.1.
  def test_matrices_hold_text
    values = MATRICES.values.flat_map { |matrix| matrix.values.flatten }
    values = values.flat_map { |value| value.is_a?(Hash) ? value.values : value }

    assert_empty values.grep_v(String)
  end

  def test_matrices_have_what_is_used
    MATRICES.each do |name, matrix|
      excluded = matrix.fetch("exclude", [])
      axes = matrix.except("exclude")

      assert_equal axes.keys.sort, JOBS.fetch(name).to_s.scan(/\bmatrix\.(\w+)/).flatten.uniq.sort, name
      excluded.each { |pair| pair.each { |axis, value| assert_includes axes.fetch(axis), value, name } }
    end
  end

  def test_gems_are_built_and_tried_for_each_platform_and_each_ruby
    [%w[linux macos], %w[gem], %w[try-linux try-macos]].each do |names|
      matrices = names.map { |name| MATRICES.fetch("gems.yml #{name}") }

      assert_equal(NativeGem::PLATFORMS, matrices.flat_map { |matrix| matrix["platform"] })
      matrices.each { |matrix| assert_equal NativeGem::RUBIES, matrix.fetch("ruby", NativeGem::RUBIES) }
    end
  end

  def test_the_suite_runs_with_each_ruby
    assert_equal [*NativeGem::RUBIES, "head"], MATRICES.fetch("ci.yml rubies")["ruby"]
    rooms = Dir["test/*/", base: ROOT].map { |path| path.chomp("/") } - NO_ROOMS - OF_CLONES

    assert_equal rooms.sort, JOBS.fetch("ci.yml rubies")["steps"].last["run"].split.grep(%r{\Atest/}).sort
  end

  def test_jobs_need_jobs
    JOBS.each do |name, job|
      Array(job["needs"]).each { |needed| assert_includes JOBS.keys, "#{name.split.first} #{needed}" }
    end
  end

  def test_what_is_downloaded_was_uploaded
    uploaded, downloaded = %w[upload download].map do |way|
      STEPS.select { |step| step["uses"].to_s.start_with?("actions/#{way}-artifact@") }
           .map { |step| step["with"].values_at("name", "pattern").compact.first.gsub(/\$\{\{.*?\}\}/, "*") }
    end

    refute_empty downloaded
    assert_empty(downloaded.reject { |name| uploaded.any? { |other| File.fnmatch(name, other) } })
  end

  private

  def assert_tasks(names)
    refute_empty names
    names.each { |name| assert_includes tasks, name[/\A[\w:]+/], "rake #{name}" }
  end

  def assert_script(command, arguments)
    assert_predicate File.stat("#{ROOT}/#{command}"), :executable?, command
    options, others = arguments.partition { |argument| argument.start_with?("-") }
    options.each { |option| assert_match(/ #{option}\b/, help(command)) }
    others.grep(%r{/}).each { |path| assert_path_exists "#{ROOT}/#{path}" }
  end

  def help(command)
    @help ||= {}
    @help[command] ||= Command.capture2e("#{ROOT}/#{command}", "--help").first
  end

  def tasks
    @tasks ||= Command.capture2e(RbConfig.ruby, "-S", "rake", "--all", "--tasks", chdir: ROOT).first
                      .scan(/^rake ([\w:]+)/).flatten
  end
end
