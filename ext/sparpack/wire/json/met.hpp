// What stands where JSON has gone wrong, in words. Nothing of a string is shown, and outside of strings one character.
#pragma once

#include <cstdio>

#include "scan.hpp"

namespace sparpack {

struct JsonMet {
    const char *expected = nullptr;  // if the status does not say it well
    const char *advice = nullptr;
    char found[80] = "";
    char more[80] = "";  // follows what was found
};

// The bytes around the fault.
struct JsonMeeting {
    const uint8_t *begin, *at, *end;
    JsonMet &met;

    bool starts(const char *text) const {
        size_t size = strlen(text);
        return static_cast<size_t>(end - at) >= size && memcmp(at, text, size) == 0;
    }

    // The byte before this one and the white space before it; 0 if there is none.
    uint8_t before() const {
        const uint8_t *p = at;
        while (p > begin && JsonText::is_space(p[-1])) p--;
        return p > begin ? p[-1] : uint8_t{0};
    }

    bool is(const char *text) const { return snprintf(met.found, sizeof met.found, "%s", text), true; }

    // Shows the character, and says more about it.
    bool is_character(const char *more = "") const {
        uint8_t byte = *at;
        if (byte == '"' || byte == '\\') return snprintf(met.found, sizeof met.found, "\"\\%c\"%s", byte, more), true;
        if (byte > ' ' && byte < 0x7f) return snprintf(met.found, sizeof met.found, "\"%c\"%s", byte, more), true;
        if (byte < 0x80) return snprintf(met.found, sizeof met.found, "the control character U+%04X", byte), true;
        if (starts("\xef\xbb\xbf")) return is("a byte order mark");
        ptrdiff_t size = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
        if (end - at < size && byte >= 0xc2 && byte <= 0xf4) return is("the beginning of a character that is not ASCII");
        if (end - at < size || utf8_check(at, static_cast<size_t>(size)) == Text::broken)
            return is("a byte that is not UTF-8");
        uint32_t code = byte & (0x7fu >> size);
        for (ptrdiff_t i = 1; i < size; i++) code = code << 6 | (at[i] & 0x3fu);
        return snprintf(met.found, sizeof met.found, "the character U+%04X", code), true;
    }

    // What is the same mistake wherever it stands.
    bool anywhere() const {
        if (*at == '\'') return is_character(" (strings are in double quotes)");
        if (*at == '#' || starts("//") || starts("/*")) return is_character(" (JSON has no comments)");
        return false;
    }

    bool is_letter() const { return (*at | 0x20u) - 'a' < 26u || *at == '_' || *at == '$'; }

    bool value() const {
        if (anywhere()) return true;
        if (starts("NaN")) return is("NaN without quotes");
        if (starts("Infinity")) return is("Infinity without quotes");
        if ((*at == ']' || *at == '}') && before() == ',')
            return is_character(" behind a comma (JSON has no trailing commas)");
        if (*at == '+') return is_character(" (a number has no plus sign)");
        if (*at == '.') return is_character(" (a number begins with a digit)");
        return is_character(is_letter() ? " (a word other than true, false and null)" : "");
    }

    bool name() const {
        if (anywhere()) return true;
        if (*at == '}' && before() == ',') return is_character(" behind a comma (JSON has no trailing commas)");
        return is_character(is_letter() || is_digit(*at) ? " (a name without quotes)" : "");
    }

    bool separator() const {
        bool begins = JsonScan::name_of(*at) != nullptr;
        return anywhere() || is_character(begins ? " (is a comma missing?)" : "");
    }

    bool number() const {
        bool zero = at > begin && at[-1] == '0' && is_digit(*at);
        if (zero && (at - begin == 1 || !is_digit(at[-2]))) return is("a number that begins with 0");
        if (at > begin && at[-1] == '-' && starts("Infinity")) return is("-Infinity without quotes");
        return is_character();
    }

    // These bytes have a name, so a character is only added.
    bool trailing() const {
        if (*at == '{') met.advice = " (to read several objects, use decode_each)";
        if (!anywhere()) is_character();
        snprintf(met.more, sizeof met.more, " that begin with %.60s", met.found);
        return met.found[0] = '\0', true;
    }
};

// Returns false if the status says all.
SPARPACK_COLD inline bool json_met(const Input &in, const uint8_t *begin, bool thrift, JsonMet *met) {
    if (in.at >= in.end) return false;
    JsonMeeting meeting{begin, in.at, in.end, *met};
    switch (in.status) {
    case Status::bad_json:
        if (thrift) return meeting.anywhere() || meeting.is_character();
        met->expected = "a value";
        return meeting.value();
    case Status::json_name: return meeting.name();
    case Status::json_colon: return meeting.anywhere() || meeting.is_character();
    case Status::json_separator: return meeting.separator();
    case Status::json_number: return meeting.number();
    case Status::trailing_bytes: return meeting.trailing();
    default: return false;
    }
}

}  // namespace sparpack
