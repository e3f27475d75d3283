# frozen_string_literal: true

# bin/test: not sanitized, for test/message_pack runs the same native code

require "test_helper"
require "support/fresh_ruby"
require "date"
require "tmpdir"
require "yaml"

# Gems that depend on msgpack run on the drop-in. They write the same bytes, and read what they wrote with the gem.
class DropInMsgpackGemsTest < Minitest::Test
  include FreshRuby

  GEM = 'require "msgpack"'
  DROP_IN = 'require "sparpack/drop_in/msgpack"'

  # --- Bootsnap ---------------------------------------------------------------------------------------------------------

  YAML = <<~TEXT
    :symbol: !ruby/symbol a
    date: 2024-02-29
    time: 2024-02-29 12:13:14.123456789 Z
    big: [18446744073709551616, -340282366920938463463374607431768211456, 1, -1, 4294967296]
    pattern: !ruby/regexp /a.*b/i
    text: "ä€🚲"
    nested: &nested {one: {two: [1.5, .inf, null, true, false, ~]}}
    again: *nested
  TEXT

  PLAIN = <<~TEXT
    en: {greeting: "Hallo", list: [1, 2.5, null, true], big: 18446744073709551616}
  TEXT

  # Returns the contents of Ruby and YAML files, and what Bootsnap reports about each.
  APP = <<~RUBY
    require "bootsnap/setup"
    events = []
    Bootsnap.instrumentation = ->(event, path) { events << [event, File.basename(path)] if path.start_with?(Dir.pwd) }
    values = [YAML.unsafe_load_file("all.yml"), YAML.load_file("plain.yml"),
              YAML.load_file("plain.yml", symbolize_names: true), YAML.load_file("plain.yml", freeze: true)]
    require "./app"
    values << App.new.value
    frozen = values[3]["en"]["greeting"].frozen?
    File.binwrite(ARGV.last, Marshal.dump([values, frozen, events.uniq.sort, defined?(Sparpack)]))
  RUBY

  def test_bootsnap
    Dir.mktmpdir do |folder|
      folder = File.realpath(folder)
      write_app(folder)
      cold, warm, other = [DROP_IN, DROP_IN, GEM].map { |load| boot(load, folder, "cache") }
      gem = boot(GEM, folder, "gem's cache")
      names = %w[all.yml app.rb plain.yml]

      assert_equal expected, cold[0]
      assert_equal [names.map { |name| [:miss, name] }, names.map { |name| [:hit, name] }],
                   [cold[2] - warm[2], warm[2]]
      assert_equal [*cold[0..1], warm[2], "constant"], warm
      assert_equal [*warm[0..2], nil], other # the gem reads what the drop-in wrote
      assert_equal [gem[0], files(folder, "gem's cache")], [cold[0], files(folder, "cache")]
    end
  end

  # --- Active Support ---------------------------------------------------------------------------------------------------

  ACTIVE_SUPPORT = <<~'RUBY'
    require "active_support/all"
    require "active_support/message_pack"
    require "tmpdir"
    Time.zone = "Europe/Berlin"
    Own = Struct.new(:name) do
      def self.from_msgpack_ext(name) = new(name)
      def to_msgpack_ext = name
    end
    zone = ActiveSupport::TimeZone["Europe/Berlin"]
    instant = Time.at(1_700_000_000, 123_456_789, :nanosecond)
    values = {
      core: [nil, true, false, 1, -1, 1.5, Float::INFINITY, "text", "ä", "\xFF".b, [1, [2]], { "a" => { 1 => nil } }],
      symbol: [:a, :"ä", { b: :c }], integer: [2**64, -2**200, 2**64 - 1, -2**63 + 1, -2**63 - 1],
      big_decimal: [BigDecimal("1.23456789012345678901234567890"), BigDecimal("-0"), BigDecimal("Infinity")],
      rational: [3r / 7, 0r, Rational(2**70, 3)], complex: [Complex(1, 2.5), Complex(1r / 3, 2**65)],
      date_time: [DateTime.new(2024, 2, 29, 12, 13, 14 + 1r / 3, "+02:30")], date: [Date.new(2024, 2, 29), Date.new(-4712, 1, 1)],
      time: [instant.utc, instant.getlocal("+09:00"), Time.at(-1, 5, :nanosecond).utc],
      time_with_zone: [instant.in_time_zone("America/New_York"), zone.local(2024, 3, 31, 3)], time_zone: [zone],
      duration: [1.year + 2.months + 3.5.days, 5.minutes], range: [1..2, "a"..."c", (1..), (..2.5), Date.new(2024)..Date.new(2025)],
      set: [Set[1, :a, [2]], Set[]], uri: [URI("https://example.org/a?b=c#d"), URI("mailto:a@example.org")],
      ip_addr: [IPAddr.new("10.0.0.1"), IPAddr.new("10.0.0.0/8"), IPAddr.new("::1"), IPAddr.new("fe80::/10")],
      pathname: [Pathname("/a/b")], regexp: [/a.*b/im, /ä/],
      hash_with_indifferent_access: [{ a: { b: [1, { c: 2 }] } }.with_indifferent_access],
      nested: [{ set: Set[{ range: (1r / 3)..2, at: instant.in_time_zone("Asia/Tokyo") }.with_indifferent_access] }]
    }
    # Equality says little about some of these values, so what is written again is compared, too.
    serializer = ActiveSupport::MessagePack
    result = values.to_h do |name, list|
      [name, list.map do |value|
        bytes = serializer.dump(value)
        again = serializer.load(bytes)
        [bytes, again == value, again.class.name, serializer.dump(again) == bytes, again.inspect.gsub(/0x\h+/, "")]
      end]
    end
    lowest = serializer.dump(-2**63) # it fits 64 bits, but the gem writes it as a large Integer
    result[:lowest] = [serializer.load(lowest), serializer.load("\xCC\x80\xD3\x80\0\0\0\0\0\0\0".b)]
    result[:unserializable] = [Object.new, Own.new("a")].map do |value|
      serializer.dump([value])
    rescue StandardError => e
      [e.class.name, serializer.dump(1)] # the pool's packer still works
    end
    result[:unreadable] = ["", "\xCC\x80", "\xCC\x80\xC1", "\xCC\x80\x01\x01", "\xCC\x80\xC7\x01\x63a", "\xCC\x80\xC7\x01\x05\x01"].map do |bytes|
      serializer.load(bytes.b)
    rescue StandardError => e
      [e.class.name.delete_prefix("Sparpack::"), serializer.load(serializer.dump([1]))]
    end
    cache = ActiveSupport::MessagePack::CacheSerializer
    result[:cache] = [cache.dump([Own.new("a"), values[:set]]), cache.load(cache.dump([Own.new("a")])) == [Own.new("a")]]
    Dir.mktmpdir do |folder|
      [ActiveSupport::Cache::MemoryStore.new(serializer: :message_pack),
       ActiveSupport::Cache::FileStore.new(folder, serializer: :message_pack)].each do |store|
        store.write("key", values[:nested], expires_in: 1.hour)
        store.write_multi({ "a" => 1, "b" => "x" * 10_000 })
        result[store.class.name] = [store.read("key") == values[:nested], store.read_multi("a", "b"), store.fetch("c") { [:new] }]
      end
    end
    result[:verifier] = %i[message_pack message_pack_allow_marshal].map do |name|
      verifier = ActiveSupport::MessageVerifier.new("secret", serializer: name)
      message = verifier.generate({ "id" => 2**70 }, purpose: :login, expires_at: Time.utc(2090))
      [message, verifier.verified(message, purpose: :login), verifier.verified(message, purpose: :other)]
    end
    encryptor = ActiveSupport::MessageEncryptor.new("k" * 32, serializer: :message_pack)
    result[:encryptor] = encryptor.decrypt_and_verify(encryptor.encrypt_and_sign(values[:symbol])) == values[:symbol]
    result[:threads] = Array.new(8) { |i| Thread.new { Array.new(50) { |j| serializer.load(serializer.dump([i, j, :a])) } } }.map(&:value)
    File.binwrite(ARGV.last, Marshal.dump([result, defined?(Sparpack), $LOADED_FEATURES.grep(%r{/msgpack-\d}).size]))
  RUBY

  def test_active_support
    (gem, *), (ours, sparpack, loaded) = [GEM, DROP_IN].map { |load| fresh_result("#{load}\n#{ACTIVE_SUPPORT}") }

    assert_equal ["constant", 0], [sparpack, loaded]
    gem.each { |part, expected| assert_equal expected, ours[part], part }
    round_trips = ours.values.grep(Array).flatten(1).grep(Array).select { |entry| entry.size == 5 }

    assert_operator round_trips.size, :>, 40
    assert(round_trips.all? { |_, _, _, same| same })
  end

  private

  def write_app(folder)
    File.write("#{folder}/all.yml", YAML)
    File.write("#{folder}/plain.yml", PLAIN)
    File.write("#{folder}/app.rb", "class App\n  def value = [1, :a, 'text']\nend\n")
    File.utime(*[Time.now - 1000] * 2, *Dir["#{folder}/*"])
  end

  def boot(load, folder, cache)
    fresh_result("#{load}\n#{APP}", chdir: folder, environment: { "BOOTSNAP_CACHE_DIR" => "#{folder}/#{cache}" })
  end

  # The files that Bootsnap caches for YAML.
  def files(folder, cache)
    Dir["#{folder}/#{cache}/bootsnap/compile-cache-yaml/**/*"].select { |path| File.file?(path) }.sort.map do |path|
      [path.delete_prefix("#{folder}/#{cache}"), File.binread(path)]
    end
  end

  # What YAML reads without Bootsnap.
  def expected
    plain = [{}, { symbolize_names: true }, { freeze: true }].map { |options| ::YAML.load(PLAIN, **options) }
    [::YAML.unsafe_load(YAML), *plain, [1, :a, "text"]]
  end
end
