/* SPDX-License-Identifier: MIT
 *
 * libstdc++'s header of the same name, with the functions of std::list that are in the library otherwise: here they are
 * compiled with the program, and so explored like it.
 */
#include_next <bits/stl_list.h>

#ifndef _HEDDLE_STL_LIST_H
#define _HEDDLE_STL_LIST_H 1

#pragma GCC system_header

#define __heddle_inline inline __attribute__((always_inline))

namespace std {
namespace __detail {
_GLIBCXX_BEGIN_NAMESPACE_VERSION

__heddle_inline void _List_node_base::_M_hook(_List_node_base *const __position) _GLIBCXX_USE_NOEXCEPT {
  _M_next = __position;
  _M_prev = __position->_M_prev;
  __position->_M_prev->_M_next = this;
  __position->_M_prev = this;
}

__heddle_inline void _List_node_base::_M_unhook() _GLIBCXX_USE_NOEXCEPT {
  _M_prev->_M_next = _M_next;
  _M_next->_M_prev = _M_prev;
}

/* The nodes from the first to the one before the last come before this one. */
__heddle_inline void _List_node_base::_M_transfer(_List_node_base *const __first,
                                                  _List_node_base *const __last) _GLIBCXX_USE_NOEXCEPT {
  if (this == __last) return;
  _List_node_base *const __end = __last->_M_prev, *const __before = _M_prev;
  __first->_M_prev->_M_next = __last;
  __last->_M_prev = __first->_M_prev;
  __before->_M_next = __first;
  __first->_M_prev = __before;
  __end->_M_next = this;
  _M_prev = __end;
}

__heddle_inline void _List_node_base::_M_reverse() _GLIBCXX_USE_NOEXCEPT {
  _List_node_base *__node = this;
  do {
    _List_node_base *const __next = __node->_M_next;
    __node->_M_next = __node->_M_prev;
    __node->_M_prev = __next;
    __node = __next;
  } while (__node != this);
}

/* The neighbours of a node, which may be itself, get another node instead. */
__heddle_inline void __heddle_adopt(_List_node_base &__node, const _List_node_base &__other) {
  if (__node._M_next == &__other) {
    __node._M_next = __node._M_prev = &__node;
    return;
  }
  __node._M_next->_M_prev = &__node;
  __node._M_prev->_M_next = &__node;
}

__heddle_inline void _List_node_base::swap(_List_node_base &__x, _List_node_base &__y) _GLIBCXX_USE_NOEXCEPT {
  const _List_node_base __old = __x;
  __x = __y;
  __y = __old;
  std::__detail::__heddle_adopt(__x, __y);
  std::__detail::__heddle_adopt(__y, __x);
}

_GLIBCXX_END_NAMESPACE_VERSION
} // namespace __detail
} // namespace std

#undef __heddle_inline
#endif
