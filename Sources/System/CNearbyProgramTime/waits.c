// The table of waits, and the thread that ends them.
#include "shim.h"
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

ntp_page *npt_page;
/// What the page does not say of this process's slots.
static npt_wait waits[NTP_SLOTS];
/// Held while a slot is taken, given back or fired, so that nothing ends while it is being woken.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int32_t process;
/// How many slots are semaphores' (`NPT_WORD` with an address).
static _Atomic int semaphores;
static _Atomic bool has_thread;

void *npt_next(const char *name, const char *version) {
  void *found = version ? dlvsym(RTLD_NEXT, name, version) : NULL;
  // The C library's first version on other architectures.
  if (!found && version) found = dlvsym(RTLD_NEXT, name, "GLIBC_2.17");
  if (!found) found = dlsym(RTLD_NEXT, name);
  if (!found) {
    fprintf(stderr, "swift-nearby: no function %s, which this program's time needs\n", name);
    _exit(70);
  }
  return found;
}

void npt_wait_for(const uint32_t *word, uint32_t value) {
  // Not this library's, which would wait in the world's time.
  REAL(syscall)
  struct timespec limit = {.tv_sec = 5};
  real_syscall(SYS_futex, word, FUTEX_WAIT, value, &limit, NULL, 0);
}

// MARK: The thread

static void wake_event(int descriptor, uint64_t count) { (void)!write(descriptor, &count, sizeof count); }

/// Advances a timer past the present and tells how often it came due.
static void fire_timer(ntp_slot *slot, const npt_wait *wait, int64_t present) {
  uint64_t count = 1;
  int64_t next = INT64_MAX;
  if (wait->interval > 0) {
    count += (uint64_t)((present - slot->deadline) / wait->interval);
    if (__builtin_add_overflow(slot->deadline, (int64_t)count * wait->interval, &next)) next = INT64_MAX;
  }
  __atomic_store_n(&slot->deadline, next, __ATOMIC_RELEASE);
  wake_event(wait->descriptor, count);
}

/// Call with the lock held.
static void fire(uint32_t n, int64_t present) {
  ntp_slot *slot = &npt_page->slots[n];
  const npt_wait *wait = &waits[n];
  if (wait->kind == NPT_TIMER) return fire_timer(slot, wait, present);
  __atomic_store_n(&slot->deadline, INT64_MAX, __ATOMIC_RELEASE);
  __atomic_store_n(&slot->has_fired, 1, __ATOMIC_RELEASE);
  switch (wait->kind) {
  case NPT_WORD: ntp_wake_all(&slot->has_fired); break;
  case NPT_CONDITION: pthread_cond_broadcast(wait->address); break;
  case NPT_FUTEX:
    // Its waiters may have said that it is private to the process, or not.
    syscall(SYS_futex, wait->address, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
    syscall(SYS_futex, wait->address, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    break;
  case NPT_EVENT: wake_event(wait->descriptor, 1); break;
  case NPT_TIMER: break;
  }
}

static void *keep_time(void *nothing) {
  (void)nothing;
  pthread_setname_np(pthread_self(), "nearby-time");
  while (true) {
    uint32_t turn = __atomic_load_n(&npt_page->turn, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&lock);
    int64_t present = now();
    uint32_t used = __atomic_load_n(&npt_page->used, __ATOMIC_ACQUIRE);
    for (uint32_t n = 0; n < used && n < NTP_SLOTS; n++) {
      const ntp_slot *slot = &npt_page->slots[n];
      if (slot->process == process && slot->deadline <= present) fire(n, present);
    }
    pthread_mutex_unlock(&lock);
    npt_wait_for(&npt_page->turn, turn);
    ntp_check_owner(npt_page);
  }
  return NULL;
}

/// Starts the thread with the first wait, so that a process that was forked has its own.
static void start_thread(void) {
  if (atomic_exchange(&has_thread, true)) return;
  REAL_OF(pthread_create, "GLIBC_2.34")
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  int failure = real_pthread_create(&thread, &attributes, keep_time, NULL);
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (failure) {
    fprintf(stderr, "swift-nearby: no thread for the world's time: %s\n", strerror(failure));
    _exit(70);
  }
}

// MARK: Slots

int npt_begin(int64_t deadline, npt_wait wait) {
  start_thread();
  pthread_mutex_lock(&lock);
  for (uint32_t n = 0; n < NTP_SLOTS; n++) {
    ntp_slot *slot = &npt_page->slots[n];
    // Other processes with the same page take slots, too.
    int32_t free = 0;
    if (__atomic_load_n(&slot->process, __ATOMIC_RELAXED)) continue;
    if (!__atomic_compare_exchange_n(&slot->process, &free, -1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) continue;
    waits[n] = wait;
    slot->has_fired = 0;
    __atomic_store_n(&slot->deadline, deadline, __ATOMIC_RELEASE);
    __atomic_store_n(&slot->process, process, __ATOMIC_RELEASE);
    uint32_t used = __atomic_load_n(&npt_page->used, __ATOMIC_RELAXED);
    while (used < n + 1
           && !__atomic_compare_exchange_n(
             &npt_page->used, &used, n + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {}
    if (wait.kind == NPT_WORD && wait.address) atomic_fetch_add(&semaphores, 1);
    pthread_mutex_unlock(&lock);
    return (int)n;
  }
  pthread_mutex_unlock(&lock);
  __atomic_add_fetch(&npt_page->refused, 1, __ATOMIC_RELAXED);
  return -1;
}

bool npt_has_fired(int slot) {
  return slot >= 0 && __atomic_load_n(&npt_page->slots[slot].has_fired, __ATOMIC_ACQUIRE);
}

bool npt_end(int n) {
  if (n < 0) return false;
  pthread_mutex_lock(&lock);
  ntp_slot *slot = &npt_page->slots[n];
  bool has_fired = slot->has_fired;
  if (waits[n].kind == NPT_WORD && waits[n].address) atomic_fetch_sub(&semaphores, 1);
  waits[n] = (npt_wait){0};
  __atomic_store_n(&slot->deadline, INT64_MAX, __ATOMIC_RELEASE);
  __atomic_store_n(&slot->process, 0, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&lock);
  return has_fired;
}

void npt_sleep(int64_t deadline) {
  if (deadline <= now()) return;
  int slot = npt_begin(deadline, (npt_wait){.kind = NPT_WORD});
  if (slot < 0) return;
  while (!npt_has_fired(slot)) npt_wait_for(&npt_page->slots[slot].has_fired, 0);
  npt_end(slot);
}

void npt_signalled(void *address) {
  if (atomic_load(&semaphores) == 0) return;
  pthread_mutex_lock(&lock);
  uint32_t used = __atomic_load_n(&npt_page->used, __ATOMIC_ACQUIRE);
  for (uint32_t n = 0; n < used && n < NTP_SLOTS; n++) {
    ntp_slot *slot = &npt_page->slots[n];
    if (slot->process != process || waits[n].kind != NPT_WORD || waits[n].address != address) continue;
    __atomic_store_n(&slot->has_fired, 1, __ATOMIC_RELEASE);
    ntp_wake_all(&slot->has_fired);
  }
  pthread_mutex_unlock(&lock);
}

void npt_set_timer(int n, int64_t deadline, int64_t interval) {
  if (n < 0) return;
  pthread_mutex_lock(&lock);
  waits[n].interval = interval;
  __atomic_store_n(&npt_page->slots[n].deadline, deadline, __ATOMIC_RELEASE);
  if (deadline <= now()) fire((uint32_t)n, now());
  pthread_mutex_unlock(&lock);
}

int64_t npt_deadline(int n, int64_t *interval) {
  if (n < 0) return INT64_MAX;
  pthread_mutex_lock(&lock);
  *interval = waits[n].interval;
  int64_t deadline = npt_page->slots[n].deadline;
  pthread_mutex_unlock(&lock);
  return deadline;
}

// MARK: The beginning

static void give_back(int32_t owner) {
  for (uint32_t n = 0; n < NTP_SLOTS; n++) {
    if (npt_page->slots[n].process == owner) __atomic_store_n(&npt_page->slots[n].process, 0, __ATOMIC_RELEASE);
  }
}

static void forked(void) {
  process = getpid();
  pthread_mutex_init(&lock, NULL);
  memset(waits, 0, sizeof waits);
  atomic_store(&semaphores, 0);
  atomic_store(&has_thread, false);
  npt_forget_timers();
  npt_forget_event();
}

bool npt_is_own_process(void) { return getpid() == process; }

__attribute__((constructor)) static void attach(void) {
  npt_enter_network();
  const char *path = getenv(NTP_VARIABLE);
  if (!path || !*path) return;
  ntp_page *page = ntp_open(path);
  if (!page) {
    fprintf(stderr, "swift-nearby: %s=%s: expected the file of a world's time\n", NTP_VARIABLE, path);
    _exit(78);
  }
  process = getpid();
  npt_page = page;
  // Those of the program that this process ran before.
  give_back(process);
  pthread_atfork(NULL, NULL, forked);
}

__attribute__((destructor)) static void detach(void) {
  if (npt_page) give_back(process);
}
