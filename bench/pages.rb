# frozen_string_literal: true

require_relative "figures"
require_relative "picture"

module Bench
  # Writes the numbers of a run into the pages: tables between two comments, and a picture. Nobody copies numbers by hand.
  class Pages
    ROOT = File.expand_path("..", __dir__)
    PICTURE = "docs/images/speed.svg"
    PAGES = ["README.md", "docs/performance.md"].freeze

    # What stands between `<!-- figures: NAME -->` and `<!-- end of figures -->`.
    PLACE = /^<!-- figures: (?<name>\w+) -->\n\K.*?(?=^<!-- end of figures -->$)/m

    # The rows of the README's table: a title, and the table and row with the numbers of both directions.
    BRIEF = [
      ["Apache's thrift gem with its C extension, a struct", "structs",
       "Apache's thrift gem with its C extension, compact protocol", 0, 1],
      ["google-protobuf, a struct; every field is read", "structs", "google-protobuf", 0, 2],
      ["the json gem, a struct as JSON instead of a Hash", "json", "`JSON.generate` and `JSON.parse` of a Hash", 0, 1],
      ["the msgpack gem, 500 records without a schema", "message_pack", "db: 500 wide records", 0, 1],
      ["the thrift gem without the drop-in", "drop_ins",
       "the drop-in for thrift: `Thrift::Serializer`, `Thrift::Deserializer`", 0, 1]
    ].freeze

    # The panels of the picture: a title, and for each bar a label, a table, a row and a column.
    PANELS = {
      "Write a struct with eleven objects" => [
        ["google-protobuf", "structs", "google-protobuf", 0],
        ["msgpack gem, a Hash", "structs", "the msgpack gem, a Hash", 0],
        ["json gem, a Hash", "structs", "the json gem, a Hash", 0],
        ["thrift gem", "structs", "Apache's thrift gem with its C extension, compact protocol", 0]
      ],
      "Read it" => [
        ["google-protobuf", "structs", "google-protobuf", 1], ["json gem, a Hash", "structs", "the json gem, a Hash", 1],
        ["msgpack gem, a Hash", "structs", "the msgpack gem, a Hash", 1],
        ["thrift gem", "structs", "Apache's thrift gem with its C extension, compact protocol", 1]
      ],
      "Read it, and every field of it" => [
        ["google-protobuf", "structs", "google-protobuf", 2],
        ["thrift gem", "structs", "Apache's thrift gem with its C extension, compact protocol", 2]
      ],
      "Write it as JSON" => [["json gem, a Hash", "json", "`JSON.generate` and `JSON.parse` of a Hash", 0]],
      "Read it from JSON" => [["json gem, a Hash", "json", "`JSON.generate` and `JSON.parse` of a Hash", 1]],
      "Unpack 500 records of MessagePack" => [
        ["json gem, the same as JSON", "message_pack", "db: 500 wide records", 3],
        ["msgpack gem", "message_pack", "db: 500 wide records", 1]
      ],
      "Convert a struct from compact to JSON" => [
        ["decode and encode", "converting", "compact to JSON | decoding and encoding", 0]
      ]
    }.freeze

    # @param figures [Figures]
    def initialize(figures) = @figures = figures

    # @return [void]
    def write
      texts.each { |path, text| File.write(File.join(ROOT, path), text) }
    end

    # @return [Hash{String => String}] what each page and the picture should be
    def texts
      pages = PAGES.to_h { |path| [path, filled(File.read(File.join(ROOT, path), encoding: Encoding::UTF_8))] }
      { **pages, PICTURE => picture }
    end

    private

    def filled(page) = page.gsub(PLACE) { part($~[:name]) }

    def part(name)
      case name
      when "brief" then brief
      when "slower" then @figures.slower
      when "memory" then @figures.memory
      when "machine" then "Measured with #{@figures.machine}.\n"
      else @figures.table(name)
      end
    end

    def brief
      rows = BRIEF.map do |title, table, row, *columns|
        [title, *columns.map { |column| @figures.number(table, row, column) }]
      end
      @figures.markdown(["compared with", "write, pack", "read, unpack"], rows)
    end

    def picture
      panels = PANELS.filter_map do |title, bars|
        rows = bars.filter_map { |label, *place| @figures.at(*place)&.then { |factor| [label, factor] } }
        Picture::Panel.new(title, [[Picture::OURS, 1.0], *rows]) unless rows.empty?
      end
      Picture.new("Time, as a multiple of Sparpack's: shorter is better", panels, origin: 0, longest: 8).to_s
    end
  end
end
