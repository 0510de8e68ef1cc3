// Work that is sent to queues, groups and semaphores.
#include "interpose.h"
#include <pthread.h>
#include <stdlib.h>

void *nvt_main_queue(void) { return &_dispatch_main_q; }
void nvt_retain(void *object) { dispatch_retain(object); }
void nvt_release(void *object) { dispatch_release(object); }
void nvt_real_async(void *queue, nvt_function function, void *argument) {
  REAL(dispatch_async_f)
  real_dispatch_async_f(queue, argument, function);
}
void nvt_real_sync(void *queue, nvt_function function, void *argument) {
  REAL(dispatch_sync_f)
  real_dispatch_sync_f(queue, argument, function);
}

INTERPOSED void dispatch_async(object_t queue, void *block) {
  const nvt_context *context = nvt_context_of_block(block);
  if (UNLIKELY(context != NULL)) return HOOKS()->async(context, queue, nvt_call_and_release_block, _Block_copy(block));
  REAL(dispatch_async)
  real_dispatch_async(queue, block);
}
INTERPOSED void dispatch_async_f(object_t queue, void *argument, nvt_function function) {
  const nvt_hooks *hooks = hooks_here();
  if (hooks) return hooks->async(nvt_here, queue, function, argument);
  nvt_real_async(queue, function, argument);
}
INTERPOSED void dispatch_barrier_async(object_t queue, void *block) {
  const nvt_hooks *hooks = hooks_here();
  if (hooks) return hooks->async(nvt_here, queue, nvt_call_and_release_block, _Block_copy(block));
  REAL(dispatch_barrier_async)
  real_dispatch_barrier_async(queue, block);
}
INTERPOSED void dispatch_barrier_async_f(object_t queue, void *argument, nvt_function function) {
  const nvt_hooks *hooks = hooks_here();
  if (hooks) return hooks->async(nvt_here, queue, function, argument);
  REAL(dispatch_barrier_async_f)
  real_dispatch_barrier_async_f(queue, argument, function);
}

INTERPOSED void dispatch_after(when_t when, object_t queue, void *block) {
  const nvt_hooks *hooks = hooks_here();
  if (hooks) {
    int64_t time = nvt_deadline(nvt_here->clock, when);
    if (time != INT64_MAX) hooks->after(nvt_here, time, queue, nvt_call_and_release_block, _Block_copy(block));
    return;
  }
  REAL(dispatch_after)
  real_dispatch_after(when, queue, block);
}
INTERPOSED void dispatch_after_f(when_t when, object_t queue, void *argument, nvt_function function) {
  const nvt_hooks *hooks = hooks_here();
  if (hooks) {
    int64_t time = nvt_deadline(nvt_here->clock, when);
    if (time != INT64_MAX) hooks->after(nvt_here, time, queue, function, argument);
    return;
  }
  REAL(dispatch_after_f)
  real_dispatch_after_f(when, queue, argument, function);
}

// MARK: Synchronous work

static bool handles_sync(object_t queue, void *block) {
  const nvt_hooks *hooks = hooks_of_turn();
  nvt_queue_entered(queue);
  if (hooks) hooks->sync(nvt_here, queue, nvt_call_block, block);
  return hooks != NULL;
}
INTERPOSED void dispatch_sync(object_t queue, void *block) {
  if (handles_sync(queue, block)) return;
  REAL(dispatch_sync)
  real_dispatch_sync(queue, block);
}
INTERPOSED void dispatch_barrier_sync(object_t queue, void *block) {
  if (handles_sync(queue, block)) return;
  REAL(dispatch_barrier_sync)
  real_dispatch_barrier_sync(queue, block);
}
INTERPOSED void dispatch_async_and_wait(object_t queue, void *block) {
  if (handles_sync(queue, block)) return;
  REAL(dispatch_async_and_wait)
  real_dispatch_async_and_wait(queue, block);
}
// A program that is linked statically gets libdispatch's own definitions, which are not weak, wherever the linker needs
// the object file that has them. Nothing else needs that of dispatch_apply.
void dispatch_apply_f(size_t, object_t, void *, void (*)(void *, size_t));
__attribute__((used)) static void (*const needed)(size_t, object_t, void *, void (*)(void *, size_t)) = dispatch_apply_f;

INTERPOSED void dispatch_apply(size_t count, object_t queue, void *block) {
  if (hooks_of_turn()) {
    for (size_t n = 0; n < count; n++) ((void (*)(void *, size_t))(void *)((struct block *)block)->invoke)(block, n);
    return;
  }
  REAL(dispatch_apply)
  real_dispatch_apply(count, queue, block);
}

// MARK: Semaphores

/// How many threads wait for a group or semaphore in virtual time.
static _Atomic int waiting;
static void signalled(object_t object) {
  if (UNLIKELY(atomic_load_explicit(&waiting, memory_order_relaxed) > 0)) HOOKS()->signalled(object);
}

static bool take_semaphore(void *semaphore) {
  REAL(dispatch_semaphore_wait)
  return real_dispatch_semaphore_wait(semaphore, 0) == 0;
}
INTERPOSED long dispatch_semaphore_wait(object_t semaphore, when_t timeout) {
  const nvt_hooks *hooks = hooks_of_turn();
  if (hooks) {
    if (take_semaphore(semaphore)) return 0;
    if (timeout == 0) return 1;
    atomic_fetch_add(&waiting, 1);
    bool is_taken = hooks->wait(
      nvt_here, semaphore, nvt_deadline(nvt_here->clock, timeout), take_semaphore, NULL, false);
    atomic_fetch_sub(&waiting, 1);
    return is_taken ? 0 : 1;
  }
  REAL(dispatch_semaphore_wait)
  return real_dispatch_semaphore_wait(semaphore, timeout);
}
INTERPOSED long dispatch_semaphore_signal(object_t semaphore) {
  REAL(dispatch_semaphore_signal)
  long woken = real_dispatch_semaphore_signal(semaphore);
  signalled(semaphore);
  return woken;
}

// MARK: Groups

struct in_group { object_t group; void *block; };
static void run_in_group(void *argument) {
  struct in_group *work = argument;
  nvt_call_and_release_block(work->block);
  dispatch_group_leave(work->group);
  dispatch_release(work->group);
  free(work);
}
INTERPOSED void dispatch_group_async(object_t group, object_t queue, void *block) {
  const nvt_hooks *hooks = hooks_here();
  struct in_group *work = hooks ? malloc(sizeof *work) : NULL;
  if (work) {
    *work = (struct in_group){group, _Block_copy(block)};
    dispatch_retain(group);
    dispatch_group_enter(group);
    return hooks->async(nvt_here, queue, run_in_group, work);
  }
  REAL(dispatch_group_async)
  real_dispatch_group_async(group, queue, block);
}

/// A block that runs once a group is empty.
struct notice { object_t group, queue; void *block; const nvt_context *context; struct notice *next; };
static pthread_mutex_t notices_lock = PTHREAD_MUTEX_INITIALIZER;
static struct notice *notices;
static _Atomic int notice_count;

static bool is_empty(void *group) {
  REAL(dispatch_group_wait)
  return real_dispatch_group_wait(group, 0) == 0;
}
static struct notice *take_notices(object_t group) {
  struct notice *taken = NULL, **end = &taken;
  pthread_mutex_lock(&notices_lock);
  for (struct notice **link = &notices; *link;) {
    struct notice *one = *link;
    if (one->group != group) { link = &one->next; continue; }
    *link = one->next;
    one->next = NULL;
    *end = one;
    end = &one->next;
    atomic_fetch_sub(&notice_count, 1);
  }
  pthread_mutex_unlock(&notices_lock);
  return taken;
}
static void post_notices(object_t group) {
  if (atomic_load(&notice_count) == 0 || !is_empty(group)) return;
  for (struct notice *one = take_notices(group); one;) {
    struct notice *next = one->next;
    HOOKS()->async(one->context, one->queue, nvt_call_and_release_block, one->block);
    dispatch_release(one->queue);
    dispatch_release(group);
    free(one);
    one = next;
  }
}
INTERPOSED void dispatch_group_notify(object_t group, object_t queue, void *block) {
  const nvt_hooks *hooks = hooks_here();
  struct notice *one = hooks ? malloc(sizeof *one) : NULL;
  if (one) {
    *one = (struct notice){group, queue, _Block_copy(block), nvt_here, NULL};
    dispatch_retain(group);
    dispatch_retain(queue);
    pthread_mutex_lock(&notices_lock);
    struct notice **end = &notices;
    while (*end) end = &(*end)->next;
    *end = one;
    atomic_fetch_add(&notice_count, 1);
    pthread_mutex_unlock(&notices_lock);
    return post_notices(group);
  }
  REAL(dispatch_group_notify)
  real_dispatch_group_notify(group, queue, block);
}
INTERPOSED void dispatch_group_leave(object_t group) {
  REAL(dispatch_group_leave)
  dispatch_retain(group);
  real_dispatch_group_leave(group);
  post_notices(group);
  signalled(group);
  dispatch_release(group);
}
INTERPOSED long dispatch_group_wait(object_t group, when_t timeout) {
  const nvt_hooks *hooks = hooks_of_turn();
  if (hooks) {
    if (is_empty(group)) return 0;
    if (timeout == 0) return 1;
    atomic_fetch_add(&waiting, 1);
    bool is_done = hooks->wait(nvt_here, group, nvt_deadline(nvt_here->clock, timeout), is_empty, NULL, false);
    atomic_fetch_sub(&waiting, 1);
    return is_done ? 0 : 1;
  }
  REAL(dispatch_group_wait)
  return real_dispatch_group_wait(group, timeout);
}
