// Conditions, semaphores and futexes.
#include "shim.h"
#include <errno.h>
#include <linux/futex.h>
#include <semaphore.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

static int wait_for(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
  int64_t deadline = npt_time_of(until);
  bool is_over = deadline <= now();
  int slot = is_over ? -1 : npt_begin(deadline, (npt_wait){.kind = NPT_CONDITION, .address = condition});
  if (is_over) {
    // As a wait that ends at once: others may take the mutex.
    pthread_mutex_unlock(mutex);
    pthread_mutex_lock(mutex);
    return ETIMEDOUT;
  }
  REAL_OF(pthread_cond_wait, "GLIBC_2.3.2")
  int result = real_pthread_cond_wait(condition, mutex);
  bool has_fired = npt_end(slot);
  return result ? result : has_fired ? ETIMEDOUT : 0;
}

EXPORTED int pthread_cond_timedwait(
  pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict until
) {
  if (npt_page && npt_is_valid(until)) return wait_for(condition, mutex, until);
  REAL_OF(pthread_cond_timedwait, "GLIBC_2.3.2")
  return real_pthread_cond_timedwait(condition, mutex, until);
}

EXPORTED int pthread_cond_clockwait(
  pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, clockid_t clock,
  const struct timespec *restrict until
) {
  if (npt_page && npt_is_valid(until)) return wait_for(condition, mutex, until);
  REAL(pthread_cond_clockwait)
  return real_pthread_cond_clockwait(condition, mutex, clock, until);
}

// MARK: Semaphores

static int take(sem_t *semaphore, const struct timespec *until) {
  int64_t deadline = npt_time_of(until);
  if (sem_trywait(semaphore) == 0) return 0;
  if (deadline <= now()) {
    errno = ETIMEDOUT;
    return -1;
  }
  int slot = npt_begin(deadline, (npt_wait){.kind = NPT_WORD, .address = semaphore});
  if (slot < 0) return sem_wait(semaphore);
  ntp_slot *own = &npt_page->slots[slot];
  bool is_taken;
  while (!(is_taken = sem_trywait(semaphore) == 0)) {
    // A deadline that has come stays in the past; a signal leaves it where it is.
    if (deadline <= now()) break;
    npt_wait_for(&own->has_fired, 0);
    __atomic_store_n(&own->has_fired, 0, __ATOMIC_RELEASE);
  }
  npt_end(slot);
  if (is_taken) return 0;
  errno = ETIMEDOUT;
  return -1;
}

EXPORTED int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until) {
  if (npt_page && npt_is_valid(until)) return take(semaphore, until);
  REAL(sem_timedwait)
  return real_sem_timedwait(semaphore, until);
}

EXPORTED int sem_clockwait(sem_t *restrict semaphore, clockid_t clock, const struct timespec *restrict until) {
  if (npt_page && npt_is_valid(until)) return take(semaphore, until);
  REAL(sem_clockwait)
  return real_sem_clockwait(semaphore, clock, until);
}

EXPORTED int sem_post(sem_t *semaphore) {
  REAL(sem_post)
  int result = real_sem_post(semaphore);
  if (npt_page) npt_signalled(semaphore);
  return result;
}

// MARK: System calls that libraries make themselves

/// A wait for a futex with a time-out, which `timeout` gives as the operation demands.
static long wait_for_futex(long number, const long arguments[6], int64_t deadline) {
  REAL(syscall)
  if (deadline <= now()) {
    if (*(volatile uint32_t *)arguments[0] != (uint32_t)arguments[2]) {
      errno = EAGAIN;
    } else {
      errno = ETIMEDOUT;
    }
    return -1;
  }
  int slot = npt_begin(deadline, (npt_wait){.kind = NPT_FUTEX, .address = (void *)arguments[0]});
  long result = real_syscall(number, arguments[0], arguments[1], arguments[2], NULL, arguments[4], arguments[5]);
  int failure = errno;
  bool has_fired = npt_end(slot);
  if (result == 0 && has_fired) {
    errno = ETIMEDOUT;
    return -1;
  }
  errno = failure;
  return result;
}

EXPORTED long syscall(long number, ...) {
  // The kernel takes at most six arguments, each in a register.
  long arguments[6];
  va_list list;
  va_start(list, number);
  for (int n = 0; n < 6; n++) arguments[n] = va_arg(list, long);
  va_end(list);
  if (npt_page && number == SYS_futex && arguments[3]) {
    const struct timespec *timeout = (const struct timespec *)arguments[3];
    int operation = (int)arguments[1] & FUTEX_CMD_MASK;
    if (operation == FUTEX_WAIT && npt_is_valid(timeout)) {
      return wait_for_futex(number, arguments, npt_after(timeout->tv_sec, timeout->tv_nsec));
    }
    if (operation == FUTEX_WAIT_BITSET && npt_is_valid(timeout)) {
      return wait_for_futex(number, arguments, npt_time_of(timeout));
    }
  }
  if (npt_page && number == SYS_getrandom && arguments[0]) {
    npt_random((void *)arguments[0], (size_t)arguments[1]);
    return arguments[1];
  }
  REAL(syscall)
  return real_syscall(
    number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}
