// SPDX-License-Identifier: Apache-2.0
// The waveform's half of a plug-in: interface_scope.sv and the FST file. Compiled once for all plug-ins.
#pragma once

#include <functional>
#include <vector>

#include <verilated.h>
#include <verilated_fst_c.h>

#include "rtl_plugin.h"

class Vinterface_scope;

struct isbesim_rtl_wave {
    isbesim_rtl_wave();
    ~isbesim_rtl_wave();

    VerilatedContext context; ///< shared with the block: models in one file have one
    VerilatedFstC file;
    Vinterface_scope* wires;
    /// Put a model's signals into the file, in the order in which the models were made. All are called when it is
    /// opened: the first takes either its own signals along or, in newer Verilators, those of all models that there
    /// are, and what the others do is then ignored.
    std::vector<std::function<void(VerilatedFstC&)>> models;
};

/// Fills in the functions of waveforms.
void add_wave_functions(isbesim_rtl_interface& table);
