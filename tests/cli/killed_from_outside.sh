# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The program's process is killed from outside, in some run: heddle makes that run again, and its result is what it is
# without the accident. tests/faults/kills.sh does so in every step of a small exploration.
. "$ROOT/tests/helpers.bash"
# Each process says that it begins; every schedule of two threads with eight steps each is explored.
cat >victim.c <<'C'
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static int x;
__attribute__((constructor)) static void say_ready(void) {
  char name[30];
  snprintf(name, sizeof name, "process-%d", getpid());
  close(open(name, O_CREAT, 0600));
}
static void *worker(void *unused) {
  for (int i = 0; i < 4; i++) x++;
  return NULL;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
C
"$HEDDLE" cc -g -o victim victim.c

# All of the report but times and the engine's own warnings.
result() {
  field "$1" '{k: [w for w in v if w["kind"] != "engine"] if k == "warnings" else v for k, v in report.items() if "second" not in k and k not in ("peak_rss_kb", "solver")}'
}

expect_status 0 "$HEDDLE" run --files real --strategy exhaustive --json undisturbed.json ./victim
expect_equal runs "$(field undisturbed.json 'report["runs"]')" 12870
expect_equal warnings "$(field undisturbed.json '[w["message"] for w in report["warnings"] if w["kind"] == "engine"]')" "[]"
expect_equal processes "$(find . -name 'process-*' | wc -l)" 1

for _ in 1 2 3; do
  rm -f process-* out.json
  "$HEDDLE" run --files real --strategy exhaustive --json out.json ./victim >stdout 2>stderr </dev/null &
  heddle=$!
  until compgen -G 'process-*' >/dev/null; do kill -0 $heddle && sleep 0.001; done
  victim=$(compgen -G 'process-*')
  kill -KILL "${victim#process-}" || fail "the process was gone already: the test shows nothing"
  status=0
  wait $heddle || status=$?
  expect_equal status $status 0
  expect_equal result "$(result out.json)" "$(result undisturbed.json)"
  expect_equal processes "$(find . -name 'process-*' | wc -l)" 2
  expect_equal "engine warnings" "$(field out.json '{w["message"] for w in report["warnings"] if w["kind"] == "engine"} <= {"a run was lost, but ended well when repeated: did something outside heddle kill its process?"}')" True
done
