# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# --html and heddle report: pages of bugs, of a clean and of an incomplete result, opened in a browser.
. "$ROOT/tests/helpers.bash"
for name in queue bank counter_fixed reserve; do cp "$(example $name)" .; done
expect_status 1 "$HEDDLE" run --html queue.html queue.c
expect_status 1 "$HEDDLE" run --html bank.html bank.c
expect_status 1 "$HEDDLE" run --html reserve.html reserve.c
expect_status 0 "$HEDDLE" run --html clean.html counter_fixed.c
expect_status 3 "$HEDDLE" run --max-runs 3 --html incomplete.html counter_fixed.c
expect_status 0 "$HEDDLE" report --html report.html heddle-out/bank/bug-1

# Ten thousand operations: the page has what matters, and the rest folded.
cat >long.c <<'END'
#include <assert.h>
#include <pthread.h>
static _Atomic int n;
static void *work(void *unused) {
  for (int i = 0; i < 5000; i++) n++;
  return unused;
}
int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  for (int i = 0; i < 5000; i++) n++;
  pthread_join(worker, NULL);
  assert(n == 3);
}
END
expect_status 1 "$HEDDLE" run --minimise 0 --html long.html long.c

# Names and words of a program stay words.
cat >"<img src=x onerror=injected=1>.c" <<'END'
#include <assert.h>
int main(void) {
  const char *s = "</script><script>injected = 1</script><img src=x>"; // </pre><iframe src="x"></iframe>
  assert(!s && "</pre></title><script>injected = 1</script><img src=x onerror='injected = 1'>&lt;");
}
END
expect_status 1 "$HEDDLE" run --html strange.html "<img src=x onerror=injected=1>.c"

for page in *.html; do
  xmllint --html --noout "$page" 2>&1 | grep -vE "Tag (svg|figure|figcaption|header|footer|section|details|summary|marker|pattern|path|defs|line|rect|circle|text|title|g) invalid|^<|^ *\^|Tag title|^$" | grep "error" >errors || true
  [ ! -s errors ] || fail "$page: $(head -n 5 errors)"
  ! grep -nE '(src|href)="?(https?:)?//' "$page" || fail "$page fetches something"
done
"$ROOT/tests/report/browse.py" queue.html bank.html report.html reserve.html clean.html incomplete.html long.html strange.html >seen 2>&1 || fail "$(cat seen)"
expect_equal "complaints" "$(grep -c 'complaints: \[\]' seen)" 8
expect_equal "fetched" "$(grep -c 'fetched: \[\]' seen)" 8
expect_equal "made by the program" "$(grep -c "made by the program: \[0, 1, 'undefined'\]" seen)" 8
expect_equal "links" "$(grep -c 'links to nothing: 0' seen)" 8
expect_equal "marks" "$(grep -c 'marks beside their rows: True' seen)" 6
! grep -E '(down|j|up|end|k|home|click.*): .*false' seen || fail "a row or its line is not in sight: $(cat seen)"
assertion=$(grep -n 'assert(' queue.c | cut -d: -f1)
expect_text seen "end: [\"\", \"assertion failed\", \"$assertion\", true, true, \"items = 0\"]"
expect_text seen "end: [\"\", \"WAITS: lock checking.mutex\", \"$(grep -n 'lock(&to->mutex)' bank.c | head -n 1 | cut -d: -f1)\", true, true, \"\"]"
expect_text long.html "... 4996 operations"
expect_text long.html "All operations of the run"
expect_text clean.html "Clean: everything was explored, no bug"
expect_text incomplete.html "<p>Why: "
expect_text incomplete.html "<p>Try next: "
expect_text incomplete.html "branches</summary>"
expect_text reserve.html "<h3>Inputs</h3>"
expect_text bank.html "Who waits for whom"
! grep -F "$PWD" ./*.html || fail "an absolute path"

expect_refusal "$HEDDLE" run --html /nowhere/page.html queue.c
expect_refusal "$HEDDLE" report heddle-out/bank/bug-1
expect_refusal "$HEDDLE" report --html page.html no-such-bug
expect_refusal "$HEDDLE" report --html /nowhere/page.html heddle-out/bank/bug-1
