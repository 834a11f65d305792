/* SPDX-License-Identifier: MIT
 *
 * heddle report BUG --html FILE: a page about a bug, from its directory alone; nothing is run.
 */
#include "base/files.h"
#include "cli/commands.h"
#include "report/bundle.h"
#include "report/page/page.h"

#include <stdio.h>
#include <string.h>

enum { STATUS_WRITTEN, STATUS_USAGE = 2 };

struct request {
  const char *directory, *html;
  struct paths paths;
};

static int complain(const struct error *error) {
  fprintf(stderr, "heddle: %s\n", error->message);
  return STATUS_USAGE;
}

static bool parse(struct request *request, int argc, char **argv, struct error *error) {
  *request = (struct request){0};
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--html") == 0 && i + 1 < argc)
      request->html = argv[++i];
    else if (strncmp(argv[i], "--html=", 7) == 0)
      request->html = argv[i] + 7;
    else if (strcmp(argv[i], "--absolute-paths") == 0)
      request->paths.absolute = true;
    else if (argv[i][0] != '-' && !request->directory)
      request->directory = argv[i];
    else
      return error_set(error,
                       "usage: heddle report BUG --html FILE [--absolute-paths], where BUG is a directory such as "
                       "heddle-out/program/bug-1");
  }
  return (request->directory && request->html) || error_set(error, "usage: heddle report BUG --html FILE");
}

static bool write_page(const struct request *request, const struct bundle *bundle, struct error *error) {
  struct program *program;
  struct text html = {0};
  if (!program_open(&program, bundle->program, error)) return false;
  const struct scene scene = {program, bundle->finding->knowledge, &bundle->finding->trace};
  page_append_bug(&html, &scene, &request->paths, bundle->arguments.items[0]);
  const bool written = files_write(request->html, text_string(&html), html.length, error);
  text_free(&html);
  program_close(program);
  return written;
}

int report_main(int argc, char **argv) {
  struct request request;
  struct bundle bundle;
  struct error error = {0};
  if (!parse(&request, argc, argv, &error) || !files_can_write(request.html, &error)) return complain(&error);
  if (!bundle_read(&bundle, request.directory, &error)) return complain(&error);
  const bool written = write_page(&request, &bundle, &error);
  bundle_free(&bundle);
  return written ? STATUS_WRITTEN : complain(&error);
}
