#include "CNearbyTimePage.h"
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

int ntp_receive_descriptor(int channel) {
  unsigned char octet = 0;
  struct iovec part = {&octet, 1};
  union { char octets[CMSG_SPACE(sizeof(int))]; struct cmsghdr header; } control = {0};
  struct msghdr message = {
    .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.octets, .msg_controllen = sizeof control.octets};
  ssize_t count;
  do count = recvmsg(channel, &message, MSG_CMSG_CLOEXEC); while (count < 0 && errno == EINTR);
  if (count == 0) errno = EPIPE;
  if (count <= 0) return -1;
  const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (octet || !header || header->cmsg_type != SCM_RIGHTS) {
    errno = octet ? octet : EPROTO;
    return -1;
  }
  int descriptor;
  memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return descriptor;
}
