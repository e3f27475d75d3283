// Native threads that share work for which nobody needs Ruby's lock. The calling thread finds the parts of the work, in
// order, and does its share of them.
//
// What a crew calls runs without the lock, so it must not touch Ruby: no allocation of objects, no exceptions, no method
// calls. Objects that it reads must be pinned and frozen. The memory that it fills is that of malloc. If something cannot be
// done like this, it says so in its result, and the caller does it.
#pragma once

#include "../bytes/base.hpp"

namespace sparpack {

// The most threads. Ruby knows it as Ahead::THREADS.
constexpr int crew_max = 64;

// A part of the work: bytes of the source.
struct Batch {
    size_t begin, end;
};

struct Crew {
    // Finds the next part. Called in the calling thread alone. Returns false if there are no more.
    bool (*find)(Crew &crew, Batch *batch);

    // Does a part. `hand` is the number of the thread, from 0 on. Returns false if this thread is to do no more. A part that
    // takes long has to ask crew_is_stopped now and then.
    bool (*work)(Crew &crew, int hand, const Batch &batch);

    int size;      // threads, with the calling one
    bool stopped;  // atomic; an interrupt waits for the calling thread
};

SPARPACK_INLINE bool crew_is_stopped(const Crew &crew) { return __atomic_load_n(&crew.stopped, __ATOMIC_RELAXED); }

// Gives up Ruby's lock, and returns when the work is done or stopped. No thread of the crew is left then. Raises nothing: if
// it was stopped, Ruby handles the interrupt when the caller returns to Ruby code. Threads that cannot be started are done
// without.
void crew_run(Crew &crew);

}  // namespace sparpack
