// Compiled into the plug-in of the block with faults (isbe_pkg.sv): which fault is at work, 0 for none.
#include <cstdlib>

extern "C" int isbesim_rtl_fault()
{
    const char* const number = std::getenv("ISBESIM_RTL_FAULT");
    return number != nullptr ? std::atoi(number) : 0;
}
