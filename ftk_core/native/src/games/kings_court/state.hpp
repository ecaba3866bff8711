// Complete state of the court and the kind of choice that is due, as in ftk_core/games/kings_court/table_state.py.
#pragma once
#include "facts.hpp"

namespace ftk::kings_court {

using SeatFlags = Vec<bool, MAX_PLAYERS>;
using SeatCounts = Vec<Count, MAX_PLAYERS>;
using Utterance = std::variant<Asked, Said, SaidNothing>;
using Utterances = Vec<Utterance, MAX_UTTERANCES>;

struct Box {
    Count diamonds = 0;
    Cards cards;
    bool fake = false;
    FTK_FIELDS("", diamonds, cards, fake)

    // True if nothing can be taken (K3).
    bool empty() const { return diamonds == 0 && cards.empty() && !fake; }
    void remove(const Take& take) {
        diamonds = static_cast<Count>(diamonds - take.diamonds);
        if (take.card) cards.remove(*take.card);
        fake = fake && !take.fake;
    }
};
using Arrivals = Vec<std::optional<Box>, MAX_PLAYERS>;

struct Accusation {
    Seat seat = 0;
    Count after = 0;
    FTK_FIELDS("", seat, after)
};
// Each subject can be accused once, and again after showing the fake diamond.
using Accusations = Vec<Accusation, MAX_PLAYERS>;

struct State {
    Seat seats = 0;
    Cards cards;
    bool fake = false;
    Count gifts = 0;
    Box box;
    std::optional<Count> hidden;
    Seat at = 0;
    bool looked = false, considered = false;
    std::optional<Card> dismissed;
    Arrivals arrivals;
    Takes takes;
    SeatFlags fumbled, exiled, revealed, fake_shown;
    Count recovered = 0, questions = 0;
    SeatCounts asked, statements;
    std::optional<Asked> answering;
    SeatList floor;
    std::optional<Seat> accused;
    Accusations accusations;
    SeatList window;
    std::optional<Seat> shout;
    SeatList tied;
    Utterances said;
    Ending ending = Ending::none;
    SeatList winners;
    FTK_FIELDS("", seats, cards, fake, gifts, box, hidden, at, looked, considered, dismissed, arrivals, takes, fumbled,
               exiled, revealed, fake_shown, recovered, questions, asked, statements, answering, floor, accused,
               accusations, window, shout, tied, said, ending, winners)
};

inline State new_court(int seats, const Cards& cards, bool fake, int gifts) {
    const auto size = static_cast<std::size_t>(seats);
    State state;
    state.seats = static_cast<Seat>(seats);
    state.cards = cards;
    state.fake = fake;
    state.gifts = static_cast<Count>(gifts);
    state.box = {DIAMONDS, cards, fake};
    state.arrivals = {size, std::nullopt};
    state.takes = {size, std::nullopt};
    state.fumbled = state.exiled = state.revealed = state.fake_shown = {size, false};
    state.questions = static_cast<Count>(QUESTIONS_PER_SUBJECT * (seats - 1));
    state.asked = {size, 0};
    state.statements = {size, STATEMENTS_PER_SUBJECT};
    state.statements[0] = 0;
    return state;
}

// The role of a seat follows from its share.
inline Role role_of(const State& state, int seat) {
    const auto& take = state.takes[seat];
    if (seat == 0) return Role::king;
    if (!take) return Role::none;
    if (take->card) return role_of_card(*take->card);
    return take->diamonds ? Role::thief : Role::urchin;
}

// Number of stolen diamonds, which the King knows once the box is back.
inline int count_stolen(const State& state) { return DIAMONDS - state.hidden.value_or(0) - state.box.diamonds; }

inline bool is_box_back(const State& state) { return state.arrivals[0].has_value(); }

// The King has everything back: the court closes with the next fact (K7, K8).
inline bool is_all_recovered(const State& state) {
    return is_box_back(state) && state.recovered == count_stolen(state);
}

// The subjects who may speak: all except the King and the exiled.
inline SeatList list_subjects(const State& state) {
    SeatList subjects;
    for (Seat seat = 1; seat < state.seats; ++seat)
        if (!state.exiled[seat]) subjects.add(seat);
    return subjects;
}

// Everybody knows the original contents, so also whether HAULT is possible.
inline bool is_guard_in_play(const State& state) { return state.cards.contains(Card::guard); }

inline Step step_of(const State& state) {
    if (state.ending != Ending::none) return Step::none;
    if (!state.hidden) return Step::hide;
    if (state.at || !is_box_back(state)) {
        if (!state.at || !state.looked) return Step::none;
        return state.at == 1 && !state.considered ? Step::dismiss : Step::help;
    }
    if (state.answering) return Step::answer;
    if (!state.tied.empty()) return Step::princess;
    if (!state.window.empty()) return Step::halt;
    if (state.accused) return Step::none;
    return state.floor.empty() ? Step::king : Step::floor;
}

// Seats that must choose, lowest first.
inline SeatList seats_to_act(const State& state) {
    switch (step_of(state)) {
        case Step::hide:
        case Step::king: return {0};
        case Step::dismiss:
        case Step::help: return {state.at};
        case Step::answer: return {state.answering.value().seat};
        case Step::princess: return {state.accused.value_or(0)};
        case Step::floor: return state.floor;
        case Step::halt: return state.window;
        case Step::none: break;
    }
    return {};
}

}  // namespace ftk::kings_court
