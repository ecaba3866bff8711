// State of For the King, as in ftk_core/games/for_the_king/table_state.py, with its cards.
#pragma once
#include "../../game.hpp"
#include "box.hpp"

namespace ftk::king {

enum class Card : std::uint8_t {};
enum class Office : std::uint8_t {};
enum class Phase : std::uint8_t { influence, esteem, over };
enum class Step : std::uint8_t { king, place, choose, pay, bid, none };
enum class Area : std::uint8_t { middle, favor, self };
enum class Change : std::uint8_t { kept, gained, coin, lost, short_of };
enum King : std::int8_t { PM, P, M, PP, MM, MIX };

constexpr int START_DUTY = 3, MAX_BID = 99, MIN_DUTY = 1, MAX_DUTY = 6;

using Cards = Vec<Card, CARD_COUNT>;
using Hand = Vec<Card, 64>;
using Hands = Vec<Hand, 5>;
using SeatFlags = Vec<bool, 5>;
using Duties = Vec<std::int8_t, OFFICE_COUNT>;
using Holders = Vec<std::optional<Seat>, OFFICE_COUNT>;

constexpr int index(Card card) { return static_cast<int>(card); }
constexpr bool is_government(Card card) { return CARD_KINDS[index(card)] == 0; }
constexpr bool is_gold(Card card) { return CARD_KINDS[index(card)] == 1; }
constexpr bool is_king(Card card) { return CARD_KINDS[index(card)] == 2; }
constexpr int value_of(Card card) { return CARD_VALUES[index(card)]; }
constexpr int gold_value(Card card) { return is_gold(card) ? value_of(card) : 0; }
constexpr int office_of(Card card) { return CARD_OFFICES[index(card)]; }
constexpr King king_of(Card card) { return static_cast<King>(CARD_KINGS[index(card)]); }

// Result of an auction; without a buyer if the card was unsold.
struct Sale {
    Card card{};
    std::optional<Seat> seat;
    std::int32_t price = 0;
    FTK_FIELDS("", card, seat, price)
};

// Public change of a hand.
struct Dealing {
    Seat seat = 0;
    Change what{};
    std::optional<Card> card;
    std::int32_t number = 0;
    FTK_FIELDS("", seat, what, card, number)
};

struct State {
    std::int32_t seats = 0;
    Duties duties;
    Hands hands, known, favored, lost;
    Phase phase = Phase::influence;
    Cards deck, removed, discards, coins;
    Seat adviser = 0;
    std::optional<Card> drawn;
    bool kept = false, stashed = false;
    std::int32_t shown = 0;
    Vec<Card, 5> middle;
    Vec<Card, 32> favor;
    std::optional<Card> king;
    Seat king_seat = 0, first = 0;
    std::int32_t lots = 0;
    std::optional<Card> lot;
    std::int32_t bid = 0;
    Seat leader = -1, bidder = 0;
    SeatFlags passed, excluded;
    bool paying = false;
    Vec<Sale, 32> sales;
    Hand paid;
    Vec<Dealing, 512> dealings;
    Holders primaries, secondaries;
    FTK_FIELDS("", seats, duties, hands, known, favored, lost, phase, deck, removed, discards, coins, adviser, drawn,
               kept, stashed, shown, middle, favor, king, king_seat, first, lots, lot, bid, leader, bidder, passed,
               excluded, paying, sales, paid, dealings, primaries, secondaries)
};

inline Seat next_seat(const State& state, int seat) { return static_cast<Seat>((seat + 1) % state.seats); }

inline bool is_distributed(const State& state) {
    return state.kept && state.stashed && state.shown == state.seats - 1;
}

// True if all seats passed, or the last remaining one holds the standing bid (F12). The turn returns to a seat that
// leads or is out only when nobody else is left.
inline bool is_auction_over(const State& state) {
    const int bidder = state.bidder;
    return state.leader >= 0 ? bidder == state.leader : state.passed[bidder] || state.excluded[bidder];
}

// The kind of choice that is due; none if an automatic fact follows or the game is over.
inline Step step_of(const State& state) {
    if (state.king) return Step::king;
    if (state.drawn) return Step::place;
    if (state.phase == Phase::influence)
        return !state.middle.empty() && is_distributed(state) ? Step::choose : Step::none;
    if (state.paying) return Step::pay;
    return !state.lot || is_auction_over(state) ? Step::none : Step::bid;
}

inline int seat_with_step(const State& state, Step step) {
    switch (step) {
        case Step::bid: return state.bidder;
        case Step::king: return state.king_seat;
        case Step::place: return state.adviser;
        case Step::choose: return (state.adviser + state.seats - state.middle.size()) % state.seats;
        case Step::pay: return state.leader;
        case Step::none: break;
    }
    return -1;
}

inline int gold_in(const Hand& hand) {
    int gold = 0;
    for (const Card card : hand) gold += gold_value(card);
    return gold;
}

// True if the leader can pay the standing bid (F15).
inline bool is_solvent(const State& state) {
    const Hand& hand = state.hands[state.leader];
    return (is_gold(state.lot.value()) ? hand.size() : gold_in(hand)) >= state.bid;
}

template <class Cards>
Cards sorted(Cards cards) {
    cards.sort();
    return cards;
}

inline int secondary_duty(int primary, int seats) { return seats == 2 ? 0 : primary / 2; }

}  // namespace ftk::king

namespace ftk {
template <>
struct Names<king::Card> {
    static constexpr auto& names = king::CARD_NAMES;
};
template <>
struct Names<king::Office> {
    static constexpr auto& names = king::OFFICE_NAMES;
};
template <>
struct Names<king::Phase> {
    static constexpr std::string_view names[] = {"influence", "esteem", "over"};
};
template <>
struct Names<king::Step> {
    static constexpr std::string_view names[] = {"king", "place", "choose", "pay", "bid", "none"};
};
template <>
struct Names<king::Area> {
    static constexpr std::string_view names[] = {"middle", "favor", "self"};
};
template <>
struct Names<king::Change> {
    static constexpr std::string_view names[] = {"kept", "gained", "coin", "lost", "short"};
};
}  // namespace ftk
