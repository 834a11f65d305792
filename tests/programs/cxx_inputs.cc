// Inputs through calls that may throw, and through exceptions: three paths.
// expect: exit=0 verdict=clean complete=true paths=3
// observe: result=1
// observe: result=2
// observe: result=3
#include <heddle.h>
#include <stdexcept>
#include <vector>

static int twice(int x) {
  std::vector<int> room(2, x);
  if (room[1] > 1000) throw std::range_error("large");
  return 2 * room[1];
}

int main() {
  const int x = heddle_input_int("x");
  try {
    heddle_observe("result", twice(x) == 246 ? 1 : 2);
  } catch (const std::range_error &) {
    heddle_observe("result", 3);
  }
}
