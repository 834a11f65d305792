/* SPDX-License-Identifier: MIT
 * liblzma's multithreaded encoder: a short text in small blocks with two threads, in memory; then decoded and compared.
 * With -DABORT the stream is given up half-way. */
#include <assert.h>
#include <lzma.h>
#include <string.h>

static unsigned char text[3000], packed[8000], unpacked[4000];

int main(void) {
  for (unsigned i = 0; i < sizeof text; i++) text[i] = (unsigned char)("heddle"[i % 6] + i / 500);
  lzma_options_lzma lzma;
  lzma_lzma_preset(&lzma, 0);
  lzma.dict_size = 4096;
  lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &lzma}, {LZMA_VLI_UNKNOWN, NULL}};
  const lzma_mt options = {.threads = 2, .block_size = 1000, .filters = filters, .check = LZMA_CHECK_CRC32};
  lzma_stream stream = LZMA_STREAM_INIT;
  assert(lzma_stream_encoder_mt(&stream, &options) == LZMA_OK);
  stream.next_in = text;
  stream.avail_in = sizeof text;
  stream.next_out = packed;
  stream.avail_out = sizeof packed;
#ifdef ABORT
  stream.avail_in = 1500;
  assert(lzma_code(&stream, LZMA_RUN) == LZMA_OK);
  lzma_end(&stream);
  return 0;
#endif
  lzma_ret result;
  while ((result = lzma_code(&stream, LZMA_FINISH)) == LZMA_OK) {
  }
  assert(result == LZMA_STREAM_END);
  const size_t size = sizeof packed - stream.avail_out;
  lzma_end(&stream);
  uint64_t memory = UINT64_MAX;
  size_t in = 0, out = 0;
  assert(lzma_stream_buffer_decode(&memory, 0, NULL, packed, &in, size, unpacked, &out, sizeof unpacked) == LZMA_OK);
  assert(out == sizeof text && memcmp(text, unpacked, out) == 0);
  return 0;
}
