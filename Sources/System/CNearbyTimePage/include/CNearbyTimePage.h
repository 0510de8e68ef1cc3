#pragma once
// What a world that steps its time and the programs in it share: a page of memory with the time, and with the times
// at which waits of the programs end. CNearbyProgramTime, which the programs load, reads the time and writes the
// deadlines; the world does the reverse.
#include <stdbool.h>
#include <stdint.h>

/// A program's environment names the file that holds the page.
#define NTP_VARIABLE "NEARBY_TIME"

enum {
  /// Waits with a deadline, and timers, that a program may have at once.
  NTP_SLOTS = 4096
};

/// A wait with a deadline, or a timer.
typedef struct ntp_slot {
  /// Nanoseconds of the world's time; INT64_MAX is never.
  int64_t deadline;
  /// The process that waits; 0 if the slot is free.
  int32_t process;
  /// Becomes 1 when the deadline has come. Threads wait for it.
  uint32_t has_fired;
} ntp_slot;

typedef struct ntp_page {
  uint64_t magic;
  /// Nanoseconds since the world's beginning. Stands still while programs run.
  int64_t now;
  /// What CLOCK_MONOTONIC and CLOCK_REALTIME show when `now` is 0, nanoseconds.
  int64_t uptime_at_zero, wall_at_zero;
  /// Where the programs' random numbers begin.
  uint64_t seed;
  /// Incremented whenever deadlines have come. A thread of each process waits for it.
  uint32_t turn;
  /// The world's process. Without it, programs would wait for ever, so they end.
  int32_t owner;
  /// Waits that found no free slot, and therefore have no time-out.
  uint32_t refused;
  /// Slots from this one on have never been used.
  uint32_t used;
  ntp_slot slots[NTP_SLOTS];
} ntp_page;

// MARK: For the world

/// Creates the file, which must not exist, and maps it. Returns null and sets `errno` on failure.
ntp_page *_Nullable ntp_create(
  const char *_Nonnull path, int64_t uptime_at_zero, int64_t wall_at_zero, uint64_t seed);
void ntp_release(ntp_page *_Nonnull);
int64_t ntp_now(const ntp_page *_Nonnull);
void ntp_set_now(ntp_page *_Nonnull, int64_t now);
/// The earliest deadline; INT64_MAX if nothing waits.
int64_t ntp_next_deadline(const ntp_page *_Nonnull);
/// Ends the waits whose deadlines have come. Returns whether there were any.
bool ntp_wake(ntp_page *_Nonnull);
/// Frees what processes left that were killed.
void ntp_forget_dead(ntp_page *_Nonnull);
uint32_t ntp_refused(const ntp_page *_Nonnull);

/// Like pipe2 with O_CLOEXEC, so that programs do not inherit the ends of others' pipes.
int ntp_pipe(int ends[_Nonnull 2]);

/// Receives a descriptor from a process that makes a network for programs (`NEARBY_NETWORK`). Waits for it.
///
/// @return -1 on failure, with `errno` set, to that process's if it is its failure.
int ntp_receive_descriptor(int channel);

/// How many links an open folder has; 0 on failure. Those of /proc/PID/task change with the number of threads.
uint64_t ntp_links(int folder);
/// A thread's state in an open /proc/PID/task/TID/stat, as in proc(5): R, S, D, Z, T and others; 0 if it has ended.
char ntp_state(int stat);
/// Whether a thread still runs whose state says that it sleeps or has ended, from its open syscall. The state changes
/// first, and then the thread looks whether it has to sleep, or wakes those that wait for its end.
bool ntp_is_on_processor(int syscall);
/// How often a thread has been given a processor, from its open schedstat; 0 if the kernel does not count.
uint64_t ntp_runs(int schedstat);
/// How often a thread has given up a processor, from its open status.
uint64_t ntp_switches(int status);
/// Whether packets wait to be delivered on this machine, from an open /proc/net/softnet_stat.
bool ntp_has_backlog(int softnet_stat);

// MARK: For programs

/// Maps the file of a world. Returns null if it is none.
ntp_page *_Nullable ntp_open(const char *_Nonnull path);
/// Ends the process and its group if the world's process is gone.
void ntp_check_owner(const ntp_page *_Nonnull);
void ntp_wake_all(const uint32_t *_Nonnull word);
