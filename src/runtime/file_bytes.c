/* SPDX-License-Identifier: MIT
 *
 * What is in files: which bytes a call reads or writes, as accesses of memory at CONTENTS_ADDRESS, and the size of the
 * file, which is its word.
 *
 *     bytes that are there    reads and updates of these bytes
 *     bytes after the end     reads of the size (there is nothing), updates of it (it grows)
 *
 * What an operation is must follow from what its thread has seen. So a thread goes by the size it has last seen of the
 * file, and looks at the size, in a step, when that does not tell. Whoever cuts a file off, or writes across its end,
 * does it in a section.
 *
 * A file of which several threads move one offset, or which is used through a stream, is one word: nobody can tell
 * beforehand which bytes they will touch. Which files these are is learned, as shared memory is: operations on the
 * whole write a mark of the file, all others read it, and a mark that is shared says so.
 */
#include "budget.h"
#include "ends.h"
#include "file_table.h"
#include "models.h"
#include "repetition.h"
#include "sharing.h"
#include "spin.h"
#include "terms.h"
#include "twins.h"
#include "unfollowed.h"

#include <sys/uio.h>

/* ---- steps ---- */

static struct visit visit_of_bytes(uint64_t address, uint64_t size, site_id site, char *frame) {
  uint64_t value = 0;
  trace_peek(address, (uint32_t)size, &value);
  return (struct visit){{address, value, (uint32_t)size, false}, site, frame};
}

static void come_to_private_bytes(uint64_t address, uint64_t size, bool writes, site_id site, char *frame) {
  struct thread *thread = self();
  if (!spin_is_watched(thread)) return;
  if (rt->trial_wanted) trial_begin();
  if (writes || size > 8)
    spin_end(thread);
  else
    spin_before_private_read(thread, visit_of_bytes(address, size, site, frame));
}

static void record_bytes(uint8_t kind, uint64_t address, uint64_t size, site_id site) {
  struct event *event = trace_record_access(kind, address, (uint32_t)size, site);
  const bool writes = kind == EVENT_ATOMIC_UPDATE, is_recorded = event != &rt->events[rt->n_events];
  if (writes)
    self()->valued_event = is_recorded ? rt->n_events : 0;
  else if (trace_peek(address, (uint32_t)size, &event->value))
    event->flags |= EVENT_VALUE_KNOWN;
  if (rt->race.on) races_check(kind, address, (uint32_t)size, site);
  access_begins(event, writes ? ACCESS_READS | ACCESS_WRITES : ACCESS_READS);
}

static void take_turn_at_bytes(uint64_t address, uint64_t size, bool writes, site_id site, char *frame) {
  struct thread *thread = self();
  const uint8_t kind = writes ? EVENT_ATOMIC_UPDATE : EVENT_ATOMIC_READ;
  const bool may_spin = size <= 8 && !writes;
  if (may_spin)
    rounds_before_read(thread, visit_of_bytes(address, size, site, frame));
  else
    spin_end(thread);
  trace_complete_value(thread);
  thread->operation = (struct operation){.kind = kind, .address = address, .size = (uint32_t)size, .site = site};
  schedule_in_line(thread, false);
  if (may_spin) spin_after_read(thread, visit_of_bytes(address, size, site, frame));
  if (rt->has_twins) twins_tell_apart(thread, "they use files");
  record_bytes(kind, address, size, site);
}

static void take_bytes(struct file *file, uint64_t offset, uint64_t size, bool writes, site_id site) {
  char *frame = SPIN_FRAME();
  const struct site *before = __heddle_site;
  const uint64_t address = file_content(file) + offset;
  if (!site || !__heddle_in_run || !size || !sharing_is_possible()) return;
  if (sharing_touch(address, size, writes)) {
    file_view(file);
    take_turn_at_bytes(address, size, writes, site, frame);
  } else {
    come_to_private_bytes(address, size, writes, site, frame);
  }
  __heddle_site = before;
}

static void take_size(struct file *file, bool writes, site_id site) {
  file_take_step(file_word(file), sizeof(uint64_t), writes, site);
}

/* ---- the whole file ---- */

bool file_offset_is_shared(uint32_t description) {
  const uint64_t word = OFFSET_WORDS + description * sizeof(uint64_t);
  return sharing_touch(word, sizeof(uint64_t), true);
}

bool file_is_one_word(struct file *file, bool needs_whole) {
  const uint64_t mark = FILE_MARKS + file_number(file) * sizeof(uint64_t);
  if (!sharing_is_possible()) return needs_whole;
  const bool is_shared = sharing_touch(mark, sizeof(uint64_t), needs_whole);
  if (rt->shared_grew) rt->has_marked = true; /* if this is new, operations are others than in earlier runs */
  return is_shared || needs_whole;
}

/* ---- sizes ---- */

uint64_t file_size(const struct file *file) {
  struct stat status;
  if (file->copy < 0) return file->first_size;
  return system_call(SYS_fstat, file->copy, &status) == 0 ? (uint64_t)status.st_size : 0;
}

static uint64_t *known_size(const struct file *file) {
  return self()->id < THREADS_THAT_KNOW ? &the_files->known_sizes[self()->id][file_number(file)] : NULL;
}

static uint64_t last_seen_size(const struct file *file) {
  const uint64_t *known = known_size(file);
  if (!sharing_is_possible()) return file_size(file);
  if (!known) return 0; /* so it looks at the size each time */
  return *known ? *known - 1 : file->first_size;
}

static uint64_t see_size(struct file *file, uint64_t size) {
  uint64_t *known = known_size(file);
  if (known && sharing_is_possible()) *known = size + 1;
  return size;
}

/* In the step of an update. A file that is one word counts its changes there instead. */
static void write_size(struct file *file) {
  *file_word(file) = see_size(file, file_size(file)) + 1;
}

/* What was done so far is before all that another thread will do. */
void files_begin_sharing(void) {
  for (uint32_t i = 0; the_files->is_used && i < MAX_FILES; i++)
    if (the_files->files[i].is_used && the_files->files[i].copy >= 0)
      the_files->files[i].first_size = file_size(&the_files->files[i]);
}

/* Somebody has cut it off since: all that is known is that it was. */
static bool was_cut(struct file *file, uint64_t needed) {
  if (file_size(file) >= needed) return false;
  see_size(file, 0);
  return true;
}

static void check_size(uint64_t size) {
  if (!budget_allows_file(size)) finish_at_limit("a file larger than --max-memory");
  if (size > CONTENT_BYTES) finish_at_limit("a file of more than 1 GB");
}

/* ---- transfers: a call of the kernel, at an offset or where the description stands ---- */

struct transfer {
  int descriptor;
  bool has_offset, appends;
  uint64_t offset;
  const struct iovec *bytes; /* one piece */
};

static long do_read(const struct transfer *transfer, uint64_t size) {
  if (!transfer->has_offset) return system_call(SYS_read, transfer->descriptor, transfer->bytes->iov_base, size);
  return system_call(SYS_pread64, transfer->descriptor, transfer->bytes->iov_base, size, transfer->offset);
}

static long do_write(const struct transfer *transfer, struct file *file, site_id site) {
  const struct iovec *bytes = transfer->bytes;
  const long count =
      transfer->has_offset
          ? system_call(SYS_pwrite64, transfer->descriptor, bytes->iov_base, bytes->iov_len, transfer->offset)
          : system_call(SYS_write, transfer->descriptor, bytes->iov_base, bytes->iov_len);
  if (count > 0 && file->is_mapped_privately)
    unfollowed_part("a file that is mapped with MAP_PRIVATE and written", site);
  return count;
}

static long read_some(struct file *file, const struct transfer *transfer, site_id site) {
  const uint64_t end = transfer->offset + transfer->bytes->iov_len;
  for (;;) {
    uint64_t size = last_seen_size(file);
    if (end > size) {
      take_size(file, false, site);
      size = see_size(file, file_size(file));
    }
    const uint64_t stop = end < size ? end : size;
    if (transfer->offset >= stop) return do_read(transfer, 0);
    take_bytes(file, transfer->offset, stop - transfer->offset, false, site);
    if (!was_cut(file, stop)) return do_read(transfer, stop - transfer->offset);
  }
}

static long write_in_section(struct file *file, const struct transfer *transfer, site_id site) {
  const bool needs_section = file_is_shared(file_word(file));
  file_enter_section(needs_section, site);
  const uint64_t size = file_size(file), offset = transfer->appends ? size : transfer->offset;
  const uint64_t end = offset + transfer->bytes->iov_len;
  if (end > size) take_size(file, true, site);
  if (offset < size) take_bytes(file, offset, (end < size ? end : size) - offset, true, site);
  if (file->is_mapped && end > size) take_bytes(file, size, end - size, true, site);
  check_size(end);
  const long count = do_write(transfer, file, site);
  write_size(file);
  file_leave_section(needs_section, site);
  return count;
}

/* It begins at the end of the file, or after it, as far as the thread knows. True: so it did, and was done. */
static bool extend(struct file *file, const struct transfer *transfer, long *count, site_id site) {
  take_size(file, true, site);
  const uint64_t size = see_size(file, file_size(file));
  if (file->is_mapped || (!transfer->appends && size > transfer->offset)) return false;
  check_size((transfer->appends ? size : transfer->offset) + transfer->bytes->iov_len);
  *count = do_write(transfer, file, site);
  write_size(file);
  return true;
}

static long write_some(struct file *file, const struct transfer *transfer, site_id site) {
  const uint64_t end = transfer->offset + transfer->bytes->iov_len;
  long count;
  for (bool has_tried = false;; has_tried = true) {
    const uint64_t size = last_seen_size(file);
    const bool is_inside = !transfer->appends && end <= size;
    if (is_inside) {
      take_bytes(file, transfer->offset, transfer->bytes->iov_len, true, site);
      if (!was_cut(file, end)) return do_write(transfer, file, site);
    } else if (has_tried || (!transfer->appends && transfer->offset < size)) {
      return write_in_section(file, transfer, site);
    } else if (extend(file, transfer, &count, site)) {
      return count;
    }
  }
}

void file_take_content(struct file *file, uint64_t offset, uint64_t size, site_id site) {
  const bool is_one_word = file_is_one_word(file, false);
  take_size(file, false, site);
  const uint64_t end = see_size(file, file_size(file)), rest = offset < end ? end - offset : 0;
  if (!is_one_word) take_bytes(file, offset, size < rest ? size : rest, false, site);
}

static void look_for_mapping(const struct file *file, site_id site) {
  if (file->is_mapped && sharing_is_possible())
    unfollowed_part("a file that is mapped, and used through a stream or an offset that threads share", site);
}

/* The offset is read in the step. */
static long transfer_as_one_word(struct file *file, struct transfer *transfer, bool writes, bool is_moved_by_others,
                                 site_id site) {
  look_for_mapping(file, site);
  take_size(file, writes || is_moved_by_others, site);
  if (!transfer->has_offset) transfer->offset = (uint64_t)system_call(SYS_lseek, transfer->descriptor, 0, SEEK_CUR);
  if (writes) check_size((transfer->appends ? file_size(file) : transfer->offset) + transfer->bytes->iov_len);
  const long count = writes ? do_write(transfer, file, site) : do_read(transfer, transfer->bytes->iov_len);
  if (count > 0 && (writes || is_moved_by_others)) (*file_word(file))++;
  return count;
}

static bool is_appending(int descriptor) {
  return system_call(SYS_fcntl, descriptor, F_GETFL) & O_APPEND;
}

long files_transfer(int descriptor, void *buffer, size_t size, off_t offset, bool writes, site_id site) {
  const struct file_descriptor *entry = file_descriptor_at(descriptor);
  struct file *file = entry->file;
  const struct iovec bytes = {buffer, size};
  const bool moves = offset < 0, is_moved_by_others = moves && file_offset_is_shared(entry->description);
  struct transfer transfer = {.descriptor = descriptor, .has_offset = !moves, .bytes = &bytes};
  transfer.appends = writes && is_appending(descriptor);
  if (file_is_one_word(file, is_moved_by_others))
    return transfer_as_one_word(file, &transfer, writes, is_moved_by_others, site);
  transfer.offset = (uint64_t)(moves ? system_call(SYS_lseek, descriptor, 0, SEEK_CUR) : offset);
  if (size == 0) return writes ? do_write(&transfer, file, site) : do_read(&transfer, 0);
  return writes ? write_some(file, &transfer, site) : read_some(file, &transfer, site);
}

/* ---- size and offset ---- */

long files_status(int descriptor, struct stat *status, site_id site) {
  struct file *file = file_descriptor_at(descriptor)->file;
  if (file_is(file, S_IFREG)) file_is_one_word(file, false);
  if (file_is(file, S_IFREG)) take_size(file, false, site);
  return file_status(file, status);
}

long files_seek(int descriptor, off_t offset, int from, site_id site) {
  const struct file_descriptor *entry = file_descriptor_at(descriptor);
  const bool is_moved_by_others = file_offset_is_shared(entry->description);
  const bool is_one_word = file_is_one_word(entry->file, is_moved_by_others);
  const bool reads_size = from != SEEK_SET && from != SEEK_CUR;
  if (is_one_word || reads_size) take_size(entry->file, is_moved_by_others, site);
  const long result = system_call(SYS_lseek, descriptor, offset, from);
  if (is_moved_by_others && result >= 0) (*file_word(entry->file))++;
  return result;
}

long file_resize(struct file *file, int descriptor, uint64_t size, site_id site) {
  const bool is_one_word = file_is_one_word(file, false);
  const bool needs_section = !is_one_word && file_is_shared(file_word(file));
  check_size(size);
  file_enter_section(needs_section, site);
  take_size(file, true, site);
  const uint64_t old = file_size(file), low = old < size ? old : size, high = old < size ? size : old;
  if (!is_one_word) take_bytes(file, low, high - low, true, site);
  const long result = system_call(SYS_ftruncate, descriptor, size);
  if (is_one_word)
    (*file_word(file))++;
  else
    write_size(file);
  file_leave_section(needs_section, site);
  return result;
}

long files_resize(int descriptor, off_t size, site_id site) {
  if (size < 0) return -EINVAL;
  if ((system_call(SYS_fcntl, descriptor, F_GETFL) & O_ACCMODE) == O_RDONLY) return -EINVAL;
  return file_resize(file_descriptor_at(descriptor)->file, descriptor, (uint64_t)size, site);
}

void files_take_whole(int descriptor, site_id site) {
  if (!files_has(descriptor)) return;
  struct file *file = file_descriptor_at(descriptor)->file;
  file_offset_is_shared(file_descriptor_at(descriptor)->description);
  file_is_one_word(file, true);
  look_for_mapping(file, site);
  take_size(file, true, site);
  (*file_word(file))++;
}

void files_take_stream(FILE *stream, site_id site) {
  files_take_whole(controlled && stream ? fileno_unlocked(stream) : -1, site);
}
