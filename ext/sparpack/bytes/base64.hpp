// Base64 (RFC 4648). It writes the standard alphabet with padding, and reads the standard and the URL-safe one, with padding
// or without it. Reading is strict: each text means one sequence of bytes, and nothing else may stand between its digits.
#pragma once

#include "writer.hpp"

namespace sparpack {

// Returns the value of a digit of either alphabet, or -1.
int base64_digit(uint8_t byte);

// The size of the text that base64_write writes.
constexpr size_t base64_text_size(size_t size) { return (size + 2) / 3 * 4; }

// The caller has reserved base64_text_size(size) bytes.
uint8_t *base64_write(Writer &w, uint8_t *p, const uint8_t *data, size_t size);

// Finds how many bytes a text means, and leaves its padding out of *text_size. Returns false if no text has this size.
// Whether its characters are digits is seen when it is read.
bool base64_measure(const uint8_t *text, size_t *text_size, size_t *size);

// Reads the digits of a text that base64_measure has measured, and writes exactly as many bytes as it has said. `to` may be
// the place of the text itself. Returns false if something is no digit, or if the last digit has bits that belong to no
// byte.
bool base64_read(uint8_t *to, const uint8_t *text, size_t digits);

// Returns whether base64_read can read such digits.
bool base64_check(const uint8_t *text, size_t digits);

}  // namespace sparpack
