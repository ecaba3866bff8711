// Likelihood of a complete state if all seats but one play by the policy of quick.hpp, computed as in
// ftk_core/games/kings_court/suspicions/court_likelihood.py. A search and the reviews of choices prefer likely courts.
#pragma once
#include "quick.hpp"

namespace ftk::kings_court {

// Likelihood of choices that the policy never makes.
constexpr double OFF_POLICY = 0.02;

// Chance that a seat takes this from the box.
inline double theft_likelihood(const Box& box, const Take& take, int seat, int last) {
    const TheftChoices choices(box, seat, last);
    if (choices.total() == 0) return 1;
    double weight = 0;
    for (int at = 0; at < choices.shares.size(); ++at) {
        const Help& share = choices.shares[at];
        const bool has_diamonds = choices.has_diamonds(at);
        if (share.card != take.card || share.fake != take.fake || has_diamonds != (take.diamonds > 0)) continue;
        if (!has_diamonds) {
            weight = choices.weights[at];
            continue;
        }
        int ways = 0;
        for (int way = 0; way < choices.count_amounts(); ++way) ways += choices.amount_at(way) == take.diamonds;
        weight = static_cast<double>(choices.weights[at]) * ways / choices.count_amounts();
    }
    return std::max(OFF_POLICY, weight / choices.total());
}

// Chance of a seat's claims on the topics that the policy's King hears, if it speaks of these boxes.
inline double claims_likelihood(const State& state, int seat, const Box& came, const Box& went) {
    double likelihood = 1;
    for (const Utterance& utterance : state.said) {
        const Said* said = std::get_if<Said>(&utterance);
        if (!said || said->seat != seat || std::ranges::find(STATEMENTS, said->claim.topic) == STATEMENTS.end()) continue;
        if (said->claim != claim_on_box(said->claim.topic, came, went)) likelihood *= OFF_POLICY;
    }
    return likelihood;
}

// Chance of a seat's claims: the truth, or one of the two stories of a liar.
inline double talk_likelihood(const State& state, int seat, const Take& take) {
    const Box& came = state.arrivals[seat].value();
    Box went = came;
    went.remove(take);
    if (seat == 1) went.remove({0, state.dismissed, false});
    if (!take.diamonds && take.card != Card::usurper) return claims_likelihood(state, seat, came, went);
    const auto likelihood_of_story = [&](bool blames_next) {
        Box told_came = came, told_went = went;
        tell_peasants_story(state.cards, blames_next, told_came, told_went);
        return claims_likelihood(state, seat, told_came, told_went);
    };
    if (seat == 1) return likelihood_of_story(true);
    if (seat == state.seats - 1) return likelihood_of_story(false);
    return (likelihood_of_story(true) + likelihood_of_story(false)) / 2;
}

// Likelihood of a court, up to a factor, for a seat that knows its own theft.
inline double likelihood_of(const State& state, int viewer) {
    double likelihood = state.hidden == MAX_HIDDEN_DIAMONDS ? 1 : OFF_POLICY;
    if (state.dismissed) likelihood *= OFF_POLICY;
    for (Seat seat = 1; seat < state.seats; ++seat) {
        if (seat == viewer || !state.takes[seat] || !state.arrivals[seat]) continue;
        const Take& take = *state.takes[seat];
        Box box = *state.arrivals[seat];
        if (seat == 1) box.remove({0, state.dismissed, false});
        likelihood *= theft_likelihood(box, take, seat, state.seats - 1);
        likelihood *= talk_likelihood(state, seat, take);
    }
    return likelihood;
}

}  // namespace ftk::kings_court
