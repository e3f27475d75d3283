# frozen_string_literal: true

require "stringio"

# Wrong calls of MessagePack, each with a name, for the msgpack gem and the drop-in. Writes their results, or what they
# raise, to the file that the last argument names.
# rubocop:disable all -- a table
M = MessagePack
class Point; attr_reader :x; def initialize(x = 1) = @x = x; end
C = {}
def c(name, &block) = C[name] = block
big = 2**64
c("pack big"){M.pack(big)}
c("pack -big"){M.pack(-2**63-1)}
c("pack huge"){M.pack(2**200)}
c("pack nested big"){M.pack([1,{"a"=>big}])}
c("big.to_msgpack"){big.to_msgpack}
c("packer.write big"){M::Packer.new.write(big)}
c("write_int big"){M::Packer.new.write_int(big)}
c("write_int -big"){M::Packer.new.write_int(-2**64)}
c("pack object"){M.pack(Point.new)}
c("pack basic"){M.pack(BasicObject.new)}
c("pack nested object"){M.pack([Point.new])}
c("pack none"){M.pack}
c("pack 4"){M.pack(1,2,3,4)}
c("unpack none"){M.unpack}
c("unpack 3"){M.unpack("x",{},{})}
c("unpack empty"){M.unpack("")}
c("unpack short"){M.unpack("\x92\x01")}
c("unpack c1"){M.unpack("\xc1")}
c("unpack nested c1"){M.unpack("\x91\xc1")}
c("unpack trailing"){M.unpack("\x01\x02")}
c("unpack trailing3"){M.unpack("\x01\x02\x03")}
c("unpack ext"){M.unpack("\xd4\x05\x00")}
c("unpack ext neg"){M.unpack("\xd4\xff\x00")}
c("unpack deep"){M.unpack("\x91"*200)}
c("pack deep"){a=[];200.times{a=[a]}; M.unpack(M.pack(a))}
c("unpack bad symbol"){M.unpack("\x81\xa1\xff\x01", symbolize_keys: true)}
c("unpack opts 5"){M.unpack("\x01",5)}
c("unpack opts str"){M.unpack("\x01","x")}
c("unpack 5"){M.unpack(5)}
c("unpack nil"){M.unpack(nil)}
c("pack opts str"){M.pack(1,nil,"x")}
c("pack opts 5"){M.pack(1,nil,5)}
c("Packer opts 5"){M::Packer.new(nil,5)}
c("Packer 3"){M::Packer.new(1,2,3)}
c("Unpacker opts 5"){M::Unpacker.new(nil,5)}
c("Unpacker 3"){M::Unpacker.new(1,2,3)}
c("Buffer opts 5"){M::Buffer.new(nil,5)}
c("Buffer 3"){M::Buffer.new(1,2,3)}
c("Buffer size str"){M::Buffer.new(io_buffer_size: "x")}
[:write_string,:write_array,:write_hash,:write_symbol,:write_int,:write_bin,:write_float,:write_float32,:write_extension,:write_array_header,:write_map_header,:write_bin_header].each do |n|
  {nil: nil, int: 1, float: 1.5, str: "a", sym: :a, arr: [], hash: {}, obj: Point.new, neg: -1, big: big, p32: 2**32}.each do |k,v|
    c("#{n} #{k}"){ M::Packer.new.public_send(n,v).to_s }
  end
  c("#{n} none"){ M::Packer.new.public_send(n) }
end
[[128,""],[-129,""],["x",""],[1,1],[1,nil],[1.5,"a"],[nil,"a"],[big,"a"]].each{|a| c("write_ext #{a.inspect[0,30]}"){M::Packer.new.write_ext(*a).to_s}}
c("write_extension bad type"){M::Packer.new.write_extension(M::ExtensionValue.new("a","b"))}
c("write_extension 200"){M::Packer.new.write_extension(M::ExtensionValue.new(200,"b"))}
c("write_extension payload"){M::Packer.new.write_extension(M::ExtensionValue.new(1,5))}
c("pack extension payload nil"){M.pack(M::ExtensionValue.new(1,nil))}
c("pack extension 200"){M.pack(M::ExtensionValue.new(200,"a"))}
[5,nil,:a,[],Point.new].each{|v| c("feed #{v.class}"){M::Unpacker.new.feed(v)}; c("feed_each #{v.class}"){M::Unpacker.new.feed_each(v){}}; c("feed_reference #{v.class}"){M::Unpacker.new.feed_reference(v)}; c("pool.load #{v.class}"){M::Factory.new.pool.load(v)}; c("buffer << #{v.class}"){M::Buffer.new << v}; c("buffer.write #{v.class}"){M::Buffer.new.write v}; c("factory.load #{v.class}"){M::Factory.new.load(v)}; c("Timestamp.from #{v.class}"){M::Timestamp.from_msgpack_ext(v)}; c("Timestamp.to #{v.class}"){M::Timestamp.to_msgpack_ext(v,v)}; c("Bigint.from #{v.class}"){M::Bigint.from_msgpack_ext(v)}; c("Bigint.to #{v.class}"){M::Bigint.to_msgpack_ext(v)}}
c("read empty"){M::Unpacker.new.read}
c("read short"){M::Unpacker.new.feed("\x92\x01").read}
c("read c1"){M::Unpacker.new.feed("\xc1").read}
c("skip empty"){M::Unpacker.new.skip}
c("skip_nil empty"){M::Unpacker.new.skip_nil}
c("skip short"){M::Unpacker.new.feed("\x92").skip}
c("array_header empty"){M::Unpacker.new.read_array_header}
c("array_header wrong"){M::Unpacker.new.feed("\x01").read_array_header}
c("map_header wrong"){M::Unpacker.new.feed("\x01").read_map_header}
c("array_header map"){M::Unpacker.new.feed("\x80").read_array_header}
c("map_header arr"){M::Unpacker.new.feed("\x90").read_map_header}
c("full extra"){M::Unpacker.new.feed("\x01\x02").full_unpack}
c("full empty"){M::Unpacker.new.full_unpack}
c("read ext"){M::Unpacker.new.feed("\xd4\x05\x00").read}
c("read deep"){M::Unpacker.new.feed("\x91"*200).read}
c("unpacker.dup"){M::Unpacker.new.dup}
c("packer.dup"){M::Packer.new.dup}
c("packer.clone"){M::Packer.new.clone}
c("buffer.dup"){M::Buffer.new.dup}
f = ->{M::Factory.new}
c("reg none"){f.().register_type}
c("reg 1"){f.().register_type(1)}
c("reg class 5"){f.().register_type(1,5)}
c("reg class nil"){f.().register_type(1,nil)}
c("reg class str"){f.().register_type(1,"Point")}
[128,-129,"x",nil,1.5,:a,big].each{|t| c("reg type #{t.inspect[0,12]}"){f.().register_type(t,Point,packer: :x, unpacker: ->(_){})}; c("packer reg type #{t.inspect[0,12]}"){M::Packer.new.register_type(t,Point){}}; c("unpacker reg type #{t.inspect[0,12]}"){M::Unpacker.new.register_type(t){}}}
c("reg defaults"){f.().register_type(1,Point)}
c("reg packer 5"){f.().register_type(1,Point,packer: 5)}
c("reg unpacker 5"){f.().register_type(1,Point,unpacker: 5)}
c("reg packer obj"){f.().register_type(1,Point,packer: Point.new)}
c("reg unpacker sym missing"){f.().register_type(1,Point,packer: :x, unpacker: :nope)}
c("reg packer sym missing"){x=f.(); x.register_type(1,Point,packer: :nope, unpacker: ->(_){}); x.dump(Point.new)}
c("reg packer nonstring"){x=f.(); x.register_type(1,Point,packer: ->(_){5}, unpacker: ->(_){}); x.dump(Point.new)}
c("reg packer nil ret"){x=f.(); x.register_type(1,Point,packer: ->(_){nil}, unpacker: ->(_){}); x.dump(Point.new)}
c("reg opts 5"){f.().register_type(1,Point,5)}
c("reg opts str"){f.().register_type(1,Point,"x")}
c("reg oversized"){f.().register_type(1,Point,packer: :x, unpacker: :new, oversized_integer_extension: true)}
c("reg frozen"){f.().freeze.register_type(1,Point,packer: :x)}
c("default frozen pool packer"){f.().pool.packer{|q| q.register_type(1,Point,:x)}}
c("default frozen pool unpacker"){f.().pool.unpacker{|q| q.register_type(1){}}}
c("packer reg class"){M::Packer.new.register_type(1,5,:x)}
c("packer reg none"){M::Packer.new.register_type(1)}
c("packer reg no block"){M::Packer.new.register_type(1,Point)}
c("packer reg hash"){M::Packer.new.register_type(1,Point,{packer: :x})}
c("packer reg int"){M::Packer.new.register_type(1,Point,5)}
c("unpacker reg none"){M::Unpacker.new.register_type(1)}
c("unpacker reg no args"){M::Unpacker.new.register_type}
c("unpacker reg missing"){M::Unpacker.new.register_type(1,Point,:nope)}
c("unpacker reg klass"){M::Unpacker.new.register_type(1,Point)}
c("types sel"){f.().registered_types(:x)}
c("typed? 1.5"){f.().type_registered?(1.5)}
c("typed? sel"){f.().type_registered?(1,:x)}
c("packer typed?"){M::Packer.new.type_registered?("a")}
c("unpacker typed?"){M::Unpacker.new.type_registered?(nil)}
c("pool neg"){f.().pool(-1)}
c("pool 0"){f.().pool(0).dump(1)}
c("pool str"){f.().pool("x")}
c("pool.dump none"){f.().pool.dump}
c("pool.dump 2"){f.().pool.dump(1,2)}
c("pool.packer noblock"){f.().pool.packer}
c("factory.packer 3"){f.().packer(1,2,3)}
c("factory.unpacker 3"){f.().unpacker(1,2,3)}
c("factory.dump none"){f.().dump}
c("factory.load none"){f.().load}
c("factory.load 3"){f.().load("x",1,2)}
b=->{M::Buffer.new.tap{|x| x<<"abc"}}
[-1,"x",nil,1.5,5,big].each{|n| %i[read read_all skip skip_all].each{|m| c("buffer.#{m} #{n.inspect[0,8]}"){b.().public_send(m,n)}}}
c("buffer.read into 5"){b.().read(1,5)}
c("buffer.read into frozen"){b.().read(1,"".freeze)}
c("buffer.read_all into 5"){b.().read_all(1,5)}
c("buffer.write_to nil"){b.().write_to(nil)}
c("buffer.write_to obj"){b.().write_to(Point.new)}
c("buffer.close"){b.().close}
c("buffer.flush"){b.().flush.class.name}
c("packer.flush obj"){M::Packer.new(Point.new).write(1).flush}
c("pack to obj"){M.pack(1,Point.new)}
c("pack to 5"){M.pack(1,5)}
c("unpack obj"){M.unpack(Point.new)}
c("unpacker closed io"){io=StringIO.new("x"); io.close; M::Unpacker.new(io).read}
c("pack closed io"){io=StringIO.new; io.close; M.pack(1,io)}
c("frozen io"){M.pack(1,"".freeze)}
c("Timestamp bad size"){M::Timestamp.from_msgpack_ext("12345")}
c("Timestamp.new none"){M::Timestamp.new}
c("Timestamp.new 1"){M::Timestamp.new(1)}
c("Timestamp.new 3"){M::Timestamp.new(1,2,3)}
c("ExtensionValue 3"){M::ExtensionValue.new(1,2,3)}
c("ext bad ts"){x=f.(); x.register_type(-1,Time,packer: M::Time::Packer, unpacker: M::Time::Unpacker); x.load("\xc7\x05\xff12345")}
c("bigint reg small"){x=f.(); x.register_type(1,Integer,packer: M::Bigint.method(:to_msgpack_ext), unpacker: M::Bigint.method(:from_msgpack_ext)); x.dump(big)}
c("to_msgpack arity"){1.to_msgpack(1,2)}
c("obj.to_msgpack"){Point.new.to_msgpack}
c("CoreExt without"){Class.new{include M::CoreExt}.new.to_msgpack}
c("str bad enc"){M.pack("\xff".dup.force_encoding("utf-16le"))}
c("str unconvertible"){M.pack("\xE9".dup.force_encoding("us-ascii"))}
c("str bad utf8"){M.pack("\xff")}
c("str dummy enc"){M.pack("a".dup.force_encoding("utf-7"))}
c("to_msgpack raises"){o=Object.new; def o.to_msgpack(_)=raise("x"); M.pack([o])}
c("to_msgpack 0"){o=Object.new; def o.to_msgpack() = 1; M.pack([o])}
c("packer.nope"){M::Packer.new.nope}
c("unpacker each int"){M::Unpacker.new.each(1){}}
c("symbol ext"){Symbol.from_msgpack_ext(5)}

simple = ->(value) { value.is_a?(String) || value.is_a?(Integer) || [nil, true, false].include?(value) ? value : value.class.name }
answers = C.transform_values do |call|
  [:ok, simple.call(call.call)]
rescue Exception => e
  message = e.respond_to?(:original_message) ? e.original_message : e.message
  [e.class.name, message.gsub(/0x\h+/, "0x")]
end
File.binwrite(ARGV.last, Marshal.dump(answers))
# rubocop:enable all
