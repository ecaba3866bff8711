// View of the court for one viewer, as in ftk_core/games/kings_court/player_view.py.
#pragma once
#include "state.hpp"

namespace ftk::kings_court {

struct Sight {
    Seat seats = 0;
    Seat viewer = 0;
    Step step{};
    SeatList to_act;
    Cards cards;
    bool fake = false;
    Count gifts = 0;
    Seat at = 0;
    bool took_place = false;
    std::optional<Count> hidden;
    std::optional<Card> dismissed;
    std::optional<int> stolen;
    Count recovered = 0;
    Arrivals arrivals;
    Takes takes;
    SeatFlags taken, exiled, fumbled, revealed, fake_shown;
    Count questions = 0;
    SeatCounts asked, statements;
    std::optional<Asked> answering;
    std::optional<Seat> accused;
    Accusations accusations;
    Utterances said;
    Ending ending{};
    SeatList winners;
    FTK_FIELDS("", seats, viewer, step, to_act, cards, fake, gifts, at, took_place, hidden, dismissed, stolen,
               recovered, arrivals, takes, taken, exiled, fumbled, revealed, fake_shown, questions, asked, statements,
               answering, accused, accusations, said, ending, winners)
};

inline Sight view(const State& state, int viewer) {
    // After the end everybody sees everything.
    const auto is_seen_by = [&](int seat) {
        return viewer == seat || viewer == OMNISCIENT || state.ending != Ending::none;
    };
    Sight sight;
    sight.seats = state.seats;
    sight.viewer = static_cast<Seat>(viewer);
    sight.step = step_of(state);
    sight.to_act = seats_to_act(state);
    sight.cards = state.cards;
    sight.fake = state.fake;
    sight.gifts = state.gifts;
    sight.at = state.at;
    sight.took_place = is_box_back(state);
    if (is_seen_by(0)) {
        sight.hidden = state.hidden;
        if (is_box_back(state)) sight.stolen = count_stolen(state);
    }
    if (is_seen_by(1)) sight.dismissed = state.dismissed;
    sight.recovered = state.recovered;
    for (int seat = 0; seat < state.arrivals.size(); ++seat)
        sight.arrivals.push(is_seen_by(seat) ? state.arrivals[seat] : std::nullopt);
    for (int seat = 0; seat < state.takes.size(); ++seat) {
        const auto& take = state.takes[seat];
        sight.takes.push(is_seen_by(seat) || state.revealed[seat] ? take : std::nullopt);
        sight.taken.push(seat && (take || state.fumbled[seat]));
    }
    sight.exiled = state.exiled;
    sight.fumbled = state.fumbled;
    sight.revealed = state.revealed;
    sight.fake_shown = state.fake_shown;
    sight.questions = state.questions;
    sight.asked = state.asked;
    sight.statements = state.statements;
    sight.answering = state.answering;
    sight.accused = state.accused;
    sight.accusations = state.accusations;
    sight.said = state.said;
    sight.ending = state.ending;
    sight.winners = state.winners;
    return sight;
}

}  // namespace ftk::kings_court
