# frozen_string_literal: true

require "set" # for Ruby 3.1

module Bench
  # Documents without a schema. One seed always gives the same ones. Integers, rows of a database and blogs come from the
  # talk on MessagePack for Ruby. Three more were added.
  module Values
    # A value and its name.
    Document = ::Struct.new(:name, :value)

    WORDS = %w[lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore].freeze
    TEXTS = ["名前:前田あゆみ 第一印象:なんか怖っ! 今の印象:とりあえずキモい。", "元野球部マネージャー…最高の夏をありがとう…",
             "Grüße aus Köln, schönes Wetter", "RT @someone: see http://example.com/a/b?c=1", "just setting up"].freeze

    module_function

    # @return [Array<Document>]
    def all
      [["integers", integers], ["points", points], ["db", rows], ["blogs", blogs], ["tweets", tweets],
       ["small", { "a" => 1 }]].map { |name, value| Document.new(name, value) }
    end

    # @return [Array<Integer>] of all sizes, most of them small
    def integers(count = 100_000, random = Random.new(1))
      Array.new(count) { |i| random.rand(i + 1) }
    end

    # @return [Array<Array<Float>>] 110,000 doubles
    def points(random = Random.new(2))
      Array.new(55_000) { [(random.rand * 360) - 180, (random.rand * 180) - 90] }
    end

    # @return [Array<Hash>] wide records with the same keys
    def rows(random = Random.new(3))
      Array.new(500) do |id|
        row = { "id" => id, "name" => words(2, random), "email" => "user#{id}@example.com", "active" => random.rand < 0.7,
                "created_at" => "2024-05-#{10 + random.rand(20)}T12:00:00Z", "balance" => random.rand(10**9),
                "score" => random.rand * 100, "note" => nil }
        30.times { |column| row["column_#{column}"] = cell(random) }
        row
      end
    end

    # @return [Array<Hash>] nested records with long texts
    def blogs(random = Random.new(4))
      Array.new(50) do |id|
        { "id" => id, "title" => words(6, random), "body" => html(40 + random.rand(80), random),
          "author" => { "name" => words(2, random), "url" => "https://example.com/~#{id}" },
          "comments" => Array.new(random.rand(12)) { { "from" => words(1, random), "text" => html(2, random) } } }
      end
    end

    # @return [Hash] deep records, many keys, texts that are not ASCII
    def tweets(random = Random.new(5))
      { "statuses" => Array.new(100) { |id| tweet(505_874_924_095_815_681 + id, random) },
        "search_metadata" => { "completed_in" => 0.087, "count" => 100, "query" => "%E4%B8%80" } }
    end

    # @return [Array<Array>] the log of a web server: a time and a small record each, as Fluentd sends them
    def entries(count = 1000, random = Random.new(6))
      Array.new(count) do |index|
        [1_700_000_000 + index,
         { "host" => "10.0.0.#{random.rand(256)}", "user" => nil, "method" => %w[GET GET POST].sample(random:),
           "path" => "/#{words(2, random).tr(" ", "/")}", "code" => [200, 200, 304, 404].sample(random:),
           "size" => random.rand(50_000), "seconds" => random.rand, "agent" => "Mozilla/5.0 (X11; Linux x86_64)" }]
      end
    end

    # @return [Array<String>] some ASCII, some not, of all lengths
    def texts(count = 500, random = Random.new(7))
      Array.new(count) do |index|
        index.even? ? words(1 + random.rand(30), random) : TEXTS.sample(random:) * (1 + random.rand(4))
      end
    end

    # @return [Array<Hash>] records whose values need extension types
    def typed(count = 100, random = Random.new(9))
      Array.new(count) do |index|
        { "state" => %i[open closed waiting].sample(random:), "at" => Time.at(1_700_000_000 + index, index * 1001, :nsec),
          "tags" => Set.new(WORDS.sample(3, random:)), "serial" => (2**70) + random.rand(2**69) }
      end
    end

    # @return [Hash] a name, and 1 MB of binary data
    def file(random = Random.new(8)) = { "name" => "picture.png", "body" => random.bytes(1_000_000) }

    def tweet(id, random)
      { "metadata" => { "result_type" => "recent", "iso_language_code" => "ja" }, "id" => id, "id_str" => id.to_s,
        "created_at" => "Sun Aug 31 00:29:15 +0000 2014", "text" => TEXTS.sample(random:), "truncated" => false,
        "user" => user(random), "geo" => nil, "place" => nil, "retweet_count" => random.rand(50), "lang" => "ja",
        "entities" => { "hashtags" => [], "symbols" => [], "urls" => [], "user_mentions" => [user(random)] },
        "favorited" => false, "retweeted" => false }
    end

    def user(random)
      id = random.rand(2**31)
      { "id" => id, "id_str" => id.to_s, "name" => TEXTS.sample(random:)[0, 8], "screen_name" => "user_#{id}",
        "location" => "", "description" => TEXTS.sample(random:), "url" => nil, "protected" => false,
        "followers_count" => random.rand(10_000), "friends_count" => random.rand(1000), "verified" => false,
        "profile_image_url" => "http://pbs.twimg.com/profile_images/#{id}/normal.jpeg", "indices" => [0, 9] }
    end

    def cell(random)
      [random.rand(1000), random.rand, words(1 + random.rand(4), random), nil, random.rand < 0.5].sample(random:)
    end

    def words(count, random) = Array.new(count) { WORDS.sample(random:) }.join(" ")

    def html(count, random) = Array.new(count) { "<p>#{words(12, random)} &amp; #{words(4, random)}.</p>\n" }.join

    private_class_method :tweet, :user, :cell, :words, :html
  end
end
