#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CNearbyVirtualTime.h"
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

enum { NANOSECONDS = 1000000000 };

typedef uint64_t when_t;
typedef void *object_t;

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
/// Not weak, because a sanitizer's definitions are weak too and would come first.
#define INTERPOSED __attribute__((visibility("default")))
#else
/// Weak, so that a program that links libdispatch or Foundation statically still links; see nvt_is_dynamic.
#define INTERPOSED __attribute__((weak))
#endif

extern _Thread_local const nvt_context *nvt_here;
extern _Thread_local bool nvt_turn;
extern _Atomic(const nvt_hooks *) nvt_installed;

#define HOOKS() atomic_load_explicit(&nvt_installed, memory_order_acquire)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/// The hooks, if the calling thread has a context.
static inline const nvt_hooks *hooks_here(void) { return UNLIKELY(nvt_here != NULL) ? HOOKS() : NULL; }
/// The hooks, if the calling thread has its world's turn, so that it can wait in virtual time.
static inline const nvt_hooks *hooks_of_turn(void) {
  return UNLIKELY(nvt_here != NULL) && nvt_turn ? HOOKS() : NULL;
}
static inline int64_t clock_now(const nvt_clock *clock) {
  return __atomic_load_n(&clock->now, __ATOMIC_RELAXED);
}

/// Declares real_NAME, the function that the call is passed on to: a sanitizer's if there is one, whose place ours has
/// taken, or else the next library's.
#define REAL(name) \
  static _Atomic(__typeof__(&name)) slot_##name; \
  __typeof__(&name) real_##name = atomic_load_explicit(&slot_##name, memory_order_relaxed); \
  if (UNLIKELY(!real_##name)) { \
    extern __typeof__(name) __interceptor_##name __attribute__((weak)); \
    real_##name = &__interceptor_##name ? &__interceptor_##name : (__typeof__(&name))nvt_next(#name, NULL); \
    atomic_store_explicit(&slot_##name, real_##name, memory_order_relaxed); \
  }
/// The same for a function of the C library that has several versions.
#define REAL_OF(name, version) \
  static _Atomic(__typeof__(&name)) slot_##name; \
  __typeof__(&name) real_##name = atomic_load_explicit(&slot_##name, memory_order_relaxed); \
  if (UNLIKELY(!real_##name)) { \
    extern __typeof__(name) __interceptor_##name __attribute__((weak)); \
    real_##name = &__interceptor_##name ? &__interceptor_##name : (__typeof__(&name))nvt_next(#name, version); \
    atomic_store_explicit(&slot_##name, real_##name, memory_order_relaxed); \
  }

/// The next definition of a name after the program's own. Ends the process if there is none, which can only be in a
/// program that links the library statically.
void *nvt_next(const char *name, const char *version);
/// A dispatch_time_t in a world's nanoseconds, not before its present; INT64_MAX is never.
int64_t nvt_deadline(const nvt_clock *clock, when_t when);
/// Lets virtual time pass. Returns false if the calling thread has no turn.
bool nvt_virtual_sleep(int64_t seconds, int64_t nanoseconds);

/// The context that a block belongs to: that of its maker if it is an operation's, or else the calling thread's.
const nvt_context *nvt_context_of_block(void *block);
/// The context of the URLSession task that the calling thread works for, if any.
const nvt_context *nvt_context_of_transfer(void);
/// A queue was created by the calling thread.
void nvt_queue_created(void *queue, const char *label);
/// The calling thread is about to run a block on a queue.
void nvt_queue_entered(void *queue);
/// Whether a queue is that on which a URLSession task measures its time-out.
bool nvt_is_queue_of_transfer(void *queue);
/// The seconds after which the timer is due that the calling thread is about to make, if its date says at once.
extern _Thread_local double nvt_timer_delay;

// Blocks are opaque here; these are the parts of their ABI that stay the same.
struct block { void *isa; int flags, reserved; void (*invoke)(void *); };
/// For blocks that are made without the compiler's help.
struct block_descriptor {
  unsigned long reserved, size;
  void (*copy)(void *, const void *);
  void (*dispose)(const void *);
};
struct block_header {
  void *isa;
  int flags, reserved;
  void (*invoke)(void *);
  const struct block_descriptor *descriptor;
};
extern void *_NSConcreteStackBlock[];
enum { HAS_COPY_AND_DISPOSE = 1 << 25 };
#define BLOCK_HEADER(invoke, descriptor) {_NSConcreteStackBlock, HAS_COPY_AND_DISPOSE, 0, invoke, descriptor}
extern void *_Block_copy(const void *);
extern void _Block_release(const void *);

// libdispatch, without its header, whose inline functions need blocks.
extern char _dispatch_main_q __attribute__((weak));
void dispatch_async(object_t, void *);
void dispatch_async_f(object_t, void *, nvt_function);
void dispatch_barrier_async(object_t, void *);
void dispatch_barrier_async_f(object_t, void *, nvt_function);
void dispatch_after(when_t, object_t, void *);
void dispatch_after_f(when_t, object_t, void *, nvt_function);
void dispatch_group_async(object_t, object_t, void *);
void dispatch_group_notify(object_t, object_t, void *);
void dispatch_group_enter(object_t);
void dispatch_group_leave(object_t);
long dispatch_group_wait(object_t, when_t);
long dispatch_semaphore_wait(object_t, when_t);
long dispatch_semaphore_signal(object_t);
void dispatch_sync(object_t, void *);
void dispatch_sync_f(object_t, void *, nvt_function);
void dispatch_barrier_sync(object_t, void *);
void dispatch_async_and_wait(object_t, void *);
void dispatch_apply(size_t, object_t, void *);
object_t dispatch_queue_create(const char *, const void *);
object_t dispatch_queue_create_with_target(const char *, const void *, object_t);
void dispatch_set_target_queue(object_t, object_t);
object_t dispatch_get_global_queue(intptr_t, uintptr_t);
object_t dispatch_get_current_queue(void);
const void *dispatch_queue_attr_make_initially_inactive(const void *);
const void *dispatch_queue_attr_make_with_autorelease_frequency(const void *, unsigned long);
const void *dispatch_queue_attr_make_with_qos_class(const void *, unsigned, int);
void *dispatch_queue_get_specific(object_t, const void *);
void dispatch_queue_set_specific(object_t, const void *, void *, nvt_function);
void *dispatch_get_specific(const void *);
object_t dispatch_source_create(const void *, uintptr_t, uintptr_t, object_t);
void dispatch_source_set_event_handler(object_t, void *);
void dispatch_source_set_cancel_handler(object_t, void *);
void dispatch_source_set_timer(object_t, when_t, uint64_t, uint64_t);
void dispatch_source_cancel(object_t);
void dispatch_suspend(object_t);
void dispatch_resume(object_t);
void dispatch_activate(object_t);
void dispatch_retain(object_t);
void dispatch_release(object_t);
