// The calling thread's context, and what all interposed functions share.
#include "interpose.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

_Thread_local const nvt_context *nvt_here;
_Thread_local bool nvt_turn;
_Atomic(const nvt_hooks *) nvt_installed;
static _Thread_local const nvt_entered *entered;

const nvt_context *nvt_current(void) { return nvt_here; }
const nvt_context *nvt_exchange(const nvt_context *next) {
  const nvt_context *before = nvt_here;
  nvt_here = next;
  return before;
}
bool nvt_has_turn(void) { return nvt_turn; }
const nvt_entered *nvt_entered_queues(void) { return entered; }
void nvt_set_entered_queues(const nvt_entered *queues) { entered = queues; }
int32_t nvt_thread_number(void) {
  static _Thread_local int32_t number;
  if (!number) number = (int32_t)syscall(SYS_gettid);
  return number;
}
bool nvt_is_main_thread(void) { return nvt_thread_number() == getpid(); }
void nvt_mutex_unlock(void *mutex) { pthread_mutex_unlock(mutex); }

void *nvt_next(const char *name, const char *version) {
  void *found = version ? dlvsym(RTLD_NEXT, name, version) : NULL;
  // The C library's first version on other architectures.
  if (!found && version) found = dlvsym(RTLD_NEXT, name, "GLIBC_2.17");
  if (!found) found = dlsym(RTLD_NEXT, name);
  if (!found) {
    fprintf(stderr, "swift-nearby: %s is linked statically; NearbyTesting needs it from a shared library\n", name);
    abort();
  }
  return found;
}

void nvt_clock_set(nvt_clock *clock, int64_t now) { __atomic_store_n(&clock->now, now, __ATOMIC_RELAXED); }

void nvt_clock_raise(nvt_clock *clock, int64_t now) { if (now > clock_now(clock)) nvt_clock_set(clock, now); }

bool nvt_is_dynamic(void) {
  return dlsym(RTLD_NEXT, "dispatch_async") != NULL && dlsym(RTLD_DEFAULT, "dispatch_async") == (void *)&dispatch_async;
}

int64_t nvt_time_of(const nvt_clock *clock, int64_t zero, int64_t seconds, int64_t nanoseconds) {
  // 128 bits hold every product and sum of the 64-bit numbers.
  __int128 time = (__int128)seconds * NANOSECONDS + nanoseconds - zero;
  int64_t now = clock_now(clock);
  return time < now ? now : time > INT64_MAX ? INT64_MAX : (int64_t)time;
}

int64_t nvt_after(const nvt_clock *clock, int64_t seconds, int64_t nanoseconds) {
  int64_t now = clock_now(clock);
  // To a clock that shows 0 at this moment, the present is time 0.
  return nvt_time_of(clock, -now, seconds, nanoseconds);
}

int64_t nvt_deadline(const nvt_clock *clock, when_t when) {
  // 0 is DISPATCH_TIME_NOW, and the largest number but one the same of the wall clock.
  if (when == 0 || when == (when_t)-2) return clock_now(clock);
  if (when == ~0ull) return INT64_MAX;
  // The two highest bits distinguish the clocks: 11 is wall time, negated; otherwise uptime.
  if (when >> 62 == 3) return nvt_time_of(clock, clock->wall_at_zero, 0, (int64_t)(0 - when));
  return nvt_time_of(clock, clock->uptime_at_zero, 0, (int64_t)(when & ~(1ull << 63)));
}

bool nvt_never(void *object) { (void)object; return false; }
bool nvt_always(void *object) { (void)object; return true; }

bool nvt_virtual_sleep(int64_t seconds, int64_t nanoseconds) {
  const nvt_hooks *hooks = hooks_of_turn();
  if (!hooks) return false;
  hooks->wait(nvt_here, NULL, nvt_after(nvt_here->clock, seconds, nanoseconds), nvt_never, NULL, false);
  return true;
}

void nvt_call_block(void *block) { ((struct block *)block)->invoke(block); }
void nvt_call_and_release_block(void *block) {
  nvt_call_block(block);
  _Block_release(block);
}
void *nvt_copy_block(void *block) { return _Block_copy(block); }
void nvt_release_block(void *block) { _Block_release(block); }
