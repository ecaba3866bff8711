// Scoring at the end of the game: award of the duties, points and winner (F25-F32).
#pragma once
#include "esteem.hpp"

namespace ftk::king {

constexpr char NO_LETTER = 'Z';

struct OfficeStanding {
    int total = 0, count = 0;
    char letter = NO_LETTER;
};

inline OfficeStanding office_standing(const Hand& hand, int office) {
    OfficeStanding standing;
    for (const Card card : hand)
        if (office_of(card) == office) {
            standing.total += value_of(card);
            ++standing.count;
            standing.letter = std::min(standing.letter, CARD_LETTERS[index(card)]);
        }
    return standing;
}

struct Council {
    Holders primaries, secondaries;
};

// By office the seats with the Primary and the Secondary Duty. A seat needs a card of the office to get one (F26).
inline Council award_duties(const State& state) {
    Council council;
    for (int office = 0; office < (state.seats == 5 ? 6 : 5); ++office) {
        Vec<std::tuple<int, char, Seat>, 5> ranked;
        for (int seat = 0; seat < state.hands.size(); ++seat) {
            const OfficeStanding standing = office_standing(state.hands[seat], office);
            if (standing.count) ranked.push({-standing.total, standing.letter, static_cast<Seat>(seat)});
        }
        ranked.sort();
        const bool second = ranked.size() > 1 && secondary_duty(state.duties[office], state.seats) > 0;
        council.primaries.push(ranked.empty() ? std::nullopt : std::optional(std::get<2>(ranked[0])));
        council.secondaries.push(second ? std::optional(std::get<2>(ranked[1])) : std::nullopt);
    }
    return council;
}

using Points = Vec<std::int32_t, MAX_SEATS>;

inline Points victory_points(const State& state, const Holders& primaries, const Holders& secondaries) {
    Points points(static_cast<std::size_t>(state.seats), 0);
    for (int office = 0; office < primaries.size(); ++office) {
        if (const auto one = primaries[office]) points[*one] += state.duties[office];
        if (const auto two = secondaries[office]) points[*two] += secondary_duty(state.duties[office], state.seats);
    }
    return points;
}

// Points, then gold, then by office the number of cards and the best letter (F29).
inline Result result(const State& state) {
    using Key = std::array<int, 2 + 2 * OFFICE_COUNT>;
    Result result;
    result.scores = victory_points(state, state.primaries, state.secondaries);
    Vec<Key, MAX_SEATS> keys;
    for (int seat = 0; seat < state.hands.size(); ++seat) {
        Key key{result.scores[seat], gold_in(state.hands[seat])};
        for (std::size_t office = 0; office < OFFICE_COUNT; ++office) {
            const OfficeStanding standing = office_standing(state.hands[seat], static_cast<int>(office));
            key[2 + 2 * office] = standing.count;
            key[3 + 2 * office] = -standing.letter;
        }
        keys.push(key);
    }
    result.places = rank_by_keys(keys);
    return result;
}

}  // namespace ftk::king
