// Tells ThreadSanitizer about synchronisation in the Swift runtime that it cannot observe.
//
// `Mutex` locks and unlocks with one atomic operation, which is compiled into the program, where the sanitizer sees it.
// If that fails because another thread holds or awaits the lock, the program calls libswiftSynchronization, which is
// not instrumented: the sanitizer does not notice that the lock changed hands, and reports races on the value it protects.
//
// A task that awaits a continuation is ordered after the call that resumes it. The runtime tells the sanitizer so when
// the task waits, but not when the continuation was resumed before the task came to await it.
//
// `make test-thread` links this file into every program. Its functions replace the runtime's: each calls the one that
// it replaces and reports the result to the sanitizer. A lock's address is that of its atomic operation, so that a
// thread that locks in one way is ordered after a thread that unlocked in the other.
//
// The symbols are those of Swift 6.3 on Linux. The script self-test fails if a later runtime has others.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// Missing in a program that is linked with the same options but not sanitized, such as a macro's.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

// Not resolved in a constructor: libraries may lock in theirs, which run earlier.
static void *original(void **function, const char *name) {
  void *found = __atomic_load_n(function, __ATOMIC_RELAXED);
  if (found) return found;
  found = dlsym(RTLD_NEXT, name);
  if (!found) {
    fprintf(stderr, "thread-sanitizer/runtime.c: no other library defines %s\n", name);
    abort();
  }
  __atomic_store_n(function, found, __ATOMIC_RELAXED);
  return found;
}

// func _lockSlow(_ selfId: UInt32)
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
SWIFT void lockSlow(uint32_t thread, SELF void *handle) __asm__(LOCK);
SWIFT void lockSlow(uint32_t thread, SELF void *handle) {
  static void *function;
  ((SWIFT void (*)(uint32_t, SELF void *))original(&function, LOCK))(thread, handle);
  if (__tsan_acquire) __tsan_acquire(handle);
}

// func _tryLockSlow() -> Bool
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
SWIFT bool tryLockSlow(SELF void *handle) __asm__(TRY_LOCK);
SWIFT bool tryLockSlow(SELF void *handle) {
  static void *function;
  bool isLocked = ((SWIFT bool (*)(SELF void *))original(&function, TRY_LOCK))(handle);
  if (isLocked && __tsan_acquire) __tsan_acquire(handle);
  return isLocked;
}

// func _unlockSlow()
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
SWIFT void unlockSlow(SELF void *handle) __asm__(UNLOCK);
SWIFT void unlockSlow(SELF void *handle) {
  static void *function;
  if (__tsan_release) __tsan_release(handle);
  ((SWIFT void (*)(SELF void *))original(&function, UNLOCK))(handle);
}

// The start of the runtime's ContinuationAsyncContext.
struct Continuation {
  void *parent, *resumeParent;
  uintptr_t flags, status;
};
enum { resumed = 2 };

#define AWAIT "swift_continuation_await"
__attribute__((weak)) SWIFT void *swift_task_getCurrent(void);
__attribute__((swiftasynccall)) void swift_continuation_await(struct Continuation *continuation);
__attribute__((swiftasynccall)) void swift_continuation_await(struct Continuation *continuation) {
  static void *function;
  void (*await)(struct Continuation *) __attribute__((swiftasynccall)) = original(&function, AWAIT);
  // A resumption between this check and the runtime's own check of the status is still missed.
  if (__atomic_load_n(&continuation->status, __ATOMIC_ACQUIRE) == resumed && __tsan_acquire) {
    __tsan_acquire(swift_task_getCurrent());
  }
  __attribute__((musttail)) return await(continuation);
}
