# frozen_string_literal: true

# bin/test: not sanitized, for other tests run the same native code

require "test_helper"
require "support/child"
require "support/examples"
require "stringio"
require "tmpdir"

# The examples in the YARD docs do what they show. Those of a file run in a process of its own. Before each one, the names
# that examples use are defined anew, unless it defines them itself.
class YardExamplesTest < Minitest::Test
  include Child

  ROOT = File.expand_path("../..", __dir__)

  # What examples take for granted, by name: the classes of the README, and objects of them.
  GIVEN = {
    "Neighborhood" => <<~RUBY,
      class Neighborhood < Sparpack::Struct
        field 1, :neighborhood_id, :i64, required: true
        field 2, :name, :string, required: true
      end
    RUBY
    "Listing" => <<~RUBY,
      class Listing < Sparpack::Struct
        field 1, :listing_id, :i64, required: true
        field 2, :offset_lat, :double
        field 7, :neighborhoods, list(Neighborhood)
        field 8, :labels, map(:string, set(:i32)), default: {}
      end
    RUBY
    "Status" => "module Status; extend Sparpack::Enum; ACTIVE = 1; CLOSED = 2; end\n",
    "Answer" => <<~RUBY,
      class Answer < Sparpack::Union
        field 1, :text, :string
        field 2, :number, :i64
      end
    RUBY
    "Gone" => <<~RUBY,
      class Gone < Sparpack::Exception
        field 1, :message, :string
        field 2, :id, :i64
      end
    RUBY
    "DivisionByZero" => "class DivisionByZero < Sparpack::Exception; end\n",
    "Calculator" => "class Calculator < Sparpack::Service; function :ping, oneway: true; end\n",
    "Shop" => "module Shop; class Order < Sparpack::Struct; field 1, :id, :i64, required: true; end; end\n",
    "Point" => "Point = Struct.new(:x, :y)\n"
  }.freeze

  OBJECTS = <<~RUBY
    neighborhood = Neighborhood.new(neighborhood_id: 7, name: "Mitte")
    listing = Listing.new(listing_id: 1, neighborhoods: [neighborhood])
    frozen = Listing.new(listing_id: 1, neighborhoods: [neighborhood.dup(deep: true)]).freeze(deep: true)
    codec = LISTINGS = Listing.codec(:compact, unknown: :keep)
    bytes = listing.encode
    offset = 0
    io = StringIO.new("".b)
    limits = Sparpack::Limits.new
    File.binwrite("listings", bytes)
    def serialize(*, **) = nil
    module ActiveSupport; module MessagePack; def self.register_type(*, **) = nil; end; end
  RUBY

  MESSAGE_PACK = <<~RUBY
    bytes = Sparpack::MessagePack.pack({ "users" => [{ "name" => "Ada" }] * 4 })
    File.binwrite("log.msgpack", Sparpack::MessagePack.pack({ "text" => "started" }))
    factory = Sparpack::MessagePack::Factory.new
    packer = Sparpack::MessagePack::Packer.new
    unpacker = Sparpack::MessagePack::Unpacker.new
    buffer = Sparpack::MessagePack::Buffer.new
  RUBY

  # A file, and what was generated for another that is gone.
  IDL = <<~RUBY
    structs = "struct Neighborhood { 1: required i64 id }\\nstruct Listing { 1: required i64 listing_id }"
    File.write("listing.thrift", "namespace rb Listings\\n\#{structs}")
    File.write("neighborhood.thrift", "struct Neighborhood { 1: required i64 id }")
    Sparpack::Generate.write(Sparpack::Generate.files("neighborhood.thrift"), "lib/gen")
  RUBY

  RACK = <<~RUBY
    require "sparpack/rack"
    SMALL = Sparpack::Limits.new(memory: 1 << 20)
    order = Shop::Order.new(id: 7)
    type = "application/vnd.apache.thrift.compact"
    env = { "CONTENT_TYPE" => type, "rack.input" => StringIO.new(order.encode) }
    app = ->(_) { raise Sparpack::Media::Unsupported }
    def use(*) = nil
    def run(app) = app
  RUBY

  # The answer is an object, or a list of one.
  FARADAY = <<~RUBY
    require "faraday"
    require "sparpack/faraday"
    class Replies < Faraday::Adapter
      def call(env)
        super
        body = env.method == :get && env.url.path == "/orders" ? '[{"id":7}]' : '{"id":7}'
        save_response(env, 200, body, { "Content-Type" => "application/json" })
      end
    end
    Faraday::Adapter.register_middleware(replies: Replies)
    Faraday.default_adapter = :replies
    module Shop; class Customer < Sparpack::Struct; field 1, :id, :i64; end; end
    url, app, order = "http://orders.internal", nil, Shop::Order.new(id: 7)
    api = Faraday.new(url) { |f| f.response :sparpack, [Shop::Order] }
    env = Faraday::Env.from(method: :get, request: Faraday::RequestOptions.new, request_headers: Faraday::Utils::Headers.new,
                            response_headers: Faraday::Utils::Headers.new)
  RUBY

  KAFKA = <<~RUBY
    module WaterDrop; end
    require "sparpack/karafka"
    Place = ::Struct.new(:topic, :partition, :offset) do
      def payload = Sparpack::Karafka::Record.of(self) { Shop::Order.decode("x") }
    end
    def message = Place.new("orders", 3, 1042)
    module Karafka
      def self.producer = self
      def self.middleware = []
    end
  RUBY

  RAILS = <<~RUBY
    require "active_job"
    require "active_model"
    require "active_support/all"
    require "sparpack/rails"
    class ApplicationRecord
      include ActiveModel::Model
      include ActiveModel::Attributes

      attribute :order
    end
    class Invoice < ApplicationRecord
      def self.where(**) = []
    end
    SMALL = Sparpack::Limits.new(memory: 4096)
    class ApplicationController
      include Sparpack::Rails::Requests
      def request = ::Struct.new(:env).new({ "CONTENT_TYPE" => "application/json", "rack.input" => StringIO.new('{"id":7}') })
    end
    def config = Struct.new(:cache_store).new
    def gem(...) = nil
    serializer, compressor = Sparpack::Rails::CacheSerializer, Sparpack::Rails::CacheCompressor.new
    order = Shop::Order.new(id: 7)
    bytes = serializer.dump(order)
    hash = Sparpack::Rails::JobSerializer.serialize(order)
    def body_as(...) = ApplicationController.new.body_as(...)
  RUBY

  TELEMETRY = <<~RUBY
    require "support/opentelemetry_stub"
    require "sparpack/notifications"
    require "sparpack/opentelemetry"
    order = Shop::Order.new(id: 7)
  RUBY

  SETUPS = { "message_pack" => MESSAGE_PACK, "idl" => IDL, "generate" => IDL, "rack" => RACK, "faraday" => FARADAY,
             "karafka" => KAFKA, "rails" => RAILS, "notifications" => TELEMETRY, "opentelemetry" => TELEMETRY }.freeze

  # Examples of declarations are the body of a class.
  DECLARATION = /\A(field|idl) [\d"]/

  # Examples that need Rake or a git repository do not run.
  LEFT_OUT = %r{/(rake_task|idl/(breaking|files/revision|error).*)\.rb}

  FILES = Dir["lib/sparpack.rb", "lib/sparpack/**/*.rb", base: ROOT].sort.grep_v(LEFT_OUT)

  # @return [Array<Array(Integer, String)>] the first line of each example, and its code
  def self.examples(path)
    lines = File.readlines(File.join(ROOT, path), chomp: true, encoding: Encoding::UTF_8)
    lines.each_with_index.filter_map do |line, index|
      next unless (prefix = line[/\A *# +(?=@example)/])

      code = lines.drop(index + 1).take_while { |below| below.start_with?("#{prefix}  ") || below.match?(/\A *#\z/) }
      [index + 2, code.map { |below| below.delete_prefix("#{prefix}  ").sub(/\A *#\z/, "") }.join("\n").strip]
    end
  end

  FILES.each do |path|
    examples = examples(path)
    next if examples.empty?

    define_method(:"test_#{path.tr("/.", "_")}") { assert_equal [], lies(path, examples) }
  end

  def test_there_are_examples
    assert_operator FILES.sum { |path| self.class.examples(path).size }, :>, 80
  end

  # A false claim is found, and one of an example does not change what the next one is given.
  def test_lies
    examples = ["listing.listing_id = 2\nListing = 5", "listing.listing_id # => 2", "class Listing\nend\nListing.schema"]
    lies = lies("lib/sparpack.rb", examples.each_with_index.map { |code, line| [line, code] })
    found = lies.map { |lie| lie[/found: +(.*?)(?:: |$)/, 1] }

    assert_equal ["=> 1", "raises NoMethodError"], found
  end

  private

  # @return [Array<String>]
  def lies(path, examples)
    setup = [*GIVEN.values, OBJECTS, *SETUPS.filter_map { |part, setup| setup if path.include?(part) }].join
    in_child do
      $stdout = StringIO.new
      examples.flat_map do |line, code|
        Dir.mktmpdir { |folder| Dir.chdir(folder) { run_example(path, line, code, setup) } }
      end
    end
  end

  def run_example(path, line, code, setup)
    code = "Class.new(Sparpack::Struct) do\n#{code}\nend" if code.match?(DECLARATION)
    names = [*GIVEN.keys, "LISTINGS"]
    names.each { |name| Object.send(:remove_const, name) if Object.const_defined?(name, false) }
    TOPLEVEL_BINDING.eval(setup, "setup")
    names.each { |name| Object.send(:remove_const, name) if code.match?(/^(?:class |module |)#{name}\b(?: <| *=|$)/) }
    File.write("page.md", "```ruby\n#{code}\n```\n")
    Examples.new("page.md").lies.map { |lie| "#{path}:#{line}: #{lie}" }
  end
end
