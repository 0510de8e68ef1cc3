// Clocks and sleeps.
#include "shim.h"
#include <errno.h>
#include <sys/time.h>
#include <unistd.h>

int64_t npt_after(int64_t seconds, int64_t nanoseconds) {
  __int128 length = (__int128)seconds * NANOSECONDS + nanoseconds;
  __int128 end = (length < 0 ? 0 : length) + now();
  return end > INT64_MAX ? INT64_MAX : (int64_t)end;
}

int64_t npt_time_of(const struct timespec *time) {
  const int64_t year_2001 = 978307200;
  int64_t zero = time->tv_sec < year_2001 ? npt_page->uptime_at_zero : npt_page->wall_at_zero;
  __int128 end = (__int128)time->tv_sec * NANOSECONDS + time->tv_nsec - zero;
  return end > INT64_MAX ? INT64_MAX : end < 0 ? 0 : (int64_t)end;
}

/// How often the thread has read a clock at one time of the world. Code that reads a clock until it shows a certain time
/// would never end, so after many readings every 64th takes 0.1 ms.
static _Thread_local unsigned readings;
static _Thread_local int64_t last_reading;
static const unsigned patience = 10000;
static void count_reading(void) {
  int64_t present = now();
  if (present != last_reading) {
    last_reading = present;
    readings = 0;
  }
  if (++readings > patience && readings % 64 == 0) {
    npt_sleep(npt_after(0, 100000));
    last_reading = now();
    readings = patience;
  }
}

/// Returns false for a clock that is not the world's: those of computing time, and unknown ones.
static bool read_clock(clockid_t clock, struct timespec *time) {
  int64_t zero;
  switch (clock) {
  case CLOCK_REALTIME: case CLOCK_REALTIME_COARSE: case CLOCK_TAI: zero = npt_page->wall_at_zero; break;
  case CLOCK_MONOTONIC: case CLOCK_MONOTONIC_RAW: case CLOCK_MONOTONIC_COARSE: case CLOCK_BOOTTIME:
    zero = npt_page->uptime_at_zero;
    break;
  default: return false;
  }
  count_reading();
  int64_t sum;
  if (__builtin_add_overflow(zero, now(), &sum)) sum = INT64_MAX;
  *time = (struct timespec){.tv_sec = sum / NANOSECONDS, .tv_nsec = sum % NANOSECONDS};
  return true;
}

EXPORTED int clock_gettime(clockid_t clock, struct timespec *time) {
  if (npt_page && read_clock(clock, time)) return 0;
  REAL(clock_gettime)
  return real_clock_gettime(clock, time);
}

EXPORTED int gettimeofday(struct timeval *restrict value, void *restrict zone) {
  if (npt_page) {
    struct timespec time;
    read_clock(CLOCK_REALTIME, &time);
    *value = (struct timeval){.tv_sec = time.tv_sec, .tv_usec = time.tv_nsec / 1000};
    return 0;
  }
  REAL(gettimeofday)
  return real_gettimeofday(value, zone);
}

EXPORTED time_t time(time_t *out) {
  struct timespec present;
  clock_gettime(CLOCK_REALTIME, &present);
  if (out) *out = present.tv_sec;
  return present.tv_sec;
}

EXPORTED int timespec_get(struct timespec *out, int base) {
  if (base != TIME_UTC) return 0;
  clock_gettime(CLOCK_REALTIME, out);
  return base;
}

// MARK: Sleeps

EXPORTED int nanosleep(const struct timespec *wanted, struct timespec *rest) {
  if (npt_page && npt_is_valid(wanted)) {
    npt_sleep(npt_after(wanted->tv_sec, wanted->tv_nsec));
    return 0;
  }
  REAL(nanosleep)
  return real_nanosleep(wanted, rest);
}

EXPORTED int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *rest) {
  bool is_known = clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME;
  if (npt_page && is_known && npt_is_valid(wanted)) {
    bool is_time = flags & TIMER_ABSTIME;
    npt_sleep(is_time ? npt_time_of(wanted) : npt_after(wanted->tv_sec, wanted->tv_nsec));
    return 0;
  }
  REAL(clock_nanosleep)
  return real_clock_nanosleep(clock, flags, wanted, rest);
}

EXPORTED int usleep(useconds_t microseconds) {
  if (npt_page) {
    npt_sleep(npt_after(0, (int64_t)microseconds * 1000));
    return 0;
  }
  REAL(usleep)
  return real_usleep(microseconds);
}

EXPORTED unsigned sleep(unsigned seconds) {
  if (npt_page) {
    npt_sleep(npt_after(seconds, 0));
    return 0;
  }
  REAL(sleep)
  return real_sleep(seconds);
}
