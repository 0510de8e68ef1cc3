// CoreFoundation's run-loop timers, which Foundation's Timer is made of, and run loops that wait.
#include "interpose.h"

struct timer_context { long version; void *info; };
void *CFRunLoopTimerCreate(void *, double, double, unsigned long, long, void *, struct timer_context *);
void CFRunLoopAddTimer(void *, void *, void *);
void CFRunLoopTimerSetNextFireDate(void *, double);
void CFRunLoopTimerInvalidate(void *);
void CFRunLoopPerformBlock(void *, void *, void *);
int32_t CFRunLoopRunInMode(void *, double, unsigned char);
unsigned char _CFRunLoopFinished(void *, void *);
int32_t CFRunLoopRunSpecific(void *, void *, double, unsigned char);

/// How many timers were ever created in a world.
static _Atomic int created;
static const nvt_hooks *hooks_of_timers(void) {
  return UNLIKELY(atomic_load_explicit(&created, memory_order_relaxed) > 0) ? HOOKS() : NULL;
}

INTERPOSED void *CFRunLoopTimerCreate(
  void *allocator, double date, double interval, unsigned long flags, long order, void *callout,
  struct timer_context *context
) {
  REAL(CFRunLoopTimerCreate)
  date += nvt_timer_delay;
  void *timer = real_CFRunLoopTimerCreate(allocator, date, interval, flags, order, callout, context);
  const nvt_hooks *hooks = hooks_of_timers();
  // A timer that was never added to a run loop is freed without having been invalidated.
  if (hooks && timer) hooks->timer_invalidated(timer);
  hooks = hooks_here();
  if (hooks && timer) {
    atomic_fetch_add(&created, 1);
    hooks->timer_created(nvt_here, timer, callout, context ? context->info : NULL, date, interval);
  }
  return timer;
}
INTERPOSED void CFRunLoopAddTimer(void *loop, void *timer, void *mode) {
  const nvt_hooks *hooks = hooks_of_timers();
  if (hooks && hooks->timer_added(timer)) return;
  REAL(CFRunLoopAddTimer)
  real_CFRunLoopAddTimer(loop, timer, mode);
}
INTERPOSED void CFRunLoopTimerSetNextFireDate(void *timer, double date) {
  const nvt_hooks *hooks = hooks_of_timers();
  nvt_timer_set_next(timer, date);
  if (hooks) hooks->timer_moved(timer, date);
}
INTERPOSED void CFRunLoopTimerInvalidate(void *timer) {
  const nvt_hooks *hooks = hooks_of_timers();
  if (hooks) hooks->timer_invalidated(timer);
  nvt_timer_invalidate(timer);
}

/// Sends a block to a run loop. As timers do, it runs on the main queue, whatever the loop.
INTERPOSED void CFRunLoopPerformBlock(void *loop, void *mode, void *block) {
  const nvt_hooks *hooks = hooks_here();
  if (hooks) return hooks->async(nvt_here, nvt_main_queue(), nvt_call_and_release_block, _Block_copy(block));
  REAL(CFRunLoopPerformBlock)
  real_CFRunLoopPerformBlock(loop, mode, block);
}

/// What CFRunLoopRunInMode returns when its time is over, and when it has run something.
enum { TIMED_OUT = 3, HANDLED_SOURCE = 4 };
static int32_t run_loop(const nvt_hooks *hooks, double seconds) {
  int64_t deadline = INT64_MAX;
  if (!(seconds > 9e9)) deadline = nvt_after(nvt_here->clock, 0, seconds > 0 ? (int64_t)(seconds * 1e9) : 0);
  return hooks->run_loop(nvt_here, deadline) ? HANDLED_SOURCE : TIMED_OUT;
}
/// Foundation returns at once from a loop without timers and sources, and a world's timers are in none.
INTERPOSED unsigned char _CFRunLoopFinished(void *loop, void *mode) {
  if (hooks_of_turn()) return 0;
  REAL(_CFRunLoopFinished)
  return real__CFRunLoopFinished(loop, mode);
}
INTERPOSED int32_t CFRunLoopRunInMode(void *mode, double seconds, unsigned char returns) {
  const nvt_hooks *hooks = hooks_of_turn();
  if (hooks) return run_loop(hooks, seconds);
  REAL(CFRunLoopRunInMode)
  return real_CFRunLoopRunInMode(mode, seconds, returns);
}
INTERPOSED int32_t CFRunLoopRunSpecific(void *loop, void *mode, double seconds, unsigned char returns) {
  const nvt_hooks *hooks = hooks_of_turn();
  if (hooks) return run_loop(hooks, seconds);
  REAL(CFRunLoopRunSpecific)
  return real_CFRunLoopRunSpecific(loop, mode, seconds, returns);
}

// MARK: The real functions

#define FOUND(result, name, ...) \
  static _Atomic(void *) slot_##name; \
  if (!slot_##name) slot_##name = nvt_found(#name); \
  result (*name)(__VA_ARGS__) = (result (*)(__VA_ARGS__))slot_##name;
static void *nvt_found(const char *name) { return dlsym(RTLD_DEFAULT, name); }

void nvt_call_timer(void *callout, void *timer, void *info) { ((void (*)(void *, void *))callout)(timer, info); }
void nvt_timer_retain(void *timer) {
  FOUND(void *, CFRetain, void *)
  CFRetain(timer);
}
void nvt_timer_release(void *timer) {
  FOUND(void, CFRelease, void *)
  CFRelease(timer);
}
bool nvt_timer_is_valid(void *timer) {
  FOUND(unsigned char, CFRunLoopTimerIsValid, void *)
  return CFRunLoopTimerIsValid(timer);
}
void nvt_timer_invalidate(void *timer) {
  REAL(CFRunLoopTimerInvalidate)
  real_CFRunLoopTimerInvalidate(timer);
}
void nvt_timer_set_next(void *timer, double date) {
  REAL(CFRunLoopTimerSetNextFireDate)
  real_CFRunLoopTimerSetNextFireDate(timer, date);
}
