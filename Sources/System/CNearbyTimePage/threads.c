#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CNearbyTimePage.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int ntp_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

/// The text after a key of a status file, or null.
static const char *value_of(const char *text, const char *key) {
  const char *found = strstr(text, key);
  return found ? found + strlen(key) : NULL;
}

ntp_thread ntp_read_thread(int status) {
  char text[4096];
  ssize_t count = pread(status, text, sizeof text - 1, 0);
  if (count <= 0) return (ntp_thread){0, 0};
  text[count] = 0;
  const char *state = value_of(text, "\nState:\t");
  const char *own = value_of(text, "\nvoluntary_ctxt_switches:\t");
  const char *forced = value_of(text, "\nnonvoluntary_ctxt_switches:\t");
  if (!state || !own || !forced) return (ntp_thread){0, 0};
  return (ntp_thread){*state, strtoull(own, NULL, 10) + strtoull(forced, NULL, 10)};
}
