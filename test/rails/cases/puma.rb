# frozen_string_literal: true

require_relative "support"
require "net/http"
require "timeout"

# Puma in cluster mode: the application is loaded before the workers are forked, so they share classes, codecs and what
# requests and caches have made.
class PumaTest < Minitest::Test
  SECONDS = 60

  SmallApplication.write("idl/shop.thrift", "namespace rb Shop\nstruct Order { 1: required i64 id }")
  SmallApplication.write("app/controllers/orders_controller.rb", <<~RUBY)
    class OrdersController < ActionController::API
      def create
        order = body_as(Shop::Order)
        cached = Rails.cache.fetch("order/\#{order.id}") { [order] }
        response.set_header("worker", Process.pid.to_s)
        render sparpack: cached.first
      end
    end
  RUBY
  SmallApplication.write("config.ru", <<~RUBY)
    require #{File.join(__dir__, "small_application").dump}
    SmallApplication.boot("production") do
      config.sparpack.idl = ["idl"]
      config.cache_store = :file_store, File.join(SmallApplication::FOLDER, "cache"),
                           { serializer: Sparpack::Rails::CacheSerializer }
      routes.append { post "/orders", to: "orders#create" }
    end
    Sparpack::Rails::CacheSerializer.load(Sparpack::Rails::CacheSerializer.dump(Shop::Order.new(id: 0))) # before the fork
    run Rails.application
  RUBY

  def setup
    @port = TCPServer.open("127.0.0.1", 0) { |server| server.addr[1] }
    @log = File.join(SmallApplication::FOLDER, "puma.log")
    command = ["-w", "2", "--preload", "-t", "1:1", "-b", "tcp://127.0.0.1:#{@port}", "config.ru"]
    library = [*ENV.fetch("RUBYLIB", nil), File.expand_path("../../../lib", __dir__)].join(File::PATH_SEPARATOR)
    environment = { "SMALL_APPLICATION" => SmallApplication::FOLDER, "RUBYLIB" => library }
    @pid = Process.spawn(environment, RbConfig.ruby, Gem.bin_path("puma", "puma"), *command, chdir: SmallApplication::FOLDER,
                                                                                              out: @log, err: @log)
  end

  def teardown
    Process.kill(:TERM, @pid)
    Timeout.timeout(SECONDS) { Process.wait(@pid) }
  rescue Timeout::Error
    Process.kill(:KILL, @pid)
  rescue Errno::ESRCH, Errno::ECHILD
    nil # it has ended, and the test says so
  end

  def post(id)
    Net::HTTP.start("127.0.0.1", @port, read_timeout: SECONDS) do |http|
      http.post("/orders", Shop::Order.new(id:).encode, "Content-Type" => "application/vnd.apache.thrift.compact",
                                                        "Accept" => "application/vnd.apache.thrift.compact")
    end
  rescue SystemCallError
    flunk File.read(@log) if Process.wait(@pid, Process::WNOHANG) || (@tries = @tries.to_i + 1) > SECONDS * 10

    sleep 0.1
    retry
  end

  def test_both_workers
    Sparpack::IDL.load(File.join(SmallApplication::FOLDER, "idl/shop.thrift"))
    post(0) # it has started
    answers = Array.new(8) { |thread| Thread.new { Array.new(25) { |i| [(thread * 25) + i, post((thread * 25) + i)] } } }
                   .flat_map(&:value)

    answers.each do |id, answer|
      assert_equal "200", answer.code, File.read(@log)
      assert_equal id, Shop::Order.decode(answer.body).id
    end
    assert_equal 2, answers.map { |_, answer| answer["worker"] }.uniq.size
  end
end
