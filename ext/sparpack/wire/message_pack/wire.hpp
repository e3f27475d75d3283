// MessagePack as a wire of structs. A struct is an array, in which the ids are positions, or a map, whose keys are names or
// ids. A writer writes one of these forms. A reader reads all of them, because the first byte of a struct says which it is.
//
//   array    [f0, f1, …], as MessagePack-CSharp writes classes with integer keys. nil stands for an absent field and for an
//            id that no field has
//   names    {"name" => value}, absent fields are left out
//   ids      {id => value}, the same
//   union    [id, value] among arrays, otherwise a map with one entry
//   set      an array
//   uuid     str with its 36 characters; bin with its 16 bytes is read, too
#pragma once

#include "reader.hpp"

namespace sparpack {

// What the writers of all forms share.
struct MessagePackForms : MessagePackReader {
    static SPARPACK_INLINE uint8_t *close_struct(Writer &, uint8_t *p, Frame &) { return p; }

    static SPARPACK_INLINE uint8_t *write_bool(Writer &w, uint8_t *p, Frame *, bool value) {
        return writer_put(w, p, static_cast<uint8_t>(M::false_byte | uint8_t{value}));
    }
    static SPARPACK_INLINE uint8_t *write_i8(Writer &w, uint8_t *p, int64_t value) { return M::write_integer(w, p, value); }
    static SPARPACK_INLINE uint8_t *write_i16(Writer &w, uint8_t *p, int64_t value) { return M::write_integer(w, p, value); }
    static SPARPACK_INLINE uint8_t *write_i32(Writer &w, uint8_t *p, int64_t value) { return M::write_integer(w, p, value); }
    static SPARPACK_INLINE uint8_t *write_i64(Writer &w, uint8_t *p, int64_t value) { return M::write_integer(w, p, value); }
    static SPARPACK_INLINE uint8_t *write_double(Writer &w, uint8_t *p, double value) {
        return M::write_double(w, p, value);
    }

    static SPARPACK_INLINE uint8_t *put_bytes(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        writer_check(w, p, size);
        copy_bytes(p, data, size);
        return p + size;
    }
    static SPARPACK_INLINE uint8_t *write_text(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        return put_bytes(w, M::write_str(w, p, size), data, size);
    }
    static SPARPACK_INLINE uint8_t *write_binary(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        return put_bytes(w, M::write_bin(w, p, size), data, size);
    }

    // Copies string_short bytes at once. What follows in the output overwrites the excess.
    static SPARPACK_INLINE uint8_t *write_short_text(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        p = writer_put(w, p, static_cast<uint8_t>(M::fixstr | size));
        writer_check(w, p, string_short);
        memcpy(p, data, string_short);
        return p + size;
    }

    static uint8_t *write_uuid(Writer &w, uint8_t *p, const uint8_t *bytes) {
        p = M::write_str(w, p, uuid_text);
        writer_check(w, p, uuid_text);
        uuid_format(bytes, reinterpret_cast<char *>(p));
        return p + uuid_text;
    }

    static SPARPACK_INLINE uint8_t *write_list(Writer &w, uint8_t *p, WireType, size_t count) {
        return M::write_array(w, p, count);
    }
    static SPARPACK_INLINE uint8_t *write_map(Writer &w, uint8_t *p, WireType, WireType, size_t count) {
        return M::write_map(w, p, count);
    }
};

// One form, as it is written.
template <Keys form> struct MessagePackForm : MessagePackForms {
    static constexpr WireTraits traits = [] {
        WireTraits wire{};
        wire.fields = form == Keys::array ? FieldsBy::position : form == Keys::names ? FieldsBy::name : FieldsBy::id;
        wire.opens_structs = true;
        wire.counts_fields = true;
        wire.keeps = Kept::entries;
        wire.leaves_holes = form == Keys::array;
        wire.prepares_names = true;
        wire.untyped = true;
        wire.enum_names = true;
        wire.compression = true;
        wire.keys = form;
        wire.form_of = form == Keys::array ? nullptr : "message_pack";
        wire.a_struct = "an array or a map";
        return wire;
    }();

    using Key = MessagePackForm;
    using Reader = MessagePackForm<Keys::array>;
    // Maps are written alike, whatever their prepared keys are.
    using WrittenAs = MessagePackForm<form == Keys::ids ? Keys::names : form>;

    static Header header(const FieldFacts &field) {
        if (!field.name) return {nullptr, 1, 0, never, field.index ? static_cast<uint32_t>(field.before + 1) : 0};
        int32_t holes = field.index ? field.id - field.before - 1 : field.id;
        return {nullptr, 0, 0, field.id, static_cast<uint32_t>(holes < 0 ? 0 : holes)};
    }

    static constexpr size_t words = 16;  // keys are written in two words, behind which there is room
    static constexpr size_t name_room(size_t size) { return form == Keys::ids ? header_max : string_room(size); }
    static size_t prepare_name(const FieldFacts &field, uint8_t *to) {
        const FieldName &name = *field.name;
        Writer w{};
        w.begin = to;
        w.end = to + name_room(name.size);
        uint8_t *p = writer_reserve(w, to, name_room(name.size));
        if (form == Keys::ids) return static_cast<size_t>(M::write_integer(w, p, field.id) - to);
        return static_cast<size_t>(write_text(w, p, name.data, name.size) - to);
    }

    // How many positions a struct has. `end` stands behind its last field.
    static SPARPACK_INLINE size_t positions(const Header &end) { return end.holes; }

    using MessagePackForms::open_struct;
    static SPARPACK_INLINE uint8_t *open_struct(Writer &w, uint8_t *p, Frame &frame, size_t count, bool is_union) {
        frame.is_union = is_union;
        if (form == Keys::array) return M::write_array(w, p, is_union ? 2 : count);
        return M::write_map(w, p, count);
    }

    static SPARPACK_INLINE uint8_t *write_holes(Writer &w, uint8_t *p, uint32_t holes) {
        for (; SPARPACK_UNLIKELY(holes > 0); holes--) p = writer_put(w, p, M::nil_byte);
        return p;
    }

    static SPARPACK_INLINE uint8_t *write_known(Writer &w, uint8_t *p, const Frame &frame, const Header &header) {
        if (form != Keys::array) {
            writer_check(w, p, header.prepared_size + words);
            memcpy(p, header.prepared, words);
            if (SPARPACK_UNLIKELY(header.prepared_size > words)) memcpy(p, header.prepared, header.prepared_size);
            return p + header.prepared_size;
        }
        if (!frame.is_union) return write_holes(w, p, header.holes);
        return M::write_integer(w, p, header.id);
    }

    static SPARPACK_INLINE uint8_t *write_absent(Writer &w, uint8_t *p, const Frame &, const Header &header) {
        return writer_put(w, write_holes(w, p, header.holes), M::nil_byte);
    }
};

using MessagePackArray = MessagePackForm<Keys::array>;
using MessagePackNames = MessagePackForm<Keys::names>;
using MessagePackIds = MessagePackForm<Keys::ids>;

}  // namespace sparpack
