// What fills columns, with and without Ruby's lock.
#pragma once

#include "column.hpp"

namespace sparpack {

Columns &columns_get(VALUE self);

// Returns the end of a payload that it took, or nullptr if it took nothing.
const uint8_t *columns_take_scanned(ColumnScan &s);

// Tells Ruby's garbage collector how large packed columns are now. Without this, it would not see a reason to collect them.
void columns_count_memory(Columns &c);

}  // namespace sparpack
