// What each format byte of MessagePack says.
#include "heads.hpp"

namespace sparpack {

const uint8_t *MessagePack::read_head(Input &in, const uint8_t *p, Item &item) {
    if (SPARPACK_UNLIKELY(p >= in.end)) return input_fail(in, Status::truncated, p);
    uint8_t byte = *p;
    if (byte < fixmap) return fixed(item, Head::positive, byte, p);
    if (byte >= negative_fixint)
        return fixed(item, Head::negative, static_cast<uint64_t>(int64_t{static_cast<int8_t>(byte)}), p);
    if (byte < fixarray) return fixed(item, Head::map, byte & 0x0f, p);
    if (byte < fixstr) return fixed(item, Head::array, byte & 0x0f, p);
    if (byte < nil_byte) return fixed(item, Head::str, byte & 0x1f, p);
    switch (byte) {
    case nil_byte: return fixed(item, Head::nil, 0, p);
    case false_byte: return fixed(item, Head::false_, 0, p);
    case true_byte: return fixed(item, Head::true_, 0, p);
    case bin8: return sized<uint8_t>(in, p, item, Head::bin);
    case bin8 + 1: return sized<uint16_t>(in, p, item, Head::bin);
    case bin8 + 2: return sized<uint32_t>(in, p, item, Head::bin);
    case ext8: return ext(in, p, item, sized<uint8_t>(in, p, item, Head::ext));
    case ext8 + 1: return ext(in, p, item, sized<uint16_t>(in, p, item, Head::ext));
    case ext8 + 2: return ext(in, p, item, sized<uint32_t>(in, p, item, Head::ext));
    case float32_byte: return sized<uint32_t>(in, p, item, Head::float32);
    case float64_byte: return sized<uint64_t>(in, p, item, Head::float64);
    case uint8_byte: return sized<uint8_t>(in, p, item, Head::positive);
    case uint16_byte: return sized<uint16_t>(in, p, item, Head::positive);
    case uint32_byte: return sized<uint32_t>(in, p, item, Head::positive);
    case uint64_byte: return sized<uint64_t>(in, p, item, Head::positive);
    case int8_byte: return signed_integer<int8_t, uint8_t>(in, p, item);
    case int16_byte: return signed_integer<int16_t, uint16_t>(in, p, item);
    case int32_byte: return signed_integer<int32_t, uint32_t>(in, p, item);
    case int64_byte: return signed_integer<int64_t, uint64_t>(in, p, item);
    case str8: return sized<uint8_t>(in, p, item, Head::str);
    case str16: return sized<uint16_t>(in, p, item, Head::str);
    case str32: return sized<uint32_t>(in, p, item, Head::str);
    case array16: return sized<uint16_t>(in, p, item, Head::array);
    case array32: return sized<uint32_t>(in, p, item, Head::array);
    case map16: return sized<uint16_t>(in, p, item, Head::map);
    case map32: return sized<uint32_t>(in, p, item, Head::map);
    default: break;
    }
    if (byte >= fixext1 && byte <= fixext16) {
        fixed(item, Head::ext, uint64_t{1} << (byte - fixext1), p);
        return ext(in, p, item, p + 1);
    }
    item.head = Head::reserved;
    return input_fail(in, Status::bad_format, p);
}

}  // namespace sparpack
