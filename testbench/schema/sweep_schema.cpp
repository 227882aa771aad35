// SPDX-License-Identifier: Apache-2.0
#include "testbench/figures/figures.h"
#include "testbench/files/object_form.h"
#include "testbench/rtl/isbe_backend.h"
#include "testbench/schema/schemas.h"
#include "testbench/system/config.h"
#include "testbench/system/machine_schema.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

constexpr std::uint64_t any_number = 0xffffffffffffffffU;

json::object of_type(json::array types)
{
    return {{"type", std::move(types)}};
}

/// Names of figures to choose from; <...> stands for an opcode, a stage or another range.
json::object figure_name()
{
    std::vector<std::string> names;
    for (const auto& each : figures())
        if (each.section != "series" && each.section != "host" && each.key().find('<') == std::string::npos)
            names.push_back(each.key());
    return form::either({form::one_of(names), form::text()});
}

json::object backend_names()
{
    std::vector<std::string> names;
    for (const auto& each : isbe_backends()) names.emplace_back(each.name);
    return form::one_of(names);
}

/// A list of values of this schema.
json::object values(json::object value)
{
    auto result = form::list(std::move(value));
    result["minItems"] = 1;
    result["uniqueItems"] = true;
    return result;
}

const object_form& sample_form()
{
    static const object_form keys({{"count", form::integer(1, any_number), "Points.", true},
                                   {"seed", form::integer(0, any_number), "Default: the sweep's."}});
    return keys;
}

const object_form& input_form()
{
    static const object_form keys({
        {"file", form::text(), "Relative to the sweep.", true},
        {"name", form::text(), "In results.csv (default: the file)."},
        {"values", form::map("^", of_type({"boolean", "number", "string"})),
         "What it differs in: columns that the page treats like axes."},
    });
    return keys;
}

const object_form& objective_form()
{
    static const object_form keys({
        {"minimize", figure_name(), "The smaller the better."},
        {"maximize", figure_name(), "The larger the better."},
        {"within", form::real(0, 1e6),
         "Among the points whose figure `of` is within this share of the best (0.02: 2 %)."},
        {"of", figure_name(), "With within: that figure (default cycles)."},
    });
    return keys;
}

/// Figure names, each with or without the direction in which it is better.
json::object goal()
{
    const object_form less({{"minimize", figure_name(), "The smaller the better.", true}});
    const object_form more({{"maximize", figure_name(), "The larger the better.", true}});
    return form::either({figure_name(), less.schema(), more.schema()});
}

const object_form& search_form()
{
    static const object_form keys({
        {"budget", form::integer(1, any_number), "Points to run.", true},
        {"sampler", form::one_of(std::vector<std::string>{"nsga2", "tpe"}),
         "Default: nsga2 for several objectives, tpe for one."},
        {"objectives", values(goal()), "Default: the sweep's objective, area and energy."},
        {"seed", form::integer(0, any_number), "Same seed, same points. Default: the sweep's."},
        {"batch", form::integer(2, any_number), "Points that are chosen and run at a time (default 20)."},
        {"resume", of_type({"boolean"}), "Results in the folder count (default true)."},
    });
    return keys;
}

/// The forms of an axis of numbers.
json::object number_axes()
{
    const auto ends = form::list({{"type", "number"}}, 2);
    const json::object above = {{"type", "number"}, {"exclusiveMinimum", 0}};
    const object_form range({{"range", ends, "First and last value.", true}, {"step", above, "Default 1."}});
    const object_form log2({{"log2", ends, "First and last value; each is twice the one before.", true}});
    const object_form log({{"log", ends, "First and last value.", true},
                           {"count", form::integer(2, any_number), "Values in equal ratios.", true},
                           {"step", above, "They are rounded to multiples of it."}});
    return form::either({range.schema(), log2.schema(), log.schema()});
}

json::object axes()
{
    json::object properties = {{"machine", values(form::text())}, {"backend", values(backend_names())}};
    for (const auto& key : config_keys()) {
        auto list = values(key.schema());
        const bool number = key.kind == key_kind::integer || key.kind == key_kind::real;
        properties[key.name] = number ? form::either({std::move(list), form::reference("number_axis")}) : list;
    }
    return {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
}

/// Keys of a machine, nested or dotted, without sources.
json::object base()
{
    json::object properties = {{"machine", form::text()}};
    json::object groups;
    for (const auto& key : config_keys()) {
        const std::string name = key.name;
        properties[name] = key.schema();
        if (const auto dot = name.find('.'); dot != std::string::npos) {
            auto& group = groups[name.substr(0, dot)];
            if (!group.is_object()) group.emplace_object();
            group.get_object()[name.substr(dot + 1)] = key.schema();
        }
    }
    for (const auto& group : groups)
        properties[group.key()] = {{"type", "object"}, {"properties", group.value()}, {"additionalProperties", false}};
    return form::either(
        {form::text(), {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}}});
}

/// The keys of a sweep. scripts/exploration takes them from `isbesim help schema sweep`.
const object_form& sweep_form()
{
    const auto inputs = [] { return form::list(form::either({form::text(), form::reference("input")})); };
    static const object_form keys({
        schema_key(),
        {"title", form::text(), "Shown on the page."},
        {"question", form::text(), "Shown on the page."},
        {"base", base(), "The machine that the axes vary: a name, a file, or configuration keys."},
        {"axes", axes(), "Configuration key -> values. The page compares along the first."},
        {"zip", form::list(form::list(form::text())), "Groups of axes that move together."},
        {"sample", form::or_null(form::either({form::integer(1, any_number), form::reference("sample")})),
         "So many points at random instead of the whole grid."},
        {"search", form::or_null(form::reference("search")),
         "Points that a sampler chooses by the results so far, instead of the whole grid."},
        {"scenarios", inputs(), "Draws, relative to the sweep."},
        {"traces", inputs(), "Files of --record, replayed."},
        {"backend", backend_names(), "What stands in the ISBE's place (default at)."},
        {"seed", form::integer(0, any_number), "As for isbesim run (default 1)."},
        {"confirm", form::integer(0, any_number),
         "So many of the best points of loosely timed runs run again on AT (default 10)."},
        {"max_cycles", form::integer(1, any_number), "As for isbesim run."},
        {"metrics", form::list(figure_name()), "Figures that the page shows beside the objective."},
        {"objective", form::or_null(form::reference("objective")), "Which point is the best."},
        {"constraints", form::list(form::text()), "Conditions such as \"isbe.lines * isbe.banks <= 16384\"."},
    });
    return keys;
}

} // namespace

json::object sweep_schema()
{
    auto schema = sweep_form().schema();
    schema["anyOf"] = {{{"required", {"scenarios"}}}, {{"required", {"traces"}}}};
    auto objective = objective_form().schema();
    objective["dependencies"] = {{"of", {"within"}}};
    objective["oneOf"] = {{{"required", {"minimize"}}}, {{"required", {"maximize"}}}};
    schema["definitions"] = {{"sample", sample_form().schema()},
                             {"input", input_form().schema()},
                             {"objective", std::move(objective)},
                             {"search", search_form().schema()},
                             {"number_axis", number_axes()}};
    return schema;
}

} // namespace isbesim::testbench
