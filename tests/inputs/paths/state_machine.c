// SPDX-License-Identifier: MIT
// A state machine that reads six bits; its state is concrete, its input is not.
#include "input.h"

enum state { START, ONE, TWO, CAUGHT };

static enum state next(enum state state, unsigned symbol) {
  switch (state) {
  case START: return symbol == 1 ? ONE : START;
  case ONE:
    if (symbol == 0) return TWO;
    if (symbol == 1) return ONE;
    return START;
  case TWO:
    if (symbol >= 2) return CAUGHT;
    return symbol ? ONE : START;
  default: return CAUGHT;
  }
}

int main(void) {
  enum state state = START;
  for (int i = 0; i < 4; i++) {
    switch (next(state, (unsigned)heddle_input_range("symbol", 0, 3))) {
    case START: state = START; break;
    case ONE: state = ONE; break;
    case TWO: state = TWO; break;
    case CAUGHT: state = CAUGHT; break;
    }
  }
  LEAF(state);
  return 0;
}
