# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# libheddle-sync under load with ThreadSanitizer of two compilers, and as programs link it.
. "$ROOT/tests/helpers.bash"
for compiler in gcc clang-19; do
  command -v $compiler >/dev/null || continue
  $compiler -I"$ROOT" -I"$ROOT/src" -D_GNU_SOURCE -std=gnu17 -O2 -g -fsanitize=thread -o load-$compiler \
    "$ROOT/tests/constructs/load.c" "$ROOT"/src/sync/*.c -lpthread
  TSAN_OPTIONS=exitcode=66 ./load-$compiler 1500
done
cc -I"$ROOT" -O2 -o load "$ROOT/tests/constructs/load.c" -L"$BUILD" -lheddle-sync -lpthread
./load 5000
# What heddle cc makes is the same program outside heddle, and -lheddle-sync is there.
"$HEDDLE" cc -I"$ROOT" -O2 -o load-heddle "$ROOT/tests/constructs/load.c" -lheddle-sync
./load-heddle 2000

# Misuse ends the program with a word about it.
misuse() { # message, statements
  printf '#include "heddle.h"\nint main(void) { %s return 0; }\n' "$2" >misuse.c
  cc -I"$ROOT/include" -o misuse misuse.c -L"$BUILD" -lheddle-sync -lpthread
  status=0
  ./misuse 2>message || status=$?
  [ "$status" = 134 ] || { echo "status $status of: $2" && exit 1; }
  grep -qF "$1" message || { echo "no '$1' in: $(cat message)" && exit 1; }
}
misuse "a thread leaves a monitor that it is not in" "heddle_monitor m = HEDDLE_MONITOR_SC; heddle_monitor_exit(&m);"
misuse "a thread enters a monitor that it is in" "heddle_monitor m = HEDDLE_MONITOR_SU; heddle_monitor_enter(&m); heddle_monitor_enter(&m);"
misuse "use of a condition outside its monitor" "heddle_monitor m = HEDDLE_MONITOR_SU; heddle_condition c = HEDDLE_CONDITION(&m); heddle_wait(&c);"
misuse "a semaphore with a negative value" "heddle_semaphore s; heddle_semaphore_init(&s, -1);"
misuse "use of a port that is not initialised" "static heddle_port p; heddle_send(&p, 1);"
misuse "two alternatives for one port" "heddle_port p = HEDDLE_PORT; heddle_alternative a[2] = {{&p, 0, 0}, {&p, 0, 0}}; long m; heddle_select_else(a, 2, &m);"
