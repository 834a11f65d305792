// SPDX-License-Identifier: MIT
// A leap year rule with a mistake in it.
#include "heddle.h"
#include <assert.h>

static int days(int year, int month) {
  static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return lengths[month - 1] + (month == 2 && year % 4 == 0 && year % 100 != 0);
}

int main(void) {
  const int year = (int)heddle_input_range("year", 1583, 2500), month = (int)heddle_input_range("month", 1, 12);
  assert(days(year, month) >= (year % 400 == 0 && month == 2 ? 29 : 28));
  return 0;
}
