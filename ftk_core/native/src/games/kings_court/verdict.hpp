// Rules of accusations, endings and winners, as in ftk_core/games/kings_court/accusation_rules.py.
#pragma once
#include "talk.hpp"

namespace ftk::kings_court {

// With a Guard in play, all others are asked whether they cry HAULT (K27).
inline void apply(State& state, const Accused& fact) {
    state.accused = fact.seat;
    state.accusations.push({fact.seat, static_cast<Count>(state.said.size())});
    state.window.clear();
    state.shout.reset();
    if (!is_guard_in_play(state)) return;
    state.window = list_subjects(state);
    state.window.discard(fact.seat);
}
inline void apply(State& state, const StoodBy& fact) { state.window.discard(fact.seat); }
inline void apply(State& state, const Halted& fact) {
    state.window.discard(fact.seat);
    state.shout = fact.seat;
}
inline void apply(State& state, const PrincessCourted& fact) { state.tied = fact.between; }
// The accused stays in the game and can be accused again (K12).
inline void apply(State& state, const FakeShown& fact) {
    state.fake_shown[fact.seat] = true;
    state.accused.reset();
    open_floor(state);
}
// Diamonds go to the King.
inline void apply(State& state, const PocketsEmptied& fact) {
    state.revealed[fact.seat] = true;
    state.accused.reset();
    state.shout.reset();
    state.recovered = static_cast<Count>(state.recovered + fact.take.diamonds);
    if (fact.exiled) state.exiled[fact.seat] = true;
    open_floor(state);
}
inline void apply(State& state, const GiftGiven&) { --state.gifts; }
inline void apply(State& state, const Exiled& fact) { state.exiled[fact.seat] = state.revealed[fact.seat] = true; }
inline void apply(State& state, const CourtClosed& fact) {
    state.ending = fact.ending;
    state.winners = fact.winners;
    state.floor.clear();
    state.accused.reset();
    state.window.clear();
    state.tied.clear();
}

inline SeatFlags no_winners(const State& state) { return {static_cast<std::size_t>(state.takes.size()), false}; }

// The King, the Loyal Peasants, and a Guard who never cried HAULT (K17, K18).
inline SeatFlags king_winners(const State& state) {
    SeatFlags won = no_winners(state);
    for (int seat = 0; seat < state.seats; ++seat) {
        const Role role = role_of(state, seat);
        won[seat] = role == Role::king || role == Role::peasant || (role == Role::guard && !state.exiled[seat]);
    }
    return won;
}

// The richest Thieves in play and every Street Urchin; nobody without a Thief (K18, K24).
inline SeatFlags exile_winners(const State& state) {
    int most = 0;
    const auto loot = [&](int seat) {
        return role_of(state, seat) == Role::thief && !state.exiled[seat] ? state.takes[seat].value().diamonds : 0;
    };
    for (int seat = 1; seat < state.seats; ++seat) most = std::max<int>(most, loot(seat));
    SeatFlags won = no_winners(state);
    for (int seat = 1; most && seat < state.seats; ++seat)
        won[seat] = loot(seat) == most || role_of(state, seat) == Role::urchin;
    return won;
}

// The seats with most diamonds. The King owns the recovered ones, Thieves in play those they took.
inline SeatList find_wealthiest(const State& state) {
    int most = state.recovered;
    SeatList richest{0};
    for (const Seat seat : list_subjects(state)) {
        const auto& take = state.takes[seat];
        if (!take || !take->diamonds || take->diamonds < most) continue;
        if (take->diamonds > most) richest.clear();
        most = take->diamonds;
        richest.add(seat);
    }
    return richest;
}

// An Apprentice wins if its right neighbour wins, who may be an Apprentice too (K21, K22).
inline CourtClosed build_end(const State& state, Ending ending, SeatFlags won) {
    for (int seat = 1; seat < state.seats; ++seat)
        if (won[seat - 1] && role_of(state, seat) == Role::apprentice) won[seat] = true;
    CourtClosed fact{ending, {}, state.hidden.value_or(0), state.dismissed, state.takes};
    for (Seat seat = 0; seat < won.size(); ++seat)
        if (won[seat]) fact.winners.add(seat);
    return fact;
}
inline CourtClosed build_end(const State& state, Ending ending, const SeatList& winners) {
    SeatFlags won = no_winners(state);
    for (const Seat seat : winners) won[seat] = true;
    return build_end(state, ending, won);
}

// The end of the game if the King is exiled or has everything back (K7, K8).
inline std::optional<CourtClosed> end_of_investigation(const State& state) {
    if (state.exiled[0]) return build_end(state, Ending::exile, exile_winners(state));
    if (is_all_recovered(state)) return build_end(state, Ending::king, king_winners(state));
    return {};
}

// After a HAULT the Guard wins alone, or both are exiled (K14, K15).
template <class Sink>
void resolve_halt(State& state, Seat seat, Seat guard, Sink& sink) {
    if (role_of(state, seat) == Role::usurper)
        return emit(state, sink, build_end(state, Ending::guard, SeatList{guard}));
    emit(state, sink, Exiled{guard});
    emit(state, sink, PocketsEmptied{seat, state.takes[seat].value(), true});
}

// The Princess wins with the richest, or chooses between them (K23).
template <class Sink>
void resolve_princess(State& state, Seat seat, Sink& sink) {
    SeatList richest = find_wealthiest(state);
    if (richest.size() > 1) return emit(state, sink, PrincessCourted{seat, richest});
    richest.add(seat);
    emit(state, sink, build_end(state, Ending::princess, richest));
}

// The facts after an accusation, up to the next choice or the end.
template <class Sink>
void resolve_accusation(State& state, Sink& sink) {
    const Seat seat = state.accused.value();
    const Role role = role_of(state, seat);
    const Take take = state.takes[seat].value();
    if (state.shout) return resolve_halt(state, seat, *state.shout, sink);
    if (role == Role::princess) return resolve_princess(state, seat, sink);
    if (role == Role::usurper) return emit(state, sink, build_end(state, Ending::usurper, SeatList{seat}));
    if (take.fake && !state.fake_shown[seat]) return emit(state, sink, FakeShown{seat});  // K12
    emit(state, sink, PocketsEmptied{seat, take, role == Role::thief});
    if (role == Role::thief) return;
    if (state.gifts) return emit(state, sink, GiftGiven{seat});
    emit(state, sink, Exiled{0});  // K19
}

}  // namespace ftk::kings_court
