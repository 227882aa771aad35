// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "models/varying/allocation/scratch_pool.h"
#include "models/varying/lowering/operand_access.h"

namespace isbesim::varying {

namespace {

constexpr unsigned far_away = 0x1000; ///< an address that no offset brings back below 0x400
/// AL2P offsets are signed, 11 bits (HARDWARE.md B.1).
constexpr int lowest_offset = -1024, highest_offset = 1023;

std::string when(unsigned predicate)
{
    return "@P" + std::to_string(predicate) + " ";
}

class sequence {
public:
    explicit sequence(const access_context& context)
        : write_(context.write), scratch_(context.scratch), options_(context.options), state_(context.state)
    {
    }

    component_registers load(const access_target& source, unsigned mask)
    {
        if (source.home == nullptr && !source.indirect) return load_direct(source, mask);
        const auto where = scratch_.block();
        if (!source.by_component || !source.indirect) {
            load_into(source, mask, where);
        } else if (shares_address(source)) {
            load_indirect(scalar_of(source, 0), mask, where);
        } else {
            for_each_component(mask, [&](unsigned c) {
                const unsigned before = scratch_.position();
                load_into(scalar_of(source, c), 1,
                          {where[c], isa::register_zero, isa::register_zero, isa::register_zero});
                scratch_.go_back(before);
            });
        }
        return where;
    }

    void store(const access_target& to, unsigned mask, const component_registers& values)
    {
        if (to.home == nullptr && !to.indirect)
            return store_direct(to, mask, gathered(values, mask, to.base + to.element * to.stride), "", to.element);
        if (!to.by_component || !to.indirect) return store_from(to, mask, values);
        if (shares_address(to)) return store_indirect(scalar_of(to, 0), mask, values);
        for_each_component(mask, [&](unsigned c) {
            const unsigned before = scratch_.position();
            store_from(scalar_of(to, c), 1, {values[c], isa::register_zero, isa::register_zero, isa::register_zero});
            scratch_.go_back(before);
        });
    }

private:
    // ---- arrays indexed by component

    /// Component c of an access whose index counts components: element index + width * shift + c of an array of
    /// scalars.
    static access_target scalar_of(const access_target& which, unsigned c)
    {
        const unsigned width = which.stride / 4;
        auto scalar = which;
        scalar.by_component = false;
        scalar.mask = 1;
        scalar.stride = 4;
        scalar.count = which.count * width;
        scalar.shift = which.shift * static_cast<int>(width) + static_cast<int>(c);
        return scalar;
    }

    /// Whether all components of such an access are at offsets from one address, as nothing is checked or compared.
    bool shares_address(const access_target& which) const
    {
        const bool by_address = options_.how == strategy::indirect || options_.how == strategy::local;
        return !options_.defined && which.home == nullptr && by_address;
    }

    /// Loads an array element into given registers.
    void load_into(const access_target& source, unsigned mask, const component_registers& where)
    {
        if (source.home != nullptr) return load_local(source, mask, where);
        switch (options_.how) {
        case strategy::chain:
            return load_chain(source, mask, where);
        case strategy::split:
            return load_split(source, mask, where);
        case strategy::select:
            return load_select(source, mask, where);
        default: // also `local`, for an array without a home
            return load_indirect(source, mask, where);
        }
    }

    void store_from(const access_target& to, unsigned mask, const component_registers& values)
    {
        if (to.home != nullptr) return store_local(to, mask, values);
        switch (options_.how) {
        case strategy::chain:
            return store_chain(to, mask, values);
        case strategy::split:
            return store_split(to, mask, values);
        case strategy::select:
            return store_select(to, mask, values);
        default:
            return store_indirect(to, mask, values);
        }
    }

    // ---- direct accesses

    component_registers load_direct(const access_target& source, unsigned mask)
    {
        const unsigned address = source.base + source.element * source.stride;
        const auto where = scratch_.block_like(address);
        load_fixed(source, mask, address, where, "");
        return where;
    }

    void load_fixed(const access_target& source, unsigned mask, unsigned address, const component_registers& where,
                    const std::string& guard)
    {
        for (const auto& each : runs_of(mask, address / 4, where))
            write_.load_attribute(each.words, where[each.component], address + 4 * each.component, source.handle, guard,
                                  {source.output, source.patch});
    }

    void store_direct(const access_target& to, unsigned mask, const component_registers& values,
                      const std::string& guard, unsigned element)
    {
        const unsigned address = to.base + element * to.stride;
        for (const auto& each : runs_of(mask, address / 4, values))
            write_.store_attribute(each.words, address + 4 * each.component, values[each.component], state_, guard,
                                   {true, to.patch});
    }

    /// The same values in registers that allow the fewest store instructions.
    component_registers gathered(const component_registers& values, unsigned mask, unsigned address)
    {
        const component_registers ideal = {address / 4 % 4, address / 4 % 4 + 1, address / 4 % 4 + 2,
                                           address / 4 % 4 + 3};
        if (runs_of(mask, address / 4, values).size() == runs_of(mask, address / 4, ideal).size()) return values;
        const auto where = scratch_.block_like(address);
        for_each_component(mask, [&](unsigned c) { write_.move(where[c], values[c]); });
        return where;
    }

    // ---- indirect accesses

    /// Returns the register with the element's number; sets P6 to whether it is inside the array.
    unsigned checked_element(const access_target& which)
    {
        unsigned element = which.index;
        if (which.shift != 0) {
            element = scratch_.take();
            write_.add(element, which.index, which.shift);
        }
        write_.compare(range_predicate, "LT.U32", element, static_cast<int>(which.count),
                       which.vertex_checked ? "P" + std::to_string(vertex_predicate) : "PT");
        return element;
    }

    struct address_part {
        unsigned number; ///< register
        int offset;
    };

    /// Absolute byte address of an element as register + offset; `base` is the address of element 0.
    address_part element_address(const access_target& which, unsigned stride, int base, bool harmless_outside)
    {
        address_part result{scratch_.take(), base};
        if (options_.defined) {
            const unsigned element = checked_element(which);
            write_.multiply(result.number, element, stride);
            if (harmless_outside)
                write_.load_word(result.number, far_away, "@!P" + std::to_string(range_predicate) + " ");
        } else {
            write_.multiply(result.number, which.index, stride);
            result.offset += which.shift * static_cast<int>(stride);
        }
        return result;
    }

    void keep_offset_short(address_part& part, int last)
    {
        if (part.offset >= lowest_offset && part.offset + last <= highest_offset) return;
        write_.add(part.number, part.number, part.offset);
        part.offset = 0;
    }

    template <typename Function>
    static void for_each_component(unsigned mask, Function&& function)
    {
        for (unsigned c = 0; c < 4; ++c)
            if ((mask >> c & 1U) != 0) function(c);
    }

    /// Writes 0, the result of a guarded load whose guard is false.
    void clear(const component_registers& where, unsigned mask)
    {
        for_each_component(mask, [&](unsigned c) { write_.move(where[c], isa::register_zero); });
    }

    std::string store_guard() const { return options_.defined ? when(range_predicate) : ""; }

    /// Loads components from register + offset. All translations come first, so that none waits for another's access.
    void load_at(const access_target& source, unsigned mask, unsigned base, int offset,
                 const component_registers& where, const std::string& guard)
    {
        const auto offset_of = [&](unsigned c) { return offset + static_cast<int>(4 * c); };
        if (source.patch)
            return for_each_component(
                mask, [&](unsigned c) { write_.load_patch(where[c], base, offset_of(c), source.output, guard); });
        for_each_component(mask,
                           [&](unsigned c) { write_.translate(where[c], base, offset_of(c), source.output, guard); });
        for_each_component(
            mask, [&](unsigned c) { write_.load_physical(where[c], where[c], source.handle, source.output, guard); });
    }

    void store_at(const access_target& to, unsigned mask, unsigned base, int offset, const component_registers& values,
                  const component_registers& physical, const std::string& guard)
    {
        const auto offset_of = [&](unsigned c) { return offset + static_cast<int>(4 * c); };
        if (to.patch)
            return for_each_component(mask,
                                      [&](unsigned c) { write_.store_patch(base, offset_of(c), values[c], guard); });
        for_each_component(mask, [&](unsigned c) { write_.translate(physical[c], base, offset_of(c), true, guard); });
        for_each_component(mask, [&](unsigned c) { write_.store_physical(physical[c], values[c], state_, guard); });
    }

    void load_indirect(const access_target& source, unsigned mask, const component_registers& where)
    {
        auto part = element_address(source, source.stride, static_cast<int>(source.base), true);
        keep_offset_short(part, 12);
        load_at(source, mask, part.number, part.offset, where, "");
    }

    void store_indirect(const access_target& to, unsigned mask, const component_registers& values)
    {
        auto part = element_address(to, to.stride, static_cast<int>(to.base), false);
        keep_offset_short(part, 12);
        store_at(to, mask, part.number, part.offset, values, scratch_.block(), store_guard());
    }

    /// Components of a vector of four at which elements can begin.
    static std::set<unsigned> phases_of(const access_target& which)
    {
        std::set<unsigned> phases;
        for (unsigned i = 0; i < which.count; ++i) phases.insert((which.base + i * which.stride) / 4 % 4);
        return phases;
    }

    /// Calls `access(vector register, offset of component x, guard)` for every component at which an element can begin.
    template <typename Access>
    void by_vector(const access_target& which, Access&& access)
    {
        const int vector = static_cast<int>(which.base & ~15U);
        const unsigned element = options_.defined ? checked_element(which) : which.index;
        const int shift = options_.defined ? 0 : which.shift;
        const unsigned bytes = scratch_.take(), first_byte = scratch_.take(), begins = scratch_.take();
        // Byte position from the start of the vector in which element 0 begins.
        write_.multiply(bytes, element, which.stride);
        const int start = static_cast<int>(which.base % 16) + shift * static_cast<int>(which.stride);
        if (start != 0) write_.add(bytes, bytes, start);
        write_.mask(first_byte, bytes, ~15U);
        write_.mask(begins, bytes, 12);
        const auto phases = phases_of(which);
        unsigned predicate = 0;
        for (const auto phase : phases)
            write_.compare(predicate++, "EQ", begins, static_cast<int>(4 * phase), options_.defined ? "P6" : "PT");
        predicate = 0;
        for (const auto phase : phases) {
            const auto guard = when(predicate++);
            access(first_byte, vector + static_cast<int>(4 * phase), guard);
        }
    }

    void load_split(const access_target& source, unsigned mask, const component_registers& where)
    {
        if (phases_of(source).size() == 1)
            return load_indirect(source, mask, where); // elements all begin at one component
        clear(where, mask);
        by_vector(source, [&](unsigned vector, int offset, const std::string& guard) {
            load_at(source, mask, vector, offset, where, guard);
        });
    }

    void store_split(const access_target& to, unsigned mask, const component_registers& values)
    {
        if (phases_of(to).size() == 1) return store_indirect(to, mask, values);
        const auto physical = scratch_.block();
        by_vector(to, [&](unsigned vector, int offset, const std::string& guard) {
            store_at(to, mask, vector, offset, values, physical, guard);
        });
    }

    /// Calls `access(component, vector register, offset, guard)` for every component of the access and every place that
    /// it can have in a vector of four; the guard is `(index & 3) == place`. The index counts scalars from the start of
    /// the vector in which element 0 begins.
    template <typename Access>
    void by_selection(const access_target& which, unsigned mask, Access&& access)
    {
        const int vector = static_cast<int>(which.base & ~15U);
        const unsigned words = which.stride / 4;
        unsigned first = options_.defined ? checked_element(which) : which.index;
        const int shift = options_.defined ? 0 : which.shift;
        if (words != 1) {
            const unsigned product = scratch_.take();
            write_.multiply(product, first, words);
            first = product;
        }
        const int start = static_cast<int>(which.base / 4 % 4) + shift * static_cast<int>(words);
        const auto phases = phases_of(which);
        for_each_component(mask, [&](unsigned c) {
            const unsigned before = scratch_.position();
            unsigned scalar = first;
            if (start + static_cast<int>(c) != 0) {
                scalar = scratch_.take();
                write_.add(scalar, first, start + static_cast<int>(c));
            }
            const unsigned place = scratch_.take(), vector_address = scratch_.take();
            write_.mask(place, scalar, 3);
            write_.shift_right(vector_address, scalar, 2);
            write_.shift_left(vector_address, vector_address, 4);
            unsigned predicate = 0;
            for (const auto phase : phases)
                write_.compare(predicate++, "EQ", place, static_cast<int>((phase + c) % 4),
                               options_.defined ? "P6" : "PT");
            predicate = 0;
            for (const auto phase : phases)
                access(c, vector_address, vector + static_cast<int>((phase + c) % 4 * 4), when(predicate++));
            scratch_.go_back(before);
        });
    }

    void load_select(const access_target& source, unsigned mask, const component_registers& where)
    {
        if (phases_of(source).size() == 1) return load_indirect(source, mask, where);
        clear(where, mask);
        by_selection(source, mask, [&](unsigned c, unsigned vector, int offset, const std::string& guard) {
            load_at(source, 1, vector, offset, {where[c], isa::register_zero, isa::register_zero, isa::register_zero},
                    guard);
        });
    }

    void store_select(const access_target& to, unsigned mask, const component_registers& values)
    {
        if (phases_of(to).size() == 1) return store_indirect(to, mask, values);
        by_selection(to, mask, [&](unsigned c, unsigned vector, int offset, const std::string& guard) {
            store_at(to, 1, vector, offset, {values[c], isa::register_zero, isa::register_zero, isa::register_zero},
                     {scratch_.take(), isa::register_zero, isa::register_zero, isa::register_zero}, guard);
        });
    }

    /// Compares the index with every element's number; predicates alternate so that comparisons overlap.
    template <typename Access>
    void by_comparison(const access_target& which, Access&& access)
    {
        constexpr unsigned at_once = 6;
        for (unsigned first = 0; first < which.count; first += at_once) {
            const unsigned end = std::min(which.count, first + at_once);
            for (unsigned i = first; i < end; ++i)
                write_.compare(i - first, "EQ", which.index, static_cast<int>(i) - which.shift);
            for (unsigned i = first; i < end; ++i) access(i, when(i - first));
        }
    }

    void load_chain(const access_target& source, unsigned mask, const component_registers& where)
    {
        clear(where, mask);
        by_comparison(source, [&](unsigned element, const std::string& guard) {
            load_fixed(source, mask, source.base + element * source.stride, where, guard);
        });
    }

    void store_chain(const access_target& to, unsigned mask, const component_registers& values)
    {
        by_comparison(
            to, [&](unsigned element, const std::string& guard) { store_direct(to, mask, values, guard, element); });
    }

    // ---- local memory

    /// Address of the element's component x, as register + offset.
    address_part local_address(const access_target& which)
    {
        const auto& home = *which.home;
        address_part part{isa::register_zero, static_cast<int>(home.offset)};
        if (which.indirect)
            part = element_address(which, which.stride, static_cast<int>(home.offset), false);
        else
            part.offset += static_cast<int>(which.element * which.stride);
        if (which.vertex) part.offset += static_cast<int>(*which.vertex * home.vertex_stride);
        if (which.vertex_register != isa::register_zero) {
            const unsigned vertex = scratch_.take(), sum = scratch_.take();
            write_.multiply(vertex, which.vertex_register, home.vertex_stride);
            write_.add_registers(sum, part.number, vertex);
            part.number = sum;
        }
        return part;
    }

    /// Local accesses of 1, 2 or 4 words. A run-time index moves them by multiples of the stride, which limits widths.
    static std::vector<access_run> local_runs(const access_target& which, unsigned mask,
                                              const component_registers& where)
    {
        const auto& home = *which.home;
        const unsigned scalar = (home.offset + which.element * which.stride) / 4;
        std::vector<access_run> result;
        for (const auto& each : runs_of(mask, scalar, where)) {
            const bool fits = each.words != 3 && (!which.indirect || which.stride / 4 % each.words == 0);
            if (fits) {
                result.push_back(each);
                continue;
            }
            for (unsigned i = 0; i < each.words; ++i) result.push_back({each.component + i, 1});
        }
        return result;
    }

    void load_local(const access_target& source, unsigned mask, const component_registers& where)
    {
        const auto part = local_address(source);
        const bool guarded = source.indirect && options_.defined;
        if (guarded) clear(where, mask);
        for (const auto& each : local_runs(source, mask, where))
            write_.load_local(each.words, where[each.component], part.number,
                              part.offset + static_cast<int>(4 * each.component), guarded ? when(range_predicate) : "");
    }

    void store_local(const access_target& to, unsigned mask, const component_registers& values)
    {
        const auto part = local_address(to);
        for (const auto& each : local_runs(to, mask, values))
            write_.store_local(each.words, part.number, part.offset + static_cast<int>(4 * each.component),
                               values[each.component], to.indirect ? store_guard() : "");
    }

    instruction_writer& write_;
    scratch_pool& scratch_;
    lowering_options options_;
    unsigned state_;
};

} // namespace

component_registers load_element(const access_context& context, const access_target& source, unsigned mask)
{
    return sequence(context).load(source, mask);
}

void store_element(const access_context& context, const access_target& to, unsigned mask,
                   const component_registers& values)
{
    sequence(context).store(to, mask, values);
}

} // namespace isbesim::varying
