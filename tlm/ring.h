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
    }

    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }
    /// 0 is the oldest.
    T& operator[](std::size_t position) { return slots_[(first_ + position) & (slots_.size() - 1)]; }
    const T& operator[](std::size_t position) const { return slots_[(first_ + position) & (slots_.size() - 1)]; }
    T& front() { return slots_[first_]; }
    const T& front() const { return slots_[first_]; }
    T& back() { return (*this)[size_ - 1]; }

    void push(T value)
    {
        if (size_ == slots_.size()) grow();
        (*this)[size_++] = std::move(value);
    }
    void pop()
    {
        first_ = (first_ + 1) & (slots_.size() - 1);
        --size_;
    }

private:
    void grow()
    {
        std::vector<T> larger(2 * slots_.size());
        for (std::size_t i = 0; i < size_; ++i) larger[i] = std::move((*this)[i]);
        slots_ = std::move(larger);
        first_ = 0;
    }

    std::vector<T> slots_; // a power of two
    std::size_t first_ = 0;
    std::size_t size_ = 0;
};

} // namespace isbesim
