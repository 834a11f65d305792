/* SPDX-License-Identifier: MIT
 *
 * Stands before libstdc++ in a link: where its code and its variables begin.
 */
        .text
        .globl  __heddle_cxx_begin
__heddle_cxx_begin:
        .data
        .globl  __heddle_cxx_data
__heddle_cxx_data:
        .bss
        .globl  __heddle_cxx_bss
__heddle_cxx_bss:
        .section .note.GNU-stack, "", @progbits
