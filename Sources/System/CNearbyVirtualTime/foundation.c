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

// MARK: NotificationCenter.default

typedef SWIFT void *(*default_centre_t)(SELF void *);
static void *centre_here(void) {
  const nvt_hooks *hooks = hooks_here();
  return hooks ? hooks->notification_centre(nvt_here) : NULL;
}
#define DEFAULT_CENTRE "$s20FoundationEssentials18NotificationCenterC7defaultACvgZ"
SWIFT void *nvt_default_centre(SELF void *) __asm__(DEFAULT_CENTRE);
INTERPOSED SWIFT void *nvt_default_centre(SELF void *type) {
  void *centre = centre_here();
  if (centre) return centre;
  REAL_SYMBOL(default_centre_t, DEFAULT_CENTRE)
  return real(type);
}
// The same in Swift 6.2 and before.
#define OLD_DEFAULT_CENTRE "$s10Foundation18NotificationCenterC7defaultACvgZ"
SWIFT void *nvt_old_default_centre(SELF void *) __asm__(OLD_DEFAULT_CENTRE);
INTERPOSED SWIFT void *nvt_old_default_centre(SELF void *type) {
  void *centre = centre_here();
  if (centre) return centre;
  REAL_SYMBOL(default_centre_t, OLD_DEFAULT_CENTRE)
  return real(type);
}

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
