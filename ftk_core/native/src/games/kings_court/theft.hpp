// Rules of the diamond theft (K2-K6), as in ftk_core/games/kings_court/theft_rules.py.
#pragma once
#include "menu.hpp"

namespace ftk::kings_court {

// Nothing first, then every kind of card in the box (K2).
inline void list_dismissals(const State& state, Menu& menu) {
    menu.push(Dismiss{});
    for (const Card card : kinds_of(state.box.cards)) menu.push(Dismiss{card});
}

// The fumble first (K6); only nothing if the box is empty (K4). The last seat may take nothing (K5).
inline void list_shares(const State& state, Menu& menu) {
    const Box& box = state.box;
    if (box.empty()) return menu.push(Help{});
    menu.push(Fumble{});
    for (Count diamonds = 1; diamonds <= box.diamonds; ++diamonds) menu.push(Help{diamonds, {}, false});
    for (const Card card : kinds_of(box.cards)) menu.push(Help{0, card, false});
    for (Count diamonds = 0; box.fake && diamonds <= box.diamonds; ++diamonds) menu.push(Help{diamonds, {}, true});
    if (state.at == state.seats - 1) menu.push(Help{});
}

inline void apply(State& state, const DiamondsHidden& fact) {
    state.hidden = fact.count.value_or(0);
    state.box.diamonds = static_cast<Count>(DIAMONDS - *state.hidden);
    state.at = 1;
}
inline void apply(State& state, const BoxReceived& fact) {
    state.looked = true;
    state.arrivals[fact.seat] = state.box;
}
inline void apply(State& state, const BoxConsidered& fact) {
    state.considered = true;
    state.dismissed = fact.card;
    state.box.remove({0, fact.card, false});
}

// After the last subject the box returns to the King.
inline void pass_box_on(State& state) {
    state.at = state.at + 1 == state.seats ? Seat{0} : static_cast<Seat>(state.at + 1);
    state.looked = false;
}
inline void apply(State& state, const ShareTaken& fact) {
    const Take take{fact.diamonds.value_or(0), fact.card, fact.fake.value_or(false)};
    state.box.remove(take);
    state.takes[fact.seat] = take;
    pass_box_on(state);
}
inline void apply(State& state, const Fumbled& fact) {  // K6
    state.fumbled[fact.seat] = state.exiled[fact.seat] = state.revealed[fact.seat] = true;
    pass_box_on(state);
}

}  // namespace ftk::kings_court
