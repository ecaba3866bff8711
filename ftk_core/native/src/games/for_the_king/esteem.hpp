// Rules of phase 2, Gain Esteem: auctions (F12-F24) and payments (F14-F16).
#pragma once
#include "influence.hpp"

namespace ftk::king {

inline void apply(State& state, const FavorShuffled& fact) {
    state.phase = Phase::esteem;
    state.favor = fact.favor;
    state.first = fact.first;
}

inline void clear_bids(State& state) {
    state.bid = 0;
    state.leader = -1;
}

inline void apply(State& state, const FavorRevealed& fact) {
    const SeatFlags none(static_cast<std::size_t>(state.hands.size()), false);
    state.lot = fact.card;
    state.favor.erase(0);
    ++state.lots;
    clear_bids(state);
    state.bidder = state.first;
    state.passed = state.excluded = none;
}

// The next seat to the left that is still in the auction, or the same seat if no other is left.
inline Seat next_bidder(const State& state, int seat) {
    for (int step = 1; step <= state.seats; ++step) {
        const int other = (seat + step) % state.seats;
        if (!state.passed[other] && !state.excluded[other]) return static_cast<Seat>(other);
    }
    return static_cast<Seat>(seat);
}

inline void apply(State& state, const BidMade& fact) {
    state.bid = fact.amount;
    state.leader = fact.seat;
    state.bidder = next_bidder(state, fact.seat);
}
inline void apply(State& state, const Passed& fact) {
    state.passed[fact.seat] = true;
    state.bidder = next_bidder(state, fact.seat);
}
inline void apply(State& state, const AuctionWon&) { state.paying = true; }

// A coin of unknown identity leaves the hand; a coin that entered the hand openly is taken first.
inline void apply(State& state, const CoinPaid& fact) {
    state.hands[fact.seat].remove(fact.card);
    Hand& known = state.known[fact.seat];
    int least = -1;
    for (int at = 0; at < known.size(); ++at)
        if (is_gold(known[at]) && value_of(known[at]) == fact.value && (least < 0 || known[at] < known[least]))
            least = at;
    if (least >= 0) known.erase(least);
    state.discards.push(fact.card);
    state.coins.push(fact.card);
    state.paid.push(fact.card);
    state.dealings.push({fact.seat, Change::coin, {}, fact.value});
}
// Cards known to be in the hand may still be there.
inline void apply(State& state, const CardDiscarded& fact) {
    state.hands[fact.seat].remove(fact.card);
    state.lost[fact.seat].push(fact.card);
    state.paid.push(fact.card);
    state.dealings.push({fact.seat, Change::lost, {}, 0});
}
// The auction begins anew from 1 for the others (F18).
inline void apply(State& state, const Defaulted& fact) {
    state.excluded[fact.seat] = true;
    const bool in_gold = !is_gold(state.lot.value());
    state.dealings.push({fact.seat, Change::short_of, {}, in_gold ? fact.amount : 0});
    if (fact.card) {
        state.hands[fact.seat].remove(*fact.card);
        state.lost[fact.seat].push(*fact.card);
        state.dealings.push({fact.seat, Change::lost, {}, 0});
    }
    state.bidder = state.first;
    for (int step = state.seats - 1; step >= 0; --step) {
        const int seat = (state.first + step) % state.seats;
        if (!state.excluded[seat]) state.bidder = static_cast<Seat>(seat);
    }
    for (bool& passed : state.passed) passed = false;
    clear_bids(state);
}

// The seat to the left of an auction round's first player begins the next one, whatever the result (F23).
inline void next_lot(State& state) {
    state.first = next_seat(state, state.first);
    state.lot.reset();
    state.paying = false;
    state.paid.clear();
    clear_bids(state);
}
inline void apply(State& state, const FavorTaken& fact) {
    state.sales.push({fact.card, fact.seat, state.bid});
    next_lot(state);
    if (!is_king(fact.card)) return gain_card(state, fact.seat, fact.card);
    state.king = fact.card;
    state.king_seat = fact.seat;
}
inline void apply(State& state, const FavorUnsold& fact) {
    state.discards.push(fact.card);
    state.sales.push({fact.card, {}, 0});
    next_lot(state);
}
inline void apply(State& state, const CouncilNamed& fact) {
    state.phase = Phase::over;
    state.primaries = fact.primaries;
    state.secondaries = fact.secondaries;
}

inline int gold_paid(const State& state) {
    int sum = 0;
    for (const Card card : state.paid) sum += value_of(card);
    return sum;
}
inline bool is_paid(const State& state) {
    return is_gold(state.lot.value()) ? state.paid.size() == state.bid : gold_paid(state) >= state.bid;
}

struct PaymentCost {
    int over, cards;
    auto operator<=>(const PaymentCost&) const = default;
};
constexpr PaymentCost IMPOSSIBLE_PAYMENT{1 << 20, 0};

// Excess gold and number of cards of the best payment of `left` that begins with a card of this value.
inline PaymentCost best_payment_with(int left, int value, std::array<int, 3> counts) {
    if (counts[static_cast<std::size_t>(value - 1)] == 0) return IMPOSSIBLE_PAYMENT;
    const int remaining = left - value;
    if (remaining <= 0) return {-remaining, 1};
    --counts[static_cast<std::size_t>(value - 1)];
    PaymentCost best = IMPOSSIBLE_PAYMENT;
    for (int smaller = 1; smaller <= value; ++smaller)
        best = std::min(best, best_payment_with(remaining, smaller, counts));
    return best == IMPOSSIBLE_PAYMENT ? best : PaymentCost{best.over, best.cards + 1};
}

// The cards that can be discarded next, the mildest first (F33). A payment in cards is made in canonical order. A
// payment in gold descends and stops at the bid, so that it has no superfluous card (F16).
template <class Add>
void list_next_payments(const State& state, Add&& add) {
    const Hand hand = sorted(state.hands[state.leader]);
    if (is_gold(state.lot.value())) {
        const int last = state.paid.empty() ? -1 : index(state.paid.back());
        Hand behind;
        for (const Card card : hand)
            if (index(card) > last) behind.push(card);
        const int open = behind.size() - (state.bid - state.paid.size()) + 1;
        for (int at = 0; at < open; ++at) add(Pay{behind[at]});
        return;
    }
    std::array<int, 3> counts{};
    std::array<Card, 3> firsts{};
    for (const Card card : hand)
        if (is_gold(card) && counts[static_cast<std::size_t>(value_of(card) - 1)]++ == 0)
            firsts[static_cast<std::size_t>(value_of(card) - 1)] = card;
    const int left = state.bid - gold_paid(state), ceiling = state.paid.empty() ? 3 : value_of(state.paid.back());
    Vec<std::pair<PaymentCost, int>, 3> ranked;
    for (int value = 1; value <= ceiling; ++value) {
        const PaymentCost cost = best_payment_with(left, value, counts);
        if (cost != IMPOSSIBLE_PAYMENT) ranked.push({cost, value});
    }
    ranked.sort();
    for (const auto& [cost, value] : ranked) add(Pay{firsts[static_cast<std::size_t>(value - 1)]});
}

}  // namespace ftk::king
