// SPDX-License-Identifier: Apache-2.0
// A first-in first-out queue that stops allocating once it has grown to its working size, with access by position.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace isbesim {

template <typename T>
class ring {
public:
    explicit ring(std::size_t expected = 8)
    {
        std::size_t capacity = 1;
        while (capacity < expected) capacity *= 2;
        slots_.resize(capacity);
        last_ = capacity - 1;
    }

    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }
    /// Position 0 is the oldest element.
    T& operator[](std::size_t position) { return slots_[(first_ + position) & last_]; }
    const T& operator[](std::size_t position) const { return slots_[(first_ + position) & last_]; }
    T& front() { return slots_[first_]; }
    const T& front() const { return slots_[first_]; }
    T& back() { return (*this)[size_ - 1]; }

    /// `value` must not be an element of the queue.
    void push(const T& value)
    {
        if (size_ > last_) grow();
        (*this)[size_++] = value;
    }
    void push(T&& value)
    {
        if (size_ > last_) grow();
        (*this)[size_++] = std::move(value);
    }
    void pop()
    {
        first_ = (first_ + 1) & last_;
        --size_;
    }

private:
    void grow()
    {
        std::vector<T> larger(2 * slots_.size());
        for (std::size_t i = 0; i < size_; ++i) larger[i] = std::move((*this)[i]);
        slots_ = std::move(larger);
        first_ = 0;
        last_ = slots_.size() - 1;
    }

    std::vector<T> slots_; // a power of two
    std::size_t last_ = 0; // the highest slot's number: vector::size() would divide by the size of T
    std::size_t first_ = 0;
    std::size_t size_ = 0;
};

} // namespace isbesim
