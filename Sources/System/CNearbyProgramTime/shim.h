#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CNearbyTimePage.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define EXPORTED __attribute__((visibility("default")))
enum { NANOSECONDS = 1000000000 };

/// The world's page; null in a process that keeps real time.
extern ntp_page *npt_page;

/// Declares real_NAME, the C library's function. Without a version it is the default one.
#define REAL(name) REAL_OF(name, NULL)
#define REAL_OF(name, version) \
  static _Atomic(__typeof__(&name)) slot_##name; \
  __typeof__(&name) real_##name = atomic_load_explicit(&slot_##name, memory_order_relaxed); \
  if (__builtin_expect(!real_##name, 0)) { \
    real_##name = (__typeof__(&name))npt_next(#name, version); \
    atomic_store_explicit(&slot_##name, real_##name, memory_order_relaxed); \
  }
void *npt_next(const char *name, const char *version);

static inline int64_t now(void) { return ntp_now(npt_page); }
/// The world's present plus a duration; a negative one counts as 0, and what is too large is never.
int64_t npt_after(int64_t seconds, int64_t nanoseconds);
/// The world's time at which a clock shows a time. Before 2001 it is the monotonic clock's: the programs' wall clock
/// never shows that, and their uptime nothing later.
int64_t npt_time_of(const struct timespec *);
static inline bool npt_is_valid(const struct timespec *time) {
  return time && time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < NANOSECONDS;
}

// MARK: Waits

/// How the end of a wait is told.
typedef enum npt_kind {
  /// Its slot's `has_fired` is all.
  NPT_WORD,
  /// `address` is a condition, which is broadcast.
  NPT_CONDITION,
  /// `address` is a futex, whose waiters are woken.
  NPT_FUTEX,
  /// `descriptor` is an eventfd, to which 1 is written.
  NPT_EVENT,
  /// `descriptor` is an eventfd that stands for a timer.
  NPT_TIMER,
} npt_kind;

typedef struct npt_wait {
  npt_kind kind;
  void *address;
  int descriptor;
  /// Of a timer that repeats, nanoseconds; otherwise 0.
  int64_t interval;
} npt_wait;

/// Registers a wait. Returns its slot's number, or -1 if there is none.
int npt_begin(int64_t deadline, npt_wait);
bool npt_has_fired(int slot);
/// Waits until `*word` is not `value` any more, or for some seconds of real time.
void npt_wait_for(const uint32_t *word, uint32_t value);
/// Returns whether its deadline came.
bool npt_end(int slot);
/// Lets virtual time pass.
void npt_sleep(int64_t deadline);
/// A semaphore was signalled: wakes those who wait for it with a deadline.
void npt_signalled(void *address);
/// Changes a timer; its `has_fired` stays.
void npt_set_timer(int slot, int64_t deadline, int64_t interval);
int64_t npt_deadline(int slot, int64_t *interval);

/// Enters the network that the environment names, or makes it; then it does not return.
void npt_enter_network(void);

/// Fills a buffer with the world's random numbers.
void npt_random(void *buffer, size_t count);
/// Whether this code runs in the process whose waits these are: not in a child that vfork made, which shares the memory.
bool npt_is_own_process(void);
/// In a process that was just forked: forgets the timers and the descriptor of the parent.
void npt_forget_timers(void);
void npt_forget_event(void);
/// Resets an eventfd, without waiting.
void npt_drain(int descriptor);
