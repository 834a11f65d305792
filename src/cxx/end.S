/* SPDX-License-Identifier: MIT
 *
 * Stands after libstdc++ in a link: where its code and its variables end.
 */
        .text
        .globl  __heddle_cxx_end
__heddle_cxx_end:
        .data
        .globl  __heddle_cxx_data_end
__heddle_cxx_data_end:
        .bss
        .globl  __heddle_cxx_bss_end
__heddle_cxx_bss_end:
        .section .note.GNU-stack, "", @progbits
