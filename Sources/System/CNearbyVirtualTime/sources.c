// Dispatch sources. A timer source is made as a source that never fires by itself; the world calls its handler.
#include "interpose.h"
#include <stdlib.h>

extern const char _dispatch_source_type_timer __attribute__((weak));
extern const char _dispatch_source_type_data_add __attribute__((weak));

/// How many timer sources were ever created in a world.
static _Atomic int created;
static const nvt_hooks *hooks_of_sources(void) {
  return UNLIKELY(atomic_load_explicit(&created, memory_order_relaxed) > 0) ? HOOKS() : NULL;
}

INTERPOSED object_t dispatch_source_create(const void *type, uintptr_t handle, uintptr_t mask, object_t queue) {
  REAL(dispatch_source_create)
  const nvt_hooks *hooks = type == &_dispatch_source_type_timer ? hooks_here() : NULL;
  if (!hooks || nvt_is_queue_of_transfer(queue)) return real_dispatch_source_create(type, handle, mask, queue);
  object_t source = real_dispatch_source_create(&_dispatch_source_type_data_add, 0, 0, queue);
  if (!source) return source;
  atomic_fetch_add(&created, 1);
  hooks->source_created(nvt_here, source, queue);
  return source;
}

// MARK: Handlers of sources that fire by themselves

/// A block that sends the handler to the world's line.
struct firing { struct block_header header; void *handler; object_t source; const nvt_context *context; };
/// Runs a handler once. The source is suspended until then: otherwise one that has octets to read would fire again
/// and again.
struct fired { void *handler; object_t source; };
static void run_fired(void *argument) {
  struct fired *work = argument;
  nvt_call_and_release_block(work->handler);
  REAL(dispatch_resume)
  real_dispatch_resume(work->source);
  dispatch_release(work->source);
  free(work);
}
bool nvt_drop_fired(nvt_function function, void *argument) {
  if (function != run_fired) return false;
  struct fired *work = argument;
  _Block_release(work->handler);
  free(work);
  return true;
}
static void fire(void *block) {
  struct firing *firing = block;
  struct fired *work = malloc(sizeof *work);
  if (!work) return;
  *work = (struct fired){_Block_copy(firing->handler), firing->source};
  dispatch_retain(firing->source);
  REAL(dispatch_suspend)
  real_dispatch_suspend(firing->source);
  if (!HOOKS()->source_fired(firing->context, dispatch_get_current_queue(), run_fired, work)) run_fired(work);
}
static void copy(void *to, const void *from) {
  ((struct firing *)to)->handler = _Block_copy(((const struct firing *)from)->handler);
}
static void dispose(const void *block) { _Block_release(((const struct firing *)block)->handler); }
static const struct block_descriptor descriptor = {0, sizeof(struct firing), copy, dispose};

INTERPOSED void dispatch_source_set_event_handler(object_t source, void *block) {
  REAL(dispatch_source_set_event_handler)
  const nvt_hooks *hooks = hooks_of_sources();
  if (hooks && hooks->source_set_handler(source, block)) return;
  if (block && hooks_here()) {
    struct firing firing = {BLOCK_HEADER(fire, &descriptor), block, source, nvt_here};
    return real_dispatch_source_set_event_handler(source, &firing);
  }
  real_dispatch_source_set_event_handler(source, block);
}
INTERPOSED void dispatch_source_set_cancel_handler(object_t source, void *block) {
  const nvt_hooks *hooks = hooks_of_sources();
  if (hooks && hooks->source_set_cancel_handler(source, block)) return;
  REAL(dispatch_source_set_cancel_handler)
  real_dispatch_source_set_cancel_handler(source, block);
}

// MARK: State

INTERPOSED void dispatch_source_set_timer(object_t source, when_t start, uint64_t interval, uint64_t leeway) {
  const nvt_hooks *hooks = hooks_of_sources();
  if (hooks) {
    int64_t time = nvt_here ? nvt_deadline(nvt_here->clock, start) : INT64_MAX;
    if (hooks->source_set_timer(source, time, interval > INT64_MAX ? INT64_MAX : (int64_t)interval)) return;
  }
  REAL(dispatch_source_set_timer)
  real_dispatch_source_set_timer(source, start, interval, leeway);
}
INTERPOSED void dispatch_source_cancel(object_t source) {
  const nvt_hooks *hooks = hooks_of_sources();
  if (hooks) hooks->source_ended(source);
  REAL(dispatch_source_cancel)
  real_dispatch_source_cancel(source);
}
INTERPOSED void dispatch_suspend(object_t object) {
  const nvt_hooks *hooks = hooks_of_sources();
  if (hooks) hooks->source_suspended(object, 1);
  REAL(dispatch_suspend)
  real_dispatch_suspend(object);
}
INTERPOSED void dispatch_resume(object_t object) {
  const nvt_hooks *hooks = hooks_of_sources();
  if (hooks) hooks->source_suspended(object, -1);
  REAL(dispatch_resume)
  real_dispatch_resume(object);
}
INTERPOSED void dispatch_activate(object_t object) {
  const nvt_hooks *hooks = hooks_of_sources();
  if (hooks) hooks->source_suspended(object, -1);
  REAL(dispatch_activate)
  real_dispatch_activate(object);
}
INTERPOSED void dispatch_release(object_t object) {
  const nvt_hooks *hooks = hooks_of_sources();
  // The number of references from outside libdispatch, less one.
  if (hooks && ((int *)object)[3] == 0) hooks->source_ended(object);
  REAL(dispatch_release)
  real_dispatch_release(object);
}
