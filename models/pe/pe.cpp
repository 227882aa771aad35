#include "models/pe/pe.h"

#include <algorithm>
#include <iterator>
#include <sstream>

#include "models/isbe/functional/names.h"
#include "tlm/process_guard.h"

namespace isbesim {

pe::pe(const sc_core::sc_module_name& name, const pe_parts& parts)
    : sc_core::sc_module(name),
      clock_(parts.clock),
      fetch_bytes_per_cycle_(std::max(parts.config.pe.fetch_bytes_per_cycle, 1U)),
      window_(std::size_t{32} * parts.config.sm_count * std::min(parts.config.sm.warps, parts.config.isbe.contexts)),
      pipeline_(link_pipeline(parts.draw, parts.config)),
      steps_(pipeline_, parts.draw, parts.config.isbe),
      former_(parts.draw, pipeline_.assembly.limits),
      order_(parts.sink, parts.draw.capture)
{
    const pe_site_parts site{parts.config, parts.clock, parts.style, pipeline_.buffers};
    for (unsigned i = 0; i < parts.config.sm_count; ++i)
        sites_.push_back(std::make_unique<pe_site>(i, site, static_cast<pe_site::client&>(*this)));

    SC_HAS_PROCESS(pe);
    SC_METHOD(form_method); // runs once at time 0, too: that starts the draw
    sensitive << form_event_;
}

pe::~pe() = default;

void pe::attach(pe_observer& observer)
{
    observer_ = &observer;
    for (auto& site : sites_) site->attach(observer);
    order_.report_to(
        [this](unsigned stream, std::uint64_t first, std::uint64_t primitives, std::uint64_t vertices, bool captured) {
            observer_->streamed_out(stream, first, primitives, vertices, captured, clock_.now());
        });
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
    auto result = counters_;
    for (unsigned s = 0; s < result.primitives_out.size(); ++s) {
        result.primitives_out[s] = order_.primitives(s);
        result.vertices_out[s] = order_.vertices(s);
    }
    steps_.add_to(result);
    return result;
}

std::vector<cycle_stack> pe::stacks() const
{
    static constexpr auto names =
        enum_names<last_fetch_use>("fetch", "isbe_full", "warp_slot", "output_order", "no_vertices");
    const auto now = clock_.now();
    std::vector<cycle_stack> result{{"fetch", now, 1, {}}};
    const auto cycles = fetch_meter_.cycles(now);
    for (std::size_t i = 0; i < names.size(); ++i) result[0].parts.push_back({names[i], cycles.values[i]});
    const auto add_waits = [&](unsigned level, const std::string& where, wait_meter meter) {
        meter.update(now, std::nullopt);
        const auto full = meter.all[stall_reason::isbe_full], slot = meter.all[stall_reason::warp_slot];
        result.push_back({where + name_of(pipeline_.stages[level].stage),
                          now,
                          0,
                          {{"none_waits", now - full - slot}, {"isbe_full", full}, {"warp_slot", slot}}});
    };
    add_waits(0, "waiting.", pending_meter_);
    for (std::size_t i = 0; i < sites_.size(); ++i)
        for (unsigned level = 1; level < sites_[i]->waiting.size(); ++level)
            add_waits(level, "sm" + std::to_string(i) + ".waiting.", sites_[i]->waiting[level].meter);
    return result;
}

std::vector<std::pair<std::string, std::uint64_t>> pe::sharing_warnings() const
{
    std::vector<std::pair<std::string, std::uint64_t>> warnings;
    pe_draw_counters counters;
    steps_.add_to(counters);
    for (const auto& linked : pipeline_.stages)
        if (const auto count = counters.own_lines[static_cast<std::size_t>(linked.stage)]; count != 0)
            warnings.emplace_back(describe(linked.stage, linked.sharing), count);
    return warnings;
}

// Fetches the next batch while the last one waits for space or runs.
void pe::form_next()
{
    if (forming_ != nullptr) return;
    auto& work = pool_.take_work();
    if (!former_.next(work.vertices)) {
        pool_.give_back(work);
        check_done();
        return;
    }
    forming_ = &work;
    fetched_ = false;
    const auto bytes = steps_.fetch().bytes(work.vertices);
    counters_.fetched_bytes += bytes;
    counters_.primitives_in += work.vertices.primitive_count();
    const auto cycles = std::max<std::uint64_t>((bytes + fetch_bytes_per_cycle_ - 1) / fetch_bytes_per_cycle_, 1);
    form_event_.notify(clock_.time(cycles));
    if (observer_ != nullptr) {
        const auto now = clock_.now();
        observer_->batch_formed(work.vertices.primitive_count(), work.vertices.vertex_count, bytes, now, now + cycles);
    }
}

void pe::form_method()
{
    guard_process([this] { form(); });
}

void pe::form()
{
    if (forming_ == nullptr) {
        form_next();
        meter_fetch();
        return;
    }
    fetched_ = true;
    schedule();
}

fetch_use pe::current_fetch_use() const
{
    if (forming_ != nullptr && !fetched_) return fetch_use::fetch;
    if (pending_ != nullptr)
        return pending_meter_.cause == stall_reason::warp_slot ? fetch_use::warp_slot : fetch_use::isbe_full;
    return forming_ != nullptr ? fetch_use::output_order : fetch_use::no_vertices;
}

void pe::schedule()
{
    // Placing a warp sends accesses, whose answers may come back from inside that call and free resources.
    again_ = true;
    if (scheduling_) return;
    scheduling_ = true;
    while (again_) {
        again_ = false;
        for (auto& site : sites_) place_waiting(*site);
        place_pending();
    }
    scheduling_ = false;
    meter_fetch();
}

// The last stage first: what it ends makes room for the stages before it. A stage that finds no room must not keep a
// later one from what is reserved for that.
void pe::place_waiting(pe_site& site)
{
    for (auto level = site.waiting.rbegin(); level != site.waiting.rend(); ++level) {
        while (!level->tasks.empty()) {
            auto& task = *level->tasks.front();
            const auto missing = site.place(task);
            level->meter.update(clock_.now(), missing);
            site.book(level->meter);
            if (missing) break;
            level->tasks.pop_front();
            begin(task);
        }
    }
}

void pe::place_pending()
{
    if (pending_ == nullptr && fetched_ && forming_ != nullptr && order_.waiting() < window_) {
        pending_ = &pool_.take_task(steps_.first(), *forming_);
        pending_->result = forming_;
        pending_->ticket = order_.append();
        forming_ = nullptr;
        fetched_ = false;
        form_next();
    }
    if (pending_ == nullptr) return;
    auto missing = stall_reason::warp_slot;
    const auto count = static_cast<unsigned>(sites_.size());
    for (unsigned i = 0; i < count; ++i) {
        const auto number = (next_site_ + i) % count;
        auto& site = *sites_[number];
        const auto found = site.place(*pending_);
        if (!found) {
            auto& task = *pending_;
            pending_meter_.update(clock_.now(), std::nullopt);
            site.book(pending_meter_);
            site.count_batch();
            task.site = number;
            next_site_ = (number + 1) % count;
            pending_ = nullptr;
            again_ = true;
            begin(task);
            return;
        }
        if (found == stall_reason::isbe_full) missing = *found;
    }
    pending_meter_.update(clock_.now(), missing);
}

// Lines and slot are there.
void pe::begin(warp_task& task)
{
    auto& port = sites_[task.site]->port();
    const auto slot = task.launch.context;
    task.state = task_state::preparing;
    task.step->prepare(task, port, *this);
    task.launch.context = slot;
    port.bind(slot, task.context);
    port.fence(task.index);
}

void pe::responded(std::uint64_t index)
{
    auto& task = pool_.task(index);
    if (task.state == task_state::preparing) {
        task.state = task_state::running;
        sites_[task.site]->launch(task);
    } else {
        read_back(task);
    }
}

void pe::completed(std::uint64_t index, const warp_completion& completion)
{
    auto& task = pool_.task(index);
    auto& site = *sites_[task.site];
    task.completion = completion;
    task.state = task_state::reading;
    site.release_slot(task.launch.context);
    site.release_lines(task.input_lines);
    read_back(task);
    schedule();
}

void pe::read_back(warp_task& task)
{
    auto& port = sites_[task.site]->port();
    if (task.step->read_back(task, port))
        port.fence(task.index);
    else
        end(task);
}

void pe::end(warp_task& task)
{
    auto& site = *sites_[task.site];
    auto& work = *task.work;
    auto* const result = task.result;
    if (task.step->hands_over()) hand_over_lines(task);
    task.step->finish(task, site.port(), order_.output(task.ticket), *this);
    order_.complete(task.ticket);
    site.release_lines(task.output_lines);
    pool_.give_back(task);
    release_work(work, task.site);
    if (result != nullptr && result != &work) release_work(*result, task.site);
    schedule();
    check_done();
}

// The batch and the space that it handed on live as long as a warp refers to them.
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
    task.ticket = order_.insert_before(parent.ticket);
    sites_[task.site]->waiting[step.level()].tasks.push_back(&task);
    return task;
}

warp_task& pe::respawn(warp_task& task)
{
    auto& another = pool_.take_task(*task.step, *task.work);
    another.site = task.site;
    another.ticket = order_.insert_before(std::next(task.ticket));
    sites_[another.site]->waiting[task.step->level()].tasks.push_back(&another);
    return another;
}

batch_work& pe::make_result(warp_task& task)
{
    task.result = &pool_.take_work();
    ++task.result->warps;
    return *task.result;
}

void pe::check_done()
{
    if (done_ || forming_ != nullptr || pending_ != nullptr || pool_.has_tasks()) return;
    if (!std::all_of(sites_.begin(), sites_.end(), [](const auto& site) { return site->port().is_idle(); })) return;
    done_ = true;
    done_cycle_ = clock_.now();
    done_event_.notify(sc_core::SC_ZERO_TIME);
}

std::string pe::state_dump() const
{
    std::ostringstream text;
    if (forming_ != nullptr)
        text << "batch of " << forming_->vertices.vertex_count << " vertices "
             << (fetched_ ? "waits for its turn in the output order" : "is being fetched") << '\n';
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
        case task_state::reading:
            text << " waits for the ISBE to return its output";
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
