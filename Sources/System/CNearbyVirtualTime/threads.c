// Conditions, and threads that an app creates itself.
#include "interpose.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// How many threads wait for a condition in virtual time.
static _Atomic int waiting;

INTERPOSED int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  const nvt_hooks *hooks = hooks_of_turn();
  if (hooks) {
    atomic_fetch_add(&waiting, 1);
    hooks->wait(nvt_here, condition, INT64_MAX, nvt_always, mutex, false);
    atomic_fetch_sub(&waiting, 1);
    return pthread_mutex_lock(mutex);
  }
  REAL_OF(pthread_cond_wait, "GLIBC_2.3.2")
  return real_pthread_cond_wait(condition, mutex);
}

/// Foundation's deadlines are wall times.
INTERPOSED int pthread_cond_timedwait(
  pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until
) {
  const nvt_hooks *hooks = hooks_of_turn();
  if (hooks) {
    int64_t time = nvt_time_of(nvt_here->clock, nvt_here->clock->wall_at_zero, until->tv_sec, until->tv_nsec);
    atomic_fetch_add(&waiting, 1);
    bool is_signalled = hooks->wait(nvt_here, condition, time, nvt_always, mutex, false);
    atomic_fetch_sub(&waiting, 1);
    int result = pthread_mutex_lock(mutex);
    return result ? result : is_signalled ? 0 : ETIMEDOUT;
  }
  REAL_OF(pthread_cond_timedwait, "GLIBC_2.3.2")
  return real_pthread_cond_timedwait(condition, mutex, until);
}

static void signalled(pthread_cond_t *condition) {
  if (UNLIKELY(atomic_load_explicit(&waiting, memory_order_relaxed) > 0)) HOOKS()->signalled(condition);
}
INTERPOSED int pthread_cond_signal(pthread_cond_t *condition) {
  signalled(condition);
  REAL_OF(pthread_cond_signal, "GLIBC_2.3.2")
  return real_pthread_cond_signal(condition);
}
INTERPOSED int pthread_cond_broadcast(pthread_cond_t *condition) {
  signalled(condition);
  REAL_OF(pthread_cond_broadcast, "GLIBC_2.3.2")
  return real_pthread_cond_broadcast(condition);
}

// MARK: An app's own threads

struct own_thread { void *(*start)(void *); void *argument; const nvt_context *context; };
static void *run_own_thread(void *key) {
  struct own_thread own = *(struct own_thread *)key;
  HOOKS()->thread_began(own.context, key);
  free(key);
  nvt_here = own.context;
  nvt_set_turn(true);
  void *result = own.start(own.argument);
  nvt_set_turn(false);
  nvt_here = NULL;
  HOOKS()->thread_ended(own.context);
  return result;
}
/// Whether a function that calls pthread_create is an app's or Foundation's; libdispatch and Swift's runtime create
/// threads that they use for everybody.
static bool creates_own_threads(void *caller) {
  Dl_info info;
  if (!dladdr(caller, &info) || !info.dli_fname) return true;
  return !strstr(info.dli_fname, "libdispatch") && !strstr(info.dli_fname, "libswift");
}
INTERPOSED int pthread_create(
  pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument
) {
  REAL_OF(pthread_create, "GLIBC_2.34")
  const nvt_hooks *hooks = hooks_here();
  if (!hooks || !creates_own_threads(__builtin_return_address(0))) {
    return real_pthread_create(thread, attributes, start, argument);
  }
  struct own_thread *own = malloc(sizeof *own);
  if (!own) return EAGAIN;
  *own = (struct own_thread){start, argument, nvt_here};
  hooks->thread_announced(nvt_here, own);
  int result = real_pthread_create(thread, attributes, run_own_thread, own);
  if (result) {
    hooks->thread_failed(nvt_here, own);
    free(own);
  }
  return result;
}
