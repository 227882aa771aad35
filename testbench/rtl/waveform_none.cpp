// Stands in for waveform.cpp in a build without the RTL.
#include <stdexcept>

#include "testbench/rtl/waveform.h"

namespace isbesim::testbench {

class waveform::writer {};

waveform::waveform(const std::string&, const cycle_clock&, window)
{
    throw std::invalid_argument("this build writes no waveforms, expected one with ISBESIM_RTL=ON");
}

waveform::~waveform() = default;
void waveform::watch(isbe_module&, bool) {}
void waveform::dump(std::uint64_t, half) {}
void waveform::finish_before(std::uint64_t) {}
void waveform::close() {}

} // namespace isbesim::testbench
