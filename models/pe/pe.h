// SPDX-License-Identifier: Apache-2.0
// The primitive engine: forms batches, gives them space in the ISBEs, feeds and launches their warps on the SMs and
// streams out the output of the last stage. `pe.draws` sets whether consecutive draws may overlap.
//
//   form ──▶ pending ──▶ place ──▶ write input, BIND ──▶ launch ──▶ completion ──▶ read back ──▶ output order ──▶ sink
//            one batch   lines + slot                                    └──▶ warps of the next stage ──▶ place
//
// The PE reacts in the cycle of the event that it reacts to. Fetching takes time: bytes / fetch_bytes_per_cycle
// cycles per batch, one batch at a time, while the previous batch waits for space. So does the start of geometry
// threads (pe.geometry_threads_per_cycle), and the way out: the vertices of the last stage pass the viewport unit
// (pe.vertices_per_cycle), its primitives the raster engine of the GPC (chip.gpc_primitives_per_cycle); until then the
// output keeps its lines. Resources are taken in the order lines, warp slot, and a warp that has its slot waits for no
// other resource but time. This, with room reserved for every stage (linking/README.md), keeps the pipeline from
// deadlocking.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <systemc>

#include "models/pe/draw_run.h"
#include "models/pe/pe_observer.h"
#include "models/pe/pe_site.h"
#include "models/statistics/cycle_stack.h"
#include "models/statistics/use_meter.h"

namespace isbesim {

/// State of the vertex fetch unit in a cycle.
enum class fetch_use : std::uint8_t {
    fetch,
    memory,         ///< waits for requested data
    isbe_full,      ///< idle: a fetched batch waits for ISBE lines
    warp_slot,      ///< idle: ... for a warp slot
    lines_and_slot, ///< idle: ... for both
    output_order,   ///< idle: ... for a place in the output order
    front_end,      ///< idle: the next batch is still in the front end
    no_vertices,    ///< idle: all batches are fetched
};
inline constexpr auto last_fetch_use = fetch_use::no_vertices;

/// The configuration of a PE, including its first draw (pe::add() adds others).
struct pe_parts {
    const machine_config& config;
    const cycle_clock& clock;
    warp_initiator::style style; ///< of the ISBE ports
    const draw_call& draw;
    vertex_sink& sink;
    unsigned tpc = 0; ///< TPC of the chip, whose batches of `draw` this PE processes, or undealt
};

/// Listener to the begin and the end of draws; at most one.
class draw_events {
public:
    virtual ~draw_events() = default;
    /// Called before the first event of the draw.
    virtual void draw_begins(const draw_call& draw) = 0;
    /// The draw has ended. Called in the order in which draws were added.
    virtual void draw_ended(const draw_run& run) = 0;
};

class pe : public sc_core::sc_module, private pe_site::client, private task_host {
public:
    /// Links the first draw, which starts at time 0. Throws draw_error and batch_too_large.
    pe(const sc_core::sc_module_name& name, const pe_parts& parts);
    ~pe() override;

    /// Sockets for the PE port of the ISBE of SM `sm` and for the launch port of that SM.
    tlm::tlm_initiator_socket<>& isbe_socket(unsigned sm);
    tlm::tlm_initiator_socket<>& launch_socket(unsigned sm);

    /// Records events (tlm/cause.h) from `start` on, the start of the draw. Call it before the simulation starts.
    void record(const cause& start) { now_ = start; }
    /// The event that ends the draw; empty unless the draw is over and was recorded.
    const cause& end() const { return end_; }

    /// Reports all events to `observer`, which must outlive the PE. At most one, attached before the simulation starts.
    void attach(pe_observer& observer);
    /// The same for the begin and the end of draws.
    void attach(draw_events& listener) { listener_ = &listener; }
    /// The way of vertex fetch to memory; none: fetching takes pe.fetch_bytes_per_cycle alone.
    void attach(memory_path& path);
    /// Calls `listener` once per batch, in order, with the cycle in which the last output of the batch is streamed out.
    void report_batches_to(std::function<void(std::uint64_t)> listener) { batch_listener_ = std::move(listener); }
    /// The same for the events that accesses wait for.
    void attach(work_observer& observer) { work_observer_ = &observer; }

    /// Links a draw that follows those added before, with the batches that TPC `tpc` gets of it. The draw and its sink
    /// must live until it has ended. If all others have ended, it begins two cycles from now, when the cycle of the
    /// last response is over, as on a new machine (with simulated_system::add). Throws draw_error and batch_too_large.
    void add(const draw_call& draw, vertex_sink& sink, unsigned tpc = 0);

    /// All draws that were added have ended.
    bool done() const { return done_; }
    const sc_core::sc_event& done_event() const { return done_event_; }
    std::uint64_t done_cycle() const { return done_cycle_; } ///< when done_event was notified

    unsigned sites() const { return static_cast<unsigned>(sites_.size()); }
    const pe_site_counters& site_counters(unsigned sm) const;
    /// Books the wait cycles of warps that are still waiting, for a run that is aborted.
    void settle();
    /// Counters of the draw that began last.
    pe_draw_counters draw_counters() const;
    /// Batches of that draw that the front end has dealt, to all TPCs.
    std::uint64_t dealt_batches() const { return latest_->dealer.dealt(); }
    /// Uses of all cycles before the current one: by the vertex fetch unit, and for each stage on each SM by what its
    /// oldest waiting warp waits for, if any. Warps of the first stage wait for all SMs at once.
    std::vector<cycle_stack> stacks() const;
    const linked_pipeline& pipeline() const { return latest_->pipeline; }
    /// A description and a count for each stage whose count in draw_counters().own_lines is not 0.
    std::vector<std::pair<std::string, std::uint64_t>> sharing_warnings() const;

    /// Since the machine was last idle: an entry for every departures::cycles cycles.
    const std::vector<departures>& departed() const { return departed_; }

    /// A line for each batch and warp in flight with what it waits for; for deadlock and watchdog reports.
    std::string state_dump() const;

private:
    // pe_site::client
    void responded(std::uint64_t task) override;
    void completed(std::uint64_t task, const warp_completion& completion) override;
    void site_idle(unsigned site) override;
    // task_host
    warp_task& spawn(warp_task& parent, stage_step& step) override;
    warp_task& respawn(warp_task& task) override;
    batch_work& make_result(warp_task& task) override;

    using run_pointer = std::unique_ptr<draw_run>;

    /// What a warp has waited for: the ISBE, the SM, or a unit of the PE or of the GPC.
    enum class arrival_kind : std::uint8_t { response, completion, served };
    /// Such an event in the current cycle. Arrivals are sorted and handled in a later delta cycle, because their
    /// original order depends on the SystemC kernel and on the back end of the ISBE.
    struct arrival {
        unsigned site;
        arrival_kind kind;
        std::uint64_t task;
        cause because;
    };

    run_pointer link(const draw_call& draw, vertex_sink& sink, unsigned tpc);
    bool begin_next_draw();
    void end_draw();
    bool is_idle() const;
    std::size_t places_waiting() const;
    void form_next();
    /// Asks memory for the data of batches ahead that have arrived, also of draws that may follow at once.
    void request_ahead();
    void request_ahead_method();
    bool may_follow(const draw_run& before, const draw_run& next) const;
    /// Begins to fetch the batch that has just been dealt.
    void begin_fetch();
    void form_method();
    void form();
    /// After all events of this cycle, handles them and then places every warp that fits.
    void schedule();
    void schedule_method();
    void handle_arrivals();
    void handle_response(warp_task& task);
    void handle_completion(warp_task& task);
    /// Later stages first, then the pending batch.
    void place_all();
    void place_waiting(pe_site& site);
    /// Returns whether the pending warp was placed.
    bool place_pending();
    /// `missing`: the resource that the warp waited for until now.
    void begin(warp_task& task, missing_space missing);
    /// The event that follows from now_ for a part of the warp's life: the cause of the port's next accesses.
    cause act_for(const warp_task& task, path_place::part part, path_reason reason = path_reason::none);
    void launch(warp_task& task);
    /// The warp waits until cycle `due`, which is not over, for a unit; then handle_served().
    void wait_until(std::uint64_t due, warp_task& task, const cause& because);
    void serve_method();
    void handle_served(warp_task& task);
    void read_back(warp_task& task);
    /// All output of the warp is read.
    void end(warp_task& task);
    /// Cycle in which the output has left: now, unless a unit is late.
    std::uint64_t leaves(const warp_task& task, const stream_output& output);
    void leave(warp_task& task);
    void release_work(batch_work& work, unsigned site);
    void check_done();
    fetch_use current_fetch_use();
    wait_meter& pending_meter() { return pending_meters_[static_cast<std::size_t>(pending_->step->stage())]; }
    void meter_fetch() { fetch_meter_.update(clock_.now(), current_fetch_use()); }

    const machine_config config_;
    cycle_clock clock_;
    pe_observer* observer_ = nullptr;
    draw_events* listener_ = nullptr;
    work_observer* work_observer_ = nullptr;
    std::function<void(std::uint64_t)> batch_listener_;
    unsigned fetch_bytes_per_cycle_;
    /// Number of places in the output order at which forming pauses. It bounds the memory for output that waits for its
    /// turn, and no known draw reaches it: a small limit empties the pipeline whenever one old warp is slow.
    std::size_t window_;
    std::deque<run_pointer> added_;   ///< not begun
    std::deque<run_pointer> running_; ///< oldest first
    /// Destroyed later, as one of their functions may still be on the stack. The last ended draw stays for its
    /// counters.
    std::deque<run_pointer> ended_;
    draw_run* current_ = nullptr; ///< the draw whose batches are being formed
    draw_run* latest_ = nullptr;  ///< the draw that began last
    std::vector<std::unique_ptr<pe_site>> sites_;
    unsigned next_site_ = 0;

    work_pool pool_;
    batch_work* forming_ = nullptr;                ///< being fetched, or fetched and waiting for a place in the order
    warp_task* pending_ = nullptr;                 ///< the fetched batch's warp, waiting for space on any SM
    std::array<bool, stage_count> first_stages_{}; ///< of all draws so far; each has a meter in pending_meters_
    std::array<bool, stage_count> later_stages_{}; ///< of all draws so far; each has a meter in every site
    std::array<wait_meter, stage_count> pending_meters_; ///< by first stage
    use_meter<last_fetch_use> fetch_meter_{fetch_use::no_vertices};
    bool fetched_ = false;
    bool arrives_ = false; ///< forming_, or the end of current_, is still in the front end

    // Units that take time, and the warps that wait for them.
    struct served_warp {
        std::uint64_t due;
        std::uint32_t task;
        cause because;
    };
    serial_unit geometry_threads_, viewport_, raster_, setup_;
    std::uint64_t thread_ticks_, vertex_ticks_, primitive_ticks_, setup_ticks_;
    std::vector<departures> departed_;
    std::vector<served_warp> waiting_; ///< by the cycle in which they are served
    std::uint64_t front_end_free_ = 0; ///< ticks
    memory_path* memory_ = nullptr;
    bool waits_for_memory_ = false;

    std::vector<arrival> arrivals_; ///< of this cycle
    std::vector<arrival> handled_;  ///< arrivals being handled
    cause now_;                     ///< the current event: the cause of all that the PE does now
    cause begun_;                   ///< the start of the current draw
    cause fetch_begun_;
    cause end_;

    pe_draw_counters counters_;
    sc_core::sc_event form_event_;
    sc_core::sc_event schedule_event_;
    sc_core::sc_event serve_event_;
    sc_core::sc_event request_ahead_event_;
    sc_core::sc_event done_event_;
    bool done_ = false;
    std::uint64_t done_cycle_ = 0;
};

} // namespace isbesim
