/* SPDX-License-Identifier: MIT
 *
 * The variables that instrumented code and the runtime share (runtime.h, terms.h, frames.h). Every run writes to them, so
 * they have a page to themselves: after a run they are put back, and nothing around them needs to be (snapshot.c).
 */
        .macro  exported name, bytes
        .globl  \name
        .type   \name, @object
        .size   \name, \bytes
\name:  .skip   \bytes
        .endm

        .section .bss.heddle_exported, "aw", @nobits
        .balign 4096
        .globl  exported_begin
        .hidden exported_begin
exported_begin:
        exported __heddle_owner, 8
        exported __heddle_site, 8
        exported __heddle_opaque_calls, 8
        exported __heddle_unseen_writes, 8
        exported __heddle_opaque_site, 8
        exported __heddle_return_site, 8
        exported __heddle_in_run, 1
        exported __heddle_has_threads, 1
        exported __heddle_has_dead, 1
        exported __heddle_terms_in_memory, 1
        .skip   4
        exported __heddle_return, 16    /* checked in terms.c */
        exported __heddle_call, 1104
        .globl  exported_end
        .hidden exported_end
exported_end:
        .balign 4096
        .section .note.GNU-stack, "", @progbits
