#pragma once
// The C functions through which an app's code waits: libdispatch's, CoreFoundation's timers, the C library's clocks,
// sleeps and conditions, and the hooks of Swift's concurrency runtime. This library defines functions of the same
// names. The dynamic linker prefers a program's definition of a name to a library's, so that libraries call these too.
//
// Every function passes its call on unless the calling thread has a context. With one, it calls the hook.
#include <stdbool.h>
#include <stdint.h>

/// A function with its argument, as libdispatch calls it.
typedef void (*nvt_function)(void *_Nullable);

/// A world's clock. The clock functions read it without a lock.
typedef struct nvt_clock {
  /// Nanoseconds of virtual time since the world was created. Read and written atomically.
  int64_t now;
  /// What CLOCK_MONOTONIC shows when `now` is 0, in nanoseconds.
  int64_t uptime_at_zero;
  /// What CLOCK_REALTIME shows when `now` is 0, in nanoseconds since 1970.
  int64_t wall_at_zero;
} nvt_clock;

/// The world, and the phone in it, whose code a thread runs. Contexts are never freed: an app's objects may hold one
/// after the end of their world.
typedef struct nvt_context {
  nvt_clock *_Nonnull clock;
  int32_t world;
  /// The phone's index in its world; -1 for code of the world that belongs to no phone.
  int32_t phone;
} nvt_context;

/// What to do with a call from a thread that has a context. All times are nanoseconds of virtual time; INT64_MAX
/// means never.
typedef struct nvt_hooks {
  /// Runs a function on a queue. A null queue means any thread.
  void (*_Nonnull async)(
    const nvt_context *_Nonnull, void *_Nullable queue, nvt_function _Nonnull, void *_Nullable argument);
  void (*_Nonnull after)(
    const nvt_context *_Nonnull, int64_t time, void *_Nullable queue, nvt_function _Nonnull, void *_Nullable argument);
  /// Runs a function on a queue and returns when it has ended. Called only by a thread that has its world's turn.
  void (*_Nonnull sync)(
    const nvt_context *_Nonnull, void *_Nonnull queue, nvt_function _Nonnull, void *_Nullable argument);
  /// Waits until `poll` returns true, which is asked when the object is signalled, or until the deadline. Called only
  /// by a thread that has its world's turn.
  ///
  /// `mutex` is unlocked once the wait has begun, and not locked again. With `repeats`, `poll` is also asked whenever
  /// time is about to move on. Returns false after the deadline.
  bool (*_Nonnull wait)(
    const nvt_context *_Nonnull, void *_Nullable object, int64_t deadline, bool (*_Nonnull poll)(void *_Nullable),
    void *_Nullable mutex, bool repeats);
  /// Runs what comes to the main queue, if the caller is on it, until something has run or the deadline is reached.
  /// Returns whether something has run. Called only by a thread that has its world's turn.
  bool (*_Nonnull run_loop)(const nvt_context *_Nonnull, int64_t deadline);
  /// An object that somebody may wait for was signalled.
  void (*_Nonnull signalled)(void *_Nonnull object);
  /// An app's own thread: announced by its creator, then begun and ended by itself.
  void (*_Nonnull thread_announced)(const nvt_context *_Nonnull, void *_Nonnull key);
  void (*_Nonnull thread_began)(const nvt_context *_Nonnull, void *_Nonnull key);
  void (*_Nonnull thread_ended)(const nvt_context *_Nonnull);
  /// An announced thread could not be created.
  void (*_Nonnull thread_failed)(const nvt_context *_Nonnull, void *_Nonnull key);
  /// Timer sources. Each hook but the first returns false for a source that it does not know.
  void (*_Nonnull source_created)(const nvt_context *_Nonnull, void *_Nonnull source, void *_Nullable queue);
  bool (*_Nonnull source_set_handler)(void *_Nonnull source, void *_Nullable block);
  bool (*_Nonnull source_set_cancel_handler)(void *_Nonnull source, void *_Nullable block);
  bool (*_Nonnull source_set_timer)(void *_Nonnull source, int64_t time, int64_t interval);
  bool (*_Nonnull source_set_queue)(void *_Nonnull source, void *_Nonnull queue);
  /// +1 for suspend, -1 for resume.
  bool (*_Nonnull source_suspended)(void *_Nonnull source, int32_t change);
  bool (*_Nonnull source_ended)(void *_Nonnull source);
  /// A read, write, signal or other source fired; the function runs its handler. Returns false if the world has ended.
  bool (*_Nonnull source_fired)(
    const nvt_context *_Nonnull, void *_Nullable queue, nvt_function _Nonnull, void *_Nullable argument);
  /// Run-loop timers; dates are seconds since 2001.
  void (*_Nonnull timer_created)(
    const nvt_context *_Nonnull, void *_Nonnull timer, void *_Nonnull callout, void *_Nullable info, double date,
    double interval);
  bool (*_Nonnull timer_added)(void *_Nonnull timer);
  void (*_Nonnull timer_moved)(void *_Nonnull timer, double date);
  void (*_Nonnull timer_invalidated)(void *_Nonnull timer);
  /// A phone's own `OperationQueue.main` and `NotificationCenter.default`, retained; null for code of no phone.
  void *_Nullable (*_Nonnull main_operation_queue)(const nvt_context *_Nonnull);
  void *_Nullable (*_Nonnull notification_centre)(const nvt_context *_Nonnull);
  /// The context of a task, from the first time that it is enqueued on.
  const nvt_context *_Nullable (*_Nonnull context_of_task)(uint64_t task, const nvt_context *_Nullable here);
  /// Runs a job of Swift's concurrency runtime, on the main queue or any thread; a negative time means now. Returns
  /// false if the world has ended.
  bool (*_Nonnull job)(const nvt_context *_Nonnull, void *_Nonnull job, bool is_main, int64_t time);
} nvt_hooks;

/// Sets the hooks, which stay for the life of the process. Before this call every function passes its call on.
void nvt_install(const nvt_hooks *_Nonnull);
/// Whether the dynamic linker has bound libdispatch's names to this library's definitions. False in a program that is
/// linked statically with libdispatch.
bool nvt_is_dynamic(void);
/// For waits: never over before their deadline, and over at the first signal.
bool nvt_never(void *_Nullable object);
bool nvt_always(void *_Nullable object);

void nvt_clock_set(nvt_clock *_Nonnull, int64_t now);
/// The time of a world, in nanoseconds, at which one of its clocks shows `seconds` and `nanoseconds`. These numbers are
/// an app's: any values are possible. The result is not before the world's present; what is too large for 64 bits
/// becomes INT64_MAX.
///
/// @param zero What that clock shows at the world's time 0, in nanoseconds.
int64_t nvt_time_of(const nvt_clock *_Nonnull, int64_t zero, int64_t seconds, int64_t nanoseconds);
/// The world's present plus a duration; a negative one counts as 0. The result is at most INT64_MAX.
int64_t nvt_after(const nvt_clock *_Nonnull, int64_t seconds, int64_t nanoseconds);
/// Sets the clock unless it shows more.
void nvt_clock_raise(nvt_clock *_Nonnull, int64_t now);

// MARK: The calling thread

const nvt_context *_Nullable nvt_current(void);
/// Sets the calling thread's context and returns the one before.
const nvt_context *_Nullable nvt_exchange(const nvt_context *_Nullable);
/// Whether the calling thread is the one of its world that may run.
bool nvt_has_turn(void);
void nvt_set_turn(bool);
/// The queues on which the calling thread runs, the innermost first.
typedef struct nvt_entered { void *_Nonnull queue; const struct nvt_entered *_Nullable outer; } nvt_entered;
const nvt_entered *_Nullable nvt_entered_queues(void);
void nvt_set_entered_queues(const nvt_entered *_Nullable);

/// The kernel's number of the calling thread.
int32_t nvt_thread_number(void);
bool nvt_is_main_thread(void);
/// Whether the calling code was called by the main queue.
bool nvt_is_on_main_queue(void);

// MARK: The real functions

void nvt_real_async(void *_Nullable queue, nvt_function _Nonnull, void *_Nullable);
void nvt_real_sync(void *_Nonnull queue, nvt_function _Nonnull, void *_Nullable);
void nvt_retain(void *_Nonnull object);
void nvt_release(void *_Nonnull object);
/// Calls a block and then releases it.
void nvt_call_and_release_block(void *_Nullable block);
void nvt_call_block(void *_Nullable block);
/// Copies a block to the heap, or retains it if it is there.
void *_Nonnull nvt_copy_block(void *_Nonnull block);
void nvt_release_block(void *_Nullable block);
/// Frees the argument of a source's handler that will not run. Returns false for every other function.
bool nvt_drop_fired(nvt_function _Nonnull, void *_Nonnull argument);
void nvt_run_job(void *_Nonnull job, bool is_main);
/// Runs the blocks of the main queue. Call on the main thread.
void nvt_drain_main_queue(void);
void nvt_call_timer(void *_Nonnull callout, void *_Nonnull timer, void *_Nullable info);
void nvt_timer_retain(void *_Nonnull timer);
void nvt_timer_release(void *_Nonnull timer);
bool nvt_timer_is_valid(void *_Nonnull timer);
void nvt_timer_invalidate(void *_Nonnull timer);
void nvt_timer_set_next(void *_Nonnull timer, double date);
void nvt_mutex_unlock(void *_Nonnull mutex);

// MARK: Queues

void *_Nonnull nvt_main_queue(void);
bool nvt_is_global(void *_Nonnull queue);
/// The serial queue that limits `queue` to one piece at a time: itself, or the last one among the queues that it is
/// targeted at. Null if there is none.
void *_Nullable nvt_serial_queue(void *_Nonnull queue);
/// The label that the queue was created with.
const char *_Nullable nvt_label(void *_Nonnull queue);
