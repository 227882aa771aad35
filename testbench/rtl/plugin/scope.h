// The waveform's half of a plug-in: interface_scope.sv and the FST file. Compiled once for all plug-ins.
#pragma once

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
};

/// Fills in the functions of waveforms.
void add_wave_functions(isbesim_rtl_interface& table);
