// Value of a position between two turns: the share of opponents that a seat is expected to finish ahead of if all play on by
// the policy of quick.hpp. A small network estimates it for each opponent from the characters, the round and the order.
#pragma once
#include <cmath>

#include "value_weights.hpp"

namespace ftk::to_court {

// Inputs of the network: by character whether the seat has it, whether the opponent has it, and how many others have it;
// then the numbers in the order of `list_inputs`.
struct ValueInputs {
    std::array<float, VALUE_INPUTS> values{};

    ValueInputs(const State& state, int seat, int opponent) {
        for (int other = 0; other < state.seats; ++other) {
            const int block = other == seat ? 0 : other == opponent ? 1 : 2;
            for (const Character card : state.cards[other])
                ++values[static_cast<std::size_t>(block * CHARACTER_COUNT + index(card))];
        }
        const int when = state.order.index_of(static_cast<Seat>(seat));
        const int opponent_when = state.order.index_of(static_cast<Seat>(opponent));
        const std::array<int, VALUE_NUMBERS> numbers = {
            state.charlatans[seat], state.charlatans[opponent], state.round,
            state.seats, when >= 0, opponent_when >= 0, when >= 0 && when < opponent_when};
        for (std::size_t at = 0; at < numbers.size(); ++at)
            values[3 * CHARACTER_COUNT + at] = static_cast<float>(numbers[at]);
    }
};

// Chance to finish ahead of an opponent.
inline double estimate_chance(const ValueInputs& inputs) {
    std::array<float, VALUE_UNITS> units = VALUE_BIASES;
    float sum = VALUE_BIAS;
    for (std::size_t input = 0; input < VALUE_INPUTS; ++input) {
        const float value = inputs.values[input];
        if (value == 0) continue;
        sum += value * VALUE_DIRECT[input];
        for (std::size_t unit = 0; unit < VALUE_UNITS; ++unit) units[unit] += value * VALUE_WEIGHTS[input][unit];
    }
    for (std::size_t unit = 0; unit < VALUE_UNITS; ++unit)
        if (units[unit] > 0) sum += units[unit] * VALUE_OUTPUTS[unit];
    const double z = sum;
    return 0.5 + 0.5 * z / std::sqrt(1 + z * z);
}

inline double estimate_share(const State& state, int seat) {
    double total = 0;
    for (int opponent = 0; opponent < state.seats; ++opponent)
        if (opponent != seat) total += estimate_chance(ValueInputs(state, seat, opponent));
    return total / (state.seats - 1);
}

}  // namespace ftk::to_court
