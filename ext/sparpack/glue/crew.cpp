#include "crew.hpp"

#include <pthread.h>
#include <signal.h>

#include "../values/ruby.hpp"

#include <ruby/thread.h>

// glibc 2.34 gave these functions new versions when it moved them. The old ones are the same, and older systems have them.
#if defined(__GLIBC__) && !defined(SPARPACK_SANITIZE) && (defined(__x86_64__) || defined(__aarch64__))
#ifdef __x86_64__
#define SPARPACK_FIRST_VERSION(name) __asm__(".symver " #name "," #name "@GLIBC_2.2.5")
#else
#define SPARPACK_FIRST_VERSION(name) __asm__(".symver " #name "," #name "@GLIBC_2.17")
#endif
SPARPACK_FIRST_VERSION(pthread_create);
SPARPACK_FIRST_VERSION(pthread_join);
SPARPACK_FIRST_VERSION(pthread_sigmask);
SPARPACK_FIRST_VERSION(pthread_attr_setstacksize);
#endif

namespace sparpack {

namespace {

// What waits for a thread: more parts than threads, so that none of these waits while the calling one does a part.
constexpr size_t waiting_most = 2 * crew_max;

// Up to the usual depth of a payload, even the stack of a fiber is large enough, and it has a quarter of this.
#ifdef SPARPACK_SANITIZE
constexpr size_t stack_bytes = 8 << 20;
#else
constexpr size_t stack_bytes = 1 << 20;
#endif

struct Shift;

struct Member {
    Shift *shift;
    int number;
    pthread_t thread;
};

// One run of a crew.
struct Shift {
    Crew &crew;
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
    Batch waiting[waiting_most];  // a ring
    size_t first = 0, count = 0;
    bool closed = false;  // nothing will be added
    int started = 0;
    Member members[crew_max];

    explicit Shift(Crew &its_crew) : crew(its_crew) {}
};

// Returns false if enough parts wait now.
bool put(Shift &shift, const Batch &batch) {
    pthread_mutex_lock(&shift.lock);
    shift.waiting[(shift.first + shift.count++) % waiting_most] = batch;
    const bool more = shift.count < 2 * static_cast<size_t>(shift.crew.size);
    pthread_cond_signal(&shift.changed);
    pthread_mutex_unlock(&shift.lock);
    return more;
}

void close(Shift &shift) {
    pthread_mutex_lock(&shift.lock);
    shift.closed = true;
    pthread_cond_broadcast(&shift.changed);
    pthread_mutex_unlock(&shift.lock);
}

// Takes a part that waits. Returns false at the end. The calling thread does not wait for one.
bool take(Shift &shift, Batch *batch, bool waits) {
    pthread_mutex_lock(&shift.lock);
    while (waits && shift.count == 0 && !shift.closed) pthread_cond_wait(&shift.changed, &shift.lock);
    const bool found = shift.count > 0 && !crew_is_stopped(shift.crew);
    if (found) {
        *batch = shift.waiting[shift.first];
        shift.first = (shift.first + 1) % waiting_most;
        shift.count--;
    }
    pthread_mutex_unlock(&shift.lock);
    return found;
}

void *member_run(void *data) {
    const Member &member = *static_cast<Member *>(data);
    Batch batch;
    while (take(*member.shift, &batch, true) && member.shift->crew.work(member.shift->crew, member.number, batch)) {
    }
    return nullptr;
}

// Signals are for Ruby's threads.
void start(Shift &shift) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes)) return;
    pthread_attr_setstacksize(&attributes, stack_bytes);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (int i = 0; i < shift.crew.size - 1; i++) {
        Member &member = shift.members[i];
        member.shift = &shift;
        member.number = i + 1;
        if (pthread_create(&member.thread, &attributes, member_run, &member)) break;
        shift.started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    pthread_attr_destroy(&attributes);
}

// Does the work with other threads. Two parts were found already.
void share(Crew &crew, const Batch &first, const Batch &second) {
    Shift shift(crew);
    put(shift, first);
    put(shift, second);
    start(shift);
    Batch batch;
    for (bool found = true; !crew_is_stopped(crew);) {
        while (found && (found = crew.find(crew, &batch)) && put(shift, batch)) {
        }
        if (take(shift, &batch, false)) {
            if (!crew.work(crew, 0, batch)) break;
        } else if (!found) {
            break;
        }
    }
    close(shift);
    for (int i = 0; i < shift.started; i++) pthread_join(shift.members[i].thread, nullptr);
    pthread_cond_destroy(&shift.changed);
    pthread_mutex_destroy(&shift.lock);
}

void *run(void *data) {
    Crew &crew = *static_cast<Crew *>(data);
    Batch first, second;
    if (!crew.find(crew, &first)) return nullptr;
    if (crew.find(crew, &second)) {
        share(crew, first, second);
    } else {
        crew.work(crew, 0, first);
    }
    return nullptr;
}

void stop(void *data) { __atomic_store_n(&static_cast<Crew *>(data)->stopped, true, __ATOMIC_RELAXED); }

}  // namespace

void crew_run(Crew &crew) {
    crew.stopped = false;
    rb_thread_call_without_gvl2(run, &crew, stop, &crew);
}

}  // namespace sparpack
