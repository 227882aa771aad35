// SPDX-License-Identifier: Apache-2.0
// The modelled machine as plain typed values. No file is read here: testbench/system/config.cpp converts JSON and --set
// into these values, and has the only table of names, units, ranges and descriptions.
#pragma once

#include <array>
#include <cstdint>

#include "models/isbe_defaults.h" // generated from rtl_ref/configurations.json
#include "models/sm_pipe.h"

namespace isbesim {

enum class access_rule : std::uint8_t { banked, line };
enum class bank_map : std::uint8_t { modulo, rotate, exclusive_or };
enum class arbitration_rule : std::uint8_t { round_robin, fixed_priority };
enum class gs_slot_order : std::uint8_t { interleaved, blocked };
enum class scheduler_rule : std::uint8_t { loose_round_robin, greedy_then_oldest };
enum class allocation_rule : std::uint8_t { first_fit, best_fit };
enum class buffer_rule : std::uint8_t { alpha_beta, unified };
enum class draw_rule : std::uint8_t { overlap, drain };
enum class consumer_rule : std::uint8_t { captured, written, rasteriser };
enum class memory_rule : std::uint8_t { ideal, hierarchy };
enum class deal_order : std::uint8_t { gpcs_first, tpcs_first };
enum class lane_winner : std::uint8_t { highest, lowest };

/// The ISBE block (micro-architecture section 7). Enumerators represent the values of the RTL's parameters. Latencies
/// are cycles >= 1.
struct isbe_config {
    unsigned lines = isbe_defaults::lines; ///< 128-byte lines of storage
    unsigned banks = isbe_defaults::banks; ///< 8, 16 or 32; each 4 bytes wide
    isbesim::bank_map bank_map{isbe_defaults::bank_map};
    access_rule access{isbe_defaults::access};
    bool skew = isbe_defaults::skew;                                     ///< false: array of vertices
    unsigned ports = isbe_defaults::ports;                               ///< 1: shared by SM and PE; 2: 0 SM, 1 PE
    unsigned request_queue_depth = isbe_defaults::request_queue_depth;   ///< requests per port
    unsigned response_queue_depth = isbe_defaults::response_queue_depth; ///< operations in flight per port
    unsigned pipeline_latency = isbe_defaults::pipeline_latency;         ///< last pass -> response, ALD / ISBERD
    unsigned write_latency = isbe_defaults::write_latency;               ///< AST / ISBEWR / BIND
    unsigned al2p_latency = isbe_defaults::al2p_latency;
    unsigned out_latency = isbe_defaults::out_latency;
    arbitration_rule arbitration{isbe_defaults::arbitration};
    isbesim::gs_slot_order gs_slot_order{isbe_defaults::gs_slot_order};
    lane_winner patch_winner{isbe_defaults::patch_winner};
    std::uint32_t attribute_default = isbe_defaults::attribute_default; ///< SET_ATTRIBUTE_DEFAULT bits, HARDWARE.md A.4
    std::uint32_t position_w_default = isbe_defaults::position_w_default; ///< default of POSITION_W
    bool map_byte_swap = isbe_defaults::map_byte_swap; ///< byte order of multi-byte MAP writes, HARDWARE.md D.4
    unsigned contexts = isbe_defaults::contexts;       ///< context slots
};

/// One SM.
struct sm_config {
    unsigned schedulers = 4;
    unsigned warps = 64;
    scheduler_rule scheduler_policy = scheduler_rule::loose_round_robin;
    unsigned alu_latency = 6;
    unsigned variable_latency = 20;     ///< scoreboard-tracked arithmetic: MUFU, conversions, double precision, S2R
    unsigned memory_latency = 24;       ///< LDL, LDC
    unsigned global_latency = 400;      ///< LD, LDG, ATOM: assumed
    unsigned texture_latency = 400;     ///< TEX, TLD, SULD, ...: assumed
    unsigned read_release_latency = 8;  ///< issue -> read scoreboard released
    unsigned attribute_queue_depth = 8; ///< warp operations waiting for the ISBE port
    unsigned quantum = 10'000;          ///< cycles that a loosely timed warp may run ahead
    std::array<unsigned, sm_pipe_count> lanes{}; ///< results per cycle of each pipe of the SM; 0: no limit
    bool allow_phys_vector = false;
    bool trap_vertex_range = false;
    bool trap_gs_state = false;
    bool trap_isbe_range = false;
};

/// A number for each stage; 0: the default rule of the key.
struct stage_numbers {
    unsigned vertex_a = 0;
    unsigned vertex = 0;
    unsigned tess_init = 0;
    unsigned tess = 0;
    unsigned geometry = 0;
    unsigned task = 0;
    unsigned mesh = 0;
};

/// The primitive engine.
struct pe_config {
    unsigned batch_vertices = 32;
    unsigned batch_indices = 96;
    unsigned fetch_bytes_per_cycle = 128;
    // Per cycle; 0: no limit.
    double geometry_threads_per_cycle = 0; ///< started by the PE
    double vertices_per_cycle = 0;         ///< of the last stage, to the consumer
    // Limits of a task, HARDWARE.md F.2.
    unsigned gs_output_vertices = 300; ///< declared output vertices per geometry warp (threads x maximum)
    unsigned gs_instances = 64;        ///< threads per geometry warp
    unsigned patches_per_batch = 12;
    unsigned low_watermark = 8;   ///< a paused first stage resumes with at most this many warps on the SM
    unsigned high_watermark = 64; ///< the first stage pauses with more warps than this on the SM
    // How the lines of an ISBE are divided (models/pe/linking/buffers.h).
    buffer_rule buffers = buffer_rule::unified;
    unsigned alpha_lines = 0; ///< alpha_beta; 0: the lines that beta leaves, or in proportion to the stages' needs
    unsigned beta_lines = 0;
    stage_numbers reserve;   ///< unified: lines of a stage; 0: in proportion
    stage_numbers in_flight; ///< most outputs of a stage allocated at once; 0: as many as fit
    allocation_rule allocation_policy = allocation_rule::first_fit;
    draw_rule draws = draw_rule::overlap;             ///< how draws follow each other (models/pe/draw_run.h)
    consumer_rule consumer = consumer_rule::captured; ///< the attributes read after the last stage
    bool poison = false;
};

/// Memory beyond the ISBE. Sizes, latencies and rates are those of `hierarchy` (models/memory/hierarchy.h).
struct memory_config {
    unsigned latency = 0; ///< cycles that the memory adds to sm.global_latency: assumed
    memory_rule model = memory_rule::ideal;
    unsigned l1_bytes = 32768;          ///< of an SM
    unsigned l2_bytes = 4U << 20U;      ///< of the chip
    unsigned l2_latency = 160;          ///< added by a miss in L1
    unsigned dram_latency = 160;        ///< added by a miss in L2
    unsigned l1_bytes_per_cycle = 64;   ///< of an SM
    unsigned l2_bytes_per_cycle = 64;   ///< of a TPC
    double dram_bytes_per_cycle = 1024; ///< of the chip
};

/// The TPCs of a chip and the front end before them (models/pe/front_end/dealing.h). A TPC has a PE and its SMs.
struct chip_config {
    unsigned gpcs = 1;
    unsigned tpcs = 1;         ///< of each GPC
    unsigned deal_batches = 1; ///< batches in a row that a TPC gets before the next TPC's turn
    isbesim::deal_order deal_order = isbesim::deal_order::gpcs_first;
    // The front end, in cycles; a rate of 0 sets no limit.
    unsigned primitives_per_cycle = 0;
    double draw_cycles = 0;
    double record_bytes_per_cycle = 0; ///< of the records of indirect draws
    double instance_cycles = 0;        ///< each but the first of a draw
    double index_cycles = 0;
    double restart_cycles = 0;   ///< a restart index, beyond index_cycles
    double gpc_batch_cycles = 0; ///< a batch on the path to its GPC
    // Limits of a GPC after the last stage; 0: no limit.
    double gpc_primitives_per_cycle = 0; ///< primitives that leave, culled or not
    double gpc_setups_per_cycle = 0;     ///< primitives that the rasteriser does not cull
    unsigned copy_bytes_per_cycle = 0;   ///< of the copy engine, in sessions; 0: transfers take no time

    unsigned all_tpcs() const { return gpcs * tpcs; }
    /// False: the only TPC gets every batch immediately.
    bool is_dealt() const
    {
        return all_tpcs() > 1 || primitives_per_cycle != 0 || draw_cycles != 0 || record_bytes_per_cycle != 0 ||
               instance_cycles != 0 || index_cycles != 0 || restart_cycles != 0 || gpc_batch_cycles != 0;
    }
};

struct machine_config {
    double clock_ghz = 1.0;
    unsigned sm_count = 1; ///< of a TPC
    isbe_config isbe;
    sm_config sm;
    pe_config pe;
    memory_config memory;
    chip_config chip;
};

} // namespace isbesim
