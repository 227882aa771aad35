/* SPDX-License-Identifier: Apache-2.0 */
/* Compares a block's pins with the model, cycle by cycle, and generates traffic for its ports: the part of
 * libisbesim_model.so for simulators. Arguments are those of SystemVerilog's DPI: isbesim_pkg.sv imports every
 * function; a packed vector is an array of 32-bit words, bit 0 first. Other languages may call them too (VPI, VHPI,
 * Python).
 *
 * The rules of isbesim.h for ownership, threads and versions apply. */
#ifndef ISBESIM_CHECKER_H
#define ISBESIM_CHECKER_H

#include "isbesim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct isbesim_checker isbesim_checker;
typedef struct isbesim_traffic isbesim_traffic;

/* Why the last isbesim_checker_create() or isbesim_traffic_create() of this thread returned null. */
ISBESIM_API const char* isbesim_checker_error(void);

/* `machine`: as for isbesim_create(). `mode`:
 *   "data"     each port's data, status, error and passes; operations are executed in the order of the responses
 *   "latency"  the same, in the order of the timed model, which follows the block's requests; reports response delays
 *   "order"    the same as "latency", and responses of both ports must appear in the order of the model's
 *   "cycles"   every output pin in every cycle
 * Nothing is checked before the first cycle of reset. Null: isbesim_checker_error() has the reason. */
ISBESIM_API isbesim_checker* isbesim_checker_create(const char* machine, const char* mode);
ISBESIM_API void isbesim_checker_destroy(isbesim_checker* checker);
ISBESIM_API uint32_t isbesim_checker_ports(const isbesim_checker* checker);

/* The pins of one cycle: call these two for each port whose valid is 1, then isbesim_checker_clock(). Fields are those
 * of section 2. */
ISBESIM_API void isbesim_checker_request(isbesim_checker* checker, uint32_t port, uint32_t op, uint32_t space,
                                         uint32_t region, uint32_t form, uint32_t type, uint32_t size, uint32_t skew,
                                         uint32_t context, uint32_t immediate, uint32_t lanes, const uint32_t* address,
                                         const uint32_t* handle, const uint32_t* data);
/* `status`: 16 words, lane i at bit 16i. `passes`: 0xffffffff for a block that does not show them; they are then not
 * compared. */
ISBESIM_API void isbesim_checker_response(isbesim_checker* checker, uint32_t port, const uint32_t* data,
                                          const uint32_t* status, uint32_t error, uint32_t passes);

/* The rising edge that ends the cycle; bit p of `req_ready` and `resp_ready` is port p's. Returns the number of
 * differences in this cycle. */
ISBESIM_API uint32_t isbesim_checker_clock(isbesim_checker* checker, uint32_t reset, uint32_t req_ready,
                                           uint32_t resp_ready);
/* Ends the run; `idle`: an operation without a response is a difference. Returns the run's number of differences. */
ISBESIM_API uint32_t isbesim_checker_finish(isbesim_checker* checker, uint32_t idle);
/* The findings of the last isbesim_checker_clock() or isbesim_checker_finish(), with the state of both sides: "" or
 * lines. It describes the first eight differences of a run. */
ISBESIM_API const char* isbesim_checker_text(const isbesim_checker* checker);

/* The cross-check's random traffic for a block of this machine: `transactions` in all, reproducible by `seed`. */
ISBESIM_API isbesim_traffic* isbesim_traffic_create(const char* machine, uint32_t seed, uint32_t transactions);
ISBESIM_API void isbesim_traffic_destroy(isbesim_traffic* traffic);
/* The next operation of a port, requested not before cycle `earliest`, with its response held for `hold` cycles. 0: no
 * further operation. */
ISBESIM_API uint32_t isbesim_traffic_next(isbesim_traffic* traffic, uint32_t port, uint32_t* earliest, uint32_t* hold,
                                          uint32_t* op, uint32_t* space, uint32_t* region, uint32_t* form,
                                          uint32_t* type, uint32_t* size, uint32_t* skew, uint32_t* context,
                                          uint32_t* immediate, uint32_t* lanes, uint32_t* address, uint32_t* handle,
                                          uint32_t* data);

#ifdef __cplusplus
}
#endif
#endif
