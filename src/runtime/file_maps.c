/* SPDX-License-Identifier: MIT
 *
 * Mappings of files. The content of a file has one place in the address space (CONTENTS_ADDRESS), which is where all
 * its shared mappings are: two of them are the same memory, and what one thread stores there is what another one reads
 * from the file. A page is unmapped with the last mapping of it.
 *
 * A private mapping is where the kernel puts it. Mapping it reads the file; what is written to the file later may or
 * may not be seen there, so that is incomplete.
 */
#include "ends.h"
#include "file_table.h"
#include "models.h"
#include "sharing.h"
#include "unfollowed.h"

#include <sys/mman.h>

#define PAGE_BYTES 4096ull

static uint64_t round_up(uint64_t bytes) {
  return (bytes + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1);
}

static bool is_content(uint64_t address) {
  return address >= CONTENTS_ADDRESS && address < CONTENTS_ADDRESS + MAX_FILES * CONTENT_BYTES;
}

void file_view(struct file *file) {
  if (file->is_viewed || file->is_mapped || file->copy < 0) return;
  file->is_viewed = true;
  system_call(SYS_mmap, file_content(file), CONTENT_BYTES, PROT_READ, MAP_SHARED | MAP_FIXED | MAP_NORESERVE,
              file->copy, 0);
}

/* ---- pages: of several mappings they have the protection that allows the most ---- */

static int protection_of_page(uint64_t page) {
  int protection = 0;
  for (uint32_t i = 0; i < the_files->n_maps; i++) {
    const struct file_map *map = &the_files->maps[i];
    if (page >= map->address && page < map->address + map->size_bytes) protection |= map->protection | PROT_READ;
  }
  return protection;
}

static void unmap_pages(uint64_t address, uint64_t size) {
  for (uint64_t page = address; page < address + size; page += PAGE_BYTES)
    if (!protection_of_page(page)) system_call(SYS_munmap, page, PAGE_BYTES);
}

/* The real file was mapped; now it has a copy. */
void file_maps_follow_copy(struct file *file) {
  for (uint32_t i = 0; i < the_files->n_maps; i++) {
    const struct file_map *map = &the_files->maps[i];
    const uint64_t offset = map->address - file_content(file);
    if (offset < CONTENT_BYTES)
      system_call(SYS_mmap, map->address, map->size_bytes, map->protection, MAP_SHARED | MAP_FIXED, file->copy, offset);
  }
}

static bool is_within_mapping(uint64_t address, uint64_t size) {
  for (uint64_t page = address; page < address + size; page += PAGE_BYTES)
    if (!protection_of_page(page)) return false;
  return true;
}

/* ---- calls ---- */

/* Who changes the size knows of the mapping from here on. */
static void *map_shared(struct file *file, uint64_t offset, uint64_t size, int protection, int descriptor,
                        site_id site) {
  const uint64_t address = file_content(file) + offset, bytes = round_up(size);
  if (the_files->n_maps == MAX_FILE_MAPS) finish_at_limit("more than 128 mappings of files");
  if (offset + bytes > CONTENT_BYTES) finish_at_limit("a mapping of more than 1 GB of a file");
  if (file_is_one_word(file, false))
    unfollowed_part("a file that is mapped, and used through a stream or an offset that threads share", site);
  file_take_step(file_word(file), sizeof(uint64_t), true, site);
  const bool was_mapped = is_within_mapping(address, bytes);
  const int all = was_mapped ? protection | protection_of_page(address) : protection;
  const long at = system_call(SYS_mmap, address, bytes, all, MAP_SHARED | MAP_FIXED, descriptor, offset);
  if (at < 0) return (void *)(int64_t)file_fail(at);
  file->is_mapped = true;
  the_files->maps[the_files->n_maps++] = (struct file_map){address, bytes, protection};
  return (void *)at;
}

bool files_map(int descriptor, size_t size, int protection, int flags, off_t offset, void **at, site_id site) {
  struct file *file = file_descriptor_at(descriptor)->file;
  if (!(flags & MAP_SHARED)) {
    file_take_content(file, (uint64_t)offset, size, site);
    file->is_mapped_privately = true;
    return false;
  }
  if (flags & MAP_FIXED) {
    unfollowed_part("a file that is mapped at a fixed address", site);
    file->is_mapped = true;
    return false;
  }
  if (offset & (off_t)(PAGE_BYTES - 1) || offset < 0 || size == 0) return false; /* the kernel says what is wrong */
  *at = map_shared(file, (uint64_t)offset, size, protection, descriptor, site);
  return true;
}

bool files_unmap(void *address, size_t size, site_id site) {
  if (!is_content((uint64_t)address)) return false;
  for (uint32_t i = 0; i < the_files->n_maps; i++) {
    struct file_map *map = &the_files->maps[i];
    if (map->address != (uint64_t)address || map->size_bytes != round_up(size)) continue;
    *map = the_files->maps[--the_files->n_maps];
    unmap_pages((uint64_t)address, round_up(size));
    return true;
  }
  unfollowed_part("a part of the mapping of a file is unmapped", site);
  system_call(SYS_munmap, address, round_up(size));
  return true;
}

bool files_are_mapped_at(const void *address) {
  return is_content((uint64_t)address);
}

void files_unmap_all(void) {
  system_call(SYS_munmap, CONTENTS_ADDRESS, MAX_FILES * CONTENT_BYTES);
}
