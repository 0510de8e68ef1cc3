// Functions of Foundation that are written in Swift, under their mangled names.
#include "interpose.h"

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define REAL_SYMBOL(type, symbol) \
  static _Atomic(type) slot; \
  type real = atomic_load_explicit(&slot, memory_order_relaxed); \
  if (UNLIKELY(!real)) { \
    real = (type)nvt_next(symbol, NULL); \
    atomic_store_explicit(&slot, real, memory_order_relaxed); \
  }

// MARK: Objects that a process has one of, and here each phone

typedef SWIFT void *(*getter_t)(SELF void *);
/// Defines the getter of a type's property. Its hook returns a phone's own object, or null for the process's.
#define GETTER(name, hook, symbol) \
  SWIFT void *name(SELF void *) __asm__(symbol); \
  INTERPOSED SWIFT void *name(SELF void *type) { \
    const nvt_hooks *hooks = hooks_here(); \
    void *own = hooks ? hooks->hook(nvt_here) : NULL; \
    if (own) return own; \
    REAL_SYMBOL(getter_t, symbol) \
    return real(type); \
  }
GETTER(nvt_default_centre, notification_centre, "$s20FoundationEssentials18NotificationCenterC7defaultACvgZ")
// The same in Swift 6.2 and before.
GETTER(nvt_old_default_centre, notification_centre, "$s10Foundation18NotificationCenterC7defaultACvgZ")
GETTER(nvt_main_operations, main_operation_queue, "$s10Foundation14OperationQueueC4mainACvgZ")

// MARK: Timer(timeInterval:repeats:block:)

_Thread_local double nvt_timer_delay;
typedef SWIFT void *(*make_timer_t)(double, bool, void *, void *, SELF void *);
#define MAKE_TIMER "$s10Foundation5TimerC12timeInterval7repeats5blockACSd_SbyACYbctcfC"
SWIFT void *nvt_make_timer(double, bool, void *, void *, SELF void *) __asm__(MAKE_TIMER);
/// Foundation makes such a timer due at once, Apple's after its interval.
INTERPOSED SWIFT void *nvt_make_timer(double interval, bool repeats, void *function, void *captures, SELF void *type) {
  REAL_SYMBOL(make_timer_t, MAKE_TIMER)
  nvt_timer_delay = hooks_here() && interval > 0 ? interval : 0;
  void *timer = real(interval, repeats, function, captures, type);
  nvt_timer_delay = 0;
  return timer;
}
