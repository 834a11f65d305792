// SPDX-License-Identifier: MIT
// A header with a magic number, a length and a checksum.
#include "heddle.h"
#include <assert.h>
#include <string.h>

int main(void) {
  unsigned char packet[8];
  heddle_input_bytes("packet", packet, sizeof packet);
  if (memcmp(packet, "HD", 2) != 0) return 0;
  if (packet[2] != 5) return 0;
  unsigned sum = 0;
  for (int i = 3; i < 7; i++) sum = sum * 31 + packet[i];
  if ((sum & 0xff) != packet[7]) return 0;
  assert(packet[3] != 'x' || packet[4] <= 'x');
  return 0;
}
