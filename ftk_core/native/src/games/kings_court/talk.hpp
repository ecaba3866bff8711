// Rules of the interrogation (K10, K29-K31), as in ftk_core/games/kings_court/interrogation_rules.py.
#pragma once
#include "menu.hpp"

namespace ftk::kings_court {

// Accusations, the first subject to the left first, then questions and announcements.
inline void list_king_choices(const State& state, Menu& menu) {
    const SeatList subjects = list_subjects(state);
    for (const Seat seat : subjects)
        if (!state.revealed[seat]) menu.push(Accuse{seat});  // K10
    if (!state.questions) return;
    menu.set_court(state);
    for (const Seat seat : subjects)
        if (state.asked[seat] < MAX_QUESTIONS_PER_SEAT) menu.push_questions(seat);
    menu.set_speaker(0);
    for (const Topic topic : {Topic::hid, Topic::returned_diamonds, Topic::returned_cards, Topic::returned_fake,
                              Topic::trust})
        menu.push_claims(topic);
}
inline void list_answers(const State& state, Menu& menu) {
    const Asked& question = state.answering.value();
    menu.push(Silence{});
    menu.push(DontKnow{});
    menu.set_court(state);
    menu.set_speaker(question.seat, question.about);
    menu.push_claims(question.topic);
}
inline void list_statements(const State& state, Seat seat, Menu& menu) {
    menu.push(Silence{});
    menu.set_court(state);
    menu.set_speaker(seat);
    menu.push_claims_on_topics();
    menu.push_claims(Topic::vouch);
    if (seat == 1) menu.push_claims(Topic::dismissed);
}

// Every subject that has statements left may make one.
inline void open_floor(State& state) {
    state.floor.clear();
    for (const Seat seat : list_subjects(state))
        if (state.statements[seat]) state.floor.add(seat);
}

inline void apply(State& state, const Asked& fact) {
    --state.questions;
    ++state.asked[fact.seat];
    state.answering = fact;
    state.said.push(fact);
}
// An announcement of the King, an answer, or a statement.
inline void apply(State& state, const Said& fact) {
    state.said.push(fact);
    if (fact.seat == 0) {
        --state.questions;
        open_floor(state);
    } else if (state.answering) {
        state.answering.reset();
        open_floor(state);
    } else {
        --state.statements[fact.seat];
        state.floor.discard(fact.seat);
    }
}
// Only a missing answer is recorded.
inline void apply(State& state, const SaidNothing& fact) {
    if (!state.answering) return state.floor.discard(fact.seat);
    state.answering.reset();
    state.said.push(fact);
    open_floor(state);
}

}  // namespace ftk::kings_court
