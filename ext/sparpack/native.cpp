// The extension's entry point. It calls the init function of each part, in order.
#include "glue/embedded.hpp"
#include "glue/nan.hpp"
#include "glue/native_module.hpp"
#include "glue/untyped.hpp"
#include "objects/slab.hpp"
#include "plan/codec_facts.hpp"

namespace sparpack {

void text_init();
void costs_init();
void floats_init();
void sets_init();
bool nan_in_instance(NanSearch &search, VALUE object);
void fault_init(VALUE sparpack);
void io_init();
void plan_init(VALUE sparpack);
void link_init();
void accessors_init();
void storage_init();
void value_init(VALUE sparpack);
void codec_init(VALUE sparpack, LazyDecode lazy_decode);
CodecFacts codec_facts(VALUE codec);
void codec_embed(VALUE codec, VALUE object, OutputTarget &target);
VALUE codec_extract(VALUE codec, Embedded &payload);
void native_text_init(VALUE sparpack);
void sparsam_init();
void foreign_thrift_init();
void to_hash_init(VALUE sparpack);
void from_hash_init();
void payload_end_init();
void count_init(CodecFactsOf codec_facts, PayloadEndOf payload_end);
void json_elements_init();
void guess_init();
void untyped_init(UntypedPack pack, UntypedUnpack unpack);
VALUE message_pack_untyped(VALUE value, int depth, bool utf8_keep, Fault &fault);
const uint8_t *message_unpack_untyped(Input &in, const uint8_t *p, VALUE *out, UntypedLimits &limits, Fault &fault);
void embedded_init(EmbeddedWrite write, EmbeddedRead read);
void key_cache_init();
void message_pack_init();
void message_pack_to_json_init();
void json_to_message_pack_init();
void converter_init(VALUE sparpack, CodecFactsOf codec_facts, PayloadEndOf payload_end);
const uint8_t *scan_payload_end(const Link *link, WireId wire, const Options &options, const uint8_t *begin,
                                const uint8_t *end);
void annotator_init();
VALUE lazy_decode(const CodecFacts &facts, VALUE codec, VALUE source, size_t offset, size_t *next, Embedded *embedded);
void lazy_decoding_init(VALUE sparpack);
void codec_dig_init(VALUE sparpack);
void codec_patch_init(VALUE sparpack);
void columns_init();
#ifdef SPARPACK_ABLATION
void technique_init();
#endif

}  // namespace sparpack

extern "C" __attribute__((visibility("default"))) void Init_native() {
    using namespace sparpack;
    rb_ext_ractor_safe(true);
    VALUE sparpack = rb_const_get(rb_cObject, rb_intern("Sparpack"));
    VALUE version = rb_obj_freeze(rb_usascii_str_new_cstr(SPARPACK_VERSION));
    native_init(sparpack);
    rb_define_const(native_module(), "VERSION", version);
    // The Ruby part is another version, which may lack what is used below. It raises an error
    // (lib/sparpack/native/loading.rb).
    if (!rb_equal(rb_const_get(sparpack, rb_intern("VERSION")), version)) return;
#ifndef TYPED_DATA_EMBEDDED
    slab_init();
#endif
    text_init();
    costs_init();
    floats_init();
    sets_init();
    nan_init(nan_in_instance);
    fault_init(sparpack);
    io_init();
    plan_init(sparpack);
    link_init();
    accessors_init();
    storage_init();
    value_init(sparpack);
    codec_init(sparpack, lazy_decode);
    untyped_init(message_pack_untyped, message_unpack_untyped);
    native_text_init(sparpack);
    sparsam_init();
    foreign_thrift_init();
    to_hash_init(sparpack);
    from_hash_init();
    payload_end_init();
    count_init(codec_facts, scan_payload_end);
    json_elements_init();
    guess_init();
    embedded_init(codec_embed, codec_extract);
    key_cache_init();
    message_pack_init();
    message_pack_to_json_init();
    json_to_message_pack_init();
    converter_init(sparpack, codec_facts, scan_payload_end);
    annotator_init();
    lazy_decoding_init(sparpack);
    codec_dig_init(sparpack);
    codec_patch_init(sparpack);
    columns_init();
#ifdef SPARPACK_ABLATION
    technique_init();
#endif
}
