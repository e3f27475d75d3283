#include "fused.hpp"

namespace sparpack {

// At most four pairs: each takes as much code as reading and writing all other pairs of a wire together.
FusedPair fused_pair(WireId from, WireId to) {
    switch (from) {
    case WireId::compact:
        switch (to) {
        case WireId::json: return fused_payload<Compact, Json>;
        case WireId::message_pack: return fused_payload<Compact, MessagePackArray>;
        case WireId::message_pack_names: return fused_payload<Compact, MessagePackNames>;
        default: return nullptr;
        }
    case WireId::json: return to == WireId::compact ? fused_payload<Json, Compact> : nullptr;
    default: return nullptr;
    }
}

}  // namespace sparpack
