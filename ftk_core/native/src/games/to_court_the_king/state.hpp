// State of To Court the King, as in ftk_core/games/to_court_the_king/table_state.py. All of it is public.
#pragma once
#include "dice.hpp"

namespace ftk::to_court {

enum class Step : std::uint8_t { window, aim, acquire, final, none };

using Characters = Set<Character, CHARACTER_COUNT>;
using Seats = Vec<Seat, SEAT_LIMIT>;
using Pile = std::pair<Character, std::int8_t>;

constexpr int index(Character card) { return static_cast<int>(card); }

struct State {
    std::int8_t seats = 0;
    Vec<Pile, DISPLAY_SIZE> display;
    Vec<Characters, SEAT_LIMIT> cards;
    Vec<std::int8_t, SEAT_LIMIT> charlatans;
    std::int16_t round = 0;
    Seat start = 0;
    Seats order;
    bool final = false, over = false, rolling = false;
    Dice active, aside;
    Vec<Character, CHARACTER_COUNT> used;
    std::optional<Character> using_;
    std::int8_t rolls = 0;
    bool may_roll = false;
    std::optional<Dice> result;
    std::optional<Seat> king, queen;
    BestSet best{0, 0}, claim{0, 0};
    Vec<std::optional<BestSet>, SEAT_LIMIT> finals;
    Seats rolled;
    std::optional<Seat> winner;
    FTK_FIELDS("", seats, display, cards, charlatans, round, start, order, final, over, rolling, active, aside, used,
               using_, rolls, may_roll, result, king, queen, best, claim, finals, rolled, winner)
};

// The kind of choice that is due; none if an automatic fact follows or the game is over.
inline Step step_of(const State& state) {
    if (state.over || state.order.empty()) return Step::none;
    if (state.result) return state.final ? Step::none : Step::acquire;
    if (state.using_) return Step::aim;
    if (state.rolling) return Step::window;
    return state.final ? Step::final : Step::none;
}

// The seat some steps clockwise from another.
inline Seat seat_after(const State& state, int seat, int steps) {
    if (state.seats < 2 || state.seats > SEAT_LIMIT) fail("impossible number of seats");
    return static_cast<Seat>((seat + steps) % state.seats);
}
inline Seat right_neighbour(const State& state, int seat) { return seat_after(state, seat, state.seats - 1); }

// The number of dice with which a seat begins its turn (T2, T3).
inline int start_dice(const State& state, int seat) {
    int count = START_DICE + state.charlatans[seat];
    for (const Character card : state.cards[seat]) count += MORE_START_DICE[index(card)];
    return std::clamp(count, 0, DICE);
}

// The copies of a character that are left in the display, which has the characters in their order.
template <class State>
auto& copies_in_display(State& state, Character card) {
    auto& [character, left] = state.display[index(card) - index(Character::farmer)];
    if (character != card) fail("impossible state: the display has another order");
    return left;
}

// The characters of which the display has a copy.
inline Characters list_displayed(const State& state) {
    Characters cards;
    for (const auto& [card, left] : state.display)
        if (left > 0) cards.add(card);
    return cards;
}

// True if a seat may take a character, given its own cards and the display (T1, T13, T14).
inline bool may_take(const State& state, int seat, Character card) {
    const Characters& own = state.cards[seat];
    if (card == Character::fool) return !own.contains(Character::fool);
    if (card == Character::charlatan) return own.contains(Character::fool);
    return !own.contains(card) && copies_in_display(state, card) > 0;
}

}  // namespace ftk::to_court

namespace ftk {
template <>
struct Names<to_court::Character> {
    static constexpr auto& names = to_court::CHARACTER_NAMES;
};
}  // namespace ftk
