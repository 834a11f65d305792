/* SPDX-License-Identifier: MIT
 *
 * The core of a segmented downloader, in the role of aget: a thread gets its segment of a file in chunks, and adds what
 * it wrote to its own offset and to a total; another thread is told to stop and saves what is needed to resume. Nobody
 * holds a lock while both are updated.
 */
#include <assert.h>
#include <pthread.h>

enum { CHUNKS = 2, CHUNK = 4, HEADER = 2, SEGMENTS = 2 };
enum { IDLE, RUNNING, DONE, FAILED };

struct segment {
  int start, end, offset, state;
};

struct resume {
  int segments, total, offsets[SEGMENTS];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct segment segments[SEGMENTS] = {{0, 8, 0, IDLE}, {8, 16, 8, DONE}};
static int total, stop_wanted;
static struct resume saved;

/* What a server sends: a header in front of the first chunk. */
static int receive(int chunk, int room) {
  const int length = chunk == 0 ? CHUNK + HEADER : CHUNK;
  if (length < room) return length;
  return room;
}

static int strip_header(int chunk, int length) {
  if (chunk > 0) return length;
  if (length < HEADER) return -1;
  return length - HEADER;
}

static int is_stopped(void) {
  pthread_mutex_lock(&lock);
  const int stopped = stop_wanted;
  pthread_mutex_unlock(&lock);
  return stopped;
}

static int get_chunk(struct segment *segment, int chunk) {
  const int received = receive(chunk, CHUNK + HEADER);
  const int length = strip_header(chunk, received);
  if (length < 0) return 0;
  const int end = segment->offset + length;
  if (end > segment->end) return 0;
  segment->offset = end;
  total += length;
  return 1;
}

static void *download(void *argument) {
  struct segment *segment = &segments[0];
  if (segment->state == DONE) return argument;
  segment->state = RUNNING;
  for (int chunk = 0; chunk < CHUNKS; chunk++) {
    if (is_stopped()) return argument;
    if (!get_chunk(segment, chunk)) {
      segment->state = FAILED;
      return argument;
    }
  }
  if (segment->offset == segment->end) segment->state = DONE;
  return argument;
}

static int is_sound(const struct resume *resume) {
  int sum = 0;
  for (int i = 0; i < resume->segments; i++) sum += resume->offsets[i] - segments[i].start;
  return resume->total <= sum;
}

static void *save(void *argument) {
  struct resume resume = {SEGMENTS, 0, {0, 8}};
  pthread_mutex_lock(&lock);
  stop_wanted = 1;
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < SEGMENTS; i++) resume.offsets[i] = segments[i].offset;
  resume.total = total;
  if (resume.offsets[0] > segments[0].start) assert(is_sound(&resume));
  saved = resume;
  return argument;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, download, NULL);
  pthread_create(&threads[1], NULL, save, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
