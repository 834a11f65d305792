/* SPDX-License-Identifier: MIT
 *
 * Stands before libstdc++ in a link: where its code begins.
 */
        .text
        .globl  __heddle_cxx_begin
__heddle_cxx_begin:
        .section .note.GNU-stack, "", @progbits
