// Clocks and sleeps.
#include "interpose.h"
#include <errno.h>
#include <poll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/// How often the thread read a clock in its turn. Code that reads a clock until it shows a certain time would never
/// end, so after many readings every 64th takes 0.1 ms.
static _Thread_local unsigned readings;
static const unsigned patience = 10000;
void nvt_set_turn(bool value) {
  nvt_turn = value;
  readings = 0;
}
static void count_reading(void) {
  if (nvt_turn && ++readings > patience && readings % 64 == 0) {
    unsigned before = readings;
    nvt_virtual_sleep(0, 100000);
    readings = before;
  }
}

static bool virtual_time(clockid_t clock, struct timespec *time) {
  int64_t zero;
  switch (clock) {
  case CLOCK_REALTIME: case CLOCK_REALTIME_COARSE: zero = nvt_here->clock->wall_at_zero; break;
  case CLOCK_MONOTONIC: case CLOCK_MONOTONIC_RAW: case CLOCK_MONOTONIC_COARSE: case CLOCK_BOOTTIME:
    zero = nvt_here->clock->uptime_at_zero;
    break;
  default: return false;
  }
  int64_t sum;
  if (__builtin_add_overflow(zero, clock_now(nvt_here->clock), &sum)) sum = INT64_MAX;
  time->tv_sec = sum / NANOSECONDS;
  time->tv_nsec = sum % NANOSECONDS;
  // Before 1970: the division has rounded up.
  if (time->tv_nsec < 0) {
    time->tv_sec -= 1;
    time->tv_nsec += NANOSECONDS;
  }
  return true;
}

INTERPOSED int clock_gettime(clockid_t clock, struct timespec *time) {
  if (hooks_here()) {
    count_reading();
    if (virtual_time(clock, time)) return 0;
  }
  REAL(clock_gettime)
  return real_clock_gettime(clock, time);
}

INTERPOSED int gettimeofday(struct timeval *restrict value, void *restrict zone) {
  if (hooks_here()) {
    struct timespec time;
    count_reading();
    virtual_time(CLOCK_REALTIME, &time);
    value->tv_sec = time.tv_sec;
    value->tv_usec = time.tv_nsec / 1000;
    return 0;
  }
  REAL(gettimeofday)
  return real_gettimeofday(value, zone);
}

INTERPOSED time_t time(time_t *out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}

static bool is_valid(const struct timespec *time) {
  return time && time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < NANOSECONDS;
}

INTERPOSED int nanosleep(const struct timespec *wanted, struct timespec *rest) {
  if (is_valid(wanted) && nvt_virtual_sleep(wanted->tv_sec, wanted->tv_nsec)) return 0;
  REAL(nanosleep)
  return real_nanosleep(wanted, rest);
}

INTERPOSED int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *rest) {
  bool is_known = clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME;
  const nvt_hooks *hooks = hooks_of_turn();
  if (hooks && is_known && is_valid(wanted)) {
    const nvt_clock *here = nvt_here->clock;
    int64_t zero = clock == CLOCK_REALTIME ? here->wall_at_zero : here->uptime_at_zero;
    int64_t deadline = flags & TIMER_ABSTIME
      ? nvt_time_of(here, zero, wanted->tv_sec, wanted->tv_nsec)
      : nvt_after(here, wanted->tv_sec, wanted->tv_nsec);
    hooks->wait(nvt_here, NULL, deadline, nvt_never, NULL, false);
    return 0;
  }
  REAL(clock_nanosleep)
  return real_clock_nanosleep(clock, flags, wanted, rest);
}

INTERPOSED int usleep(useconds_t microseconds) {
  if (nvt_virtual_sleep(0, (int64_t)microseconds * 1000)) return 0;
  REAL(usleep)
  return real_usleep(microseconds);
}

INTERPOSED unsigned sleep(unsigned seconds) {
  if (nvt_virtual_sleep(seconds, 0)) return 0;
  REAL(sleep)
  return real_sleep(seconds);
}

// MARK: Waits for descriptors

struct descriptors { struct pollfd *list; nfds_t count; int result; };
static bool any_ready(void *argument) {
  struct descriptors *all = argument;
  REAL(poll)
  all->result = real_poll(all->list, all->count, 0);
  return all->result != 0;
}

INTERPOSED int poll(struct pollfd *list, nfds_t count, int milliseconds) {
  const nvt_hooks *hooks = hooks_of_turn();
  if (hooks && milliseconds != 0) {
    struct descriptors all = {list, count, 0};
    if (any_ready(&all)) return all.result;
    int64_t deadline = milliseconds < 0 ? INT64_MAX : nvt_after(nvt_here->clock, 0, (int64_t)milliseconds * 1000000);
    hooks->wait(nvt_here, &all, deadline, any_ready, NULL, true);
    // Its own thread asks once more: errno of the last question belongs to another one.
    any_ready(&all);
    return all.result;
  }
  REAL(poll)
  return real_poll(list, count, milliseconds);
}

struct sets { int count; fd_set *lists[3]; fd_set ready[3]; int result; };
static bool any_selected(void *argument) {
  struct sets *all = argument;
  struct timeval none = {0, 0};
  for (int n = 0; n < 3; n++) if (all->lists[n]) all->ready[n] = *all->lists[n];
  REAL(select)
  all->result = real_select(
    all->count, all->lists[0] ? &all->ready[0] : NULL, all->lists[1] ? &all->ready[1] : NULL,
    all->lists[2] ? &all->ready[2] : NULL, &none);
  return all->result != 0;
}

/// Whether a time-out of `select` is valid and not zero. The real function handles the others.
static bool waits(const struct timeval *timeout) {
  if (!timeout) return true;
  if (timeout->tv_sec < 0 || timeout->tv_usec < 0 || timeout->tv_usec >= 1000000) return false;
  return timeout->tv_sec > 0 || timeout->tv_usec > 0;
}

INTERPOSED int select(
  int count, fd_set *restrict readable, fd_set *restrict writable, fd_set *restrict exceptional,
  struct timeval *restrict timeout
) {
  const nvt_hooks *hooks = hooks_of_turn();
  if (hooks && waits(timeout) && count >= 0 && count <= FD_SETSIZE) {
    struct sets all = {.count = count, .lists = {readable, writable, exceptional}};
    if (!any_selected(&all)) {
      int64_t deadline = INT64_MAX;
      if (timeout) deadline = nvt_after(nvt_here->clock, timeout->tv_sec, timeout->tv_usec * 1000);
      hooks->wait(nvt_here, &all, deadline, any_selected, NULL, true);
      any_selected(&all);
    }
    if (all.result >= 0) for (int n = 0; n < 3; n++) if (all.lists[n]) *all.lists[n] = all.ready[n];
    return all.result;
  }
  REAL(select)
  return real_select(count, readable, writable, exceptional, timeout);
}
