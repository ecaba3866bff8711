// View of the table for one viewer, as in ftk_core/games/for_the_king/player_view.py.
#pragma once
#include "scoring.hpp"

namespace ftk::king {
// A card as a viewer sees it in the discards: coins by their value only (after the cards).
enum class Face : std::uint8_t {};
}  // namespace ftk::king

namespace ftk {
template <>
struct Names<king::Face> {
    static constexpr auto& names = king::FACE_NAMES;
};
}  // namespace ftk

namespace ftk::king {

struct Duty {
    Office office{};
    std::int32_t primary = 0, secondary = 0;
    FTK_FIELDS("", office, primary, secondary)
};
using OwnedHands = Vec<std::optional<Hand>, 5>;

struct Sight {
    std::int32_t seats = 0;
    std::int32_t viewer = 0;
    Phase phase{};
    Step step{};
    SeatList to_act;
    Vec<Duty, OFFICE_COUNT> duties;
    std::int32_t deck = 0, favor = 0;
    std::optional<Cards> deck_order, favor_order, removed;
    Seat adviser = 0;
    std::optional<Card> drawn;
    Vec<Card, 5> middle;
    Vec<Area, 3> open_areas;
    OwnedHands hands;
    Vec<std::int32_t, 5> hand_sizes;
    Hands known;
    OwnedHands favored, lost;
    Vec<std::int32_t, 5> lost_sizes;
    Vec<Face, CARD_COUNT> discards;
    std::optional<Card> king;
    std::optional<Seat> king_seat;
    Seat first = 0;
    std::optional<Card> lot;
    std::int32_t bid = 0;
    std::optional<Seat> leader;
    SeatFlags passed, excluded;
    Vec<Sale, 32> sales;
    bool paying = false;
    std::int32_t paid = 0;
    Points points;
    Holders primaries, secondaries;
    FTK_FIELDS("", seats, viewer, phase, step, to_act, duties, deck, favor, deck_order, favor_order, removed, adviser,
               drawn, middle, open_areas, hands, hand_sizes, known, favored, lost, lost_sizes, discards, king,
               king_seat, first, lot, bid, leader, passed, excluded, sales, paying, paid, points, primaries,
               secondaries)
};

inline OwnedHands owned(const Hands& piles, int viewer) {
    OwnedHands hands;
    for (int seat = 0; seat < piles.size(); ++seat)
        hands.push(viewer == seat || viewer == OMNISCIENT ? std::optional(sorted(piles[seat])) : std::nullopt);
    return hands;
}

template <class From>
Cards copy_cards(const From& from) {
    Cards cards;
    cards.extend(from);
    return cards;
}

inline Sight view(const State& state, int viewer) {
    const bool sees_all = viewer == OMNISCIENT, over = state.phase == Phase::over;
    Sight sight;
    sight.seats = state.seats;
    sight.viewer = viewer;
    sight.phase = state.phase;
    sight.step = step_of(state);
    if (const int seat = seat_with_step(state, sight.step); seat >= 0) sight.to_act.add(static_cast<Seat>(seat));
    for (int office = 0; office < state.duties.size(); ++office) {
        const int primary = state.duties[office];
        sight.duties.push({static_cast<Office>(office), primary, secondary_duty(primary, state.seats)});
    }
    sight.deck = state.deck.size();
    sight.favor = state.favor.size();
    if (sees_all) {
        sight.deck_order = state.deck;
        sight.favor_order = copy_cards(state.favor);
        sight.removed = sorted(state.removed);
    }
    sight.adviser = state.adviser;
    if (sees_all || viewer == state.adviser) sight.drawn = state.drawn;
    sight.middle = state.middle;
    if (state.phase == Phase::influence) {
        if (state.shown != state.seats - 1) sight.open_areas.push(Area::middle);
        if (!state.stashed) sight.open_areas.push(Area::favor);
        if (!state.kept) sight.open_areas.push(Area::self);
    }
    sight.hands = owned(state.hands, over ? OMNISCIENT : viewer);
    for (const Hand& hand : state.hands) sight.hand_sizes.push(hand.size());
    sight.known = state.known;
    sight.favored = owned(state.favored, viewer);
    sight.lost = owned(state.lost, viewer);
    for (const Hand& lost : state.lost) sight.lost_sizes.push(lost.size());
    for (const Card card : state.discards) {
        const bool hidden = !sees_all && state.coins.contains(card);
        sight.discards.push(static_cast<Face>(hidden ? CARD_COUNT + value_of(card) - 1 : index(card)));
    }
    sight.king = state.king;
    if (state.king) sight.king_seat = state.king_seat;
    sight.first = state.first;
    sight.lot = state.lot;
    sight.bid = state.bid;
    if (state.leader >= 0) sight.leader = state.leader;
    sight.passed = state.passed;
    sight.excluded = state.excluded;
    sight.sales = state.sales;
    sight.paying = state.paying;
    sight.paid = state.paid.size();
    if (sees_all || over) {
        const Council council = award_duties(state);
        sight.points = victory_points(state, council.primaries, council.secondaries);
    }
    sight.primaries = state.primaries;
    sight.secondaries = state.secondaries;
    return sight;
}

}  // namespace ftk::king
