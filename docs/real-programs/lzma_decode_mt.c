/* SPDX-License-Identifier: MIT
 * liblzma's multithreaded decoder on a damaged file (argument 1, damaged at the offset in argument 2), given to it in
 * pieces of 256 bytes, as a program that reads from a pipe does. It must say that the data is bad, and nothing else. */
#include <assert.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned char packed[8000], unpacked[8000];

int main(int argc, char **argv) {
  const int file = open(argv[1], O_RDONLY);
  const size_t size = (size_t)read(file, packed, sizeof packed);
  const size_t at = (size_t)atoi(argv[2]);
  for (size_t i = at; i < at + 8; i++) packed[i] ^= 0xff;
  const lzma_mt options = {.threads = 2, .memlimit_threading = 1 << 24, .memlimit_stop = 1 << 24};
  lzma_stream stream = LZMA_STREAM_INIT;
  assert(lzma_stream_decoder_mt(&stream, &options) == LZMA_OK);
  stream.next_out = unpacked;
  stream.avail_out = sizeof unpacked;
  lzma_ret result = LZMA_OK;
  for (size_t given = 0; result == LZMA_OK && given < size; given += 256) {
    stream.next_in = packed + given;
    stream.avail_in = size - given < 256 ? size - given : 256;
    result = lzma_code(&stream, LZMA_RUN);
  }
  assert(result != LZMA_STREAM_END);
  lzma_end(&stream);
  return 0;
}
