/* SPDX-License-Identifier: MIT
 *
 * Stands after libstdc++ in a link: where its code ends.
 */
        .text
        .globl  __heddle_cxx_end
__heddle_cxx_end:
        .section .note.GNU-stack, "", @progbits
