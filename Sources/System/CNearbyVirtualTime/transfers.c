// URLSession. The network is real and follows real time: so do the parts of URLSession that wait for it. What they call
// back belongs to the phone whose code made the task.
#include "interpose.h"
#include <string.h>

/// Each task has a queue of this name, which guards its state.
#define TASK_QUEUE "org.swift.URLSessionTask.SyncQ"

static char owner_key;
/// How many tasks' queues have an owner.
static _Atomic int owned;
/// The owner of the task that the calling thread has asked about last; NULL if that task has no owner.
static _Thread_local const nvt_context *transferring;

static bool has_label(object_t queue, const char *label) {
  const char *actual = queue ? nvt_label(queue) : NULL;
  return actual && !strcmp(actual, label);
}
void nvt_queue_created(object_t queue, const char *label) {
  if (!nvt_here || !queue || !label || strcmp(label, TASK_QUEUE)) return;
  dispatch_queue_set_specific(queue, &owner_key, (void *)nvt_here, NULL);
  atomic_fetch_add(&owned, 1);
}
void nvt_queue_entered(object_t queue) {
  if (!UNLIKELY(atomic_load_explicit(&owned, memory_order_relaxed) > 0)) return;
  const nvt_context *owner = dispatch_queue_get_specific(queue, &owner_key);
  if (owner || (transferring && has_label(queue, TASK_QUEUE))) transferring = owner;
}

const nvt_context *nvt_context_of_transfer(void) {
  // A session's queues all have one of these names. Elsewhere the thread is not a transfer's any more.
  if (!transferring) return NULL;
  const char *label = nvt_label(dispatch_get_current_queue());
  bool is_transfer = label && (!strncmp(label, "URLSession<", 11) || !strcmp(label, "MultiHandle.isolation")
                               || !strcmp(label, "org.swift.URLSessionTask.WorkQueue"));
  return is_transfer ? transferring : NULL;
}
bool nvt_is_queue_of_transfer(object_t queue) { return has_label(queue, "org.swift.URLSessionTask.WorkQueue"); }

// MARK: libcurl, which reads clocks, and calls functions that make sources

#define IN_REAL_TIME(call) \
  const nvt_context *before = nvt_exchange(NULL); \
  int result = call; \
  nvt_exchange(before); \
  return result;

int curl_multi_socket_action(void *, int, int, int *);
int curl_multi_add_handle(void *, void *);
int curl_multi_remove_handle(void *, void *);
int curl_easy_pause(void *, int);
INTERPOSED int curl_multi_socket_action(void *multi, int socket, int events, int *running) {
  REAL(curl_multi_socket_action)
  IN_REAL_TIME(real_curl_multi_socket_action(multi, socket, events, running))
}
INTERPOSED int curl_multi_add_handle(void *multi, void *easy) {
  REAL(curl_multi_add_handle)
  IN_REAL_TIME(real_curl_multi_add_handle(multi, easy))
}
INTERPOSED int curl_multi_remove_handle(void *multi, void *easy) {
  REAL(curl_multi_remove_handle)
  IN_REAL_TIME(real_curl_multi_remove_handle(multi, easy))
}
INTERPOSED int curl_easy_pause(void *easy, int directions) {
  REAL(curl_easy_pause)
  IN_REAL_TIME(real_curl_easy_pause(easy, directions))
}
