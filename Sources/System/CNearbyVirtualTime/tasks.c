// The hooks of Swift's concurrency runtime, which it calls wherever it would send a job to libdispatch.
#include "interpose.h"

#define SWIFT __attribute__((swiftcall))
typedef SWIFT void (*enqueue_t)(void *job);
typedef SWIFT void (*enqueue_delayed_t)(uint64_t delay, void *job);
typedef SWIFT void (*enqueue_deadline_t)(
  int64_t seconds, int64_t nanoseconds, int64_t tolerance, int64_t rest, int clock, void *job);
struct executor { uintptr_t identity, implementation; };
extern SWIFT uint64_t swift_task_getJobTaskId(void *) __attribute__((weak));
extern SWIFT void swift_job_run(void *, uintptr_t, uintptr_t) __attribute__((weak));
extern SWIFT struct executor swift_task_getMainExecutor(void) __attribute__((weak));

static const nvt_context *context_of(void *job) {
  // The lowest octet of a job's flags is its kind, 0 for a task; other jobs are an actor's.
  bool is_task = (((uint32_t *)job)[8] & 0xff) == 0;
  return is_task ? HOOKS()->context_of_task(swift_task_getJobTaskId(job), nvt_here) : nvt_here;
}
/// Passes a job of the test's own on. The runtime calls dispatch_async_f for it, which is interposed too.
#define PASS_ON(call) { \
  const nvt_context *before = nvt_exchange(NULL); \
  call; \
  nvt_exchange(before); \
}
static SWIFT void enqueue(void *job, enqueue_t original) {
  const nvt_context *context = context_of(job);
  if (context && HOOKS()->job(context, job, false, -1)) return;
  PASS_ON(original(job))
}
static SWIFT void enqueue_main(void *job, enqueue_t original) {
  const nvt_context *context = context_of(job);
  if (context && HOOKS()->job(context, job, true, -1)) return;
  PASS_ON(original(job))
}
static SWIFT void enqueue_delayed(uint64_t delay, void *job, enqueue_delayed_t original) {
  const nvt_context *context = context_of(job);
  int64_t nanoseconds = delay > INT64_MAX ? INT64_MAX : (int64_t)delay;
  if (context && HOOKS()->job(context, job, false, nvt_after(context->clock, 0, nanoseconds))) return;
  PASS_ON(original(delay, job))
}
static SWIFT void enqueue_at(
  int64_t seconds, int64_t nanoseconds, int64_t tolerance, int64_t rest, int clock, void *job,
  enqueue_deadline_t original
) {
  const nvt_context *context = context_of(job);
  if (context) {
    int64_t time = nvt_time_of(context->clock, context->clock->uptime_at_zero, seconds, nanoseconds);
    if (HOOKS()->job(context, job, false, time)) return;
  }
  PASS_ON(original(seconds, nanoseconds, tolerance, rest, clock, job))
}

void nvt_run_job(void *job, bool is_main) {
  struct executor executor = {0, 0};
  if (is_main) executor = swift_task_getMainExecutor();
  swift_job_run(job, executor.identity, executor.implementation);
}

static void set_hook(const char *name, void *function) {
  void **slot = dlsym(RTLD_DEFAULT, name);
  if (slot) *slot = function;
}
void nvt_install(const nvt_hooks *hooks) {
  atomic_store_explicit(&nvt_installed, hooks, memory_order_release);
  set_hook("swift_task_enqueueGlobal_hook", enqueue);
  set_hook("swift_task_enqueueMainExecutor_hook", enqueue_main);
  set_hook("swift_task_enqueueGlobalWithDelay_hook", enqueue_delayed);
  set_hook("swift_task_enqueueGlobalWithDeadline_hook", enqueue_at);
}
