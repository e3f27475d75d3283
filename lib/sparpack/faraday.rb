# frozen_string_literal: true

require "sparpack"

unless defined?(Faraday::VERSION) && Faraday::VERSION.split(".").first(2).map(&:to_i).<=>([2, 5]).between?(0, 1)
  found = defined?(Faraday::VERSION) ? "this is #{Faraday::VERSION}" : "it is not loaded"
  raise LoadError, "sparpack/faraday needs Faraday 2.5 or newer, and #{found}: write `gem \"faraday\", \">= 2.5\"` into " \
                   "the Gemfile, and `require \"faraday\"` before `require \"sparpack/faraday\"`"
end

module Sparpack
  # Middleware for Faraday: {Request} encodes structs, and {Response} decodes them. docs/faraday.md shows them at work.
  #
  # It is loaded by `require "sparpack/faraday"`, after Faraday.
  #
  # @example
  #   require "faraday"
  #   require "sparpack/faraday"
  #
  #   api = Faraday.new("http://orders.internal") do |f|
  #     f.request  :sparpack, wire: :compact
  #     f.response :sparpack, "Shop::Order"
  #     f.response :raise_error
  #   end
  #   api.post("/orders", order).body # => #<Shop::Order id=7>
  module Faraday
    autoload :Download, "sparpack/faraday/download"
    autoload :Request, "sparpack/faraday/request"
    autoload :Response, "sparpack/faraday/response"

    ::Faraday::Request.register_middleware(sparpack: -> { Request })
    ::Faraday::Response.register_middleware(sparpack: -> { Response })
  end
end
