/* SPDX-License-Identifier: MIT
 *
 * libstdc++'s header of the same name, with the functions of std::string in the program instead of the library: here
 * they are compiled with the program, and so explored like it.
 */
#pragma push_macro("_GLIBCXX_EXTERN_TEMPLATE")
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#include_next <bits/basic_string.tcc>
#pragma pop_macro("_GLIBCXX_EXTERN_TEMPLATE")
