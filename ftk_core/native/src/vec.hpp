// Sequences of bounded length that live inside a state, so that copying a state copies plain memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace ftk {

// Error with a message for the caller. Every input that is not possible by the rules ends in one, never in a crash.
struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

[[noreturn]] inline void fail(const char* message) { throw Error(message); }

// Sequence of at most N values. Every access is checked, because a state can come from outside.
template <class T, std::size_t N>
struct Vec {
    static constexpr std::size_t capacity = N;
    static constexpr bool is_short = sizeof(T) * N <= 64 && std::is_trivially_copyable_v<T>;
    std::conditional_t<N <= UINT8_MAX, std::uint8_t, std::uint16_t> length = 0;
    T items[N] = {};

    constexpr Vec() = default;
    constexpr Vec(std::size_t count, T value) {
        for (std::size_t at = 0; at < count; ++at) push(value);
    }

    constexpr int size() const { return length; }
    constexpr bool empty() const { return length == 0; }
    constexpr void clear() { length = 0; }
    constexpr T* begin() { return items; }
    constexpr T* end() { return items + length; }
    constexpr const T* begin() const { return items; }
    constexpr const T* end() const { return items + length; }

    constexpr T& operator[](std::ptrdiff_t at) {
        if (at < 0 || at >= length) fail("index out of range");
        return items[at];
    }
    constexpr const T& operator[](std::ptrdiff_t at) const { return const_cast<Vec&>(*this)[at]; }
    constexpr T& back() { return (*this)[length - 1]; }
    constexpr const T& back() const { return (*this)[length - 1]; }

    constexpr void push(const T& value) { push<const T&>(value); }
    // A value is made in its place, as a copy of what was just written has to wait for it.
    template <class From>
    constexpr void push(From&& from) {
        static_assert(std::is_trivially_destructible_v<T>);
        if (length == N) fail("more values than the rules allow");
        std::construct_at(items + length, std::forward<From>(from));
        ++length;
    }
    // Push what a function returns.
    template <class Make>
    void push_result(Make&& make) {
        if (length == N) fail("more values than the rules allow");
        new (items + length) T(make());
        ++length;
    }
    constexpr T pop() {
        T last = back();
        --length;
        return last;
    }
    constexpr T pop_front() {
        T first = (*this)[0];
        erase(0);
        return first;
    }
    constexpr void erase(int at) {
        (void)(*this)[at];
        for (int next = at + 1; next < length; ++next) items[next - 1] = items[next];
        --length;
    }
    // Remove the first equal value.
    constexpr void remove(const T& value) {
        const int at = index_of(value);
        if (at < 0) fail("a value to remove is missing");
        erase(at);
    }
    constexpr int index_of(const T& value) const {
        for (int at = 0; at < length; ++at)
            if (items[at] == value) return at;
        return -1;
    }
    constexpr bool contains(const T& value) const { return index_of(value) >= 0; }
    template <class Other>
    constexpr void extend(const Other& more) {
        for (const auto& value : more) push(value);
    }
    // Insertion sort: the sequences are short.
    constexpr void sort() {
        for (int at = 1; at < length; ++at) {
            const T value = items[at];
            int hole = at;
            for (; hole > 0 && value < items[hole - 1]; --hole) items[hole] = items[hole - 1];
            items[hole] = value;
        }
    }
    // A short sequence is copied as plain memory. Of a long one the used part is copied: most are far from full.
    constexpr Vec(const Vec& other) requires is_short = default;
    constexpr Vec& operator=(const Vec& other) requires is_short = default;
    constexpr Vec(const Vec& other) : length(other.length) {
        for (int at = 0; at < length; ++at) items[at] = other.items[at];
    }
    constexpr Vec& operator=(const Vec& other) {
        length = other.length;
        for (int at = 0; at < length; ++at) items[at] = other.items[at];
        return *this;
    }
    friend constexpr bool operator==(const Vec& one, const Vec& other) {
        if (one.length != other.length) return false;
        for (int at = 0; at < one.length; ++at)
            if (!(one.items[at] == other.items[at])) return false;
        return true;
    }
};

}  // namespace ftk
