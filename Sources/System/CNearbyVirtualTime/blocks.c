// Blocks that belong to the context in which they were made. OperationQueue makes one of each operation that is added,
// and enqueues it later, from the thread that ended the operation before: another phone's, perhaps.
#include "interpose.h"
#include <pthread.h>
#include <stdlib.h>

/// The context of a block that dispatch_block_create returned.
struct note {
  void *block;
  const nvt_context *context;
  _Atomic int references;
  struct note *next;
};
enum { BUCKETS = 256 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct note *notes[BUCKETS];
static _Atomic int note_count;

static struct note **bucket(void *block) { return &notes[((uintptr_t)block >> 5) % BUCKETS]; }
static void add(struct note *note, void *block) {
  note->block = block;
  pthread_mutex_lock(&lock);
  note->next = *bucket(block);
  *bucket(block) = note;
  pthread_mutex_unlock(&lock);
  atomic_fetch_add(&note_count, 1);
}
static void remove_note(struct note *note) {
  pthread_mutex_lock(&lock);
  for (struct note **link = bucket(note->block); *link; link = &(*link)->next) {
    if (*link != note) continue;
    *link = note->next;
    atomic_fetch_sub(&note_count, 1);
    break;
  }
  pthread_mutex_unlock(&lock);
}
const nvt_context *nvt_context_of_block(void *block) {
  if (!UNLIKELY(atomic_load_explicit(&note_count, memory_order_relaxed) > 0)) return nvt_here;
  const nvt_context *context = nvt_here;
  pthread_mutex_lock(&lock);
  for (struct note *one = *bucket(block); one; one = one->next)
    if (one->block == block) { context = one->context; break; }
  pthread_mutex_unlock(&lock);
  return context;
}

// MARK: A block around another one, which owns the note

struct noted { struct block_header header; void *inner; struct note *note; };
static void call(void *block) { nvt_call_block(((struct noted *)block)->inner); }
static void copy(void *to, const void *from) {
  struct noted *copied = to;
  copied->inner = _Block_copy(((const struct noted *)from)->inner);
  atomic_fetch_add(&copied->note->references, 1);
}
static void dispose(const void *block) {
  const struct noted *ended = block;
  _Block_release(ended->inner);
  if (atomic_fetch_sub(&ended->note->references, 1) > 1) return;
  remove_note(ended->note);
  free(ended->note);
}
static const struct block_descriptor descriptor = {0, sizeof(struct noted), copy, dispose};

/// DISPATCH_BLOCK_ASSIGN_CURRENT and DISPATCH_BLOCK_ENFORCE_QOS_CLASS, one of which OperationQueue sets.
enum { OF_OPERATIONS = 0x4 | 0x20 };
static struct note *note_for(unsigned long flags) {
  if (!HOOKS() || !(flags & OF_OPERATIONS)) return NULL;
  struct note *note = calloc(1, sizeof *note);
  if (!note) return NULL;
  // A session handles the results of several tasks at once, whichever of them it was called for.
  const nvt_context *owner = nvt_context_of_transfer();
  note->context = owner ? owner : nvt_here;
  return note;
}
#define NOTED(note, block) {BLOCK_HEADER(call, &descriptor), block, note}

void *dispatch_block_create(unsigned long, void *);
void *dispatch_block_create_with_qos_class(unsigned long, unsigned, int, void *);
INTERPOSED void *dispatch_block_create(unsigned long flags, void *block) {
  REAL(dispatch_block_create)
  struct note *note = note_for(flags);
  if (!note) return real_dispatch_block_create(flags, block);
  struct noted noted = NOTED(note, block);
  void *result = real_dispatch_block_create(flags, &noted);
  if (result) add(note, result);
  return result;
}
INTERPOSED void *dispatch_block_create_with_qos_class(unsigned long flags, unsigned qos, int priority, void *block) {
  REAL(dispatch_block_create_with_qos_class)
  struct note *note = note_for(flags);
  if (!note) return real_dispatch_block_create_with_qos_class(flags, qos, priority, block);
  struct noted noted = NOTED(note, block);
  void *result = real_dispatch_block_create_with_qos_class(flags, qos, priority, &noted);
  if (result) add(note, result);
  return result;
}
