/* SPDX-License-Identifier: Apache-2.0 */
/* The C interface of an RTL plug-in: one Verilated ISBE block as a shared library.
 *
 * Three parts share this interface and nothing else:
 *
 *   scripts/rtl                        SystemVerilog + parameters -> a plug-in, kept in a cache
 *   testbench/rtl/plugin/              code of every plug-in: this interface around Verilator's class
 *   testbench/rtl/rtl_library.h  opens a plug-in, checks it, and hands it to rtl_block and waveform
 *
 * A plug-in contains the block, Verilator's run time and the wires of the model's side of a waveform
 * (testbench/rtl/plugin/interface_scope.sv). It exports one symbol, isbesim_rtl_plugin(), so that one process can have
 * different blocks. Only one thread at a time may use a block and its wave.
 *
 * Fields of section 2 of rtl_ref/README.md have the widths that the page gives them; wider values are cut. Lane i of
 * `address` and `handle` is word i, component c of lane i of `data` is word 32c+i.
 */
#ifndef ISBESIM_RTL_PLUGIN_H
#define ISBESIM_RTL_PLUGIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Number of this interface: increases with every change below or of the list of a request's fields. */
#define ISBESIM_RTL_INTERFACE 5
#define ISBESIM_RTL_ENTRY "isbesim_rtl_plugin"

typedef struct isbesim_rtl_block isbesim_rtl_block;
typedef struct isbesim_rtl_wave isbesim_rtl_wave;

/* One request; the arrays are read during the call. */
typedef struct {
#define ISBESIM_FIELD(name, ...) uint32_t name;
#define ISBESIM_LANE_FIELD(name, ...) const uint32_t* name;
#include "tlm/request_fields.inc"
} isbesim_rtl_request;

/* One response; the arrays belong to the caller, and the call writes them. */
typedef struct {
    uint32_t error, passes;
    uint32_t* data;   /* 128 words */
    uint16_t* status; /* 32 lanes */
} isbesim_rtl_response;

/* The wires of one port on the model's side. Arrays may be null: their wires are unchanged. */
typedef struct {
    uint32_t request_valid, request_transfer;
    uint64_t request_transaction;
    isbesim_rtl_request request;
    uint32_t response_valid, response_transfer;
    uint64_t response_transaction;
    uint32_t response_op;
    isbesim_rtl_response response;
    uint64_t responses;
} isbesim_rtl_scope;

typedef struct {
    /* These two come first in every version. */
    uint32_t interface_number; /* ISBESIM_RTL_INTERFACE of the build */
    uint32_t struct_size;      /* of this structure, bytes */

    const char* parameters; /* "LINES=1024 BANKS=32 ...", in the order of configurations.json; "" without a block */
    const char* digest;     /* of all inputs of its build: its key in the cache */
    uint32_t ports;         /* 0: no block, only waveforms */
    uint32_t assertions;    /* 1: built with assertions (scripts/rtl --assert) */
    uint32_t own_block;     /* 1: not rtl_ref; its state may change without an operation in flight */

    /* A block after reset; null if the plug-in has no block. `wave` may be null, else it must outlive the block.
     * Before that reset, registers hold zeros, or random bits with the seed `start` if it is not 0. */
    isbesim_rtl_block* (*create)(isbesim_rtl_wave* wave, uint32_t start);
    /* Runs the block's final blocks. Their failures, as failure() has them, until the thread destroys another block;
     * null without any, or after a failure. */
    const char* (*destroy)(isbesim_rtl_block* block);

    /* Input pins. They are sampled by the next rising edge. */
    void (*set_reset)(isbesim_rtl_block* block, int level);
    void (*offer)(isbesim_rtl_block* block, uint32_t port, const isbesim_rtl_request* request); /* req_valid = 1 */
    void (*withdraw)(isbesim_rtl_block* block, uint32_t port);                                  /* req_valid = 0 */
    void (*set_response_ready)(isbesim_rtl_block* block, uint32_t port, int ready);

    /* Output pins after the last clock edge or evaluate(). */
    int (*request_ready)(const isbesim_rtl_block* block, uint32_t port);
    int (*response_valid)(const isbesim_rtl_block* block, uint32_t port);
    void (*read_response)(const isbesim_rtl_block* block, uint32_t port, isbesim_rtl_response* response);

    /* The clock is high between cycles. clock() is set_clock(0), set_clock(1). */
    void (*clock)(isbesim_rtl_block* block);
    void (*set_clock)(isbesim_rtl_block* block, int level);
    void (*evaluate)(isbesim_rtl_block* block); /* applies the inputs without a clock edge */

    /* Violated assertions, $error, $fatal, $stop and $finish of the block, errors of Verilator's run time, and what
     * would have ended the process (exit(), a signal, in a DPI function, too), one line each, of the first clock edge
     * or evaluate() since its creation that has any. Null until then. After $finish and after an evaluation that did
     * not return, clock edges do nothing. */
    const char* (*failure)(const isbesim_rtl_block* block);

    /* One word of the storage, at a byte address that is a multiple of 4. 0: beyond the storage, or a block without
     * the banks of rtl_ref/bank_sram.sv. A poke takes effect before the next rising edge. */
    int (*peek)(isbesim_rtl_block* block, uint32_t address, uint32_t* value);
    int (*poke)(isbesim_rtl_block* block, uint32_t address, uint32_t value);

    /* A waveform (FST; times in picoseconds must not decrease): scope `model`, and scope `rtl` of a block created with
     * it. Create the block before open_wave. */
    isbesim_rtl_wave* (*create_wave)(void);
    int (*open_wave)(isbesim_rtl_wave* wave, const char* path); /* 0: can't be written */
    void (*set_scope)(isbesim_rtl_wave* wave, uint32_t port, const isbesim_rtl_scope* scope);
    void (*dump_wave)(isbesim_rtl_wave* wave, uint64_t picoseconds);
    void (*close_wave)(isbesim_rtl_wave* wave);
    void (*destroy_wave)(isbesim_rtl_wave* wave);
} isbesim_rtl_interface;

/* The one exported symbol. The structure lives as long as the library. */
typedef const isbesim_rtl_interface* (*isbesim_rtl_entry)(void);

#ifdef __cplusplus
}
#endif
#endif
