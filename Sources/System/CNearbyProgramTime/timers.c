// Timers with a descriptor. An eventfd stands for each: reading it gives a count and resets it, too.
#include "shim.h"
#include <errno.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

/// A timer that exists.
struct timer { int descriptor, slot; };
enum { MOST = 1024 };
static struct timer timers[MOST];
static _Atomic int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/// The slot of a timer; -1 if the descriptor is none.
static int slot_of(int descriptor) {
  int slot = -1;
  pthread_mutex_lock(&lock);
  for (int n = 0; n < count; n++) if (timers[n].descriptor == descriptor) slot = timers[n].slot;
  pthread_mutex_unlock(&lock);
  return slot;
}

static bool add(struct timer timer) {
  pthread_mutex_lock(&lock);
  bool has_room = count < MOST;
  if (has_room) timers[count++] = timer;
  pthread_mutex_unlock(&lock);
  return has_room;
}

EXPORTED int timerfd_create(int clock, int flags) {
  REAL(timerfd_create)
  if (!npt_page) return real_timerfd_create(clock, flags);
  if (flags & ~(TFD_NONBLOCK | TFD_CLOEXEC)) {
    errno = EINVAL;
    return -1;
  }
  // The flags have the same values.
  int descriptor = eventfd(0, flags);
  if (descriptor < 0) return -1;
  int slot = npt_begin(INT64_MAX, (npt_wait){.kind = NPT_TIMER, .descriptor = descriptor});
  if (slot >= 0 && add((struct timer){descriptor, slot})) return descriptor;
  npt_end(slot);
  REAL(close)
  real_close(descriptor);
  errno = ENFILE;
  return -1;
}

/// How a timer is set now.
static struct itimerspec setting(int slot) {
  int64_t interval = 0, deadline = npt_deadline(slot, &interval), rest = deadline == INT64_MAX ? 0 : deadline - now();
  if (deadline != INT64_MAX && rest <= 0) rest = 1;
  return (struct itimerspec){
    .it_interval = {interval / NANOSECONDS, interval % NANOSECONDS}, .it_value = {rest / NANOSECONDS, rest % NANOSECONDS}};
}

EXPORTED int timerfd_gettime(int descriptor, struct itimerspec *out) {
  int slot = npt_page ? slot_of(descriptor) : -1;
  if (slot >= 0) {
    *out = setting(slot);
    return 0;
  }
  REAL(timerfd_gettime)
  return real_timerfd_gettime(descriptor, out);
}

EXPORTED int timerfd_settime(int descriptor, int flags, const struct itimerspec *next, struct itimerspec *before) {
  int slot = npt_page ? slot_of(descriptor) : -1;
  if (slot < 0) {
    REAL(timerfd_settime)
    return real_timerfd_settime(descriptor, flags, next, before);
  }
  if (!next || !npt_is_valid(&next->it_value) || !npt_is_valid(&next->it_interval)) {
    errno = EINVAL;
    return -1;
  }
  if (before) *before = setting(slot);
  const struct timespec *value = &next->it_value;
  int64_t interval = INT64_MAX, deadline = INT64_MAX;
  __int128 exact = (__int128)next->it_interval.tv_sec * NANOSECONDS + next->it_interval.tv_nsec;
  if (exact < INT64_MAX) interval = (int64_t)exact;
  if (value->tv_sec || value->tv_nsec) {
    deadline = flags & TFD_TIMER_ABSTIME ? npt_time_of(value) : npt_after(value->tv_sec, value->tv_nsec);
  }
  // What it counted before is forgotten. The eventfd may be one that blocks, so it is read only if it has a count.
  npt_set_timer(slot, INT64_MAX, 0);
  npt_drain(descriptor);
  npt_set_timer(slot, deadline, interval);
  return 0;
}

void npt_forget_timers(void) {
  pthread_mutex_init(&lock, NULL);
  atomic_store(&count, 0);
}

EXPORTED int close(int descriptor) {
  if (npt_page && atomic_load(&count) > 0 && npt_is_own_process()) {
    int slot = -1;
    pthread_mutex_lock(&lock);
    for (int n = 0; n < count; n++) {
      if (timers[n].descriptor != descriptor) continue;
      slot = timers[n].slot;
      timers[n] = timers[--count];
      break;
    }
    pthread_mutex_unlock(&lock);
    if (slot >= 0) npt_end(slot);
  }
  REAL(close)
  return real_close(descriptor);
}
