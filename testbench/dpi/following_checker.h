// Modes "latency" and "order": the timed model follows the block, whatever its cycles.
#pragma once

#include <deque>

#include "models/isbe/timing/clocked_isbe.h"
#include "testbench/dpi/block_checker.h"
#include "testbench/dpi/latency_statistics.h"
#include "testbench/dpi/response_watch.h"

namespace isbesim::testbench {

/// The model gets each request in the cycle in which the block took it, or as soon after it as it takes it; and holds
/// each response for as many cycles as it was held at the block. As that is known late, the model's cycles run behind.
/// Its grants are the order in which operations are carried out; data, status, error and passes are compared.
class following_checker : public block_checker {
public:
    /// `order`: responses appear in the order of the model's, across the ports too.
    following_checker(const isbe_config& config, bool order);

protected:
    void look(const std::vector<seen_port>& ports) override;
    void look_in_reset() override;
    void end(bool idle) override;
    std::string both_states() const override;

private:
    struct request {
        warp_op op;
        std::uint64_t cycle = 0; ///< of its transfer
    };
    struct answer {
        warp_result result;
        std::uint64_t cycle = 0; ///< from which on it was valid
    };
    struct port_state {
        // The block's.
        std::deque<warp_op> under_way; ///< accepted, responses not compared
        std::deque<answer> answers;    ///< transferred, not compared
        response_watch channel;
        std::uint64_t numbers = 0; ///< compared
        std::uint64_t accepted = 0;
        std::uint64_t answered = 0;
        // The model's.
        std::deque<request> offered;     ///< accepted by the block, not by the model yet
        std::deque<std::uint64_t> holds; ///< cycles between valid and transfer, of responses to come
        std::deque<answer> predictions;  ///< not compared
        bool responding = false;
        std::uint64_t since = 0;
    };

    void see(unsigned port, const seen_port& seen);
    /// Steps the model through the cycles before `cycle`, as far as holds are known; `all`: an unknown one has no end.
    void follow(std::uint64_t cycle, bool all);
    bool begin_model_cycle(bool all);
    bool step(bool all);
    void compare(unsigned port);
    void compare_order();

    clocked_isbe model_;
    std::vector<port_state> ports_;
    bool order_;
    std::deque<unsigned> block_order_, model_order_; ///< ports by the first cycle of each response
    latency_statistics statistics_;
    std::uint64_t compared_ = 0;
};

} // namespace isbesim::testbench
