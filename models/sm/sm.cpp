// SPDX-License-Identifier: Apache-2.0
#include "models/sm/sm.h"

#include <algorithm>
#include <optional>

#include "models/isa/opcode_row.h"
#include "models/isbe/functional/names.h"
#include "models/isbe/rules/geometry_state.h"
#include "models/pipe_names.h"
#include "models/sm/warnings/warning_table.h"
#include "tlm/has_process.h"
#include "tlm/hex.h"
#include "tlm/process_guard.h"

namespace isbesim {

namespace {

std::string warp_label(const warp_slot& warp, unsigned slot, std::uint32_t pc)
{
    return std::string(name_of(warp.state.stage)) + " warp " + std::to_string(slot) + " at " + hex(pc, 4);
}

unsigned fixed_latency(const sm_config& config, const isa::issue_info& info)
{
    if (isa::has_fixed_latency(info)) return isa::result_latency(info);
    switch (info.latency) {
    case isa::latency_class::variable:
        return config.variable_latency;
    case isa::latency_class::memory:
        return config.memory_latency;
    case isa::latency_class::global:
        return config.global_latency;
    case isa::latency_class::texture:
        return config.texture_latency;
    case isa::latency_class::alu:
    case isa::latency_class::control:
    case isa::latency_class::attribute: // only operations that never reach the ISBE
        break;
    }
    return config.alu_latency;
}

path_reason reason_of(isa::latency_class latency)
{
    switch (latency) {
    case isa::latency_class::variable:
        return path_reason::variable_latency;
    case isa::latency_class::memory:
        return path_reason::memory_latency;
    case isa::latency_class::global:
        return path_reason::global_latency;
    case isa::latency_class::texture:
        return path_reason::texture_latency;
    case isa::latency_class::attribute:
        return path_reason::issue; // done in the next cycle
    case isa::latency_class::alu:
    case isa::latency_class::control:
        break;
    }
    return path_reason::alu_latency;
}

const sm_config& checked(const sm_config& config)
{
    if (config.schedulers == 0 || config.warps == 0 || config.attribute_queue_depth == 0 || config.alu_latency == 0 ||
        config.variable_latency == 0 || config.memory_latency == 0 || config.global_latency == 0 ||
        config.texture_latency == 0)
        throw std::invalid_argument("sm: schedulers, warps, the attribute queue depth and latencies must be positive");
    return config;
}

} // namespace

sm::sm(const sc_core::sc_module_name& name, const sm_config& config, const cycle_clock& clock,
       warp_initiator::style style, sm_timing timing)
    : sc_core::sc_module(name),
      launch("launch"),
      isbe("isbe"),
      memory("memory"),
      config_(checked(config)),
      clock_(clock),
      timing_(timing),
      progress_(config.warps),
      issuing_(config.schedulers),
      attributes_("attributes", config, clock, style, *this),
      memory_(memory),
      slots_(config.warps),
      pipes_(config),
      faults_(config_, counters_),
      launches_(launch, config.warps, *this)
{
    ISBESIM_HAS_PROCESS(sm);
    attributes_.socket().bind(isbe);
    rules_.allow_phys_vector = config.allow_phys_vector;
    for (unsigned s = 0; s < config.schedulers; ++s) {
        const unsigned warps = config.warps / config.schedulers + (s < config.warps % config.schedulers ? 1U : 0U);
        schedulers_.emplace_back(config.scheduler_policy, warps, pipes_, s);
    }
    for (unsigned s = 0; s < config.schedulers; ++s) order_.emplace_back(never_cycle, s);
    last_issues_.resize(config.schedulers);
    completing_.reserve(config.warps);
    if (timing_ == sm_timing::by_warp) {
        SC_THREAD(run_thread); // only a thread may call b_transport
    } else {
        SC_METHOD(run);
    }
    sensitive << wake_event_;
    dont_initialize();
}

sm::~sm() = default;

void sm::attach(sm_observer& observer)
{
    if (observer_ != nullptr) {
        pairs_.push_back(std::make_unique<sm_observer_pair>(*observer_, observer));
        observer_ = pairs_.back().get();
    } else {
        observer_ = &observer;
    }
    faults_.attach(*observer_);
    for (auto& each : schedulers_) each.report_to(*observer_);
}

// ---- launch and completion ------------------------------------------------------------------------------------------

void sm::start(tlm::tlm_generic_payload& transaction, const warp_launch& launched)
{
    const unsigned slot = launched.context;
    const std::uint64_t now = clock_.now();
    warp_slot& warp = slots_[slot];
    warp.transaction = &transaction;
    warp.launch(launched, now);
    warp.issued = transaction.get_extension<launch_extension>()->because;
    warp.place = warp.issued.place();
    warp.state.global = &memory_;
    ++resident_;
    const std::uint64_t age = counters_.warps_launched++;
    counters_.warps.add(now, 1);
    if (observer_ != nullptr) observer_->launched(launched, now);
    counters_.threads[static_cast<unsigned>(launched.stage)] +=
        static_cast<unsigned>(__builtin_popcount(launched.lanes));
    if (timing_ == sm_timing::by_warp) {
        progress_[slot] = {now + 1, now, now, now, now, now, 0, now};
        ahead_.push_back(slot);
        wake(now);
        return;
    }
    scheduler_of(slot).launch(position_of(slot), age, now);
    refresh(slot, now, warp.issued);
}

void sm::report_completions(std::uint64_t now)
{
    for (std::size_t i = 0; i < completing_.size();) {
        const unsigned slot = completing_[i];
        warp_slot& warp = slots_[slot];
        if (warp.complete_at > now) {
            ++i;
            continue;
        }
        completing_.erase(completing_.begin() + static_cast<std::ptrdiff_t>(i));
        tlm::tlm_generic_payload& transaction = *warp.transaction;
        warp.transaction = nullptr;
        transaction.get_extension<launch_extension>()->because =
            warp.ended.then(now, path_reason::completion, warp.place);
        if (timing_ == sm_timing::by_cycle) scheduler_of(slot).retire(position_of(slot), now);
        --resident_;
        counters_.warps.subtract(now, 1);
        if (observer_ != nullptr) observer_->completed(slot, warp.completion, now);
        launches_.complete(transaction, warp.completion);
    }
}

// ---- time -----------------------------------------------------------------------------------------------------------

void sm::wake(std::uint64_t cycle)
{
    if (cycle >= next_wake_) return;
    next_wake_ = cycle;
    wake_event_.notify(clock_.until(cycle));
}

void sm::run()
{
    guard_process([this] { run_cycle(); });
}

void sm::run_thread()
{
    guard_process([this] {
        for (;; wait()) run_cycle();
    });
}

void sm::run_cycle()
{
    const std::uint64_t now = clock_.now();
    next_wake_ = never_cycle;
    report_completions(now);
    if (timing_ == sm_timing::by_warp) return run_ahead();
    attributes_.send();
    const auto schedulers = static_cast<unsigned>(schedulers_.size());
    if (pipes_.limited()) find_order(now);
    for (const auto& [age, s] : order_) {
        const unsigned position = schedulers_[s].pick(now, attributes_.full(now));
        if (position != scheduler::no_warp) issue(position * schedulers + s, now);
    }
    std::uint64_t next = attributes_.unsent() ? now + 1 : never_cycle;
    const bool full_next = attributes_.full(now + 1);
    for (scheduler& each : schedulers_) next = std::min(next, each.next_cycle(now, full_next));
    for (const unsigned slot : completing_) next = std::min(next, slots_[slot].complete_at);
    if (next != never_cycle) wake(next);
}

// The oldest warp comes first at a pipe that schedulers share.
void sm::find_order(std::uint64_t now)
{
    const bool full = attributes_.full(now);
    for (auto& [age, s] : order_) age = schedulers_[s].age_at_shared_pipe(now, full);
    std::sort(order_.begin(), order_.end());
}

void sm::refresh(unsigned slot, std::uint64_t now, const cause& because)
{
    warp_slot& warp = slots_[slot];
    std::uint64_t due = never_cycle;
    if (!warp.drained()) {
        due = warp.earliest();
        scheduler_of(slot).update(position_of(slot), now, due, warp.stall_until, warp.needs_queue(), warp.unit());
    } else {
        scheduler_of(slot).drain(position_of(slot), now);
        if (warp.outstanding == 0 && warp.complete_at == never_cycle) {
            due = warp.complete_at = now + 1;
            warp.ended = because;
            completing_.push_back(slot);
        }
    }
    if (due != never_cycle) wake(std::max(due, now + 1));
}

// ---- issue ----------------------------------------------------------------------------------------------------------

void sm::note_issue(warp_slot& warp, unsigned slot, std::uint64_t now)
{
    if (!warp.issued) return;
    cause& other = last_issues_[slot % schedulers_.size()];
    const precondition* last = nullptr;
    if (warp.final_lanes != 0)
        last = warp.r0.at > warp.stall_until ? &warp.r0 : nullptr;
    else if (warp.next() != nullptr)
        last = warp.barriers.last_after(warp.stall_until, warp.next()->control.wait_mask);
    if (last != nullptr && last->at >= now) {
        warp.issued = event_of(last->from, last->at, last->reason, now, warp.place);
    } else if (last == nullptr && warp.stall_until == now) {
        const auto handles = other.node() == warp.issued.node() ? 2U : 1U;
        if (!warp.issued.prolong(now, warp.stall, handles)) warp.issued = warp.issued.then(now, warp.stall, warp.place);
    } else if (other && other.cycle() + 1 == now) { // it was ready, but its scheduler issued another warp,
        warp.issued = other.then(now, path_reason::issue_slot, warp.place);
    } else if (pipes_.limited(warp.unit()) && pipes_.free_at(number_of(slot), warp.unit()) == now) {
        warp.issued = pipes_.last(number_of(slot), warp.unit()).then(now, path_reason::pipe, warp.place);
    } else { // ... or the attribute queue was full
        const auto& place = attributes_.place_before(now);
        warp.issued = event_of(place, place.cycle() + 1, path_reason::attribute_queue, now, warp.place);
    }
    other = warp.issued;
}

void sm::issue(unsigned slot, std::uint64_t now)
{
    warp_slot& warp = slots_[slot];
    note_issue(warp, slot, now);
    const bool yields = issue_next(warp, slot, now);
    scheduler_of(slot).issued(position_of(slot), now, yields);
    refresh(slot, now, warp.issued);
}

// Returns true if the warp yields to others.
bool sm::issue_next(warp_slot& warp, unsigned slot, std::uint64_t now)
{
    if (warp.final_lanes != 0) {
        issue_final(warp, slot, now);
        return false;
    }
    const isa::instruction* const next = warp.next();
    const std::uint32_t pc = warp.pc();
    std::optional<issue_event> event; // for an observer
    if (observer_ != nullptr)
        event = issue_event{
            slot, pc, {}, warp.stall_until, warp.earliest(), pipes_.free_at(number_of(slot), warp.unit()), now};
    warp.registers.set_path(warp.state.active);
    isa::step step = execute(warp, slot, next, now);
    const isa::instruction& instruction = *next;
    const isa::issue_info& info = instruction.issue;
    const bool attribute = info.latency == isa::latency_class::attribute;
    if (attribute)
        ++counters_.instructions[static_cast<unsigned>(info.attribute_opcode)];
    else
        ++counters_.instructions_other;

    // An attribute operation without lanes never reaches the ISBE and is done in the next cycle (ALD-18). The same
    // holds for OUT in a fast geometry warp: a NOP that reads and writes no register (OUT-09), though its encoding must
    // be valid.
    if (warp.is_nop(instruction) && step.kind == isa::step_kind::attribute) step = {};
    const auto begun = timing_ == sm_timing::by_warp ? clock_.now() : now; // the pipe is shared: no gap before `begun`
    const auto occupied = pipes_.occupy(number_of(slot), info.unit, begun, warp.issued);
    if (timing_ == sm_timing::by_warp) {
        auto& busy = progress_[slot].issue_until;
        busy = std::max(busy, occupied);
    }
    std::uint64_t in_memory = 0;
    if (!memory_.idle()) {
        // Stores, atomics, textures and constants take no part in the caches (HARDWARE.md F.7).
        const bool loads = info.latency == isa::latency_class::global && !instruction.row->stores;
        in_memory = loads ? memory_.cycles_of_path(now, begun) : 0;
        in_memory += clock_.cycle_from(memory_.finish());
    }
    const std::uint64_t ready = step.kind == isa::step_kind::attribute
                                    ? never_cycle
                                    : now + (attribute ? 1U : fixed_latency(config_, info)) + in_memory;
    if (event) {
        if (attribute) event->attribute = info.attribute_opcode;
        event->ready = ready;
        event->instruction = &instruction;
        observer_->issued(*event);
    }
    const unsigned hazard = warp.registers.check(info, now, ready, step.lanes == 0);
    if (hazard != register_hazards::none)
        counters_.warnings.add(warning_kind::register_hazard, warp.state.stage, pc, hazard, now);

    warp.stall_until = now + std::max<unsigned>(1, instruction.control.stall);
    warp.stall = instruction.control.stall > 1 ? path_reason::stall_count : path_reason::issue;
    if (step.kind == isa::step_kind::trap) {
        faults_.trap({step.trap, warp.state.stage, slot, step.lanes, pc, now});
    } else {
        take_results(warp, slot, instruction, step, {now, ready, in_memory});
        if (step.kind == isa::step_kind::exited) exited(warp, step.lanes, pc);
        if (step.kind == isa::step_kind::barrier && step.lanes != warp.state.live &&
            warp.state.code->arch == isa::architecture::sm50)
            counters_.warnings.add(warning_kind::diverged_bar, warp.state.stage, pc, 0, now);
    }
    warp.fetch();
    return instruction.control.yield;
}

isa::step sm::execute(warp_slot& warp, unsigned slot, const isa::instruction* next, std::uint64_t now)
{
    const std::uint32_t pc = warp.pc(); // a branch changes it
    warp.state.clock = now;
    try {
        const auto step = isa::execute(warp.state, attributes_.prepare().op, rules_);
        if (next == nullptr) throw isa::execution_error("there is no instruction here");
        return step;
    } catch (const isa::execution_error& error) {
        throw sm_error(std::string(name()) + ": " + warp_label(warp, slot, pc) + ": " + error.what());
    }
}

void sm::take_results(warp_slot& warp, unsigned slot, const isa::instruction& instruction, const isa::step& step,
                      const issue_times& times)
{
    const isa::issue_info& info = instruction.issue;
    const bool responded_later = step.kind == isa::step_kind::attribute;
    auto reason = reason_of(info.latency);
    cause at_memory;
    const auto* origin = &warp.issued;
    if (times.in_memory != 0 && !responded_later) {
        at_memory = warp.issued.then(times.ready - times.in_memory, reason);
        origin = &at_memory;
        reason = path_reason::global_memory;
    }
    warp.registers.issued(info, times.issue, step.lanes == 0);
    if (step.lanes != 0) set_ready(warp, info, times.ready, *origin, reason);
    if (responded_later) return issue_attribute(warp, slot, instruction, step.components, times.issue);

    const bool attribute = info.latency == isa::latency_class::attribute;
    warp.barriers.hold_until(instruction.control.write_barrier, times.ready, *origin, reason);
    warp.barriers.hold_until(instruction.control.read_barrier,
                             times.issue + (attribute ? 1U : config_.read_release_latency), warp.issued,
                             attribute ? path_reason::issue : path_reason::read_release);
}

void sm::set_ready(warp_slot& warp, const isa::issue_info& info, std::uint64_t cycle, const cause& origin,
                   path_reason reason)
{
    if (!isa::has_fixed_latency(info)) warp.registers.set_ready(info, cycle);
    if (warp.r0.at != warp.registers.ready(0) && warp.geometry()) warp.r0 = {origin, warp.registers.ready(0), reason};
}

void sm::issue_attribute(warp_slot& warp, unsigned slot, const isa::instruction& instruction, unsigned components,
                         std::uint64_t now)
{
    const isa::control& control = instruction.control;
    const warp_op* op = &attributes_.prepare().op; // filled by execute()
    warnings_of_operation(counters_.warnings, warp.state.stage, warp.geometry(), now, instruction, *op, components);
    if (op->op == opcode::out && op->type == out_type::final) warp.finalised |= op->lanes;
    for (unsigned component = 0; component < components; ++component) {
        attribute_operation& operation = attributes_.prepare();
        if (component != 0) {
            operation.op = *op;
            isa::select_component(warp.state, instruction, component, operation.op);
            op = &operation.op;
        }
        operation.op.context = static_cast<std::uint16_t>(slot);
        operation.warp = slot;
        operation.instruction = &instruction;
        operation.pc = instruction.address;
        operation.component = component;
        operation.last = component + 1 == components;

        warp.barriers.hold(control.write_barrier);
        // A store keeps its registers until it has left the queue.
        if (is_store(op->op))
            warp.barriers.hold(control.read_barrier);
        else
            warp.barriers.hold_until(control.read_barrier, now + config_.read_release_latency, warp.issued,
                                     path_reason::read_release);
        submit(operation, now);
    }
}

void sm::submit(attribute_operation& operation, std::uint64_t now)
{
    if (timing_ == sm_timing::by_warp) return answer(operation, now);
    auto& warp = slots_[operation.warp];
    ++warp.outstanding;
    operation.because = warp.issued;
    attributes_.submit(now);
    if (observer_ != nullptr) observer_->submitted(operation);
}

void sm::exited(warp_slot& warp, lane_mask lanes, std::uint32_t pc)
{
    if (!warp.geometry()) return;
    warp.final_lanes = lanes & ~warp.finalised; // an explicit OUT.FINAL replaces that of EXIT
    warp.finalised |= lanes;
    warp.final_pc = pc;
}

void sm::issue_final(warp_slot& warp, unsigned slot, std::uint64_t now)
{
    attribute_operation& operation = attributes_.prepare();
    isa::make_final_out(warp.state, warp.final_lanes, operation.op);
    operation.op.context = static_cast<std::uint16_t>(slot);
    operation.warp = slot;
    operation.instruction = nullptr;
    operation.pc = warp.final_pc;
    operation.component = 0;
    operation.last = true;
    warp.final_lanes = 0;
    ++counters_.final_outs;
    submit(operation, now);
}

// ---- responses ------------------------------------------------------------------------------------------------------

void sm::attribute_accepted(const attribute_operation& operation)
{
    const std::uint64_t now = clock_.now();
    if (attributes_.full(now)) wake(now + 1); // a warp may wait for the freed place
    if (!is_store(operation.op.op)) return;
    slots_[operation.warp].barriers.release(operation.instruction->control.read_barrier,
                                            now + config_.read_release_latency, attributes_.because(),
                                            path_reason::read_release);
    refresh(operation.warp, now, attributes_.because());
}

void sm::attribute_responded(const attribute_operation& operation, const warp_result& result)
{
    const std::uint64_t now = clock_.now();
    deliver(operation, result, now);
    --slots_[operation.warp].outstanding;
    refresh(operation.warp, now, attributes_.because());
}

void sm::deliver(const attribute_operation& operation, const warp_result& result, std::uint64_t now)
{
    warp_slot& warp = slots_[operation.warp];
    if (operation.op.op == opcode::out) collect(warp, operation, result, now);
    if (operation.instruction != nullptr) {
        const isa::instruction& instruction = *operation.instruction;
        isa::write_back(warp.state, instruction, operation.op, result, operation.component);
        warp.barriers.release(instruction.control.write_barrier, now + 1, attributes_.because(),
                              path_reason::write_back);
        if (operation.last) set_ready(warp, instruction.issue, now + 1, attributes_.because(), path_reason::write_back);
        if (operation.last && result.error == op_error::none)
            counters_.latency[static_cast<unsigned>(operation.op.op)].add(now - operation.issued);
    }
    if (observer_ != nullptr) observer_->responded(operation, result, now);
    faults_.report(operation, result, {warp.state.stage, warp.omap}, now);
}

/// Takes the vertex count of each thread from its OUTs: from the state of the final OUT, even if it is not the latest.
void sm::collect(warp_slot& warp, const attribute_operation& operation, const warp_result& result, std::uint64_t now)
{
    const warp_op& op = operation.op;
    warp_completion& completion = warp.completion;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        const lane_mask bit = lane_mask{1} << lane;
        if ((op.lanes & bit) == 0) continue;
        const bool invalid = result.error != op_error::none || (result.status[lane] & lane_status::gs_state) != 0;
        const word state = op.type == out_type::final ? op.handle[lane] : result.data[0][lane];
        const auto count = static_cast<std::uint16_t>(rules::state_slot(state));
        if (op.type != out_type::final) {
            if (!invalid) warp.emitted[lane] = std::max(warp.emitted[lane], count);
        } else if (invalid) {
            completion.lost |= bit; // the output of this thread alone is lost (OUT-07)
        } else {
            completion.vertex_count[lane] = count;
            if (count < warp.emitted[lane]) completion.stale |= bit;
        }
    }
    if (op.type == out_type::final && (completion.stale & op.lanes) != 0)
        counters_.warnings.add(warning_kind::stale_state, warp.state.stage, operation.pc, 0, now);
}

// ---- reports --------------------------------------------------------------------------------------------------------

void sm::rewind()
{
    for (scheduler& each : schedulers_) each.rewind();
    pipes_.rewind();
}

const sm_counters& sm::counters()
{
    counters_.stalls = {};
    counters_.attribute_queue = attributes_.occupancy();
    for (scheduler& each : schedulers_) {
        each.advance_to(clock_.now());
        for (unsigned i = 0; i < stall_reason_count; ++i) counters_.stalls.values[i] += each.stalls().values[i];
    }
    return counters_;
}

std::vector<cycle_stack> sm::stacks()
{
    std::vector<cycle_stack> result;
    if (timing_ == sm_timing::by_warp) return result;
    for (scheduler& each : schedulers_) {
        each.advance_to(clock_.now());
        result.push_back(each.stack());
        result.back().resource = "scheduler" + std::to_string(result.size() - 1);
    }
    const auto now = clock_.now();
    for (unsigned p = 0; p < sm_pipe_count; ++p) {
        if (!pipes_.limited(static_cast<sm_pipe>(p))) continue;
        const auto busy = pipes_.busy(static_cast<sm_pipe>(p), now);
        result.push_back({std::string(pipe_names[p]) + "_pipe", now, 1, {{"busy", busy}, {"idle", now - busy}}});
    }
    return result;
}

std::string sm::state_dump() const
{
    std::string text;
    const std::uint64_t now = clock_.now();
    for (unsigned slot = 0; slot < slots_.size(); ++slot) {
        const warp_slot& warp = slots_[slot];
        if (!warp.resident()) continue;
        text += std::string(name()) + ": " + warp_label(warp, slot, warp.pc()) + ": ";
        const std::string unanswered = std::to_string(warp.outstanding) + " attribute operations unanswered";
        if (warp.drained())
            text += "all lanes have exited, " + unanswered;
        else if (warp.earliest() == never_cycle && warp.final_lanes != 0)
            text += "the final OUT waits for R0, " + unanswered;
        else if (warp.earliest() == never_cycle)
            text += "waits for scoreboards " + hex(warp.next()->control.wait_mask, 2) + ", " + unanswered;
        else if (warp.earliest() > now)
            text += "can issue in cycle " + std::to_string(warp.earliest());
        else if (warp.needs_queue() && attributes_.full(now))
            text += "waits for a place in the attribute queue (" + std::to_string(attributes_.queued()) + " queued)";
        else
            text += "can issue now";
        text += '\n';
    }
    return text;
}

} // namespace isbesim
