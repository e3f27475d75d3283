# frozen_string_literal: true

require "test_helper"
require "json"
require "stringio"
require "support/reading"
require "yaml"

# Unknown fields of structs in JSON: kept as text by their names and written again behind the fields.
class UnknownJsonTest < Minitest::Test
  include Reading

  class Newer < Sparpack::Struct
    field 1, :id, :i32
    field 2, :flag, :bool
    field 3, :names, list(:string)
    field 5, :real, :double
    field 6, :table, map(:string, set(:i16))
    field 7, :nested, "Newer"
    field 9, :uuid, :uuid
    field 20, :last, :bool
  end

  class Older < Sparpack::Struct
    field 3, :names, list(:string)
    field 7, :nested, "Older"
  end

  class Oldest < Sparpack::Struct
  end

  class Titled < Sparpack::Struct
    field 1, :point_name, :string, idl_name: "pointName"
    field 2, :quoted, :i8, idl_name: "a\"b"
  end

  class Choice < Sparpack::Union
    field 1, :number, :i32
  end

  class NewerChoice < Sparpack::Union
    field 1, :number, :i32
    field 8, :text, :string
  end

  class Needy < Sparpack::Struct
    field 3, :names, list(:string)
    field 7, :nested, Older, required: true
  end

  class Keyed < Sparpack::Struct
    field 1, :counts, map(Older, :i32)
  end

  class Gone < Sparpack::Exception
    field 9, :message, :string
  end

  FULL = Newer.new(id: 1, flag: true, names: %w[a b], real: 0.5, table: { "k" => Set[1, 2] },
                   nested: Newer.new(id: 2, last: false), uuid: "00112233-4455-6677-8899-aabbccddeeff", last: true)

  def keep(text, type = Oldest, **options) = type.decode(text, :json, unknown: :keep, **options)
  def again(text, type = Oldest, **options) = keep(text, type, **options).encode(:json)

  def test_keep_carries_them_at_any_depth
    [Older, Oldest].each do |older|
      kept = keep(FULL.encode(:json), older)

      assert_predicate kept, :unknown?
      assert_equal FULL, Newer.decode(kept.encode(:json), :json)
      assert_equal kept.encode(:json), again(kept.encode(:json), older)
      assert_cut(older, FULL.encode(:json), :json, unknown: :keep)
    end
    assert_equal '{"names":["a","b"],"nested":{"id":2,"last":false},"flag":true,"id":1,"last":true,"real":0.5,' \
                 '"table":{"k":[1,2]},"uuid":"00112233-4455-6677-8899-aabbccddeeff"}', again(FULL.encode(:json), Older)
  end

  # Numbers have more digits than a Float, and strings escapes that we would not write.
  def test_values_are_kept_as_they_are
    values = ["1", "-0", "1.50", "1e5", "12345678901234567890123", "0.1000000000000000055511151231257827", '"\u00e9\/"',
              '"é"', '""', "true", "false", "[]", "{}", '[1,[2,{"a":[]}]]', '{"b":1,"a":2,"b":3}', '{"x":null}', "[null]",
              '"\\\\"', '"a\" b"', '"\ud83d\ude00"']
    values.each do |value|
      assert_equal "{\"x\":#{value}}", again("{\"x\":#{value}}")
      assert_equal "{\"names\":[\"y\"],\"x\":#{value}}", again(" { \"x\" : #{value} , \"names\" : [ \"y\" ] } ", Older)
      assert_cut(Oldest, "{\"x\":#{value}}", :json, unknown: :keep)
    end
  end

  def test_white_space_between_tokens_is_not_kept
    text = JSON.pretty_generate(JSON.parse(FULL.encode(:json)))

    assert_equal keep(FULL.encode(:json)), keep(text)
    assert_equal '{"x":{"a b":[1,2,{"c":" \" d \\\\"}]}}',
                 again("{\"x\"\t:\r\n{ \"a b\" : [ 1 ,2,\n{\"c\" :\" \\\" d \\\\\" } ]\n}\n}")
    io = StringIO.new
    2.times { keep(text).encode_to(io, :json, frame: :lines) }

    assert_equal [keep(text)] * 2, Oldest.decode_each(io.string, :json, frame: :lines, unknown: :keep).to_a
    assert_equal 2, io.string.count("\n")
  end

  # Names have no escapes but those that are needed, and stand in order. The last of a duplicate wins, and null is absent.
  def test_what_is_kept_does_not_depend_on_how_it_was_written
    texts = ['{"b":1,"\u0061":2,"\"\u005c\n\u0001":3,"ü":4,"a":5,"n":null,"":6,"b\/":7}',
             '{"":6,"n":null,"\u00fc":4,"a":5,"a":null,"\u0022\\\\\u000a\u0001":3,"b/":7, "b":1}']
    first, second = texts.map { |each| keep(each) }

    assert_equal first, second
    assert_operator first, :eql?, second
    assert_equal first.hash, second.hash
    refute_equal first, Oldest.new
    refute_equal first, keep('{"b":1}')
    assert_equal '{"":6,"\"\\\\\n\u0001":3,"a":5,"b":1,"b/":7,"ü":4}', first.encode(:json)
  end

  def test_names_of_every_length_with_and_without_escapes
    (0..70).each do |size|
      name = ("name\"\n\u0001ü" * 10)[0, size]
      [JSON.generate(name), "\"#{name.each_char.map { |char| format('\u%04x', char.ord) }.join}\""].each do |written|
        assert_equal "{#{JSON.generate(name)}:1}", again("{#{written}:1}")
      end
    end
  end

  def test_null_is_no_field_to_keep
    assert_equal Oldest.new, keep('{"a":null,"b": null }')
    refute_predicate keep('{"a":null}'), :unknown?
    assert_raises(Sparpack::DecodeError::Malformed) { keep('{"a":nul}') }
    assert_raises(Sparpack::DecodeError::Malformed) { keep('{"a":nulls}') }
  end

  # A later version of a class may know what an object in a cache has kept.
  def test_a_name_of_a_field_is_written_once
    ['"point_name":"a"', '"\u0070ointName":"b"', '"pointName":"b","\u0070oint_name":"a"', '"a\"b":1',
     '"quoted":1'].each do |text|
      loaded = newer_version(keep("{#{text}}"), "Oldest", "Titled")

      assert_equal '{"pointName":"c","a\"b":2}', loaded.with(point_name: "c", quoted: 2).encode(:json)
      assert_equal Titled.decode("{#{text}}", :json), Titled.decode(loaded.encode(:json), :json)
    end
    loaded = newer_version(keep('{"id":1,"x":[]}', Older), "Older", "Newer")

    assert_equal '{"id":7,"x":[]}', loaded.with(id: 7).encode(:json)
    assert_equal '{"id":1,"x":[]}', loaded.encode(:json)
  end

  # The names of both classes have the same size.
  def newer_version(object, older, newer)
    Marshal.load(Marshal.dump(object).sub(older, newer)) # rubocop:disable Security/MarshalLoad
  end

  def test_known_fields_may_change_beside_them
    kept = keep(FULL.encode(:json), Older)
    kept.names = ["c"]
    kept.nested.names = ["d"]

    assert_equal FULL.with(names: ["c"], nested: FULL.nested.with(names: ["d"])), Newer.decode(kept.encode(:json), :json)
    kept.nested = nil
    kept.names = nil

    assert_equal FULL.with(names: nil, nested: nil), Newer.decode(kept.encode(:json), :json)
  end

  def test_copies_carry_them
    kept = keep('{"x":"ü","y":"\u00fc","names":["a"]}', Older)
    copies = [kept.dup, kept.clone, kept.with, Marshal.load(Marshal.dump(kept)), YAML.unsafe_load(kept.to_yaml),
              keep(kept.encode(:json), Older, freeze: true), kept.dup.freeze(deep: true)]
    copies.each do |copy|
      assert_equal [kept, kept.hash, true], [copy, copy.hash, copy.eql?(kept)]
      assert_equal '{"names":["a"],"x":"ü","y":"\u00fc"}', copy.encode(:json)
    end
    assert_frozen_deep(copies[-2])
  end

  # Hashes, and the text that shows an object, do not have them.
  def test_rendering_does_not_carry_them
    kept = keep('{"x":1,"names":["a"],"nested":{"y":2}}', Older)

    assert_equal({ names: ["a"], nested: { names: nil, nested: nil } }, kept.to_h(deep: true))
    assert_equal({ "names" => ["a"], "nested" => {} }, kept.as_json)
    assert_equal ['{"names":["a"],"nested":{}}'] * 2, [kept.to_json, JSON.generate(kept)]
    assert_equal "#<UnknownJsonTest::Oldest unknown fields>", keep('{"x":1}').inspect
    assert_equal "{}", keep('{"x":1}').to_json
    loud = Class.new(Older) { def as_json(*) = "loud" }

    assert_equal '"loud"', keep('{"x":1}', loud).to_json
    assert_equal '{"nested":"loud"}', Older.new(nested: keep('{"x":1}', loud)).to_json
  end

  def test_they_never_cross_to_another_family_or_back
    text = FULL.encode(:json)
    kept = keep(text, Older)
    plain = Older.decode(text, :json)
    others = THRIFT.map { |wire| [wire, {}] } + %i[array names ids].map { |keys| [:message_pack, { keys: }] }
    others.each do |other, options|
      assert_equal plain.encode(other, **options), kept.encode(other, **options)
      assert_equal plain.encode(:json), Older.decode(FULL.encode(other, **options), other, unknown: :keep).encode(:json)
    end
  end

  def test_an_unknown_variant_is_kept
    newer = NewerChoice.text("new")
    kept = keep('{"number":null,"text" : "new" ,"later":null}', Choice)

    assert_equal [nil, nil, true], [kept.field, kept.value, kept.unknown?]
    assert_equal newer.encode(:json), kept.encode(:json)
    assert_equal kept, Marshal.load(Marshal.dump(kept))
    assert_equal newer, NewerChoice.decode(kept.encode(:json), :json)
    assert_predicate kept, :valid?
    [:compact, :message_pack].each do |other|
      error = assert_raises(Sparpack::EncodeError::MissingField) { kept.encode(other) }
      assert_equal "an unknown field that was not kept", error.found
      foreign = Choice.decode(newer.encode(other), other, unknown: :keep)
      assert_raises(Sparpack::EncodeError::MissingField) { foreign.encode(:json) }
    end
    assert_raises(Sparpack::DecodeError::Malformed) { keep('{"text":"x","more":1}', Choice) }
    assert_equal '{"number":1}', kept.with(number: 1).encode(:json)
  end

  # In the text of a key, quotes and backslashes are escaped once more.
  def test_in_keys_of_maps
    text = '{"counts":{"{\"x\":[1,\"a\\\\\\\\b\\\\n\"]}":1,"{ \"names\" : [],\n\"x\" : { } }":2}}'.gsub("\n", '\n')
    kept = keep(text, Keyed)

    assert_equal [1, 2], kept.counts.values
    assert_equal '{"x":[1,"a\\\\b\n"]}', kept.counts.keys[0].encode(:json)
    assert_equal '{"counts":{"{\"x\":[1,\"a\\\\\\\\b\\\\n\"]}":1,"{\"names\":[],\"x\":{}}":2}}', kept.encode(:json)
    assert_equal kept, keep(kept.encode(:json), Keyed)
    assert_predicate kept.counts.keys[0], :frozen?
  end

  def test_in_exceptions
    kept = keep('{"x":1,"message":"text"}', Gone)

    assert_equal ["text", '{"message":"text","x":1}'], [kept.message, kept.encode(:json)]
    assert_equal '{"message":"text","x":1}', Marshal.load(Marshal.dump(kept)).encode(:json)
  end

  def test_what_is_no_json_is_not_kept
    ['{"x":"\ud800"}', "{\"x\":\"\xff\"}", "{\"\xff\":1}", '{"\ud800":1}', '{"x":01}', '{"x":[1,]}', '{"x":{"a"}}',
     '{"x":tru}', '{"x":{a:1}}', '{"x" 1}', '{"x":1 2}', '{"x":}', "{\"x\":\"\n\"}", '{"x":[}',
     "{\"x\":\u00a01}"].each do |bad|
      [{}, { utf8: :keep }].each do |options|
        error = assert_raises(Sparpack::DecodeError, bad) { keep(bad, **options) }

        assert_instance_of Sparpack::DecodeError::Malformed, error, bad
      end
    end
  end

  def test_faults_of_known_fields_beside_kept_ones
    kept = keep(FULL.encode(:json), Needy)
    error = assert_raises(Sparpack::EncodeError::MissingField) { kept.with(nested: nil).encode(:json) }
    assert_equal "UnknownJsonTest::Needy.nested", error.path
    error = assert_raises(Sparpack::EncodeError::TypeMismatch) { kept.with(names: ["a", 1]).encode(:json) }
    assert_equal "UnknownJsonTest::Needy.names[1]", error.path
  end

  def test_limits_hold_for_what_is_kept_both_ways
    text = '{"x":{"abcdef":[[1,2,3],{"a":1,"b":2,"c":3}]}}'
    { string: [6, 5], container: [3, 2], depth: [4, 3] }.each do |limit, (enough, less)|
      kept = keep(text, limits: Sparpack::Limits.new(limit => enough))
      limits = Sparpack::Limits.new(limit => less)

      %i[keep skip].each do |unknown|
        assert_raises(Sparpack::DecodeError::LimitExceeded, limit) { Oldest.decode(text, :json, unknown:, limits:) }
      end
      error = assert_raises(Sparpack::EncodeError::LimitExceeded, limit) { kept.encode(:json, limits:) }
      assert_includes error.expected, less.to_s
    end
    ["{#{(1..1000).map { |i| "\"#{i}\":1" }.join(",")}}", "{\"x\":[#{"1," * 9999}1]}", "{\"#{"x" * 9000}\":1}",
     "{\"#{'\u0001' * 1500}\":1}"].each do |many|
      assert_raises(Sparpack::DecodeError::LimitExceeded) { keep(many, limits: Sparpack::Limits.new(memory: 10_000)) }
      assert_predicate keep(many), :unknown?
    end
  end

  # Dumps may hold anything.
  def test_damaged_ones_are_refused
    good = Sparpack::Native.unknown(keep('{"b":"ü", "a\"":[1, 2]}'))

    assert_equal '{"a\"":[1,2],"b":"ü"}'.b, good
    ["{", "{}", '{"a"}', '{"a":}', '{"a":1', '{"a":1}}', '{"a":1} ', '{ "a":1}', '{"a" :1}', '{"a": 1}', '{"a":1 }',
     '{"a":[1, 2]}', "{\"a\":{\n}}", '{"b":1,"a":1}', '{"a":1,"a":2}', '{"a":1,}', '{,"a":1}', '{"a":null}', '{"\u0061":1}',
     '{"\/":1}', '{"\u00e9":1}', '{"a"', '{"a":1,"b"',
     '{"\u000a":1}', '{"\u000B":1}', '{"a":1,"\u0062":1}', '{"a":01}', "{\"a\":\"\xff\"}", "{\"\xff\":1}", '{"a":"\ud800"}',
     "{\"a\":#{"[" * 2000}#{"]" * 2000}}"].each do |bad|
      assert_raises(ArgumentError, bad) { Oldest.allocate.marshal_load([{}, bad.b]) }
    end
    Oldest.allocate.marshal_load([{}, good])
    Choice.allocate.marshal_load([{}, '{"a":1}'.b])
    assert_raises(ArgumentError) { Choice.allocate.marshal_load([{}, good]) }
  end
end
