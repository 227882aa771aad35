/* SPDX-License-Identifier: Apache-2.0 */
/* The ISBE from C: a store and a load, first without time, then cycle by cycle through the pins.
 *
 * Prints, for every operation, the data of lane 1, and on the pins the cycles of both transfers. */
#include <isbesim.h>
#include <stdio.h>
#include <string.h>

static const char* const machine = "{\"isbe\": {\"lines\": 64, \"pipeline_latency\": 5, \"write_latency\": 4}}";

static int fail(const isbesim_model* model, const char* what)
{
    fprintf(stderr, "isbe_in_c: %s: %s\n", what, model != NULL ? isbesim_error(model) : "");
    return 1;
}

/* Lane i at word i of line 2, in the physical region: no context is needed. */
static isbesim_request physical(uint32_t op)
{
    isbesim_request request;
    memset(&request, 0, sizeof request);
    request.op = op;
    request.space = 1; /* stores go to the output space */
    request.region = ISBESIM_REGION_PHYSICAL;
    request.size = 4;
    request.lanes = 0xffffffffU;
    for (uint32_t lane = 0; lane < ISBESIM_LANES; ++lane) {
        request.address[lane] = 2 * 128 + 4 * lane;
        request.data[lane] = 100 + lane;
    }
    return request;
}

/* Offers one request on port 0 until it is taken, and waits for its response. */
static int run_on_pins(isbesim_model* model, const isbesim_request* request)
{
    isbesim_inputs inputs[ISBESIM_MAX_PORTS];
    isbesim_outputs outputs;
    uint64_t accepted = 0;
    memset(inputs, 0, sizeof inputs);
    inputs[0].request = request;
    inputs[0].resp_ready = 1;
    for (;;) {
        const uint64_t cycle = isbesim_cycle(model);
        if (isbesim_read_pins(model, 0, &outputs) != ISBESIM_OK) return fail(model, "the pins can't be read");
        if (isbesim_clock(model, 0, inputs) != ISBESIM_OK) return fail(model, "no clock edge");
        if (inputs[0].request != NULL && outputs.req_ready != 0) {
            accepted = cycle;
            inputs[0].request = NULL; /* taken at that edge */
        }
        if (outputs.resp_valid != 0) {
            printf("pins: accepted in cycle %u, response in cycle %u, %u passes, lane 1 has %u\n", (unsigned)accepted,
                   (unsigned)cycle, (unsigned)outputs.response.passes, (unsigned)outputs.response.data[1]);
            return 0;
        }
    }
}

int main(void)
{
    char text[4096];
    if (isbesim_api_version() != ISBESIM_API_VERSION) return fail(NULL, "the library has another interface");
    isbesim_model* const model = isbesim_create(machine, text, sizeof text);
    if (model == NULL) {
        fprintf(stderr, "isbe_in_c: %s\n", text);
        return 2;
    }

    const isbesim_request store = physical(ISBESIM_ISBEWR), load = physical(ISBESIM_ISBERD);
    isbesim_response response;
    if (isbesim_execute(model, &store, &response) != ISBESIM_OK ||
        isbesim_execute(model, &load, &response) != ISBESIM_OK)
        return fail(model, "not executed");
    printf("functional: error %u, %u passes, lane 1 has %u\n", (unsigned)response.error, (unsigned)response.passes,
           (unsigned)response.data[1]);

    /* Accept to response: 1 + P + L cycles on an idle block, L = 4 for a store and 5 for a load. */
    if (run_on_pins(model, &store) != 0 || run_on_pins(model, &load) != 0) return 1;

    uint32_t word = 0;
    if (isbesim_read_storage(model, 2 * 128 + 4, &word, 1) != ISBESIM_OK) return fail(model, "no such word");
    printf("storage: %u\n", (unsigned)word);
    if (isbesim_state_json(model, text, sizeof text) == 0) return fail(model, "no state");
    printf("%s\n", text);
    isbesim_destroy(model);
    return 0;
}
