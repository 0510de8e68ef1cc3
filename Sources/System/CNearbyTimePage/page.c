#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CNearbyTimePage.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const uint64_t magic = 0x3165676150656d54;

static ntp_page *map(int descriptor) {
  void *page = mmap(NULL, sizeof(ntp_page), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  return page == MAP_FAILED ? NULL : page;
}

ntp_page *ntp_create(const char *path, int64_t uptime_at_zero, int64_t wall_at_zero, uint64_t seed) {
  int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return NULL;
  // Not only a hole: otherwise a full disk would end the processes with SIGBUS.
  int failure = posix_fallocate(descriptor, 0, sizeof(ntp_page));
  ntp_page *page = failure ? NULL : map(descriptor);
  if (!failure && !page) failure = errno;
  close(descriptor);
  if (!page) {
    unlink(path);
    errno = failure;
    return NULL;
  }
  *page = (ntp_page){.uptime_at_zero = uptime_at_zero, .wall_at_zero = wall_at_zero, .seed = seed, .owner = getpid()};
  __atomic_store_n(&page->magic, magic, __ATOMIC_RELEASE);
  return page;
}

ntp_page *ntp_open(const char *path) {
  int descriptor = open(path, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return NULL;
  struct stat info;
  bool is_whole = fstat(descriptor, &info) == 0 && info.st_size == sizeof(ntp_page);
  ntp_page *page = is_whole ? map(descriptor) : NULL;
  close(descriptor);
  if (page && __atomic_load_n(&page->magic, __ATOMIC_ACQUIRE) != magic) {
    ntp_release(page);
    return NULL;
  }
  return page;
}

void ntp_release(ntp_page *page) { munmap(page, sizeof *page); }
int64_t ntp_now(const ntp_page *page) { return __atomic_load_n(&page->now, __ATOMIC_ACQUIRE); }
void ntp_set_now(ntp_page *page, int64_t now) { __atomic_store_n(&page->now, now, __ATOMIC_RELEASE); }
uint32_t ntp_refused(const ntp_page *page) { return __atomic_load_n(&page->refused, __ATOMIC_RELAXED); }

void ntp_forget_dead(ntp_page *page) {
  for (int n = 0; n < NTP_SLOTS; n++) {
    int32_t process = __atomic_load_n(&page->slots[n].process, __ATOMIC_ACQUIRE);
    if (process > 0 && kill(process, 0) != 0 && errno == ESRCH) {
      __atomic_store_n(&page->slots[n].process, 0, __ATOMIC_RELEASE);
    }
  }
}

int64_t ntp_next_deadline(const ntp_page *page) {
  int64_t next = INT64_MAX;
  uint32_t used = __atomic_load_n(&page->used, __ATOMIC_ACQUIRE);
  for (uint32_t n = 0; n < used && n < NTP_SLOTS; n++) {
    const ntp_slot *slot = &page->slots[n];
    if (!__atomic_load_n(&slot->process, __ATOMIC_ACQUIRE)) continue;
    int64_t deadline = __atomic_load_n(&slot->deadline, __ATOMIC_ACQUIRE);
    if (deadline < next) next = deadline;
  }
  return next;
}

bool ntp_wake(ntp_page *page) {
  if (ntp_next_deadline(page) > ntp_now(page)) return false;
  __atomic_add_fetch(&page->turn, 1, __ATOMIC_SEQ_CST);
  ntp_wake_all(&page->turn);
  return true;
}

// The page is shared by processes, so its futexes are not private.
void ntp_wake_all(const uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0); }

void ntp_check_owner(const ntp_page *page) {
  char path[32];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)page->owner);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  char state = file < 0 ? 0 : ntp_state(file);
  if (file >= 0) close(file);
  // The group, because a shell would start the next command.
  if (state == 0 || state == 'Z' || state == 'X') kill(0, SIGKILL);
}
