// Waits for descriptors.
#include "shim.h"
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <unistd.h>

// MARK: The calling thread's own descriptor, by which the end of its wait is told

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void close_event(void *value) { close((int)(intptr_t)value - 1); }
static void make_key(void) { pthread_key_create(&key, close_event); }
static int own_event(void) {
  pthread_once(&once, make_key);
  intptr_t known = (intptr_t)pthread_getspecific(key);
  if (known) return (int)known - 1;
  int made = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (made >= 0) pthread_setspecific(key, (void *)(intptr_t)(made + 1));
  return made;
}

void npt_forget_event(void) {
  pthread_once(&once, make_key);
  void *known = pthread_getspecific(key);
  if (!known) return;
  close_event(known);
  pthread_setspecific(key, NULL);
}

void npt_drain(int descriptor) {
  REAL(poll)
  struct pollfd one = {.fd = descriptor, .events = POLLIN};
  uint64_t drained;
  if (real_poll(&one, 1, 0) > 0) (void)!read(descriptor, &drained, sizeof drained);
}

/// Waits for descriptors until a deadline; like ppoll otherwise.
static int wait_for(struct pollfd *list, nfds_t count, int64_t deadline, const sigset_t *mask) {
  REAL(ppoll)
  struct timespec none = {0, 0};
  int result = real_ppoll(list, count, &none, mask);
  if (result != 0 || deadline <= now()) return result;
  int event = own_event();
  if (event < 0) return -1;
  struct pollfd few[32];
  struct pollfd *all = count < 32 ? few : malloc((count + 1) * sizeof *all);
  if (!all) {
    errno = ENOMEM;
    return -1;
  }
  if (count) memcpy(all, list, count * sizeof *all);
  all[count] = (struct pollfd){.fd = event, .events = POLLIN};
  int slot = npt_begin(deadline, (npt_wait){.kind = NPT_EVENT, .descriptor = event});
  result = real_ppoll(all, count + 1, NULL, mask);
  int failure = errno;
  npt_end(slot);
  // Even if something else ended the wait: the deadline may have come at the same time.
  npt_drain(event);
  if (result > 0 && all[count].revents) result -= 1;
  for (nfds_t n = 0; result >= 0 && n < count; n++) list[n].revents = all[n].revents;
  if (all != few) free(all);
  errno = failure;
  return result;
}

EXPORTED int poll(struct pollfd *list, nfds_t count, int milliseconds) {
  if (npt_page && milliseconds > 0) {
    return wait_for(list, count, npt_after(0, (int64_t)milliseconds * 1000000), NULL);
  }
  REAL(poll)
  return real_poll(list, count, milliseconds);
}

EXPORTED int ppoll(struct pollfd *list, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
  if (npt_page && npt_is_valid(timeout) && (timeout->tv_sec > 0 || timeout->tv_nsec > 0)) {
    return wait_for(list, count, npt_after(timeout->tv_sec, timeout->tv_nsec), mask);
  }
  REAL(ppoll)
  return real_ppoll(list, count, timeout, mask);
}

EXPORTED int epoll_pwait(int set, struct epoll_event *events, int most, int milliseconds, const sigset_t *mask) {
  REAL(epoll_pwait)
  if (!npt_page || milliseconds <= 0) return real_epoll_pwait(set, events, most, milliseconds, mask);
  int result = real_epoll_pwait(set, events, most, 0, mask);
  if (result != 0) return result;
  struct pollfd one = {.fd = set, .events = POLLIN};
  result = wait_for(&one, 1, npt_after(0, (int64_t)milliseconds * 1000000), mask);
  return result < 0 ? result : real_epoll_pwait(set, events, most, 0, mask);
}

EXPORTED int epoll_wait(int set, struct epoll_event *events, int most, int milliseconds) {
  if (npt_page && milliseconds > 0) return epoll_pwait(set, events, most, milliseconds, NULL);
  REAL(epoll_wait)
  return real_epoll_wait(set, events, most, milliseconds);
}

// MARK: select

enum { SETS = 3 };
static const short wanted[SETS] = {POLLIN, POLLOUT, POLLPRI};
static const short ready[SETS] = {POLLIN | POLLHUP | POLLERR, POLLOUT | POLLERR, POLLPRI};

static int select_until(int count, fd_set *sets[SETS], int64_t deadline, const sigset_t *mask) {
  struct pollfd list[FD_SETSIZE];
  nfds_t used = 0;
  for (int descriptor = 0; descriptor < count; descriptor++) {
    short events = 0;
    for (int n = 0; n < SETS; n++) if (sets[n] && FD_ISSET(descriptor, sets[n])) events |= wanted[n];
    if (events) list[used++] = (struct pollfd){.fd = descriptor, .events = events};
  }
  int result = wait_for(list, used, deadline, mask);
  if (result < 0) return result;
  for (nfds_t n = 0; n < used; n++) {
    if (!(list[n].revents & POLLNVAL)) continue;
    errno = EBADF;
    return -1;
  }
  int found = 0;
  for (nfds_t n = 0; n < used; n++) {
    for (int set = 0; set < SETS; set++) {
      if (!sets[set] || !FD_ISSET(list[n].fd, sets[set])) continue;
      if (list[n].revents & ready[set]) found += 1; else FD_CLR(list[n].fd, sets[set]);
    }
  }
  return found;
}

EXPORTED int select(
  int count, fd_set *restrict readable, fd_set *restrict writable, fd_set *restrict exceptional,
  struct timeval *restrict timeout
) {
  bool waits = timeout && timeout->tv_sec >= 0 && timeout->tv_usec >= 0 && (timeout->tv_sec || timeout->tv_usec);
  if (npt_page && waits && count >= 0 && count <= FD_SETSIZE) {
    fd_set *sets[SETS] = {readable, writable, exceptional};
    return select_until(count, sets, npt_after(timeout->tv_sec, (int64_t)timeout->tv_usec * 1000), NULL);
  }
  REAL(select)
  return real_select(count, readable, writable, exceptional, timeout);
}

EXPORTED int pselect(
  int count, fd_set *restrict readable, fd_set *restrict writable, fd_set *restrict exceptional,
  const struct timespec *restrict timeout, const sigset_t *restrict mask
) {
  bool waits = npt_is_valid(timeout) && (timeout->tv_sec || timeout->tv_nsec);
  if (npt_page && waits && count >= 0 && count <= FD_SETSIZE) {
    fd_set *sets[SETS] = {readable, writable, exceptional};
    return select_until(count, sets, npt_after(timeout->tv_sec, timeout->tv_nsec), mask);
  }
  REAL(pselect)
  return real_pselect(count, readable, writable, exceptional, timeout, mask);
}
