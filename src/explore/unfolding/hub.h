/* SPDX-License-Identifier: MIT
 *
 * A quick answer to whether an event can be put into a configuration. Usually it cannot, and finding that out by
 * putting it in means walking through its past.
 *
 * The conditions of one object form a tree, and those that a configuration makes lie on one way down from the root. So
 * do the events of one thread. For the object that is changed most often, or the thread that does most (the hub), each
 * event knows the lowest place of the tree in its past. If that and the lowest one of the configuration are not on one
 * way, they cannot be together.
 *
 * Long lists of users, children or looks of a condition are kept sorted by that place, in preorder. Those that lie
 * below the one of a configuration stand beside each other there, and the few above it are found on the way up: nobody
 * goes through the others.
 *
 * The hub is chosen again when the net has doubled: another kind, if too many events were refused all the same. If most
 * events can be put in, there is none, and nothing is kept.
 */
#ifndef HEDDLE_EXPLORE_UNFOLDING_HUB_H
#define HEDDLE_EXPLORE_UNFOLDING_HUB_H

#include "base/number_map.h"
#include "explore/unfolding/places.h"

struct net;

/* An event or condition, and the lowest place in the past of its event. */
struct sorted_item {
  place_id place;
  uint32_t item;
};

struct sorted_list {
  uint32_t newest; /* node of the list that is here already, and all pushed before it */
  VECTOR(struct sorted_item) items;
};

/* Empty as long as it is not worth while. */
struct hub {
  uint32_t object; /* 0: it is a thread */
  uint32_t thread;
  size_t chosen_at;        /* when there were so many events */
  uint64_t n_refused;      /* events that could not be put into configurations, found by walking */
  VECTOR(place_id) lowest; /* by event: in its past, with itself */
  struct places places;    /* of the conditions or events of the hub */
  VECTOR(struct sorted_list) sorted;
  NUMBER_MAP(uint32_t) sorted_of; /* by kind and number of the list: the place in `sorted` */
};

void hub_free(struct hub *hub);
uint64_t hub_size_bytes(const struct hub *hub);

/* A new event, the last one, has all that it follows. */
void hub_add_event(struct net *net, uint32_t event);
/* The event has been executed: its conditions exist. */
void hub_execute(struct net *net, uint32_t event);
/* From time to time, while every configuration is empty. */
void hub_choose(struct net *net);
bool hub_is_due(const struct net *net);
bool hub_is_used(const struct net *net);
/* False: the event cannot be put into a configuration whose lowest place is this. */
bool hub_allow(const struct net *net, place_id lowest, uint32_t event);
/* The event is put into a configuration whose lowest place is this. Returns what it is then. */
place_id hub_put(const struct net *net, place_id lowest, uint32_t event);

/* Appends the items of a list, but not those that the hub shows cannot be put into a configuration whose lowest place
 * is this. */
typedef VECTOR(uint32_t) list_items;
void hub_list_users(struct net *net, uint32_t thread_list, place_id lowest, list_items *items);
void hub_list_children(struct net *net, uint32_t thread_list, place_id lowest, list_items *items);
void hub_list_looks(struct net *net, uint32_t condition, place_id lowest, list_items *items);

#endif
