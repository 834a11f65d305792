/* SPDX-License-Identifier: MIT
 *
 * getaddrinfo: the C library's own, for numbers and localhost. Other names are asked of servers, whose answers no run
 * can repeat.
 */
#include "ends.h"
#include "models.h"
#include "snapshot.h"

#include <netdb.h>

static bool is_digit(char letter) {
  return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f') || (letter >= 'A' && letter <= 'F');
}

/* Of IPv4 or IPv6. */
static bool is_number(const char *name) {
  bool has_point = false;
  for (; *name && *name != '%'; name++) {
    if (!is_digit(*name) && *name != '.' && *name != ':') return false;
    has_point |= *name == '.' || *name == ':';
  }
  return has_point;
}

static bool is_asked_of_others(const char *name, const struct addrinfo *hints) {
  if (!name || strings_equal(name, "localhost") || is_number(name)) return false;
  return !hints || !(hints->ai_flags & AI_NUMERICHOST);
}

/* What the C library has put into the list is written, as far as the program is concerned. */
static void announce(struct addrinfo *list, site_id site) {
  for (struct addrinfo *one = list; one; one = one->ai_next) {
    model_writes(one, sizeof *one, site);
    model_writes(one->ai_addr, one->ai_addrlen, site);
    if (one->ai_canonname) model_writes(one->ai_canonname, string_length(one->ai_canonname) + 1, site);
  }
}

WRAPPED(int, getaddrinfo,
        (const char *restrict name, const char *restrict service, const struct addrinfo *restrict hints,
         struct addrinfo **restrict list),
        (name, service, hints, list)) {
  const site_id site = call_site();
  files_touch();
  if (is_asked_of_others(name, hints)) {
    take_site();
    finish_at_limit("getaddrinfo of a name that a server is asked for");
  }
  const int result = (int)FOLLOWED_REAL(getaddrinfo, name, service, hints, list);
  if (result == 0) announce(*list, site);
  return result;
}
