/* SPDX-License-Identifier: MIT */
#include "report/tests.h"

#include "base/files.h"
#include "report/ktest.h"
#include "report/report.h"
#include "report/testcase.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PREFIX "testcase-"

/* testcase-000001.xml, testcase-000001.ktest */
static bool is_testcase(const char *name) {
  if (strncmp(name, PREFIX, strlen(PREFIX)) != 0) return false;
  const char *number = name + strlen(PREFIX), *end = number + strspn(number, "0123456789");
  return end > number && (strcmp(end, ".xml") == 0 || strcmp(end, ".ktest") == 0);
}

static void remove_old(const char *directory) {
  DIR *entries = opendir(directory);
  if (!entries) return;
  for (const struct dirent *entry; (entry = readdir(entries));) {
    if (!is_testcase(entry->d_name)) continue;
    char *path = files_join(directory, entry->d_name);
    unlink(path);
    free(path);
  }
  closedir(entries);
}

static bool write_file(const char *directory, const char *name, const struct text *contents, struct error *error) {
  char *path = files_join(directory, name);
  const bool written = files_write(path, text_string(contents), contents->length, error);
  free(path);
  return written;
}

bool tests_begin(struct tests *tests, struct error *error) {
  struct text metadata = {0};
  if (!files_make_directory(tests->directory, error)) return false;
  remove_old(tests->directory);
  const bool good = testcase_append_metadata(&metadata, tests->source, error) &&
                    write_file(tests->directory, "metadata.xml", &metadata, error);
  text_free(&metadata);
  return good;
}

static bool write_test(const struct tests *tests, const char *ending, const struct text *contents,
                       struct error *error) {
  char name[64];
  snprintf(name, sizeof name, PREFIX "%06llu.%s", (unsigned long long)tests->count, ending);
  return write_file(tests->directory, name, contents, error);
}

bool tests_add(struct tests *tests, const struct trace_view *trace, struct error *error) {
  struct text contents = {0};
  tests->count++;
  testcase_append(&contents, trace);
  bool good = write_test(tests, "xml", &contents, error);
  if (tests->ktest) {
    text_clear(&contents);
    ktest_append(&contents, tests->arguments, trace);
    good = good && write_test(tests, "ktest", &contents, error);
  }
  text_free(&contents);
  return good;
}

static void path(void *self, const struct trace_view *trace) {
  struct report *report = self;
  if (!report->tests || report->failed) return;
  if (!tests_add(report->tests, trace, &report->error)) report->failed = true;
}

struct observer tests_observer(struct report *report) {
  return (struct observer){.self = report, .path = path};
}
