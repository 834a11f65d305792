# SPDX-License-Identifier: MIT
#
# heddle c++ as builds use it: objects of C and C++ together, archives, languages by name; and what reports say of C++.
set -eu
. "$ROOT/tests/helpers.bash"

cat >counter.h <<'END'
#ifdef __cplusplus
extern "C" {
#endif
void count(void);
int counted(void);
#ifdef __cplusplus
}
#endif
END
cat >counter.c <<'END'
#include "counter.h"
static int counter;
void count(void) { counter++; }
int counted(void) { return counter; }
END
cat >total.cpp <<'END'
#include "counter.h"
#include <stdexcept>
namespace sums {
struct wrong : std::logic_error { using std::logic_error::logic_error; };
template <typename T> void check(T wanted) { if (counted() != wanted) throw wrong("lost"); }
template void check<int>(int);
}
END
cat >main.cxx <<'END'
#include "counter.h"
#include <thread>
namespace sums { template <typename T> void check(T wanted); }
int main() {
  std::thread one(count), two(count);
  one.join();
  two.join();
  sums::check(2);
}
END

# Objects apart, an archive, the link by heddle c++: C does not need to know of C++.
"$HEDDLE" cc -O2 -c counter.c
"$HEDDLE" c++ -O2 -std=c++17 -c total.cpp main.cxx
ar rcs libtotal.a total.o
"$HEDDLE" c++ -o program main.o counter.o -L. -ltotal
expect_status 1 "$HEDDLE" run -o out program
expect_text stdout "uncaught exception: sums::wrong: lost"
expect_text stdout "in sums::check<int>, thread main"
expect_text stdout "data race on counter"
expect_status 1 "$HEDDLE" replay out/bug-1
expect_text stdout "uncaught exception: sums::wrong: lost"
expect_status 0 "$HEDDLE" show out/bug-1
expect_text stdout "t1 std::thread"
expect_text stdout "uncaught exception"

# All at once with heddle run, also where the standard is of one of the languages only.
expect_status 1 "$HEDDLE" run --no-cache -std=c++20 -o out main.cxx total.cpp counter.c
expect_text stdout "sums::wrong: lost"

# Outside heddle it is an ordinary program.
cat >plain.cc <<'END'
#include <iostream>
#include <string>
int main() {
  thread_local std::string text = "exceptions ";
  static const std::string more = "work";
  try {
    throw text + more;
  } catch (const std::string &said) {
    std::cout << said << '\n';
  }
}
END
"$HEDDLE" cc -o plain plain.cc # as gcc: a source of C++ is compiled as such; here it is linked as such as well
./plain >stdout
expect_text stdout "exceptions work"

# What is not supported says so in a line.
touch other.m
expect_refusal "$HEDDLE" run other.m
expect_text stderr "heddle compiles C and C++ only"
expect_status 1 "$HEDDLE" c++ -stdlib=libc++ plain.cc
expect_text stderr "heddle c++: -stdlib=libc++ is not supported"

# Ends of threads that C++ would unwind.
cat >ends.cc <<'END'
#include <pthread.h>
#include <thread>
int ends;
struct mark { ~mark() { ends++; } };
int main() {
  std::thread other([] { mark here; pthread_exit(nullptr); });
  other.join();
  return ends - 1;
}
END
expect_status 3 "$HEDDLE" run --no-cache ends.cc
expect_text stdout "pthread_exit"
