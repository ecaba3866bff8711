// Rules of phase 1, Share Influence, and of King cards (F1-F11).
#pragma once
#include "facts.hpp"

namespace ftk::king {

inline void gain_card(State& state, int seat, Card card) {
    state.hands[seat].push(card);
    state.known[seat].push(card);
    state.dealings.push({static_cast<Seat>(seat), Change::gained, card, 0});
}

inline void apply(State& state, const DeckShuffled& fact) {
    state.deck = fact.deck;
    state.removed = fact.removed;
}
inline void apply(State& state, const DeckPassed& fact) {
    state.adviser = fact.seat;
    state.kept = state.stashed = false;
    state.shown = 0;
}
inline void apply(State& state, const CardDrawn& fact) {
    state.drawn = fact.card;
    state.deck.erase(0);
}
inline void apply(State& state, const CardKept& fact) {
    state.drawn.reset();
    state.kept = true;
    state.hands[fact.seat].push(fact.card);
    state.dealings.push({fact.seat, Change::kept, {}, 0});
}
inline void apply(State& state, const CardShown& fact) {
    state.drawn.reset();
    ++state.shown;
    state.middle.push(fact.card);
}
// The owner of a card on the Favor deck remembers it (F9).
inline void apply(State& state, const CardFavored& fact) {
    state.drawn.reset();
    state.stashed = true;
    state.favor.push(fact.card);
    for (int at = state.favor.size() - 1; at > 0; --at) state.favor[at] = state.favor[at - 1];
    state.favor[0] = fact.card;
    state.favored[fact.seat].push(fact.card);
}
// A King in the Adviser's own area awaits its decree (F7).
inline void apply(State& state, const KingRevealed& fact) {
    state.drawn.reset();
    state.kept = true;
    state.king = fact.card;
    state.king_seat = fact.seat;
}
inline void apply(State& state, const CardTaken& fact) {
    state.middle.remove(fact.card);
    if (!is_king(fact.card)) return gain_card(state, fact.seat, fact.card);
    state.king = fact.card;
    state.king_seat = fact.seat;
}
inline void apply(State& state, const Decreed& fact) {
    for (const Office office : fact.up)
        if (static_cast<int>(office) < state.duties.size()) ++state.duties[static_cast<int>(office)];
    for (const Office office : fact.down)
        if (static_cast<int>(office) < state.duties.size()) --state.duties[static_cast<int>(office)];
    state.king.reset();
    state.discards.push(fact.card);
}
inline void apply(State& state, const KingIdle& fact) {
    state.king.reset();
    state.discards.push(fact.card);
}

// Every decree that a King card allows, by office; those that raise a duty come before those that lower it. A duty at
// its limit cannot be moved further (F1), and a card does as much of its effect as is possible (F3, F4).
template <class Add>
void list_decrees(King king, const Duties& duties, Add&& add) {
    Vec<Office, OFFICE_COUNT> ups, downs;
    for (int office = 0; office < duties.size(); ++office) {
        if (duties[office] < MAX_DUTY) ups.push(static_cast<Office>(office));
        if (duties[office] > MIN_DUTY) downs.push(static_cast<Office>(office));
    }
    const auto raise = [](auto... offices) {
        Decree decree;
        (decree.up.push(offices), ...);
        return decree;
    };
    const auto lower = [](auto... offices) {
        Decree decree;
        (decree.down.push(offices), ...);
        return decree;
    };
    const auto pairs = [&](const auto& offices, const auto& make) {
        if (offices.size() == 1) add(make(offices[0]));
        for (int one = 0; one < offices.size(); ++one)
            for (int other = one + 1; other < offices.size(); ++other) add(make(offices[one], offices[other]));
    };
    if (king == P || king == PM)
        for (const Office office : ups) add(raise(office));
    if (king == M || king == PM || (king == MIX && ups.empty()))
        for (const Office office : downs) add(lower(office));
    if (king == PP) pairs(ups, raise);
    if (king == MM) pairs(downs, lower);
    if (king == MIX)
        for (const Office up : ups) {
            bool mixed = false;
            for (const Office down : downs)
                if (down != up) {
                    Decree decree = raise(up);
                    decree.down.push(down);
                    add(decree);
                    mixed = true;
                }
            if (!mixed) add(raise(up));
        }
}

inline bool has_decree(King king, const Duties& duties) {
    bool can_rise = false, can_fall = false;
    for (const int duty : duties) {
        can_rise |= duty < MAX_DUTY;
        can_fall |= duty > MIN_DUTY;
    }
    if (king == P || king == PP) return can_rise;
    if (king == M || king == MM) return can_fall;
    return can_rise || can_fall;
}

}  // namespace ftk::king
