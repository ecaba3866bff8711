// Sets of small numbers and of the values of enumerations: one bit for each, in ascending order.
#pragma once
#include <bit>
#include <initializer_list>

#include "vec.hpp"

namespace ftk {

template <class T, int N>
class Set {
    static_assert(N <= 32);

  public:
    struct Iterator {
        std::uint32_t bits;
        constexpr T operator*() const { return static_cast<T>(std::countr_zero(bits)); }
        constexpr Iterator& operator++() {
            bits &= bits - 1;
            return *this;
        }
        constexpr bool operator==(const Iterator&) const = default;
    };

    constexpr Set() = default;
    constexpr Set(std::initializer_list<T> values) {
        for (const T value : values) add(value);
    }
    explicit constexpr Set(const Vec<T, N>& values) {
        for (const T value : values) add(value);
    }
    constexpr Iterator begin() const { return {bits_}; }
    constexpr Iterator end() const { return {0}; }
    constexpr int size() const { return std::popcount(bits_); }
    constexpr bool empty() const { return bits_ == 0; }
    constexpr bool has_one() const { return bits_ != 0 && (bits_ & (bits_ - 1)) == 0; }
    constexpr void clear() { bits_ = 0; }
    constexpr bool contains(T value) const { return is_possible(value) && bits_ >> static_cast<int>(value) & 1; }
    // The lowest value has index 0.
    constexpr T operator[](int at) const {
        Iterator one = begin();
        for (; at > 0 && one.bits; --at) ++one;
        if (at < 0 || !one.bits) fail("index out of range");
        return *one;
    }
    constexpr void add(T value) {
        if (!is_possible(value)) fail("no possible value of a set");
        bits_ |= bit(value);
    }
    constexpr void remove(T value) {
        if (!contains(value)) fail("a value to remove is missing");
        bits_ &= ~bit(value);
    }
    // Remove a value if it is there.
    constexpr void discard(T value) {
        if (contains(value)) bits_ &= ~bit(value);
    }
    constexpr Set operator&(Set other) const { return Set(bits_ & other.bits_); }
    constexpr Set operator-(Set other) const { return Set(bits_ & ~other.bits_); }
    constexpr bool operator==(const Set&) const = default;

    constexpr Vec<T, N> list() const {
        Vec<T, N> values;
        values.extend(*this);
        return values;
    }

  private:
    std::uint32_t bits_ = 0;
    explicit constexpr Set(std::uint32_t bits) : bits_(bits) {}
    static constexpr bool is_possible(T value) { return static_cast<int>(value) >= 0 && static_cast<int>(value) < N; }
    static constexpr std::uint32_t bit(T value) { return std::uint32_t{1} << static_cast<int>(value); }
};

}  // namespace ftk
