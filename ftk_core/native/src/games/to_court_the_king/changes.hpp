// Effect of each fact, as in ftk_core/games/to_court_the_king/state_transitions.py.
#pragma once
#include "facts.hpp"

namespace ftk::to_court {

inline void apply(State& state, const RoundBegan& fact) {
    state.round = fact.round;
    state.start = fact.seat;
    state.order.clear();
    for (int step = 0; step < state.seats; ++step) state.order.push(seat_after(state, fact.seat, step));
}
// The Queen's holder rolls last (T18).
inline void apply(State& state, const FinalBegan& fact) {
    state.round = fact.round;
    state.final = true;
    state.order.clear();
    for (int step = 0; step < state.seats; ++step)
        if (const Seat seat = seat_after(state, fact.seat, step); seat != state.queen) state.order.push(seat);
    if (state.queen) state.order.push(*state.queen);
    state.finals = {static_cast<std::size_t>(state.seats), std::nullopt};
}
// At least one die must be set aside before the next roll.
inline void apply(State& state, const DiceRolled& fact) {
    state.rolling = true;
    state.active = Dice(fact.faces);
    ++state.rolls;
    state.may_roll = false;
}
inline void apply(State& state, const CardUsed& fact) {
    state.used.push(fact.card);
    state.using_ = fact.card;
}
// This does not count as setting a die aside (T7).
inline void apply(State& state, const DiceChanged& fact) {
    state.active -= fact.before;
    state.active += Dice(fact.after);
    state.using_.reset();
}
inline void apply(State& state, const DiceSetAside& fact) {
    state.active -= fact.faces;
    state.aside += fact.faces;
    state.may_roll = true;
}
inline void apply(State& state, const RollingEnded& fact) { state.result = fact.faces; }

// The dice return, the characters are refreshed, and the next seat follows.
inline void end_turn(State& state) {
    state.order.pop_front();
    state.rolling = state.may_roll = false;
    state.active = state.aside = {};
    state.used.clear();
    state.using_.reset();
    state.rolls = 0;
    state.result.reset();
}

// A Charlatan is a Fool turned over (T1).
inline void apply(State& state, const CardAcquired& fact) {
    Characters& own = state.cards[fact.seat];
    if (fact.card == Character::charlatan) {
        own.remove(Character::fool);
        ++state.charlatans[fact.seat];
    } else {
        own.add(fact.card);
        if (fact.card != Character::fool) --copies_in_display(state, fact.card);
    }
    end_turn(state);
}
inline void apply(State& state, const NothingAcquired&) { end_turn(state); }
// The result is the one to beat (T16).
inline void apply(State& state, const KingClaimed& fact) {
    state.king = state.queen = fact.seat;
    state.claim = state.best = {fact.count, fact.value};
    --copies_in_display(state, Character::king);
    end_turn(state);
}
// The seat in the lead holds the King card.
inline void apply(State& state, const FinalRolled& fact) {
    const BestSet record{fact.count, fact.value};
    state.finals[fact.seat] = record;
    state.rolled.push(fact.seat);
    end_turn(state);
    if (!fact.ahead) return;
    state.king = fact.seat;
    state.best = record;
}
inline void apply(State& state, const Conceded&) { end_turn(state); }
inline void apply(State& state, const CourtDecided& fact) {
    state.over = true;
    state.winner = fact.seat;
}

}  // namespace ftk::to_court
