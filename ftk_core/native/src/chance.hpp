// Random draws as in ftk_core/random_streams.py: each is a function of the seed and a label.
#pragma once
#include <charconv>
#include <optional>
#include <string_view>

#include "sha256.hpp"
#include "vec.hpp"

namespace ftk {

using Seed = std::array<std::uint8_t, 32>;

inline Seed seed_of(std::string_view text) {
    Sha256 hash;
    hash.update(text.data(), text.size());
    const auto words = hash.finish();
    Seed seed;
    for (std::size_t at = 0; at < 32; ++at) seed[at] = static_cast<std::uint8_t>(words[at / 4] >> (24 - 8 * (at % 4)));
    return seed;
}

// Sequential generator for play without a log (splitmix64 by Steele, Lea and Flood).
class FastRandom {
  public:
    explicit FastRandom(std::uint64_t seed = 0) : state_(seed) {}
    std::uint32_t word() {
        std::uint64_t mixed = (state_ += 0x9e3779b97f4a7c15);
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
        return static_cast<std::uint32_t>((mixed ^ (mixed >> 31)) >> 32);
    }
    // Uniform integer without bias, by one multiplication (Lemire 2019).
    std::uint32_t below(std::uint64_t bound) {
        std::uint64_t product = std::uint64_t{word()} * bound;
        if (auto low = static_cast<std::uint32_t>(product); low < bound) {
            const std::uint32_t least = static_cast<std::uint32_t>((std::uint64_t{1} << 32) % bound);
            while (low < least) {
                product = std::uint64_t{word()} * bound;
                low = static_cast<std::uint32_t>(product);
            }
        }
        return static_cast<std::uint32_t>(product >> 32);
    }

  private:
    std::uint64_t state_;
};

// Unbounded stream of random bits for one label; or the shared generator of play without a log.
class Draw {
  public:
    explicit Draw(FastRandom& generator) : generator_(&generator) {}
    Draw(const Seed& seed, std::string_view label) : stream_(std::in_place) {
        Sha256& prefix = stream_->prefix;
        prefix.update(seed.data(), seed.size());
        const char zero = 0;
        prefix.update(&zero, 1);
        prefix.update(label.data(), label.size());
        prefix.update(&zero, 1);
    }

    // A seed that the next eight words make.
    Seed seed() {
        Seed seed;
        for (std::size_t at = 0; at < seed.size(); at += 4) {
            const std::uint32_t word = below(std::uint64_t{1} << 32);
            for (std::size_t byte = 0; byte < 4; ++byte)
                seed[at + byte] = static_cast<std::uint8_t>(word >> (24 - 8 * byte));
        }
        return seed;
    }

    // Uniform integer in 0 <= x < bound.
    std::uint32_t below(std::uint64_t bound) {
        if (bound < 1 || bound > std::uint64_t{1} << 32) fail("a bound of a draw must lie in 1..2**32");
        return generator_ ? generator_->below(bound) : stream_.value().below(bound);
    }

    // Put the items into a uniformly random order (Fisher-Yates, from the end).
    template <class Items>
    void shuffle(Items& items) {
        for (int last = static_cast<int>(items.size()) - 1; last > 0; --last) {
            const auto other = static_cast<std::ptrdiff_t>(below(static_cast<std::uint64_t>(last) + 1));
            const auto kept = items[last];
            items[last] = items[other];
            items[other] = kept;
        }
    }

  private:
    // Words of SHA-256 over the seed, the label and the number of a block.
    struct Stream {
        Sha256 prefix;
        std::array<std::uint32_t, 8> words{};
        std::size_t used = 8;
        std::uint64_t block = 0;

        [[gnu::noinline]] std::uint32_t word() {
            if (used == 8) {
                Sha256 hash = prefix;
                std::uint8_t number[8];
                for (int at = 0; at < 8; ++at) number[at] = static_cast<std::uint8_t>(block >> (56 - 8 * at));
                hash.update(number, 8);
                words = hash.finish();
                used = 0;
                ++block;
            }
            return words[used++];
        }
        std::uint32_t below(std::uint64_t bound) {
            const std::uint64_t limit = (std::uint64_t{1} << 32) - (std::uint64_t{1} << 32) % bound;
            std::uint32_t drawn = word();
            while (drawn >= limit) drawn = word();
            return static_cast<std::uint32_t>(drawn % bound);
        }
    };
    FastRandom* generator_ = nullptr;
    std::optional<Stream> stream_;
};

// Part of a label: a word and a number.
struct Numbered {
    std::string_view word;
    std::int64_t number;
};

// Label of a draw: a purpose and numbers, joined by slashes.
class Label {
  public:
    template <class Part>
    void add(const Part& part) {
        if (size_) put("/");
        put(part);
    }
    std::string_view text() const { return {text_, size_}; }

  private:
    char text_[128];
    std::size_t size_ = 0;
    void put(std::string_view part) {
        if (size_ + part.size() > sizeof text_) fail("a label of a draw is too long");
        std::memcpy(text_ + size_, part.data(), part.size());
        size_ += part.size();
    }
    void put(std::int64_t number) {
        char digits[24];
        const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
        put(std::string_view(digits, static_cast<std::size_t>(end - digits)));
    }
    void put(const Numbered& part) {
        put(part.word);
        put(" ");
        put(part.number);
    }
};

// All randomness of one match, accessed by purpose; without a seed one fast generator serves all purposes.
class Chance {
  public:
    explicit Chance(const Seed& seed) : seed_(seed), labelled_(true) {}
    explicit Chance(std::uint64_t seed) : generator_(seed) {}

    template <class... Parts>
    Draw at(const Parts&... purpose) {
        if (!labelled_) return Draw(generator_);
        Label label;
        (label.add(purpose), ...);
        return Draw(seed_, label.text());
    }

    // Another source of the same kind, whose seed is drawn.
    Chance another(Draw& draw) const {
        if (labelled_) return Chance(draw.seed());
        const std::uint64_t high = draw.below(std::uint64_t{1} << 32);
        return Chance(high << 32 | draw.below(std::uint64_t{1} << 32));
    }

  private:
    Seed seed_{};
    bool labelled_ = false;
    FastRandom generator_{};
};

}  // namespace ftk
