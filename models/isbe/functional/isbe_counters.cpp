// SPDX-License-Identifier: Apache-2.0
#include "models/isbe/functional/isbe_counters.h"

#include "models/statistics/statistic.h"

namespace isbesim {

namespace {

using list = std::vector<statistic<isbe_counters>>;
using isbe = isbe_counters;
using one = access_footprint;

/// A count of the ISBE that is also recorded per operation.
statistic<isbe> of_operations(figure_name name, std::uint64_t isbe::*member, std::uint32_t one::*operation,
                              const char* column, const std::string& series = "")
{
    return counted(std::move(name), member).per(operation, column).in_series(series);
}

void add_passes(list& all)
{
    all.push_back(
        counted({"bank_conflicts", "accesses", "operations", "operations that touched the storage"}, &isbe::accesses)
            .in_database("transactions.bank_passes"));
    all.push_back(of_operations(
        {"bank_conflicts", "passes", "cycles", "cycles that they held the banks; 0 when the storage was not touched"},
        &isbe::passes, &one::passes, "bank_passes", "passes"));
    all.push_back(of_operations(
        {"bank_conflicts", "ideal_passes", "cycles", "cycles that they would have held them without conflicts"},
        &isbe::ideal_passes, &one::ideal_passes, "ideal_passes"));
    all.push_back(derived<isbe>({"bank_conflicts", "efficiency", "1 = no conflicts", "ideal_passes / passes"},
                                merge_rule::from_total,
                                [](const isbe& c, const figure_scope&) {
                                    return ratio(static_cast<double>(c.ideal_passes), static_cast<double>(c.passes), 1);
                                })
                      .preferred(preference::higher));
}

void add_bandwidth(list& all)
{
    const auto rate = [](std::uint64_t bytes, const figure_scope& s) {
        return ratio(static_cast<double>(bytes), static_cast<double>(s.cycles));
    };
    const auto share = [rate](std::uint64_t bytes, const figure_scope& s) { return ratio(rate(bytes, s), s.peak); };
    const auto way = [&](const std::string& name, const char* description, std::uint64_t isbe::*bytes,
                         std::uint32_t one::*operation, const char* column) {
        all.push_back(of_operations({"bandwidth", name + ".bytes", "bytes", description}, bytes, operation, column,
                                    name + "_bytes"));
        all.push_back(shaped({"bandwidth", name + ".bytes_per_cycle", "bytes/cycle", "bytes / cycles"}, merge_rule::sum,
                             bytes, rate)
                          .preferred(preference::higher));
        all.push_back(shaped({"bandwidth", name + ".peak_fraction", "of the peak",
                              "the part of total.peak_fraction that this way has: both share the banks"},
                             merge_rule::from_total, bytes, share)
                          .preferred(preference::higher));
    };
    way("read", "bytes that lanes read from the storage; lanes that read one word count each", &isbe::bytes_read,
        &one::bytes_read, "bytes_read");
    way("write", "bytes that lanes wrote to the storage; the losers of a conflict don't count", &isbe::bytes_written,
        &one::bytes_written, "bytes_written");
    const auto both = [&](figure_name name, merge_rule merge, auto formula) {
        all.push_back(derived<isbe>(std::move(name), merge, [formula](const isbe& c, const figure_scope& s) {
                          return formula(c.bytes_read + c.bytes_written, s);
                      }).preferred(preference::higher));
    };
    both({"bandwidth", "total.bytes", "bytes", "bytes read and written"}, merge_rule::sum,
         [](std::uint64_t bytes, const figure_scope&) { return bytes; });
    both({"bandwidth", "total.bytes_per_cycle", "bytes/cycle", "bytes / cycles"}, merge_rule::sum, rate);
    both({"bandwidth", "total.peak_fraction", "of the peak",
          "bytes_per_cycle of what the ISBEs' banks can do with one conflict-free pass a cycle, which reads and writes "
          "share; above 1 when lanes share words, or loosely timed"},
         merge_rule::from_total, share);
}

void add_words(list& all)
{
    const auto add = [&](figure_name name, std::uint64_t isbe::*member, std::uint32_t one::*operation,
                         const char* column) {
        all.push_back(of_operations(std::move(name), member, operation, column));
    };
    add({"proxies", "bank_reads", "words", "words that the banks delivered; lanes on one word share it"},
        &isbe::bank_reads, &one::bank_reads, "bank_reads");
    add({"proxies", "bank_writes", "words", "words that the banks took"}, &isbe::bank_writes, &one::bank_writes,
        "bank_writes");
    add({"proxies", "crossbar_words", "words", "words between lanes and banks, one per lane and component"},
        &isbe::crossbar_words, &one::crossbar_words, "crossbar_words");
    add({"proxies", "map_lookups", "lookups",
         "attributes looked up in the maps by ALD, AST and AL2P, one per component and distinct attribute"},
        &isbe::map_lookups, &one::map_lookups, "map_lookups");

    add({"discarded", "bmap", "words", "stored words dropped because the output map lacks them"}, &isbe::discarded_bmap,
        &one::discarded_bmap, "discarded_bmap");
    add({"discarded", "out_of_range", "words", "stored words dropped because of their address or vertex"},
        &isbe::discarded_out_of_range, &one::discarded_out_of_range, "discarded_out_of_range");
    add({"discarded", "patch_conflict", "lanes", "lanes that lost bytes to another lane of the same operation"},
        &isbe::discarded_patch_conflict, &one::discarded_patch_conflict, "discarded_patch_conflict");
    add({"discarded", "gs_overflow", "words", "stored words and OUT tokens dropped past a geometry thread's own slots"},
        &isbe::discarded_gs_overflow, &one::discarded_gs_overflow, "discarded_gs_overflow");
    add({"discarded", "bad_register", "words",
         "stored words and OUT tokens dropped because a register is no geometry state, or no AL2P result of the "
         "output"},
        &isbe::discarded_bad_register, &one::discarded_bad_register, "discarded_bad_register");
}

} // namespace

std::vector<statistic<isbe_counters>> isbe_statistics()
{
    list all;
    add_passes(all);
    add_bandwidth(all);
    add_words(all);
    all.push_back(distribution({"histograms", "busy_banks", "passes",
                                "by the banks (line access: words of the line) that a pass keeps busy"},
                               &isbe::busy_banks)
                      .needs(measured_by::sm_cycles));
    return all;
}

} // namespace isbesim
