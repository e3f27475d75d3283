// For files whose code is better small than fast. They include this file before all others, and are linked last
// (extconf.rb).
#pragma once

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("Os")
#endif
