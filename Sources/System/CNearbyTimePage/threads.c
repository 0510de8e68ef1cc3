#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CNearbyTimePage.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int ntp_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

/// Reads a file from its beginning. Returns how much there is; the text ends with a zero octet.
static size_t read_text(int file, char *text, size_t size) {
  ssize_t count = pread(file, text, size - 1, 0);
  text[count > 0 ? count : 0] = 0;
  return count > 0 ? (size_t)count : 0;
}

uint64_t ntp_links(int folder) {
  struct stat info;
  return fstat(folder, &info) == 0 ? info.st_nlink : 0;
}

char ntp_state(int stat) {
  char text[512];
  if (!read_text(stat, text, sizeof text)) return 0;
  // Behind the program's name, which may contain anything.
  const char *end = strrchr(text, ')');
  return end && end[1] == ' ' ? end[2] : 0;
}

bool ntp_is_on_processor(int syscall) {
  char text[256];
  return read_text(syscall, text, sizeof text) && strncmp(text, "running", 7) == 0;
}

uint64_t ntp_runs(int schedstat) {
  char text[128], *end = text;
  if (!read_text(schedstat, text, sizeof text)) return 0;
  strtoull(end, &end, 10);
  strtoull(end, &end, 10);
  return strtoull(end, NULL, 10);
}

static uint64_t number_after(const char *text, const char *key) {
  const char *found = strstr(text, key);
  return found ? strtoull(found + strlen(key), NULL, 10) : 0;
}

uint64_t ntp_switches(int status) {
  char text[4096];
  read_text(status, text, sizeof text);
  return number_after(text, "\nvoluntary_ctxt_switches:\t") + number_after(text, "\nnonvoluntary_ctxt_switches:\t");
}

bool ntp_has_backlog(int softnet_stat) {
  char text[16384];
  read_text(softnet_stat, text, sizeof text);
  // A line a processor, in hexadecimal; the twelfth number is what waits there.
  for (char *line = text; *line;) {
    char *end = strchr(line, '\n');
    if (end) *end = 0;
    unsigned long value = 0;
    char *next = line;
    for (int column = 0; column < 12; column++) value = strtoul(next, &next, 16);
    if (value) return true;
    if (!end) break;
    line = end + 1;
  }
  return false;
}
