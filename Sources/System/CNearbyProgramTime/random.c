// Random numbers, so that the same seed gives the same run. They are no secret in a simulated world.
#include "shim.h"
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/random.h>

/// SplitMix64 (Steele, Lea and Flood 2014), one draw after the other whichever thread draws.
static uint64_t draw(void) {
  static _Atomic uint64_t count;
  uint64_t z = npt_page->seed + (atomic_fetch_add(&count, 1) + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
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
