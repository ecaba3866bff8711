// How likely a court is if all seats but one play by the policy of quick.hpp, which must be changed here, too. A search prefers likely courts; `resample` and
// reviews do not, as people and other bots play in other ways.
#pragma once
#include "quick.hpp"

namespace ftk::kings_court {

// Likelihood of what the policy never does.
constexpr double OFF_POLICY = 0.02;

// Chance that a seat that steals takes so many diamonds.
inline double amount_likelihood(int taken, int diamonds, bool is_calm_theft, bool is_bold) {
    const int half = diamonds / 2 + 1;
    if (is_bold) {
        int ways = 0;
        for (int more = 0; more < EXTRA_DIAMONDS; ++more) ways += std::min(diamonds, half + more) == taken;
        return static_cast<double>(ways) / EXTRA_DIAMONDS;
    }
    if (is_calm_theft) return taken == half ? 1 : 0;
    return 1.0 / diamonds;
}

// Chance that a seat takes this from the box.
inline double theft_likelihood(const Box& box, const Take& take, int seat, int last) {
    const int diamonds = box.diamonds;
    const bool calm = is_calm(diamonds), first = is_first_thief(diamonds), bold = !calm && first;
    const Tastes& tastes = calm ? KING_LIKELY_WINS_WEIGHTS : KING_LIKELY_ERRS_WEIGHTS;
    const bool behind_winner = seat == (calm ? 1 : 2);
    const auto weight_of = [&](Card card) {
        return card == Card::apprentice && behind_winner ? tastes.apprentice_behind_winner
                                                         : tastes.cards[static_cast<int>(card)];
    };
    const int thefts = diamonds ? (bold ? BOLD : tastes.diamonds) : 0;
    int total = thefts + (box.fake ? tastes.fake : 0) + (seat == last ? tastes.nothing : 0);
    for (const Card card : kinds_of(box.cards)) total += weight_of(card);
    if (total == 0) return 1;
    double weight = take.fake ? tastes.fake : tastes.nothing;
    if (take.diamonds)  // a Thief takes the fake diamond, too
        weight = take.fake == box.fake ? thefts * amount_likelihood(take.diamonds, diamonds, calm && first, bold) : 0;
    else if (take.card)
        weight = weight_of(*take.card);
    return std::max(OFF_POLICY, weight / total);
}

// What a seat claims if it tells one story.
struct Story {
    int received, passed;
    Cards cards;
};

inline double claims_likelihood(const State& state, int seat, const Story& story) {
    double likelihood = 1;
    for (const Utterance& utterance : state.said) {
        const Said* said = std::get_if<Said>(&utterance);
        if (!said || said->seat != seat) continue;
        const Claim& claim = said->claim;
        bool fits = true;
        if (claim.topic == Topic::received_diamonds) fits = claim.number == story.received;
        if (claim.topic == Topic::passed_diamonds) fits = claim.number == story.passed;
        if (claim.topic == Topic::received_cards) fits = claim.cards == story.cards;
        if (!fits) likelihood *= OFF_POLICY;
    }
    return likelihood;
}

// Chance of a seat's claims: the truth, or one of the two stories of a liar.
inline double talk_likelihood(const State& state, int seat, const Take& take) {
    const Box& came = state.arrivals[seat].value();
    Box went = came;
    went.remove(take);
    if (seat == 1) went.remove({0, state.dismissed, false});
    if (!take.diamonds && take.card != Card::usurper)
        return claims_likelihood(state, seat, {came.diamonds, went.diamonds, came.cards});
    const double blames_next = claims_likelihood(state, seat, {came.diamonds, came.diamonds, came.cards});
    if (seat == 1) return blames_next;
    Cards cards = went.cards;
    if (count_kinds(cards)[0] == count_kinds(state.cards)[0]) {
        cards = came.cards;
    } else {
        cards.push(Card::peasant);
        cards.sort();
    }
    const double blames_previous = claims_likelihood(state, seat, {went.diamonds, went.diamonds, cards});
    return seat == state.seats - 1 ? blames_previous : (blames_next + blames_previous) / 2;
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
