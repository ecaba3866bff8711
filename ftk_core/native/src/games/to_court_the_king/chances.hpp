// Chances of a turn in which at least one die is set aside after each roll, as in
// ftk_core/games/to_court_the_king/dice_probabilities.py.
#pragma once
#include "box.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace ftk::to_court {

// By number the chance that so many of the dice end with one wanted face, times -1: so that CERTAIN fits into
// 16 bits. The length is a multiple of what a register holds.
constexpr std::size_t HITS = 16;
static_assert(HITS > DICE && CERTAIN <= 32768);
using NegativeChances = std::array<std::int16_t, HITS>;

// The sum of `chances[n] * values[n]`.
inline int sum_of_products(const NegativeChances& chances, const std::int16_t* values) {
#ifdef __SSE2__
    __m128i sums = _mm_setzero_si128();
    for (std::size_t at = 0; at < HITS; at += 8)
        sums = _mm_add_epi32(sums, _mm_madd_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(chances.data() + at)),
                                                  _mm_loadu_si128(reinterpret_cast<const __m128i*>(values + at))));
    sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, _MM_SHUFFLE(1, 0, 3, 2)));
    return _mm_cvtsi128_si32(_mm_add_epi32(sums, _mm_shuffle_epi32(sums, _MM_SHUFFLE(2, 3, 0, 1))));
#else
    int sum = 0;
    for (std::size_t at = 0; at < HITS; ++at) sum += chances[at] * values[at];
    return sum;
#endif
}

class Chances {
  public:
    static constexpr int MAX_SAVERS = std::size(SAVERS), MAX_MISSING = 6, MAX_PIPS = 30;
    std::array<std::array<NegativeChances, MAX_SAVERS + 1>, DICE + 1> hits{};
    // The chance that the dice show a number of different faces, each at least once.
    std::array<std::array<std::int32_t, MAX_MISSING + 1>, DICE + 1> faces{};
    // The chance that the dice reach a number of pips if every 6 is set aside, or else the highest die.
    std::array<std::array<std::int32_t, MAX_PIPS + 1>, DICE + 1> pips{};

    Chances() {
        for (int dice = 0; dice <= DICE; ++dice) {
            for (int savers = 0; savers <= MAX_SAVERS; ++savers) count_hits(dice, savers);
            for (int missing = 0; missing <= MAX_MISSING; ++missing) faces[at(dice)][at(missing)] = find(dice, missing);
            for (int wanted = 0; wanted <= MAX_PIPS; ++wanted) pips[at(dice)][at(wanted)] = add_up(dice, wanted);
        }
    }

  private:
    static constexpr std::size_t at(int index) { return static_cast<std::size_t>(index); }
    static constexpr std::int64_t power(std::int64_t base, int exponent) {
        return exponent ? base * power(base, exponent - 1) : 1;
    }
    static constexpr std::int64_t choose(int dice, int some) {
        std::int64_t ways = 1;
        for (int one = 0; one < some; ++one) ways = ways * (dice - one) / (one + 1);
        return ways;
    }
    // The part of a chance that is due to some of the ways in which the dice can fall.
    static constexpr std::int32_t part(std::int64_t ways, int dice, std::int32_t chance) {
        return static_cast<std::int32_t>(ways * chance / power(MAX_FACE, dice));
    }
    constexpr void count_hits(int dice, int savers) {
        auto& chances = hits[at(dice)][at(savers)];
        if (dice == 0) chances[0] = -CERTAIN;
        for (int hit = 0; hit <= dice && dice; ++hit) {
            const int saved = hit ? 0 : std::min(savers, 1), rest = dice - std::max(hit, 1);
            const std::int64_t ways = choose(dice, hit) * power(MAX_FACE - 1, dice - hit);
            for (int more = 0; more <= rest; ++more)
                chances[at(hit + saved + more)] -=
                    static_cast<std::int16_t>(part(ways, dice, -hits[at(rest)][at(savers - saved)][at(more)]));
        }
    }
    // Number of ways in which a roll shows `hit` of the missing faces, by inclusion and exclusion.
    static constexpr std::int64_t ways_to_find(int dice, int missing, int hit) {
        std::int64_t ways = 0;
        for (int out = 0; out <= hit; ++out)
            ways += (out % 2 ? -1 : 1) * choose(hit, out) * power(MAX_FACE - missing + hit - out, dice);
        return choose(missing, hit) * ways;
    }
    constexpr std::int32_t find(int dice, int missing) const {
        if (missing == 0 || missing > dice) return missing ? 0 : CERTAIN;
        std::int32_t chance = 0;
        for (int hit = 0; hit <= missing; ++hit) {
            const std::int32_t rest = faces[at(dice - std::max(hit, 1))][at(missing - hit)];
            chance += part(ways_to_find(dice, missing, hit), dice, rest);
        }
        return chance;
    }
    constexpr std::int32_t add_up(int dice, int wanted) const {
        if (wanted == 0 || dice == 0) return wanted ? 0 : CERTAIN;
        std::int32_t chance = 0;
        for (int sixes = 0; sixes <= dice; ++sixes) {
            const int left = std::max(0, wanted - (sixes ? MAX_FACE * sixes : PIPS_OF_A_MISS));
            chance += part(choose(dice, sixes) * power(MAX_FACE - 1, dice - sixes), dice,
                           pips[at(dice - std::max(sixes, 1))][at(left)]);
        }
        return chance;
    }
};
inline const Chances CHANCES;

}  // namespace ftk::to_court
