// What kind a queue is, and where it is targeted.
#include "interpose.h"

// Facts about a queue are stored in the queue itself, as its values for these keys (`dispatch_queue_set_specific`), so
// that they end with it.
static char concurrent_key, target_key, main_key;
extern const char _dispatch_queue_attr_concurrent __attribute__((weak));

/// Attributes made from the concurrent one. libdispatch has a fixed table of them.
enum { MOST_ATTRIBUTES = 1024, MOST_GLOBAL_QUEUES = 32 };
static _Atomic(const void *) concurrent_attributes[MOST_ATTRIBUTES];
static _Atomic(void *) global_queues[MOST_GLOBAL_QUEUES];

static bool is_concurrent_attribute(const void *attribute) {
  if (!attribute) return false;
  if (attribute == &_dispatch_queue_attr_concurrent) return true;
  for (int n = 0; n < MOST_ATTRIBUTES && concurrent_attributes[n]; n++)
    if (concurrent_attributes[n] == attribute) return true;
  return false;
}
static const void *derived(const void *from, const void *attribute) {
  if (!is_concurrent_attribute(from) || is_concurrent_attribute(attribute)) return attribute;
  for (int n = 0; n < MOST_ATTRIBUTES; n++) {
    const void *none = NULL;
    if (atomic_compare_exchange_strong(&concurrent_attributes[n], &none, attribute) || none == attribute) break;
  }
  return attribute;
}
INTERPOSED const void *dispatch_queue_attr_make_initially_inactive(const void *from) {
  REAL(dispatch_queue_attr_make_initially_inactive)
  return derived(from, real_dispatch_queue_attr_make_initially_inactive(from));
}
INTERPOSED const void *dispatch_queue_attr_make_with_autorelease_frequency(const void *from, unsigned long frequency) {
  REAL(dispatch_queue_attr_make_with_autorelease_frequency)
  return derived(from, real_dispatch_queue_attr_make_with_autorelease_frequency(from, frequency));
}
INTERPOSED const void *dispatch_queue_attr_make_with_qos_class(const void *from, unsigned qos, int priority) {
  REAL(dispatch_queue_attr_make_with_qos_class)
  return derived(from, real_dispatch_queue_attr_make_with_qos_class(from, qos, priority));
}

/// The tables of functions that queues have, by which they differ from sources.
enum { MOST_QUEUE_KINDS = 8 };
static _Atomic(const void *) queue_kinds[MOST_QUEUE_KINDS];
static const void *kind(object_t object) { return *(const void **)object; }
static void note_kind(object_t queue) {
  for (int n = 0; n < MOST_QUEUE_KINDS; n++) {
    const void *none = NULL;
    if (queue_kinds[n] == kind(queue)) return;
    if (atomic_compare_exchange_strong(&queue_kinds[n], &none, kind(queue)) || none == kind(queue)) return;
  }
}
static bool is_queue(object_t object) {
  for (int n = 0; n < MOST_QUEUE_KINDS && queue_kinds[n]; n++) if (queue_kinds[n] == kind(object)) return true;
  return false;
}

static object_t noted(object_t queue, const char *label, const void *attribute, object_t target) {
  if (!queue) return queue;
  note_kind(queue);
  nvt_queue_created(queue, label);
  if (is_concurrent_attribute(attribute)) dispatch_queue_set_specific(queue, &concurrent_key, &concurrent_key, NULL);
  if (target && !nvt_is_global(target)) dispatch_queue_set_specific(queue, &target_key, target, NULL);
  return queue;
}
INTERPOSED object_t dispatch_queue_create(const char *label, const void *attribute) {
  REAL(dispatch_queue_create)
  return noted(real_dispatch_queue_create(label, attribute), label, attribute, NULL);
}
// Its symbol has a version's suffix on Apple's systems only.
object_t dispatch_queue_create_with_target(const char *, const void *, object_t)
  __asm__("dispatch_queue_create_with_target");
INTERPOSED object_t dispatch_queue_create_with_target(const char *label, const void *attribute, object_t target) {
  REAL(dispatch_queue_create_with_target)
  return noted(real_dispatch_queue_create_with_target(label, attribute, target), label, attribute, target);
}
INTERPOSED void dispatch_set_target_queue(object_t object, object_t target) {
  const nvt_hooks *hooks = HOOKS();
  if (UNLIKELY(hooks) && target) hooks->source_set_queue(object, target);
  if (target && is_queue(object) && !nvt_is_global(target)) {
    dispatch_queue_set_specific(object, &target_key, target, NULL);
  }
  REAL(dispatch_set_target_queue)
  real_dispatch_set_target_queue(object, target);
}
INTERPOSED object_t dispatch_get_global_queue(intptr_t which, uintptr_t flags) {
  REAL(dispatch_get_global_queue)
  object_t queue = real_dispatch_get_global_queue(which, flags);
  for (int n = 0; queue && n < MOST_GLOBAL_QUEUES; n++) {
    void *none = NULL;
    if (atomic_compare_exchange_strong(&global_queues[n], &none, queue) || none == queue) break;
  }
  return queue;
}

bool nvt_is_global(void *queue) {
  for (int n = 0; n < MOST_GLOBAL_QUEUES && global_queues[n]; n++) if (global_queues[n] == queue) return true;
  return false;
}
static bool is_concurrent(void *queue) { return dispatch_queue_get_specific(queue, &concurrent_key) != NULL; }
void *nvt_serial_queue(void *queue) {
  void *serial = NULL;
  // The depth is limited because a cycle of targets is possible, though it traps in libdispatch sooner or later.
  for (int depth = 0; queue && depth < 64 && !nvt_is_global(queue); depth++) {
    if (!is_concurrent(queue)) serial = queue;
    queue = dispatch_queue_get_specific(queue, &target_key);
  }
  return serial;
}
const char *dispatch_queue_get_label(object_t);
const char *nvt_label(void *queue) { return dispatch_queue_get_label(queue); }

bool nvt_is_on_main_queue(void) {
  if (!dispatch_queue_get_specific(&_dispatch_main_q, &main_key)) {
    dispatch_queue_set_specific(&_dispatch_main_q, &main_key, &main_key, NULL);
  }
  return dispatch_get_specific(&main_key) != NULL;
}
void nvt_drain_main_queue(void) {
  static _Atomic(void (*)(void *)) drain;
  if (!drain) drain = (void (*)(void *))dlsym(RTLD_DEFAULT, "_dispatch_main_queue_callback_4CF");
  if (drain) drain(NULL);
}
