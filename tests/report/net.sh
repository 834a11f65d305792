# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The unfolding on the page: a picture where it is small, how to get it where it is not, nothing with other strategies.
. "$ROOT/tests/helpers.bash"
cat >'<b>.c' <<'END2'
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *work(void *unused) {
  pthread_mutex_lock(&mutex);
  x++;
  pthread_mutex_unlock(&mutex);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  pthread_join(thread, NULL);
  return x - 2;
}
END2
# Whoever locks first, of two threads: main has its start, the creation, and four operations of work and join, read, exit in either
# order; the other its start, and the four and its end in either order. The two first locks are in conflict, all else follows.
for strategy in unfolding contextual; do
  expect_status 0 "$HEDDLE" run --strategy $strategy --html $strategy.html '<b>.c'
  expect_equal "events of $strategy" "$(grep -c '<svg class="event"' $strategy.html)" $((2 + 2 * 7 + 1 + 2 * 5))
  expect_equal "conflicts of $strategy" "$(grep -c 'class="conflict"' $strategy.html)" 1
  expect_text $strategy.html "27 events."
  expect_text $strategy.html "lock mutex, &lt;b&gt;.c:5"
done
expect_status 0 "$HEDDLE" run --strategy unfolding --html large.html "$(example queue_fixed)"
expect_no_text large.html '<svg class="event"'
expect_text large.html "<code>--unfolding FILE.dot</code>"
expect_status 0 "$HEDDLE" run --strategy optimal --html none.html '<b>.c'
expect_no_text none.html "Unfolding"
# Arrows and conflicts: those of the file, with what others imply left out by another program.
expect_status 0 "$HEDDLE" run --strategy unfolding --html counter.html --unfolding net.json "$(example counter_fixed)"
/usr/bin/python3 - >expected <<'END2'
import itertools
import json
import networkx

net = json.load(open("net.json"))
events = {event["id"]: event for event in net["events"]}
maker = {condition["id"]: condition["event"] for condition in net["conditions"]}
causes = networkx.DiGraph()
for number, event in events.items():
    causes.add_node(number)
    for cause in [event["previous"], *(maker[c] for c in event["reads"] + event["consumes"]), *event["after"]]:
        if cause:
            causes.add_edge(cause, number)
past = {number: networkx.ancestors(causes, number) | {number} for number in events}


def differ(a, b):
    x, y = events[a], events[b]
    if a in past[b] or b in past[a]:
        return False
    needs = lambda event: set(event["reads"] + event["consumes"])
    return (x["thread"], x["previous"]) == (y["thread"], y["previous"]) or bool(
        set(x["consumes"]) & needs(y) or set(y["consumes"]) & needs(x))


pairs = {frozenset(pair) for pair in itertools.combinations(events, 2) if differ(*pair)}
first = [pair for pair in map(tuple, pairs) if not any(
    frozenset(other) in pairs and set(other) != set(pair) for other in itertools.product(past[pair[0]], past[pair[1]]))]
print(len(events), networkx.transitive_reduction(causes).number_of_edges(), len(first))
END2
expect_equal "events, arrows, conflicts" \
  "$(grep -c '<svg class="event"' counter.html) $(grep -c '<path class="arrow"' counter.html) $(grep -c 'class="conflict"' counter.html)" "$(cat expected)"
"$ROOT/tests/report/browse.py" unfolding.html contextual.html large.html counter.html >seen 2>&1 || fail "$(cat seen)"
expect_equal "complaints" "$(grep -c 'complaints: \[\]' seen)" 4
expect_equal "made by the program" "$(grep -c "made by the program: \[0, 1, 'undefined'\]" seen)" 4
