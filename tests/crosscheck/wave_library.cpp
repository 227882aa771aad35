// Verilator's copy of the FST library, to read waveforms again (wave_reader.h).
#define FST_CONFIG_INCLUDE "fst_config.h"
// clang-format off: each part needs what those before it declare
#include "gtkwave/fastlz.c"
#include "gtkwave/fstapi.c"
#include "gtkwave/lz4.c"
