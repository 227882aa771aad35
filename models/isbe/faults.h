// Planted faults: mistakes that the cross-check against the RTL must find, one at a time. They exist only in the
// libraries isbesim_faulty_core and isbesim_faulty_isbe, which define ISBESIM_FAULTS; elsewhere ISBESIM_FAULT(n) is
// `false` and leaves nothing behind.
#pragma once

#ifndef ISBESIM_FAULTS

#define ISBESIM_FAULT(n) false

#else

namespace isbesim {

/// Number of the fault at work, 0 for none. Set it before the ISBE is made: tables are filled in constructors.
inline int active_fault = 0;

struct planted_fault {
    int number;
    const char* description;
};

/// Numbers count from 1 without a gap.
inline constexpr planted_fault fault_list[] = {
    // Addresses, layout, maps and defaults
    {1, "a vector's components from the second on lie one rank further"},
    {2, "an access of two words is aligned like one of four"},
    {3, "a negative attribute address means address 0"},
    {4, "the vertex number equal to the vertex count is accepted"},
    {5, "the second group of 32 vertices starts one line early"},
    {6, "POSITION.w defaults to 0"},
    {7, "an enabled attribute is reached although it is not allocated"},
    {8, "a store dropped by the map reports nothing"},
    {9, "AL2P forgets the per-primitive bit"},
    {10, "a .PHYS rank beyond the allocated attributes is not refused"},
    {11, "the last scalar of a patch is out of range"},
    // Raw accesses and storage
    {12, "MAP writes run forwards"},
    {13, "a load that crosses into the next word loses the bytes from there"},
    {14, "a byte write also changes the byte above"},
    {15, "a store ignores that lane 31 is inactive"},
    {16, "the overwritten bit is reported for component 0 only"},
    {17, "among lanes that write one word the wrong one wins"},
    {18, "the loser of a write conflict is not told"},
    // Geometry state
    {19, "CUT with an empty strip marks the vertex again"},
    {20, "a change of stream does not start a new strip"},
    {21, "OUT takes the other slot order"},
    {22, "OUT works for lanes beyond the geometry threads"},
    // Passes
    {23, "lanes that share a word cost a pass of their own"},
    {24, "a component that is not enabled takes a pass"},
    // Descriptor and errors
    {25, "the number of geometry threads has five bits"},
    {26, "the output maps are read from the allocated set"},
    {27, "a slot bound again keeps the primitives of its lanes"},
    {28, "AST.P in a wrong stage has the error number of an encoding"},
    {29, "ISBEWR writes into the input space"},
    // Queues, grants and responses
    {30, "AL2P answers one cycle late"},
    {31, "a full set of responses does not hold back the next grant"},
    {32, "the two arbitration rules are swapped"},
    {33, "an operation can be granted in the cycle of its accept"},
    {34, "the request queue is one place deeper"},
    {35, "a response may follow the previous one in the same cycle"},
    {36, "an operation that finds another in the queue overtakes it"},
    {37, "the engine rests one cycle after every operation"},
    // Rules of stages
    {38, "CUT behind the last vertex that a thread may emit counts as one too many"},
    {39, "ALD reads the output space of a task stage"},
};

} // namespace isbesim

#define ISBESIM_FAULT(n) (::isbesim::active_fault == (n))

#endif
