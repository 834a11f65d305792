/* SPDX-License-Identifier: MIT
 *
 * The ports of include/heddle.h. Sending puts a message into the port; between senders there is no order, so which
 * sender a receive takes from is a choice of the receive, an alternative of its step (abi/events.def says which), and
 * sends commute. A synchronous send is over when its message is received.
 *
 * A selective wait calls its guards first, as the thread's own doing. Then it is one operation, on all open ports.
 */
#include "choose.h"
#include "constructs.h"
#include "ends.h"
#include "include/heddle.h"
#include "models.h"
#include "sleep.h"
#include "terms.h"

void __heddle_slow_range(const void *address, uint64_t size, const struct site *site, int writes);

/* ---- initialising ---- */

static void initialise(heddle_port *address, void (*initialise_memory)(heddle_port *)) {
  object_before_initialise(address, PORT_OBJECT, take_site());
  initialise_memory(address);
  object_reset(address, PORT_OBJECT);
}

WRAPPED_VOID(heddle_port_init, (heddle_port * address), (address)) {
  initialise(address, __real_heddle_port_init);
}

WRAPPED_VOID(heddle_port_init_synchronous, (heddle_port * address), (address)) {
  initialise(address, __real_heddle_port_init_synchronous);
}

#define NO_ROOM "a bounded port without room for a message"

WRAPPED_VOID(heddle_port_init_bounded, (heddle_port * address, unsigned capacity), (address, capacity)) {
  const site_id site = take_site();
  object_before_initialise(address, PORT_OBJECT, site);
  if (capacity == 0) construct_misuse(object_at(address, PORT_OBJECT), site, NO_ROOM);
  __real_heddle_port_init_bounded(address, capacity);
  object_reset(address, PORT_OBJECT);
}

/* ---- messages ---- */

static struct message *message_at(uint32_t place) {
  return place ? &the_messages->messages[place] : NULL;
}

static struct message *first_message(void) {
  return message_at(the_messages->first);
}

static struct message *next_message(const struct message *message) {
  return message_at(message->next);
}

static uint32_t new_place(site_id site) {
  struct messages *all = the_messages;
  const uint32_t place = all->free;
  if (place) {
    all->free = all->messages[place].next;
    return place;
  }
  if (all->n_used + 1 == MAX_MESSAGES) finish_run(OUTCOME_TOO_MANY_EVENTS, site, 0);
  return ++all->n_used;
}

static bool is_from_same(const struct message *a, const struct message *b) {
  return a->port == b->port && message_sender(a->number) == message_sender(b->number);
}

static bool has_earlier(const struct message *message) {
  for (const struct message *other = first_message(); other; other = next_message(other))
    if (is_from_same(other, message)) return true;
  return false;
}

static struct message *put(struct object *port, long value, uint32_t term, site_id site) {
  const uint32_t place = new_place(site);
  struct message *message = message_at(place);
  *message = (struct message){
      .number = message_number(self()->id, ++self()->n_sent), .port = port, .value = value, .term = term};
  message->is_first = !has_earlier(message);
  races_release(&message->handed);
  if (the_messages->last)
    message_at(the_messages->last)->next = place;
  else
    the_messages->first = place;
  the_messages->last = place;
  port->count++;
  port->version++;
  return message;
}

/* Takes it out of the list; its place may be used again. */
static void unlink_message(const struct message *message) {
  struct messages *all = the_messages;
  const uint32_t place = (uint32_t)(message - all->messages);
  uint32_t previous = 0;
  for (uint32_t at = all->first; at != place; at = all->messages[at].next) previous = at;
  if (previous)
    all->messages[previous].next = message->next;
  else
    all->first = message->next;
  if (all->last == place) all->last = previous;
  all->messages[place].next = all->free;
  all->free = place;
}

static struct message get(struct message *message) {
  const struct message taken = *message;
  taken.port->count--;
  taken.port->version++;
  for (struct message *later = next_message(message); later; later = next_message(later)) {
    if (!is_from_same(later, message)) continue;
    later->is_first = true;
    break;
  }
  unlink_message(message);
  races_acquire(&taken.handed);
  return taken;
}

WRAPPED_VOID(heddle_port_destroy, (heddle_port * address), (address)) {
  struct object *port = object_at(address, PORT_OBJECT);
  object_destroy(port, take_site());
  for (struct message *message = first_message(), *next; message; message = next) {
    next = next_message(message);
    if (message->port == port) unlink_message(message);
  }
}

/* ---- sending ---- */

static uint8_t kind_of_send(const struct object *port) {
  switch (port->type) {
  case PORT_BOUNDED: return EVENT_PORT_SEND_BOUNDED;
  case PORT_SYNCHRONOUS: return EVENT_PORT_CALL;
  default: return EVENT_PORT_SEND;
  }
}

static void take_turn_to_send(uint8_t kind, struct object *port, site_id site) {
  const bool is_bounded = kind == EVENT_PORT_SEND_BOUNDED;
  spin_end(self());
  schedule_operation((struct operation){.kind = kind,
                                        .address = port->address,
                                        .object = port,
                                        .size = is_bounded ? port->needed : 0,
                                        .site = site,
                                        .can_block = is_bounded});
  object_check(port, site);
  if (is_bounded) races_acquire(port);
}

static void send(struct object *port, long value, uint32_t term, site_id site) {
  const uint8_t kind = kind_of_send(port);
  if (kind == EVENT_PORT_SEND_BOUNDED && port->needed == 0) construct_misuse(port, site, NO_ROOM);
  take_turn_to_send(kind, port, site);
  const uint64_t number = put(port, value, term, site)->number;
  record_object(kind, port, site, number)->size = kind == EVENT_PORT_SEND_BOUNDED ? port->needed : 0;
  if (kind != EVENT_PORT_CALL) return;
  schedule_hold(EVENT_PORT_RETURN, port, site);
  record_object(EVENT_PORT_RETURN, port, site, number);
}

WRAPPED_VOID(heddle_send, (heddle_port * address, long value), (address, value)) {
  const site_id site = take_site();
  uint32_t terms[2] = {0};
  call_take_terms((const void *)__wrap_heddle_send, terms, 2);
  decide_pin(terms[0], PIN_MODEL, site);
  send(object_at(address, PORT_OBJECT), value, terms[1], site);
}

/* ---- receiving ---- */

/* The open ports of a receive or selective wait. */
struct port_wait {
  struct object *ports[MAX_ALTERNATIVES];
  int indices[MAX_ALTERNATIVES]; /* of the alternatives */
  uint32_t count;
  uint32_t bits; /* port_bit of all of them */
};

static bool has_message(const struct port_wait *wait) {
  for (uint32_t i = 0; i < wait->count; i++)
    if (wait->ports[i]->count) return true;
  return false;
}

bool port_can_move(const struct thread *thread) {
  if (thread->operation.kind == EVENT_PORT_RECEIVE) return has_message(thread->polled);
  return thread->operation.object->count < thread->operation.object->needed;
}

static bool is_open(const struct port_wait *wait, const struct object *port) {
  for (uint32_t i = 0; i < wait->count; i++)
    if (wait->ports[i] == port) return true;
  return false;
}

static bool can_be_received(const struct port_wait *wait, const struct message *message) {
  return message->is_first && is_open(wait, message->port);
}

static bool comes_before(const struct message *a, const struct message *b) {
  const thread_id sender = message_sender(a->number), other = message_sender(b->number);
  return sender != other ? sender < other : a->port->address < b->port->address;
}

static uint16_t count_messages(const struct port_wait *wait) {
  uint32_t count = 0;
  for (const struct message *message = first_message(); message; message = next_message(message))
    count += can_be_received(wait, message);
  return (uint16_t)(count < UINT16_MAX ? count : UINT16_MAX);
}

/* The message with that many before it. */
static struct message *find_message(const struct port_wait *wait, uint16_t rank) {
  struct message *found = NULL;
  for (uint32_t i = 0; i <= rank; i++) {
    struct message *next = NULL;
    for (struct message *message = first_message(); message; message = next_message(message))
      if (can_be_received(wait, message) && (!found || comes_before(found, message)) &&
          (!next || comes_before(message, next)))
        next = message;
    found = next;
  }
  return found;
}

/* Is there a message that the plan does not keep from the thread? */
bool port_has_new_message(const struct thread *thread) {
  if (thread->operation.kind != EVENT_PORT_RECEIVE) return false;
  for (const struct message *message = first_message(); message; message = next_message(message))
    if (can_be_received(thread->polled, message) && sleep_may_take(thread, message->number)) return true;
  return false;
}

/* Which of them it takes: one of those that the plan does not keep from it. */
static uint16_t choose_message(const struct port_wait *wait, uint16_t ways) {
  uint16_t n_allowed = 0, skip = 0;
  if (!rt->n_asleep) return choose_alternative(ways);
  for (uint16_t i = 0; i < ways; i++) n_allowed += sleep_may_take(self(), find_message(wait, i)->number);
  if (n_allowed == ways || n_allowed == 0) return choose_alternative(ways);
  skip = choose_alternative(n_allowed);
  for (uint16_t i = 0; i < ways; i++)
    if (sleep_may_take(self(), find_message(wait, i)->number) && skip-- == 0) return i;
  return 0;
}

/* A port has one receiver: the first that comes. */
static void claim(struct object *port, site_id site) {
  if (port->owner != NO_THREAD && port->owner != self()->id)
    construct_misuse(port, site, "receive from a port that another thread receives from");
  port->owner = self()->id;
  port->owner_site = site;
}

static void add_port(struct port_wait *wait, const heddle_port *address, int index, site_id site) {
  struct object *port = object_at(address, PORT_OBJECT);
  object_check(port, site);
  claim(port, site);
  wait->ports[wait->count] = port;
  wait->indices[wait->count++] = index;
  wait->bits |= port_bit(port->address);
}

static void check_ports(const struct port_wait *wait, site_id site) {
  for (uint32_t i = 0; i < wait->count; i++) object_check(wait->ports[i], site);
}

static struct operation operation_of(uint8_t kind, const struct port_wait *wait, site_id site) {
  struct object *first = wait->count ? wait->ports[0] : NULL;
  return (struct operation){
      .kind = kind, .address = first ? first->address : 0, .object = first, .size = wait->bits, .site = site};
}

static struct event *record_wait(uint8_t kind, uint64_t port, const struct port_wait *wait, site_id site) {
  struct event *event = trace_record(kind, port, wait->bits, site);
  event->flags |= EVENT_VALUE_KNOWN;
  return event;
}

static void record_open_list(const struct port_wait *wait, site_id site) {
  for (uint32_t i = 0; i < wait->count; i++) trace_record(EVENT_PORT_OPEN, wait->ports[i]->address, 0, site);
}

static void answer(const struct message *message) {
  if (message->port->type == PORT_BOUNDED) races_release(message->port);
  if (message->port->type != PORT_SYNCHRONOUS) return;
  struct thread *sender = &rt->threads[message_sender(message->number)];
  races_hand_over(sender);
  schedule_local(sender);
}

/* At the thread's turn, when there is a message. */
static struct message receive(const struct port_wait *wait, site_id site, bool could_give_up) {
  const uint16_t ways = count_messages(wait);
  const uint16_t way = choose_message(wait, ways);
  const struct message message = get(find_message(wait, way));
  struct event *event = record_wait(EVENT_PORT_RECEIVE, message.port->address, wait, site);
  event->value = message.number;
  event->alternative = way;
  event->alternatives = ways;
  if (could_give_up) event->flags |= EVENT_GIVES_UP;
  answer(&message);
  return message;
}

static void take_turn_to_receive(const struct port_wait *wait, bool can_give_up, site_id site) {
  struct operation operation = operation_of(EVENT_PORT_RECEIVE, wait, site);
  operation.can_block = true;
  operation.can_give_up = can_give_up;
  self()->polled = wait;
  spin_end(self());
  schedule_operation(operation);
  check_ports(wait, site);
}

static struct message receive_from(heddle_port *address, site_id site) {
  struct port_wait wait = {0};
  add_port(&wait, address, 0, site);
  take_turn_to_receive(&wait, false, site);
  return receive(&wait, site, false);
}

WRAPPED(long, heddle_receive, (heddle_port * address), (address)) {
  const site_id site = take_site();
  decide_pin(call_take_term((const void *)__wrap_heddle_receive, 0), PIN_MODEL, site);
  const struct message message = receive_from(address, site);
  call_return_term((const void *)__wrap_heddle_receive, message.term);
  return message.value;
}

WRAPPED(long, heddle_receive_unordered, (heddle_port * address, const char *label), (address, label)) {
  const site_id site = take_site();
  decide_pin(call_take_term((const void *)__wrap_heddle_receive_unordered, 0), PIN_MODEL, site);
  const struct message message = receive_from(address, site);
  trace_record(EVENT_PORT_UNORDERED, (uint64_t)address, 0, site)->value = label_hash(label);
  call_return_term((const void *)__wrap_heddle_receive_unordered, message.term);
  return message.value;
}

/* ---- selective waits ---- */

static bool guard_holds(const heddle_alternative *alternative) {
  if (!alternative->guard) return true;
  self()->in_guard = true;
  const bool holds = alternative->guard(alternative->argument);
  self()->in_guard = false;
  return holds;
}

static void check_alternatives(const heddle_alternative *alternatives, int count, site_id site) {
  if (count < 0 || count > (int)MAX_ALTERNATIVES)
    finish_run_with_message(OUTCOME_LOCK_MISUSE, site, 0,
                            "a selective wait with less than 0 or more than 64 alternatives");
  for (int i = 0; i < count; i++)
    for (int k = 0; k < i; k++)
      if (alternatives[k].port == alternatives[i].port)
        finish_run_with_message(OUTCOME_LOCK_MISUSE, site, (uint64_t)alternatives[i].port,
                                "a selective wait with two alternatives for one port");
}

static void find_open(const heddle_alternative *alternatives, int count, struct port_wait *wait, site_id site) {
  if (__heddle_in_run && count > 0)
    __heddle_slow_range(alternatives, (uint64_t)count * sizeof *alternatives, (const struct site *)(uint64_t)site, 0);
  check_alternatives(alternatives, count, site);
  for (int i = 0; i < count; i++)
    if (guard_holds(&alternatives[i])) add_port(wait, alternatives[i].port, i, site);
}

static int index_of(const struct port_wait *wait, const struct object *port) {
  uint32_t i = 0;
  while (wait->ports[i] != port) i++;
  return wait->indices[i];
}

static int receive_into(const struct port_wait *wait, long *place, site_id site, bool could_give_up) {
  const struct message message = receive(wait, site, could_give_up);
  record_open_list(wait, site);
  if (__heddle_in_run) __heddle_slow_range(place, sizeof *place, (const struct site *)(uint64_t)site, 1);
  *place = message.value;
  if (message.term) term_memory_store((uint64_t)place, sizeof *place, message.term);
  return index_of(wait, message.port);
}

static int receive_none(uint8_t kind, const struct port_wait *wait, site_id site) {
  record_wait(kind, wait->count ? wait->ports[0]->address : 0, wait, site);
  record_open_list(wait, site);
  return -1;
}

WRAPPED(int, heddle_select, (const heddle_alternative *alternatives, int count, long *message),
        (alternatives, count, message)) {
  const site_id site = take_site();
  struct port_wait wait = {0};
  find_open(alternatives, count, &wait, site);
  if (wait.count == 0)
    finish_run_with_message(OUTCOME_LOCK_MISUSE, site, 0, "a selective wait without an open alternative");
  take_turn_to_receive(&wait, false, site);
  return receive_into(&wait, message, site, false);
}

WRAPPED(int, heddle_select_delay,
        (const heddle_alternative *alternatives, int count, long *message, unsigned long long nanoseconds),
        (alternatives, count, message, nanoseconds)) {
  const site_id site = take_site();
  struct port_wait wait = {0};
  find_open(alternatives, count, &wait, site);
  const struct deadline deadline = deadline_after(nanoseconds);
  take_turn_to_receive(&wait, true, site);
  if (has_message(&wait)) {
    deadline_kept(&deadline, 0);
    return receive_into(&wait, message, site, true);
  }
  deadline_passed(&deadline);
  return receive_none(EVENT_PORT_DELAY, &wait, site);
}

static void watch_all(const struct port_wait *wait, site_id site, char *frame,
                      void (*look)(struct thread *, struct visit)) {
  for (uint32_t i = 0; i < wait->count; i++) look(self(), visit_of_object(wait->ports[i], site, frame));
}

static int select_else(const heddle_alternative *alternatives, int count, long *message, char *frame) {
  const site_id site = take_site();
  struct port_wait wait = {0};
  find_open(alternatives, count, &wait, site);
  watch_all(&wait, site, frame, spin_before_read);
  schedule_operation(operation_of(EVENT_PORT_ELSE, &wait, site));
  check_ports(&wait, site);
  if (!has_message(&wait)) {
    watch_all(&wait, site, frame, spin_after_read);
    return receive_none(EVENT_PORT_ELSE, &wait, site);
  }
  spin_end(self());
  self()->operation.can_give_up = true; /* it could have gone on without */
  return receive_into(&wait, message, site, true);
}

WRAPPED(int, heddle_select_else, (const heddle_alternative *alternatives, int count, long *message),
        (alternatives, count, message)) {
  char *frame = SPIN_FRAME();
  return select_else(alternatives, count, message, frame);
}
