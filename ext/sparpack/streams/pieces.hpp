// What the threads of a crew have made of the payloads in a source, by places: each thread notes it for itself, and the
// caller puts it in order.
#pragma once

#include <cstdlib>

#include "../bytes/base.hpp"

namespace sparpack {

// Payloads that follow one another in the source.
struct Piece {
    size_t begin, end;  // in the source
    size_t place;       // of what was made of them, wherever the thread keeps that
    size_t size;        // of that
    bool left;          // to the caller; this is one payload then, and nothing was made of it
};

// Those of a thread. It does its parts in the order of the source.
struct Pieces {
    Piece *all;
    size_t count, room;
    size_t taken;
};

// Adds a piece. It is joined with the one before it if they have no more than `most` bytes of the source together. Returns
// false if there is no memory.
inline bool pieces_add(Pieces &pieces, const Piece &piece, size_t most) {
    if (pieces.count > 0 && !piece.left) {
        Piece &last = pieces.all[pieces.count - 1];
        if (!last.left && last.end == piece.begin && piece.end - last.begin <= most) {
            last.end = piece.end;
            last.size += piece.size;
            return true;
        }
    }
    if (pieces.count == pieces.room) {
        const size_t room = pieces.room ? 2 * pieces.room : 64;
        void *all = realloc(pieces.all, room * sizeof(Piece));
        if (!all) return false;
        pieces.all = static_cast<Piece *>(all);
        pieces.room = room;
    }
    pieces.all[pieces.count++] = piece;
    return true;
}

// Takes the piece that begins at a place in the source, or returns nullptr if the thread has none.
inline const Piece *pieces_take(Pieces &pieces, size_t at) {
    if (pieces.taken == pieces.count || pieces.all[pieces.taken].begin != at) return nullptr;
    return &pieces.all[pieces.taken++];
}

}  // namespace sparpack
