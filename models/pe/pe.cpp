// SPDX-License-Identifier: Apache-2.0
#include "models/pe/pe.h"

#include <algorithm>
#include <sstream>
#include <tuple>
#include <utility>

#include "models/isbe/functional/names.h"
#include "tlm/has_process.h"
#include "tlm/process_guard.h"

namespace isbesim {

pe::pe(const sc_core::sc_module_name& name, const pe_parts& parts)
    : sc_core::sc_module(name),
      config_(parts.config),
      clock_(parts.clock),
      fetch_bytes_per_cycle_(std::max(parts.config.pe.fetch_bytes_per_cycle, 1U)),
      window_(std::size_t{32} * parts.config.sm_count * std::min(parts.config.sm.warps, parts.config.isbe.contexts)),
      thread_ticks_(ticks_of_rate(parts.config.pe.geometry_threads_per_cycle)),
      vertex_ticks_(ticks_of_rate(parts.config.pe.vertices_per_cycle)),
      primitive_ticks_(ticks_of_rate(parts.config.chip.gpc_primitives_per_cycle)),
      setup_ticks_(ticks_of_rate(parts.config.chip.gpc_setups_per_cycle))
{
    added_.push_back(link(parts.draw, parts.sink, parts.tpc));
    latest_ = added_.back().get();
    const pe_site_parts site{parts.config, parts.clock, parts.style, latest_->pipeline.buffers};
    for (unsigned i = 0; i < parts.config.sm_count; ++i)
        sites_.push_back(std::make_unique<pe_site>(i, site, static_cast<pe_site::client&>(*this)));

    ISBESIM_HAS_PROCESS(pe);
    SC_METHOD(form_method); // also runs at time 0, which starts the draw
    sensitive << form_event_;
    SC_METHOD(schedule_method);
    sensitive << schedule_event_;
    dont_initialize();
    SC_METHOD(serve_method);
    sensitive << serve_event_;
    dont_initialize();
    SC_METHOD(request_ahead_method);
    sensitive << request_ahead_event_;
    dont_initialize();
}

pe::~pe() = default;

void pe::attach(pe_observer& observer)
{
    observer_ = &observer;
    for (auto& site : sites_) site->attach(observer);
}

void pe::attach(memory_path& path)
{
    memory_ = &path;
    for (auto& each : added_) each->attach(path);
}

pe::run_pointer pe::link(const draw_call& draw, vertex_sink& sink, unsigned tpc)
{
    auto run = std::make_unique<draw_run>(draw, sink, config_, tpc);
    if (memory_ != nullptr) run->attach(*memory_);
    run->order.report_batches_to([this] {
        if (batch_listener_) batch_listener_(clock_.now());
    });
    run->order.report_to([this](const passed_output& what) {
        if (observer_ != nullptr) observer_->streamed_out(what, clock_.now());
    });
    return run;
}

void pe::add(const draw_call& draw, vertex_sink& sink, unsigned tpc)
{
    if (done_) { // as on a new machine, also if the draw is refused
        next_site_ = 0;
        departed_.clear();
        front_end_free_ = 0;
        if (memory_ != nullptr) memory_->rewind();
        pool_.rewind();
        for (auto& site : sites_) site->rewind();
    }
    added_.push_back(link(draw, sink, tpc));
    if (!std::exchange(done_, false)) return;
    form_event_.notify(clock_.time(2));
}

bool pe::may_follow(const draw_run& before, const draw_run& next) const
{
    return config_.pe.draws == draw_rule::overlap && may_follow_at_once(before, next);
}

// The next draw begins when all batches of earlier draws are formed, if it may overlap them.
bool pe::begin_next_draw()
{
    if (added_.empty()) return false;
    auto& next = *added_.front();
    if (!running_.empty()) {
        if (!may_follow(*running_.back(), next)) return false;
        next.order.hold();
    } else {
        for (auto& site : sites_) site->divide(next.pipeline.buffers);
        front_end_free_ = std::max(front_end_free_, clock_.now() * ticks_per_cycle);
    }
    next.begin = clock_.now();
    next.walked = front_end_free_;
    if (config_.chip.is_dealt()) begun_ = now_;
    for (const auto& linked : next.pipeline.stages)
        (&linked == &next.pipeline.stages.front() ? first_stages_
                                                  : later_stages_)[static_cast<std::size_t>(linked.stage)] = true;
    current_ = latest_ = &next;
    running_.push_back(std::move(added_.front()));
    added_.pop_front();
    if (listener_ != nullptr) listener_->draw_begins(next.draw);
    return true;
}

// Ends the oldest draw.
void pe::end_draw()
{
    auto& run = *running_.front();
    run.end = clock_.now();
    if (listener_ != nullptr) listener_->draw_ended(run);
    ended_.push_back(std::move(running_.front()));
    running_.pop_front();
    if (!running_.empty()) running_.front()->order.let_go();
}

tlm::tlm_initiator_socket<>& pe::isbe_socket(unsigned sm)
{
    return sites_[sm]->port().initiator().socket;
}

tlm::tlm_initiator_socket<>& pe::launch_socket(unsigned sm)
{
    return sites_[sm]->launcher().socket;
}

const pe_site_counters& pe::site_counters(unsigned sm) const
{
    return sites_[sm]->counters();
}

pe_draw_counters pe::draw_counters() const
{
    auto result = latest_->counted();
    if (memory_ != nullptr) result.memory = memory_->counters();
    return result;
}

void pe::settle()
{
    const auto settle = [now = clock_.now()](pe_site& site, wait_meter& meter) {
        meter.update(now, meter.cause);
        site.book(meter);
    };
    for (auto& site : sites_)
        for (auto& meter : site->meters) settle(*site, meter);
    for (auto& meter : pending_meters_) settle(*sites_[next_site_], meter);
}

std::vector<cycle_stack> pe::stacks() const
{
    static constexpr auto names = enum_names<last_fetch_use>(
        "fetch", "memory", "isbe_full", "warp_slot", "lines_and_slot", "output_order", "front_end", "no_vertices");
    const auto now = clock_.now();
    std::vector<cycle_stack> result{{"fetch", now, 1, {}}};
    const auto cycles = fetch_meter_.cycles(now);
    const bool is_dealt = config_.chip.is_dealt();
    for (std::size_t i = 0; i < names.size(); ++i)
        if ((is_dealt || static_cast<fetch_use>(i) != fetch_use::front_end) &&
            (memory_ != nullptr || static_cast<fetch_use>(i) != fetch_use::memory))
            result[0].parts.push_back({names[i], cycles.values[i]});
    const auto add_unit = [&](const char* name, std::uint64_t ticks, std::uint64_t busy) {
        if (ticks != 0) result.push_back({name, now, 1, {{"busy", busy}, {"idle", now - busy}}});
    };
    add_unit("geometry_threads", thread_ticks_, geometry_threads_.busy(now));
    add_unit("viewport", vertex_ticks_, viewport_.busy(now));
    add_unit("raster", primitive_ticks_, raster_.busy(now));
    add_unit("setup", setup_ticks_, setup_.busy(now));
    if (memory_ != nullptr) add_unit("dram", 1, memory_->dram_busy(now));
    const auto& pipeline = latest_->pipeline;
    const auto add_waits = [&](const std::string& where, isbesim::stage which, wait_meter meter) {
        meter.update(now, std::nullopt);
        auto& stack = result.emplace_back(cycle_stack{where + name_of(which), now, 0, {{"none_waits", now}}});
        for (std::size_t level = 0; level < pipeline.stages.size(); ++level)
            if (pipeline.stages[level].stage == which) stack.lines_key = pipeline.buffers.stages[level].key;
        for (const auto& row : stall_rows) {
            if (row.place != stall_place::pe) continue;
            stack.parts.push_back({row.name, meter.all[row.reason]});
            stack.parts[0].cycles -= meter.all[row.reason];
        }
    };
    const auto add_all = [&](const std::string& where, const auto& stages, const auto& meters) {
        for (unsigned i = 0; i < stage_count; ++i)
            if (stages[i]) add_waits(where, static_cast<isbesim::stage>(i), meters[i]);
    };
    add_all("waiting.", first_stages_, pending_meters_);
    for (std::size_t i = 0; i < sites_.size(); ++i)
        add_all("sm" + std::to_string(i) + ".waiting.", later_stages_, sites_[i]->meters);
    return result;
}

std::vector<std::pair<std::string, std::uint64_t>> pe::sharing_warnings() const
{
    std::vector<std::pair<std::string, std::uint64_t>> warnings;
    pe_draw_counters counters;
    latest_->steps.add_to(counters);
    for (const auto& linked : latest_->pipeline.stages)
        if (const auto count = counters.own_lines[static_cast<std::size_t>(linked.stage)]; count != 0)
            warnings.emplace_back(describe(linked.stage, linked.sharing), count);
    return warnings;
}

// Fetches the next batch while the previous batch waits for space or runs.
void pe::form_next()
{
    if (forming_ != nullptr) return;
    batch_work* work = nullptr;
    while (work == nullptr) {
        if (current_ == nullptr && !begin_next_draw()) return check_done();
        work = &pool_.take_work(*current_);
        const auto found = current_->dealer.next(work->vertices);
        const auto ticks = current_->walked + (found ? work->vertices.arrival : current_->dealer.end());
        const auto due = cycle_after(ticks);
        arrives_ = due > clock_.now();
        fetch_begun_ = now_;
        if (arrives_) {
            fetch_begun_ =
                begun_.then(due, path_reason::front_end, {current_->steps.first().stage(), path_place::part::input});
            form_event_.notify(clock_.time(due - clock_.now()));
        }
        if (found) break;
        pool_.give_back(*work);
        work = nullptr;
        if (arrives_) return; // a draw lasts until the front end has read it
        front_end_free_ = ticks;
        current_->formed = true;
        current_ = nullptr;
    }
    forming_ = work;
    fetched_ = false;
    if (!arrives_) begin_fetch();
}

// Within a draw, and across draws that need not wait for each other, data is requested ahead of its use.
void pe::request_ahead()
{
    constexpr unsigned most = 16; // batches
    if (memory_ == nullptr || current_ == nullptr) return;
    const auto now = clock_.now();
    auto* run = current_;
    unsigned requested = 0;
    for (std::size_t next = 0;; ++next) {
        for (std::size_t i = 0; auto* const ahead = run->dealer.peek(i); ++i) {
            if (++requested > most) return;
            if (ahead->requested) continue;
            const auto due = cycle_after(run->walked + ahead->arrival);
            if (due > now) {
                request_ahead_event_.notify(clock_.time(due - now));
                return;
            }
            memory_->share_with(ahead->tpcs);
            ahead->ready = memory_->fetch(ahead->fetched, now);
            ahead->requested = true;
        }
        if (next == added_.size() || !may_follow(*run, *added_[next])) return;
        added_[next]->walked = run->walked + run->dealer.end();
        run = added_[next].get();
    }
}

void pe::request_ahead_method()
{
    guard_process([this] { request_ahead(); });
}

void pe::begin_fetch()
{
    auto* const work = forming_;
    const auto& vertices = work->vertices;
    const auto bytes = current_->steps.fetch().bytes(vertices);
    current_->counters.fetched_bytes += bytes;
    current_->counters.primitives_in += work->vertices.primitive_count();
    auto cycles = std::max<std::uint64_t>((bytes + fetch_bytes_per_cycle_ - 1) / fetch_bytes_per_cycle_, 1);
    waits_for_memory_ = false;
    if (memory_ != nullptr) {
        const auto now = clock_.now();
        const auto ready = vertices.requested ? vertices.ready : memory_->fetch(vertices.fetched, now);
        waits_for_memory_ = ready > now + cycles;
        if (waits_for_memory_) cycles = ready - now;
        request_ahead();
    }
    if (work_observer_ != nullptr) work_observer_->fetches(cycles);
    form_event_.notify(clock_.time(cycles));
    if (observer_ != nullptr) {
        const auto now = clock_.now();
        observer_->batch_formed(work->vertices.primitive_count(), work->vertices.vertex_count, bytes, now,
                                now + cycles);
    }
}

void pe::form_method()
{
    guard_process([this] { form(); });
}

void pe::form()
{
    while (!ended_.empty() && ended_.front().get() != latest_) ended_.pop_front();
    if (forming_ == nullptr) {
        if (arrives_) now_ = fetch_begun_;
        form_next();
        meter_fetch();
        return;
    }
    if (arrives_) {
        arrives_ = false;
        begin_fetch();
        meter_fetch();
        return;
    }
    fetched_ = true;
    now_ = fetch_begun_.then(clock_.now(), path_reason::fetch,
                             {forming_->run->steps.first().stage(), path_place::part::input});
    if (work_observer_ != nullptr) work_observer_->fetched();
    schedule();
}

fetch_use pe::current_fetch_use()
{
    if (arrives_) return fetch_use::front_end;
    if (forming_ != nullptr && !fetched_) return waits_for_memory_ ? fetch_use::memory : fetch_use::fetch;
    if (pending_ != nullptr) {
        const auto missing = pending_meter().cause;
        if (missing == stall_reason::lines_and_slot) return fetch_use::lines_and_slot;
        return missing == stall_reason::warp_slot ? fetch_use::warp_slot : fetch_use::isbe_full;
    }
    return forming_ != nullptr ? fetch_use::output_order : fetch_use::no_vertices;
}

void pe::schedule()
{
    schedule_event_.notify(sc_core::SC_ZERO_TIME);
}

void pe::schedule_method()
{
    guard_process([this] {
        handle_arrivals();
        place_all();
    });
}

void pe::handle_arrivals()
{
    handled_.swap(arrivals_);
    std::sort(handled_.begin(), handled_.end(), [](const arrival& a, const arrival& b) {
        return std::tie(a.site, a.kind, a.task) < std::tie(b.site, b.kind, b.task);
    });
    for (auto& each : handled_) {
        now_ = std::move(each.because);
        auto& task = pool_.task(each.task);
        switch (each.kind) {
        case arrival_kind::response:
            if (work_observer_ != nullptr) work_observer_->answered(each.site, task.index);
            handle_response(task);
            break;
        case arrival_kind::completion:
            if (work_observer_ != nullptr) work_observer_->ended(each.site, task.launch.context);
            handle_completion(task);
            break;
        case arrival_kind::served:
            handle_served(task);
            break;
        }
    }
    handled_.clear();
}

void pe::place_all()
{
    for (auto& site : sites_) place_waiting(*site);
    while (place_pending()) continue;
    meter_fetch();
}

// Later stages first: their ended warps make room for the stages before them. A stage without room must not keep a
// later stage from its reserved lines.
void pe::place_waiting(pe_site& site)
{
    for (auto tasks = site.waiting.rbegin(); tasks != site.waiting.rend(); ++tasks) {
        if (tasks->empty()) continue;
        const auto waited_for = site.meter_of(*tasks->front()).cause;
        while (!tasks->empty()) {
            auto& task = *tasks->front();
            const auto missing = site.place(task);
            auto& meter = site.meter_of(task);
            meter.update(clock_.now(), missing);
            site.book(meter);
            if (missing) break;
            tasks->pop_front();
            begin(task, waited_for);
        }
    }
}

bool pe::place_pending()
{
    if (pending_ == nullptr && fetched_ && forming_ != nullptr && places_waiting() < window_) {
        auto& run = *forming_->run;
        pending_ = &pool_.take_task(run.steps.first(), *forming_);
        pending_->result = forming_;
        pending_->ticket = run.order.append();
        if (work_observer_ != nullptr) work_observer_->created(pending_->index);
        forming_ = nullptr;
        fetched_ = false;
        form_next();
    }
    if (pending_ == nullptr) return false;
    auto missing = stall_reason::lines_and_slot; // unless a site lacks less
    const auto count = static_cast<unsigned>(sites_.size());
    for (unsigned i = 0; i < count; ++i) {
        const auto number = (next_site_ + i) % count;
        auto& site = *sites_[number];
        const auto found = site.place(*pending_);
        if (!found) {
            auto& task = *pending_;
            const auto waited_for = pending_meter().cause;
            pending_meter().update(clock_.now(), std::nullopt);
            site.book(pending_meter());
            site.count_batch();
            task.site = number;
            next_site_ = (number + 1) % count;
            pending_ = nullptr;
            begin(task, waited_for);
            return true;
        }
        // Lines alone are the least that a site can lack, then a slot alone.
        if (missing == stall_reason::lines_and_slot || *found == stall_reason::isbe_full) missing = *found;
    }
    pending_meter().update(clock_.now(), missing);
    return false;
}

// The warp has its lines and its slot.
void pe::begin(warp_task& task, missing_space missing)
{
    auto reason = path_reason::none;
    if (missing) reason = *missing == stall_reason::warp_slot ? path_reason::warp_slot : path_reason::isbe_lines;
    if (work_observer_ != nullptr) work_observer_->begins(task.index);
    act_for(task, path_place::part::input, reason);
    auto& port = sites_[task.site]->port();
    const auto slot = task.launch.context;
    task.state = task_state::preparing;
    task.step->prepare(task, port, *this);
    task.launch.context = slot;
    port.bind(slot, task.context);
    port.fence_writes(task.index);
    if (work_observer_ != nullptr) work_observer_->fenced(task.site, task.index, false, port.writes() - 1);
}

cause pe::act_for(const warp_task& task, path_place::part part, path_reason reason)
{
    auto event = now_.then(clock_.now(), reason, {task.step->stage(), part});
    auto& port = sites_[task.site]->port();
    port.act_for(event);
    if (work_observer_ != nullptr)
        work_observer_->acts({task.site, task.index, clock_.now(), port.writes(), port.reads()});
    return event;
}

void pe::site_idle(unsigned site)
{
    now_ = sites_[site]->port().because();
    check_done();
}

void pe::responded(std::uint64_t index)
{
    const auto site = pool_.task(index).site;
    arrivals_.push_back({site, arrival_kind::response, index, sites_[site]->port().because()});
    schedule();
}

void pe::handle_response(warp_task& task)
{
    if (task.state != task_state::preparing) {
        act_for(task, path_place::part::output);
        return read_back(task);
    }
    const auto now = clock_.now();
    const auto due =
        task.step->stage() == stage::geometry ? geometry_threads_.serve(now, task.threads * thread_ticks_) : now;
    if (due == now) return launch(task);
    task.state = task_state::starting;
    wait_until(due, task, now_.then(due, path_reason::geometry_threads, {stage::geometry, path_place::part::input}));
}

void pe::launch(warp_task& task)
{
    task.state = task_state::running;
    task.launched = clock_.now();
    sites_[task.site]->launch(task, act_for(task, path_place::part::program));
}

void pe::wait_until(std::uint64_t due, warp_task& task, const cause& because)
{
    const auto later = std::upper_bound(waiting_.begin(), waiting_.end(), due,
                                        [](std::uint64_t cycle, const served_warp& each) { return cycle < each.due; });
    waiting_.insert(later, {due, task.index, because});
    serve_event_.notify(clock_.time(waiting_.front().due - clock_.now()));
}

void pe::serve_method()
{
    guard_process([this] {
        const auto now = clock_.now();
        auto next = waiting_.begin();
        for (; next != waiting_.end() && next->due <= now; ++next)
            arrivals_.push_back({pool_.task(next->task).site, arrival_kind::served, next->task, next->because});
        waiting_.erase(waiting_.begin(), next);
        if (!waiting_.empty()) serve_event_.notify(clock_.time(waiting_.front().due - now));
        schedule();
    });
}

void pe::handle_served(warp_task& task)
{
    if (task.state == task_state::starting)
        launch(task);
    else
        leave(task);
}

void pe::completed(std::uint64_t index, const warp_completion& completion)
{
    auto& task = pool_.task(index);
    task.completion = completion;
    arrivals_.push_back({task.site, arrival_kind::completion, index, sites_[task.site]->launcher().because()});
    schedule();
}

void pe::handle_completion(warp_task& task)
{
    auto& site = *sites_[task.site];
    act_for(task, path_place::part::output);
    task.state = task_state::reading;
    task.work->run->order.output(task.ticket).warp_cycles = clock_.now() - task.launched;
    site.release_slot(task.launch.context);
    site.release_lines(task.input_lines);
    read_back(task);
}

void pe::read_back(warp_task& task)
{
    auto& port = sites_[task.site]->port();
    if (!task.step->read_back(task, port)) return end(task);
    port.fence_reads(task.index);
    if (work_observer_ != nullptr) work_observer_->fenced(task.site, task.index, true, port.reads() - 1);
}

void pe::end(warp_task& task)
{
    auto& output = task.work->run->order.output(task.ticket);
    if (task.step->hands_over()) hand_over_lines(task);
    task.step->finish(task, sites_[task.site]->port(), output, *this);
    const auto now = clock_.now();
    const auto due = leaves(task, output);
    if (due == now) return leave(task);
    task.state = task_state::leaving;
    wait_until(due, task, now_.then(due, path_reason::back_end, {task.step->stage(), path_place::part::output}));
}

// The TPCs of a GPC are simulated apart: here each has the raster engine for itself (testbench/chip adds the others).
std::uint64_t pe::leaves(const warp_task& task, const stream_output& output)
{
    if (task.step->level() + 1 != task.work->run->pipeline.stages.size()) return clock_.now();
    const auto now = clock_.now();
    const auto primitives = output.streams[0].primitives(), setups = primitives - output.culled;
    const auto due =
        std::max({viewport_.serve(now, output.vertices * vertex_ticks_),
                  raster_.serve(now, primitives * primitive_ticks_), setup_.serve(now, setups * setup_ticks_)});
    if (config_.chip.tpcs > 1 && primitive_ticks_ + setup_ticks_ != 0) {
        const auto place = static_cast<std::size_t>((due - task.work->run->begin) / departures::cycles);
        if (departed_.size() <= place) departed_.resize(place + 1);
        departed_[place].primitives += primitives;
        departed_[place].setups += setups;
    }
    return due;
}

void pe::leave(warp_task& task)
{
    auto& site = *sites_[task.site];
    auto& work = *task.work;
    auto* const result = task.result;
    work.run->order.complete(task.ticket);
    site.release_lines(task.output_lines);
    pool_.give_back(task);
    release_work(work, task.site);
    if (result != nullptr && result != &work) release_work(*result, task.site);
    check_done();
}

// The batch and the space that it passed on live as long as a warp refers to them.
void pe::release_work(batch_work& work, unsigned site)
{
    if (--work.warps != 0) return;
    sites_[site]->release_lines(work.space.lines);
    pool_.give_back(work);
}

warp_task& pe::spawn(warp_task& parent, stage_step& step)
{
    auto& task = pool_.take_task(step, *parent.result);
    task.site = parent.site;
    task.ticket = parent.work->run->order.insert_before(parent.ticket);
    sites_[task.site]->waiting[step.level()].push_back(&task);
    if (work_observer_ != nullptr) work_observer_->created(task.index);
    return task;
}

warp_task& pe::respawn(warp_task& task)
{
    auto& another = pool_.take_task(*task.step, *task.work);
    another.site = task.site;
    another.ticket = task.work->run->order.insert_after(task.ticket);
    sites_[another.site]->waiting[task.step->level()].push_back(&another);
    if (work_observer_ != nullptr) work_observer_->created(another.index);
    return another;
}

batch_work& pe::make_result(warp_task& task)
{
    task.result = &pool_.take_work(*task.work->run);
    ++task.result->warps;
    return *task.result;
}

std::size_t pe::places_waiting() const
{
    std::size_t places = 0;
    for (const auto& run : running_) places += run->order.waiting();
    return places;
}

bool pe::is_idle() const
{
    return !pool_.has_tasks() &&
           std::all_of(sites_.begin(), sites_.end(), [](const auto& site) { return site->port().is_idle(); });
}

// A draw ends when its output has left; the only running draw also waits until the machine is idle.
void pe::check_done()
{
    while (!running_.empty()) {
        const auto& oldest = *running_.front();
        if (!oldest.formed || !oldest.order.empty() || (running_.size() == 1 && !is_idle())) return;
        end_draw();
    }
    if (done_) return;
    if (!added_.empty()) {
        form_event_.notify(sc_core::SC_ZERO_TIME);
        return;
    }
    done_ = true;
    done_cycle_ = clock_.now();
    end_ = now_.cycle() == done_cycle_ ? now_ : now_.then(done_cycle_, path_reason::unexplained);
    done_event_.notify(sc_core::SC_ZERO_TIME);
}

std::string pe::state_dump() const
{
    std::ostringstream text;
    if (forming_ != nullptr)
        text << "batch of " << forming_->vertices.vertex_count << " vertices "
             << (fetched_   ? "waits for its turn in the output order"
                 : arrives_ ? "is still in the front end"
                            : "is being fetched")
             << '\n';
    for (const auto* const task : pool_.tasks()) {
        text << name_of(task->step->stage()) << " warp of primitive " << task->work->vertices.first_primitive
             << ", instance " << task->work->vertices.instance;
        if (task != pending_) text << ", SM " << task->site;
        switch (task->state) {
        case task_state::waiting: {
            const auto needs = task->step->lines(*task);
            text << " waits for " << needs.input << " + " << needs.output << " ISBE lines and a warp slot";
            break;
        }
        case task_state::preparing:
            text << " waits for the ISBE to take its input and context";
            break;
        case task_state::running:
            text << " runs in warp slot " << task->launch.context;
            break;
        case task_state::starting:
            text << " waits for the start of its geometry threads";
            break;
        case task_state::reading:
            text << " waits for the ISBE to return its output";
            break;
        case task_state::leaving:
            text << " waits until its vertices and primitives have left";
            break;
        }
        text << '\n';
    }
    for (std::size_t i = 0; i < sites_.size(); ++i)
        text << "ISBE " << i << ": " << sites_[i]->lines().lines_used() << " lines allocated, "
             << sites_[i]->port().pending() << " PE accesses unanswered, " << sites_[i]->free_slots()
             << " warp slots free\n";
    return text.str();
}

} // namespace isbesim
