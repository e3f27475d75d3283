// Bytes that are not what they were when they were measured, because another thread has changed them meanwhile.
#include "bytes/base64.hpp"
#include "check.hpp"
#include "thrift_maker.hpp"
#include "values/merge.hpp"
#include "wire/json/scan.hpp"
#include "wire/thrift/compact.hpp"
#include "wire/thrift/events.hpp"
#include "wire/thrift/kept_copy.hpp"
#include "wire/walk.hpp"

using namespace sparpack;

namespace {

struct Item {
    uint64_t key;
    size_t place;
    Item *next;
};

// Sorts a list, and checks that none is lost, and the order if the comparison does not lie.
void sorts(Random &random, size_t count, bool lies) {
    Item items[100];
    for (size_t i = 0; i < count; i++) items[i] = {random.below(20), i, i + 1 < count ? &items[i + 1] : nullptr};
    auto comes_first = [&](const Item &a, const Item &b) { return lies ? random.below(2) == 1 : a.key < b.key; };
    size_t met = 0, places = 0;
    for (Item *item = merge_sorted(items, count, comes_first); item; item = item->next) {
        met++;
        places += item->place;
        if (lies || !item->next) continue;
        bool stays = item->key < item->next->key || (item->key == item->next->key && item->place < item->next->place);
        CHECK(stays, "%zu", count);
    }
    CHECK(met == count && places == count * (count - 1) / 2, "%zu of %zu", met, count);
}

// Text of which as many bytes are expected as it had before it was changed.
void texts(Random &random) {
    static const char *const pieces[] = {"a", "\\n", "\\u0041", "\\u20ac", "\\ud83d\\ude00", "\xc3\xa9", "abcdefghijklmnopq"};
    Bytes text;
    for (uint64_t i = random.below(12) + 1; i > 0; i--) {
        const char *piece = pieces[random.below(sizeof pieces / sizeof *pieces)];
        text.insert(text.end(), piece, piece + strlen(piece));
    }
    if (random.below(3) == 0) text[random.below(text.size())] = static_cast<uint8_t>("\"\\u\n"[random.below(4)]);
    Bytes whole(text.size());
    JsonText::unescape(whole.data(), whole.size(), text.data(), text.size());
    for (size_t length = 0; length <= whole.size(); length++) {
        Bytes part(length + !length);  // a sanitizer notices what is written beyond it
        JsonText::unescape(part.data(), length, text.data(), text.size());
        size_t same = 0;
        while (same < length && part[same] == whole[same]) same++;
        for (size_t i = same; i < length; i++) CHECK(part[i] == '?', "%zu of %zu", i, length);
        CHECK(length - same < 4, "%zu of %zu", same, length);
        JsonText::means(text.data(), text.size(), part.data(), length);
    }
}

void base64(Random &random) {
    Bytes data(random.below(100)), text(base64_text_size(data.size()) + 8);
    for (uint8_t &byte : data) byte = static_cast<uint8_t>(random.next());
    Writer w{};
    w.begin = text.data();
    w.end = w.begin + text.size();
    uint8_t *p = writer_reserve(w, w.begin, text.size());
    size_t size = static_cast<size_t>(base64_write(w, p, data.data(), data.size()) - text.data());
    if (size > 0 && random.below(3) == 0) text[random.below(size)] = static_cast<uint8_t>("=\\A\x80"[random.below(4)]);
    for (bool escaped : {false, true}) {
        for (size_t length = 0; length < data.size() + 8; length++) {
            Bytes to(length + !length, 1);
            JsonScan::base64_decode({text.data(), size, length, Text::broken, escaped}, to.data());
            for (size_t i = data.size(); i < length; i++) CHECK(to[i] == 0, "%zu of %zu", i, length);
        }
    }
}

// One value is measured and another one is copied.
size_t copies(const Bytes &one, const Bytes &other) {
    BinarySize measured;
    Input first(one.data(), one.size()), second(other.data(), other.size());
    CHECK(walk_whole<ThriftEvents<Compact>>(first, first.begin, measured, 20) != nullptr);
    Bytes room(measured.size + KeptCopy::room);
    KeptCopy copy(room.data(), measured.size);
    bool complete = walk_whole<ThriftEvents<Compact>>(second, second.begin, copy, 20) && copy.is_complete();
    CHECK(copy.copy.p <= room.data() + measured.size);
    CHECK(!complete || copy.copy.p == room.data() + measured.size);
    CHECK(complete || &one != &other);
    return complete;
}

}  // namespace

int main() {
    Random random{1};
    for (size_t i = 0; i < 400; i++) {
        sorts(random, 1 + i % 100, i % 2);
        texts(random);
        base64(random);
    }
    Bytes values[40];
    for (size_t i = 0; i < 40; i++) {
        Maker<Compact> maker(i);
        maker.fields(3);
        values[i] = maker.finish();
    }
    size_t complete = 0;
    for (const Bytes &one : values) {
        for (const Bytes &other : values) complete += copies(one, other);
    }
    CHECK(complete >= 40 && complete < 1600, "%zu", complete);
    return wrong > 0;
}
