// Random numbers, so that the same seed gives the same run. They are no secret in a simulated world.
#include "shim.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <limits.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// SplitMix64 (Steele, Lea and Flood 2014), which begins anew at each time of the world: threads that draw at the same
/// time, in whatever order, do not change what is drawn later.
static uint64_t draw(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static int64_t time = -1;
  static uint64_t count;
  const uint64_t step = 0x9e3779b97f4a7c15;
  pthread_mutex_lock(&lock);
  int64_t present = now();
  if (present != time) count = 0;
  time = present;
  uint64_t number = ++count;
  pthread_mutex_unlock(&lock);
  return mix(mix(npt_page->seed + (uint64_t)present * step) + number * step);
}

void npt_random(void *buffer, size_t count) {
  for (size_t n = 0; n < count; n += sizeof(uint64_t)) {
    uint64_t number = draw();
    size_t rest = count - n;
    memcpy((char *)buffer + n, &number, rest < sizeof number ? rest : sizeof number);
  }
}

EXPORTED ssize_t getrandom(void *buffer, size_t count, unsigned flags) {
  if (npt_page && buffer && count <= SSIZE_MAX) {
    npt_random(buffer, count);
    return (ssize_t)count;
  }
  REAL(getrandom)
  return real_getrandom(buffer, count, flags);
}

EXPORTED int getentropy(void *buffer, size_t count) {
  if (npt_page && buffer && count <= 256) {
    npt_random(buffer, count);
    return 0;
  }
  REAL(getentropy)
  return real_getentropy(buffer, count);
}

// MARK: /dev/urandom and /dev/random, which Foundation reads for a UUID

static bool is_random_device(int file) {
  struct stat info;
  // The memory devices have the major number 1; random is its minor 8, urandom 9.
  return fstat(file, &info) == 0 && S_ISCHR(info.st_mode) && major(info.st_rdev) == 1
    && (minor(info.st_rdev) == 8 || minor(info.st_rdev) == 9);
}
static _Atomic int random_file = -1;

/// Notes a descriptor that was just opened. One is enough: libraries keep it, or close it before they open another.
static int noted(int file, const char *path) {
  if (npt_page && file >= 0 && strncmp(path, "/dev/", 5) == 0 && is_random_device(file)) atomic_store(&random_file, file);
  return file;
}

#define MODE(flags) \
  mode_t mode = 0; \
  if ((flags) & O_CREAT || ((flags) & O_TMPFILE) == O_TMPFILE) { \
    va_list list; \
    va_start(list, flags); \
    mode = va_arg(list, mode_t); \
    va_end(list); \
  }

EXPORTED int open(const char *path, int flags, ...) {
  MODE(flags)
  REAL(open)
  return noted(real_open(path, flags, mode), path);
}
EXPORTED int open64(const char *path, int flags, ...) {
  MODE(flags)
  REAL(open64)
  return noted(real_open64(path, flags, mode), path);
}

EXPORTED ssize_t read(int file, void *buffer, size_t count) {
  // The number may be another file's by now.
  if (npt_page && file >= 0 && file == atomic_load(&random_file) && is_random_device(file) && count <= SSIZE_MAX) {
    npt_random(buffer, count);
    return (ssize_t)count;
  }
  REAL(read)
  return real_read(file, buffer, count);
}
