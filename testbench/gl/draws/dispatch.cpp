// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/draws/dispatch.h"

#include "testbench/gl/channel/three_d_methods.h"
#include "testbench/gl/draws/draw_programs.h"

namespace isbesim::gl {

namespace {

isa::address_windows windows_of(const three_d_state& state, const chip& chip)
{
    constexpr std::uint32_t shared = 0x214, wide_shared = 0x2a0, wide_local = 0x7b0; // wide: since Volta
    return chip.absolute_programs ? windows_at(state.address_at(wide_local), state.address_at(wide_shared))
                                  : windows_at(state.at(three_d::local_window), state.at(shared));
}

} // namespace

isa::grid_result run_dispatch(const three_d_state& state, const launch_descriptor& what, const chip& chip,
                              gpu_memory& memory, program_source& programs)
{
    constexpr std::uint64_t most_groups = 1U << 24;
    const auto groups = std::uint64_t{what.groups[0]} * what.groups[1] * what.groups[2];
    const auto base = state.address_at(three_d::code_address);
    try {
        if (what.threads[0] * what.threads[1] * std::uint64_t{what.threads[2]} > 1024)
            throw draw_refused("more than 1024 threads in a workgroup");
        if (what.groups[0] > most_groups || groups > most_groups) throw draw_refused("more than 16,777,216 workgroups");
        const auto& found = programs.find(what.program + (what.program_is_offset ? base : 0), 0, base);
        isa::constant_banks constants;
        for (unsigned bank = 0; bank < what.constants.size(); ++bank)
            read_constants(memory, what.constants[bank], constants[bank]);
        const std::shared_ptr<memory_contents> shared(std::shared_ptr<void>(), &memory);
        const auto textures = textures_of(state, shared, chip.arch);
        return isa::run_grid({&found.program, &constants, &memory, textures.get(), windows_of(state, chip), what.groups,
                              what.threads, what.shared_bytes, what.local_bytes});
    } catch (const isa::execution_error& error) {
        throw draw_refused(std::string("dispatch: ") + error.what());
    } catch (const draw_refused& error) {
        throw draw_refused(std::string("dispatch: ") + error.what());
    }
}

} // namespace isbesim::gl
