/* SPDX-License-Identifier: Apache-2.0 */
/* The ISBE model for programs in C and for simulators: libisbesim_model.so.
 *
 * One block as rtl_ref/README.md describes it, in two ways: isbesim_execute() executes operations one after the other,
 * without time; isbesim_read_pins() and isbesim_clock() are the block's pins, cycle by cycle. "Section n" refers to
 * that page.
 *
 * Functions that return int return ISBESIM_OK or another isbesim_result; isbesim_error() then gives the reason, and the
 * model is unchanged.
 *
 * Ownership: arguments belong to the caller and are used only during the call. The library owns a model from
 * isbesim_create() until isbesim_destroy(). Returned texts are valid until the next call with the same model.
 *
 * Threads: only one thread at a time may use a model; different threads may use different models at the same time.
 * Models share nothing: no signal handler, no sc_main, no SystemC.
 *
 * Versions: ISBESIM_API_VERSION is that of this header, isbesim_api_version() that of the library; they must be equal.
 * Changes of existing parts increase the number, which is also the library's SONAME; additions keep it. */
#ifndef ISBESIM_H
#define ISBESIM_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define ISBESIM_API __attribute__((visibility("default")))
#else
#define ISBESIM_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define ISBESIM_API_VERSION 1
#define ISBESIM_LANES 32
#define ISBESIM_COMPONENTS 4
#define ISBESIM_MAX_PORTS 2
#define ISBESIM_CONTEXT_WORDS 64

enum isbesim_result {
    ISBESIM_OK = 0,
    ISBESIM_INVALID = 2, /* an impossible request: a value out of its range, an address beyond the storage */
    ISBESIM_INTERNAL = 3 /* a defect of the library, or out of memory */
};

/* Values of the fields below, section 2. */
enum isbesim_op {
    ISBESIM_ALD = 0,
    ISBESIM_AST = 1,
    ISBESIM_AL2P = 2,
    ISBESIM_OUT = 3,
    ISBESIM_ISBERD = 4,
    ISBESIM_ISBEWR = 5,
    ISBESIM_BIND = 6
};
enum isbesim_region {
    ISBESIM_REGION_MAP = 0,
    ISBESIM_REGION_PATCH = 1,
    ISBESIM_REGION_PRIM = 2,
    ISBESIM_REGION_ATTR = 3,
    ISBESIM_REGION_PHYSICAL = 4
};
enum isbesim_form { ISBESIM_FORM_LOGICAL = 0, ISBESIM_FORM_PATCH = 1, ISBESIM_FORM_PHYS = 2 };
enum isbesim_type { ISBESIM_FINAL = 0, ISBESIM_EMIT = 1, ISBESIM_CUT = 2, ISBESIM_EMIT_THEN_CUT = 3 };

/* A request, section 2. Every field must fit its pins; `op`, and those of `region`, `form` and `size` that the
 * operation uses, must have values of the table there. */
typedef struct isbesim_request {
    uint32_t op;
    uint32_t space; /* 0 input, 1 output */
    uint32_t region;
    uint32_t form;
    uint32_t type;
    uint32_t size; /* ALD, AST, AL2P: words 1..4; ISBERD, ISBEWR: bytes 1, 2, 4 */
    uint32_t skew;
    uint32_t context;
    int32_t immediate;                                 /* bytes */
    uint32_t lanes;                                    /* bit i: lane i */
    uint32_t address[ISBESIM_LANES];                   /* lane i */
    uint32_t handle[ISBESIM_LANES];                    /* lane i */
    uint32_t data[ISBESIM_COMPONENTS * ISBESIM_LANES]; /* component c of lane i: 32c+i. BIND: descriptor word i */
} isbesim_request;

/* A response, section 2; status bits and errors: section 6. */
typedef struct isbesim_response {
    uint32_t data[ISBESIM_COMPONENTS * ISBESIM_LANES]; /* component c of lane i: 32c+i */
    uint16_t status[ISBESIM_LANES];
    uint32_t error;
    uint32_t passes;
} isbesim_response;

typedef struct isbesim_model isbesim_model;

ISBESIM_API uint32_t isbesim_api_version(void);
ISBESIM_API const char* isbesim_version(void); /* version of isbesim, "1.0.0" */

/* A block after reset, with storage 0. `machine`: the text of a machine's JSON file, of which only the keys of section
 * 7 matter ("{\"isbe.lines\": 64}"; `isbesim help config` lists all), or the name of a preset ("gm107"); null or "":
 * the default machine. Returns null for an invalid machine, with "machine:LINE:COLUMN: mistake, expectation" in
 * `error`, cut to `error_size` bytes including the terminating 0, unless that is 0. */
ISBESIM_API isbesim_model* isbesim_create(const char* machine, char* error, size_t error_size);
ISBESIM_API void isbesim_destroy(isbesim_model* model); /* null: no effect */

/* The reason why the last call with this model failed, or "". */
ISBESIM_API const char* isbesim_error(const isbesim_model* model);

ISBESIM_API uint32_t isbesim_ports(const isbesim_model* model);
/* Bytes. */
ISBESIM_API uint32_t isbesim_storage_size(const isbesim_model* model);

/* ---- without time ---- */

/* Executes one operation completely, after all operations executed or granted before. Fills in `response`, whose
 * `passes` are those for which it would hold the pass engine. An error of section 6 is an ordinary response. */
ISBESIM_API int isbesim_execute(isbesim_model* model, const isbesim_request* request, isbesim_response* response);

/* ---- cycle by cycle ---- */

/* Input pins of a port during a cycle. */
typedef struct isbesim_inputs {
    const isbesim_request* request; /* null: req_valid = 0 */
    uint32_t resp_ready;
} isbesim_inputs;

/* Output pins of a port in the current cycle. */
typedef struct isbesim_outputs {
    uint32_t req_ready;
    uint32_t resp_valid;
    isbesim_response response; /* written if resp_valid is 1 */
} isbesim_outputs;

/* Number of the current cycle, counted from 0 by isbesim_clock(). */
ISBESIM_API uint64_t isbesim_cycle(const isbesim_model* model);

/* Outputs never depend on inputs of the same cycle: read them before or after choosing the inputs. */
ISBESIM_API int isbesim_read_pins(isbesim_model* model, uint32_t port, isbesim_outputs* outputs);

/* The rising edge that ends the current cycle, with one element of `inputs` for each port; null: all pins are 0.
 * `reset` is the pin rst: in the middle of a store, the words written by earlier passes remain (section 2). */
ISBESIM_API int isbesim_clock(isbesim_model* model, uint32_t reset, const isbesim_inputs* inputs);

/* ---- looking inside, without time ---- */

/* `count` words of the storage from byte `address`, a multiple of 4. A write clears their overwritten bits. */
ISBESIM_API int isbesim_read_storage(isbesim_model* model, uint32_t address, uint32_t* words, uint32_t count);
ISBESIM_API int isbesim_write_storage(isbesim_model* model, uint32_t address, const uint32_t* words, uint32_t count);

/* The descriptor in a context slot, section 3; bits without a name there are 0. */
ISBESIM_API int isbesim_read_context(isbesim_model* model, uint32_t slot, uint32_t words[ISBESIM_CONTEXT_WORDS]);

/* JSON texts: the machine with every key, as isbesim_create() reads it; and the state: cycle, pass engine, queues of
 * the ports, bound contexts. They return the length of the text without its terminating 0, and write as much as fits
 * into `size` bytes to `text`, always terminated. 0: isbesim_error() has the reason. */
ISBESIM_API size_t isbesim_machine_json(isbesim_model* model, char* text, size_t size);
ISBESIM_API size_t isbesim_state_json(isbesim_model* model, char* text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
