// SPDX-License-Identifier: Apache-2.0
// The waveform part of a plug-in: interface_scope.sv and the FST file. It is compiled once for all plug-ins.
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

    VerilatedContext context; ///< shared with the block: all models in one file need the same
    VerilatedFstC file;
    Vinterface_scope* wires;
    /// Each adds a model's signals to the file, in the order of the models' construction. All are called when the file
    /// is opened: the first adds either its own signals or, in newer Verilators, those of all models, and the other
    /// calls are then ignored.
    std::vector<std::function<void(VerilatedFstC&)>> models;
};

/// Fills in the functions of waveforms.
void add_wave_functions(isbesim_rtl_interface& table);
