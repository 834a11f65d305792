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

/* ---- addresses and headers ---- */

static int starts_with(const char *text, const char *word) {
  while (*word && *text == *word) text++, word++;
  return *word == 0;
}

static int parse_number(const char *text) {
  int number = 0;
  while (*text == ' ') text++;
  if (*text < '0' || *text > '9') return -1;
  for (; *text >= '0' && *text <= '9'; text++) {
    if (number > 100000) return -1;
    number = number * 10 + (*text - '0');
  }
  return number;
}

static const char *next_line(const char *text) {
  while (*text && *text != '\n') text++;
  return *text ? text + 1 : text;
}

/* The port of "http://host:port/path"; -1: it is not an address. */
static int port_of(const char *address) {
  if (!starts_with(address, "http://")) return -1;
  for (address += 7; *address && *address != '/'; address++)
    if (*address == ':') return parse_number(address + 1);
  return 80;
}

/* The length that a header promises; -1: none, or the server does not send parts. */
static int length_in(const char *header) {
  int length = -1, is_part = 0;
  for (; *header && *header != '\n'; header = next_line(header)) {
    if (starts_with(header, "HTTP/1.1 ")) is_part = parse_number(header + 9) == 206;
    if (starts_with(header, "Content-Length:")) length = parse_number(header + 15);
  }
  return is_part ? length : -1;
}

static int plan_segments(void) {
  static const char header[] = "HTTP/1.1 206 Partial Content\nServer: x\nContent-Length: 16\n\n";
  const int length = length_in(header);
  if (port_of("http://host:8080/file") < 0 || length < SEGMENTS) return 0;
  for (int i = 0; i < SEGMENTS; i++)
    if (segments[i].end - segments[i].start != length / SEGMENTS) return 0;
  return 1;
}

/* ---- threads ---- */

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
  if (!plan_segments()) return 1;
  pthread_create(&threads[0], NULL, download, NULL);
  pthread_create(&threads[1], NULL, save, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
