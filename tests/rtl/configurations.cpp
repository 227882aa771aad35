#include "configurations.h"

#include "Visbe_largest.h"
#include "Visbe_line.h"
#include "Visbe_machine.h"
#include "Visbe_other.h"
#include "Visbe_smallest.h"

namespace rtl {

std::unique_ptr<block> make_machine()
{
    return std::make_unique<verilated_block<Visbe_machine>>(2);
}

std::unique_ptr<block> make_other()
{
    return std::make_unique<verilated_block<Visbe_other>>(2);
}

std::unique_ptr<block> make_line()
{
    return std::make_unique<verilated_block<Visbe_line>>(1);
}

std::unique_ptr<block> make_smallest()
{
    return std::make_unique<verilated_block<Visbe_smallest>>(1);
}

std::unique_ptr<block> make_largest()
{
    return std::make_unique<verilated_block<Visbe_largest>>(2);
}

} // namespace rtl
