// A network of their own for the programs of one world, so that programs of other worlds, and of the machine, are not
// found. NEARBY_NETWORK is `make:N` for the process that makes it, where N is the descriptor of a socket over which it
// passes a listening socket in that network, and `join:PID` for all others.
#include "shim.h"
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/// A connection beyond the backlog would be tried again after a second of real time, which the world does not wait for.
enum { PORT = 7100, BACKLOG = 512 };

static bool write_file(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  bool is_written = write(file, text, strlen(text)) == (ssize_t)strlen(text);
  close(file);
  return is_written;
}

/// Without the right to make a network, a user may make one together with a user namespace.
static bool leave_network(void) {
  if (unshare(CLONE_NEWNET) == 0) return true;
  uid_t user = getuid();
  gid_t group = getgid();
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return false;
  char map[64];
  snprintf(map, sizeof map, "%u %u 1", (unsigned)user, (unsigned)user);
  if (!write_file("/proc/self/uid_map", map)) return false;
  write_file("/proc/self/setgroups", "deny");
  snprintf(map, sizeof map, "%u %u 1", (unsigned)group, (unsigned)group);
  return write_file("/proc/self/gid_map", map);
}

static bool switch_on_loopback(void) {
  int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (any < 0) return false;
  struct ifreq request = {.ifr_name = "lo"};
  bool is_on = ioctl(any, SIOCGIFFLAGS, &request) == 0;
  // With multicast, so that DNS-SD works.
  request.ifr_flags |= IFF_UP | IFF_RUNNING | IFF_MULTICAST;
  is_on = is_on && ioctl(any, SIOCSIFFLAGS, &request) == 0;
  close(any);
  return is_on;
}

static int listen_there(void) {
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  struct sockaddr_in address = {
    .sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (listener < 0) return -1;
  if (bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, BACKLOG) == 0) return listener;
  close(listener);
  return -1;
}

/// Sends one octet, 0 or an error number, and with 0 the descriptor.
static void answer(int channel, int descriptor, int failure) {
  unsigned char octet = (unsigned char)failure;
  struct iovec part = {&octet, 1};
  union { char octets[CMSG_SPACE(sizeof(int))]; struct cmsghdr header; } control = {0};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (!failure) {
    message.msg_control = control.octets;
    message.msg_controllen = sizeof control.octets;
    control.header = (struct cmsghdr){
      .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int))};
    memcpy(CMSG_DATA(&control.header), &descriptor, sizeof descriptor);
  }
  (void)!sendmsg(channel, &message, MSG_NOSIGNAL);
}

/// Keeps the network until the other side closes the socket.
static void make(int channel) {
  int listener = -1;
  if (leave_network() && switch_on_loopback()) listener = listen_there();
  answer(channel, listener, listener < 0 ? (errno ? errno : EPERM) : 0);
  if (listener >= 0) {
    close(listener);
    char octet;
    while (read(channel, &octet, 1) < 0 && errno == EINTR) {}
  }
  _exit(0);
}

static bool enter(const char *path, int kind) {
  int space = open(path, O_RDONLY | O_CLOEXEC);
  if (space < 0) return false;
  bool is_entered = setns(space, kind) == 0;
  close(space);
  return is_entered;
}

static void join(const char *process) {
  char network[64], user[64];
  snprintf(network, sizeof network, "/proc/%s/ns/net", process);
  snprintf(user, sizeof user, "/proc/%s/ns/user", process);
  if (enter(network, CLONE_NEWNET) || (enter(user, CLONE_NEWUSER) && enter(network, CLONE_NEWNET))) {
    // What this process starts is there already, and may have lost the right to enter it.
    unsetenv("NEARBY_NETWORK");
    return;
  }
  fprintf(stderr, "swift-nearby: can't enter the world's network: %s\n", strerror(errno));
  _exit(71);
}

void npt_enter_network(void) {
  const char *text = getenv("NEARBY_NETWORK");
  if (!text) return;
  if (strncmp(text, "make:", 5) == 0) make(atoi(text + 5));
  if (strncmp(text, "join:", 5) == 0) join(text + 5);
}
