/* SPDX-License-Identifier: MIT
 *
 * libstdc++'s header of the same name, with the functions of std::map and std::set that are in the library otherwise:
 * here they are compiled with the program, and so explored like it.
 *
 * A red-black tree: no red node has a red child, and all ways down have equally many black nodes. The header's parent
 * is the root, its left and right nodes are the first and the last of the tree; the root's parent is the header.
 */
#include_next <bits/stl_tree.h>

#ifndef _HEDDLE_STL_TREE_H
#define _HEDDLE_STL_TREE_H 1

#pragma GCC system_header

#define __heddle_inline inline __attribute__((always_inline))

namespace std {
_GLIBCXX_BEGIN_NAMESPACE_VERSION

typedef _Rb_tree_node_base __heddle_node;

/* ---- the next and the previous one ---- */

/* From the last one to the header: the root's parent is the header, and the header's is the root. */
inline __heddle_node *__heddle_next(__heddle_node *__x) throw() {
  if (__x->_M_right) return __heddle_node::_S_minimum(__x->_M_right);
  __heddle_node *__above = __x->_M_parent;
  while (__x == __above->_M_right) {
    __x = __above;
    __above = __above->_M_parent;
  }
  return __x->_M_right != __above ? __above : __x;
}

inline __heddle_node *__heddle_previous(__heddle_node *__x) throw() {
  const bool __is_header = __x->_M_color == _S_red && __x->_M_parent && __x->_M_parent->_M_parent == __x;
  if (__is_header) return __x->_M_right;
  if (__x->_M_left) return __heddle_node::_S_maximum(__x->_M_left);
  __heddle_node *__above = __x->_M_parent;
  while (__x == __above->_M_left) {
    __x = __above;
    __above = __above->_M_parent;
  }
  return __above;
}

__heddle_inline __heddle_node *_Rb_tree_increment(__heddle_node *__x) throw() {
  return std::__heddle_next(__x);
}

__heddle_inline const __heddle_node *_Rb_tree_increment(const __heddle_node *__x) throw() {
  return std::__heddle_next(const_cast<__heddle_node *>(__x));
}

__heddle_inline __heddle_node *_Rb_tree_decrement(__heddle_node *__x) throw() {
  return std::__heddle_previous(__x);
}

__heddle_inline const __heddle_node *_Rb_tree_decrement(const __heddle_node *__x) throw() {
  return std::__heddle_previous(const_cast<__heddle_node *>(__x));
}

/* ---- balance ---- */

/* Whoever pointed to a node points to another, which may be NULL. */
inline void __heddle_replace(__heddle_node *__x, __heddle_node *__by, __heddle_node *&__root) {
  if (__x == __root)
    __root = __by;
  else if (__x == __x->_M_parent->_M_left)
    __x->_M_parent->_M_left = __by;
  else
    __x->_M_parent->_M_right = __by;
}

/* The child on one side comes above the node, which takes over that child's child of the other side. */
inline void __heddle_rotate(__heddle_node *__x, bool __to_left, __heddle_node *&__root) {
  __heddle_node *const __y = __to_left ? __x->_M_right : __x->_M_left;
  __heddle_node *const __between = __to_left ? __y->_M_left : __y->_M_right;
  (__to_left ? __x->_M_right : __x->_M_left) = __between;
  if (__between) __between->_M_parent = __x;
  std::__heddle_replace(__x, __y, __root);
  __y->_M_parent = __x->_M_parent;
  (__to_left ? __y->_M_left : __y->_M_right) = __x;
  __x->_M_parent = __y;
}

/* A red node may have a red parent. */
inline void __heddle_balance_after_insertion(__heddle_node *__x, __heddle_node *&__root) {
  while (__x != __root && __x->_M_parent->_M_color == _S_red) {
    __heddle_node *const __grand = __x->_M_parent->_M_parent;
    const bool __is_left = __x->_M_parent == __grand->_M_left;
    __heddle_node *const __uncle = __is_left ? __grand->_M_right : __grand->_M_left;
    if (__uncle && __uncle->_M_color == _S_red) {
      __x->_M_parent->_M_color = __uncle->_M_color = _S_black;
      __grand->_M_color = _S_red;
      __x = __grand;
      continue;
    }
    if (__x == (__is_left ? __x->_M_parent->_M_right : __x->_M_parent->_M_left)) {
      __x = __x->_M_parent;
      std::__heddle_rotate(__x, __is_left, __root);
    }
    __x->_M_parent->_M_color = _S_black;
    __grand->_M_color = _S_red;
    std::__heddle_rotate(__grand, !__is_left, __root);
  }
  __root->_M_color = _S_black;
}

inline void __heddle_insert(bool __left, __heddle_node *__x, __heddle_node *__p, __heddle_node &__header) {
  __x->_M_parent = __p;
  __x->_M_left = __x->_M_right = 0;
  __x->_M_color = _S_red;
  if (__left) {
    __p->_M_left = __x; /* of the header: the first */
    if (__p == &__header)
      __header._M_parent = __header._M_right = __x;
    else if (__p == __header._M_left)
      __header._M_left = __x;
  } else {
    __p->_M_right = __x;
    if (__p == __header._M_right) __header._M_right = __x;
  }
  std::__heddle_balance_after_insertion(__x, __header._M_parent);
}

__heddle_inline void _Rb_tree_insert_and_rebalance(const bool __left, __heddle_node *__x, __heddle_node *__p,
                                                   __heddle_node &__header) throw() {
  std::__heddle_insert(__left, __x, __p, __header);
}

inline bool __heddle_is_black(const __heddle_node *__x) {
  return !__x || __x->_M_color == _S_black;
}

/* On the way through x, which may be NULL, there is one black node too few. */
inline void __heddle_balance_after_erasure(__heddle_node *__x, __heddle_node *__parent, __heddle_node *&__root) {
  while (__x != __root && std::__heddle_is_black(__x)) {
    const bool __is_left = __x == __parent->_M_left;
    __heddle_node *__sibling = __is_left ? __parent->_M_right : __parent->_M_left;
    if (__sibling->_M_color == _S_red) {
      __sibling->_M_color = _S_black;
      __parent->_M_color = _S_red;
      std::__heddle_rotate(__parent, __is_left, __root);
      __sibling = __is_left ? __parent->_M_right : __parent->_M_left;
    }
    if (std::__heddle_is_black(__sibling->_M_left) && std::__heddle_is_black(__sibling->_M_right)) {
      __sibling->_M_color = _S_red;
      __x = __parent;
      __parent = __parent->_M_parent;
      continue;
    }
    if (std::__heddle_is_black(__is_left ? __sibling->_M_right : __sibling->_M_left)) {
      (__is_left ? __sibling->_M_left : __sibling->_M_right)->_M_color = _S_black;
      __sibling->_M_color = _S_red;
      std::__heddle_rotate(__sibling, !__is_left, __root);
      __sibling = __is_left ? __parent->_M_right : __parent->_M_left;
    }
    __sibling->_M_color = __parent->_M_color;
    __parent->_M_color = _S_black;
    (__is_left ? __sibling->_M_right : __sibling->_M_left)->_M_color = _S_black;
    std::__heddle_rotate(__parent, __is_left, __root);
    break;
  }
  if (__x) __x->_M_color = _S_black;
}

/* A node with two children changes places with the next one, which has no left child. */
inline void __heddle_take_place(__heddle_node *__next, __heddle_node *__z, __heddle_node *&__root) {
  __z->_M_left->_M_parent = __next;
  __next->_M_left = __z->_M_left;
  if (__next != __z->_M_right) {
    __next->_M_parent->_M_left = __next->_M_right;
    if (__next->_M_right) __next->_M_right->_M_parent = __next->_M_parent;
    __next->_M_right = __z->_M_right;
    __z->_M_right->_M_parent = __next;
  }
  std::__heddle_replace(__z, __next, __root);
  __next->_M_parent = __z->_M_parent;
  std::swap(__next->_M_color, __z->_M_color);
}

inline void __heddle_erase(__heddle_node *__z, __heddle_node &__header) {
  __heddle_node *&__root = __header._M_parent;
  if (__z == __header._M_left)
    __header._M_left = __z->_M_right ? __heddle_node::_S_minimum(__z->_M_right) : __z->_M_parent;
  if (__z == __header._M_right)
    __header._M_right = __z->_M_left ? __heddle_node::_S_maximum(__z->_M_left) : __z->_M_parent;
  __heddle_node *__x, *__parent;
  if (__z->_M_left && __z->_M_right) {
    __heddle_node *const __next = __heddle_node::_S_minimum(__z->_M_right);
    __x = __next->_M_right;
    __parent = __next == __z->_M_right ? __next : __next->_M_parent;
    std::__heddle_take_place(__next, __z, __root);
  } else {
    __x = __z->_M_left ? __z->_M_left : __z->_M_right;
    __parent = __z->_M_parent;
    std::__heddle_replace(__z, __x, __root);
    if (__x) __x->_M_parent = __parent;
  }
  if (__z->_M_color == _S_black) std::__heddle_balance_after_erasure(__x, __parent, __root);
}

__heddle_inline __heddle_node *_Rb_tree_rebalance_for_erase(__heddle_node *const __z, __heddle_node &__header) throw() {
  std::__heddle_erase(__z, __header);
  return __z;
}

_GLIBCXX_END_NAMESPACE_VERSION
} // namespace std

#undef __heddle_inline
#endif
