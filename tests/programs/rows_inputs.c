// SPDX-License-Identifier: MIT
// Every function that makes an input of integers or bytes.
// expect: exit=0 verdict=clean
#include "heddle.h"
#include <assert.h>

signed char __VERIFIER_nondet_schar(void);
__int128 __VERIFIER_nondet_int128(void);
unsigned __int128 __VERIFIER_nondet_uint128(void);
_Bool __VERIFIER_nondet__Bool(void);
char *__VERIFIER_nondet_charp(void);
char *__VERIFIER_nondet_pchar(void);
signed char __VERIFIER_nondet_s8(void);
short __VERIFIER_nondet_s16(void);
int __VERIFIER_nondet_s32(void);
long __VERIFIER_nondet_s64(void);
unsigned char __VERIFIER_nondet_u8(void);
unsigned short __VERIFIER_nondet_u16(void);
unsigned __VERIFIER_nondet_u32(void);
unsigned long __VERIFIER_nondet_u64(void);
unsigned __VERIFIER_nondet_unsigned(void);
unsigned char __VERIFIER_nondet_unsigned_char(void);
unsigned __VERIFIER_nondet_unsigned_int(void);
long long __VERIFIER_nondet_loff_t(void);
unsigned long __VERIFIER_nondet_sector_t(void);
void assume_abort_if_not(int condition);

long long sum;

/* Each value takes part, so that no call is dropped. */
#define ADD(value) (sum += (long long)(value))

static void verifier_inputs(void) {
  ADD(__VERIFIER_nondet_schar());
  ADD(__VERIFIER_nondet_int128());
  ADD(__VERIFIER_nondet_uint128());
  ADD(__VERIFIER_nondet__Bool());
  ADD(__VERIFIER_nondet_charp());
  ADD(__VERIFIER_nondet_pchar());
  ADD(__VERIFIER_nondet_s8());
  ADD(__VERIFIER_nondet_s16());
  ADD(__VERIFIER_nondet_s32());
  ADD(__VERIFIER_nondet_s64());
  ADD(__VERIFIER_nondet_u8());
  ADD(__VERIFIER_nondet_u16());
  ADD(__VERIFIER_nondet_u32());
  ADD(__VERIFIER_nondet_u64());
  ADD(__VERIFIER_nondet_unsigned());
  ADD(__VERIFIER_nondet_unsigned_char());
  ADD(__VERIFIER_nondet_unsigned_int());
  ADD(__VERIFIER_nondet_loff_t());
  ADD(__VERIFIER_nondet_sector_t());
}

static void heddle_inputs(void) {
  ADD(heddle_input_bool("bool"));
  ADD(heddle_input_char("char"));
  ADD(heddle_input_schar("schar"));
  ADD(heddle_input_uchar("uchar"));
  ADD(heddle_input_short("short"));
  ADD(heddle_input_ushort("ushort"));
  ADD(heddle_input_int("int"));
  ADD(heddle_input_uint("uint"));
  ADD(heddle_input_long("long"));
  ADD(heddle_input_ulong("ulong"));
  ADD(heddle_input_longlong("longlong"));
  ADD(heddle_input_ulonglong("ulonglong"));
  ADD(heddle_input_size_t("size_t"));
  ADD(heddle_input_int128("int128"));
  ADD(heddle_input_uint128("uint128"));
  ADD(heddle_input_pointer("pointer"));
}

int main(void) {
  verifier_inputs();
  heddle_inputs();
  unsigned char bytes[100];
  heddle_input_bytes("bytes", bytes, sizeof bytes);
  for (unsigned i = 0; i < sizeof bytes; i++) ADD(bytes[i]);
  const long long low = heddle_input_range("low", 3, 9), same = heddle_input_range(0, -7, -7);
  assert(low >= 3 && low <= 9 && same == -7);
  heddle_assume(low >= 3);
  assume_abort_if_not(same < 0);
  return 0;
}
