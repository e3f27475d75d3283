# frozen_string_literal: true

# bin/test: not sanitized, for it loads the thrift gem

require "test_helper"
require "sparpack/generate"
require "support/command"
require "tmpdir"

# Services of an old compiler fail with this version of the gem, with the drop-in and without it. Those that
# `sparpack generate --style thrift` writes work (docs/thrift.md).
class ThriftCompilersTest < Minitest::Test
  IDL = "namespace rb %s\nservice %s { string find(1: i64 id) }\n"

  CALL = <<~RUBY
    class Handler
      def find(id) = "found \#{id}"
    end

    def call(service)
      replies, requests = Array.new(2) { Thrift::MemoryBufferTransport.new }
      client = service::Client.new(Thrift::CompactProtocol.new(replies), Thrift::CompactProtocol.new(requests))
      client.send_find(7)
      protocols = [requests, replies].map { |transport| Thrift::CompactProtocol.new(transport) }
      service::Processor.new(Handler.new).process(*protocols)
      client.recv_find
    rescue Thrift::Exception => e
      e.message
    end

    require "apaches_search"
    require "our_search"
    puts call(Apaches::ApachesSearch), call(Ours::OurSearch)
  RUBY

  %w[thrift sparpack/drop_in/thrift].each do |library|
    define_method(:"test_services_with_#{library.tr("/", "_")}") do
      skip "thrift is missing: apt-get install thrift-compiler" unless Command.success?("thrift", "-version")
      version, = Command.capture2e("thrift", "-version")
      skip "another version: #{version}" unless version.include?("0.17.0")

      Dir.mktmpdir do |folder|
        generate(folder)
        output, = Command.capture2e(RbConfig.ruby, "-W0", *[folder, *$LOAD_PATH].map { |path| "-I#{path}" }, "-r#{library}",
                                    "-e", CALL)

        assert_equal "find failed: unknown result\nfound 7\n", output
      end
    end
  end

  private

  def generate(folder)
    { "Apaches" => "ApachesSearch", "Ours" => "OurSearch" }.each do |namespace, service|
      File.write("#{folder}/#{service}.thrift", format(IDL, namespace, service))
    end
    output, status = Command.capture2e("thrift", "--gen", "rb", "-out", folder, "#{folder}/ApachesSearch.thrift")
    assert_predicate status, :success?, output
    Sparpack::Generate.write(Sparpack::Generate.files("#{folder}/OurSearch.thrift", style: :thrift), folder)
  end
end
