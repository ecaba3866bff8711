// For the King (and Me): the functions that every game has, and the automatic facts.
#pragma once
#include "quick.hpp"
#include "resample.hpp"
#include "sight.hpp"

namespace ftk::king {

// Menu of a seat. Bids are not stored: there are up to a hundred of them.
class Menu {
  public:
    int size() const { return bidding_ ? 1 + MAX_BID - bid_ : actions_.size(); }
    Action operator[](int at) const {
        if (!bidding_) return actions_[at];
        if (at < 0 || at >= size()) fail("index out of range");
        return at == 0 ? Action(Pass{}) : Action(Bid{bid_ + at});
    }
    int index_of(const Action& action) const {
        if (!bidding_) return actions_.index_of(action);
        if (std::holds_alternative<Pass>(action)) return 0;
        const Bid* bid = std::get_if<Bid>(&action);
        return bid && bid->amount > bid_ && bid->amount <= MAX_BID ? bid->amount - bid_ : -1;
    }
    void clear() {
        bidding_ = false;
        actions_.clear();
    }
    void offer_bids_above(int bid) {
        bidding_ = true;
        bid_ = std::clamp(bid, 0, MAX_BID);
    }
    template <class One>
    void push(const One& action) { actions_.push(action); }

  private:
    bool bidding_ = false;
    int bid_ = 0;
    Vec<Action, 64> actions_;
};

struct Game {
    using State = king::State;
    using Options = StandardOptions;
    using Action = king::Action;
    using Fact = king::Fact;
    using Menu = king::Menu;
    using Resampler = king::Resampler;
    static constexpr int resample_cost = 30;
    static constexpr std::string_view name = "for_the_king";
    static constexpr int version = 2, min_seats = 2, max_seats = 5;

    static State setup(int seats, const Options&) {
        State state;
        state.seats = seats;
        state.duties = {static_cast<std::size_t>(seats == 5 ? 6 : 5), START_DUTY};
        state.hands = state.known = state.favored = state.lost = {static_cast<std::size_t>(seats), Hand{}};
        return state;
    }

    static void check(const State& state, int seats) {
        if (state.seats != seats) fail("impossible state: another number of seats");
        for (const Hands* piles : {&state.hands, &state.known, &state.favored, &state.lost}) check_size(*piles, seats);
        check_size(state.duties, seats == 5 ? 6 : 5);
        for (const Seat seat : {state.adviser, state.king_seat, state.first, state.bidder}) check_seat(seat, seats);
        check_seat(state.leader, seats, -1);
        for (const Dealing& dealing : state.dealings) check_seat(dealing.seat, seats);
        for (const Holders* holders : {&state.primaries, &state.secondaries})
            for (const auto& seat : *holders) check_seat(seat.value_or(0), seats);
        if (state.phase == Phase::over) check_size(state.primaries, state.duties.size());
        if (state.paying && (!state.lot || state.leader < 0)) fail("impossible state: nobody pays");
        if (!state.paying && !state.paid.empty()) fail("impossible state: cards are paid, but nobody pays");
        if (state.bid < 0 || state.bid > MAX_BID) fail("impossible state: no such bid");
        if (state.paying && !is_gold(state.lot.value()))
            for (const Card card : state.paid)
                if (!is_gold(card)) fail("impossible state: gold is paid with another card");
    }

    // Shuffle the cards, remove some of them unseen, and make seat 0 the first Adviser (F31).
    template <class Sink>
    static void deal(State& state, Chance& chance, Sink& sink) {
        Cards cards;
        for (int card = 0; card < CARD_COUNT; ++card)
            if (CARD_MIN_PLAYERS[card] <= state.seats) cards.push(static_cast<Card>(card));
        chance.at("deck").shuffle(cards);
        DeckShuffled shuffled;
        for (int at = 0; at < cards.size(); ++at)
            (at < REMOVED_CARDS[state.seats] ? shuffled.removed : shuffled.deck).push(cards[at]);
        emit(state, sink, shuffled);
        emit(state, sink, DeckPassed{0});
        follow_automatically(state, chance, sink);
    }

    static SeatList turn(const State& state) {
        SeatList due;
        if (const int seat = seat_with_step(state, step_of(state)); seat >= 0) due.add(static_cast<Seat>(seat));
        return due;
    }

    // True if a forced move must be hidden: in a payment, it would reveal cards of the seat's hand.
    static bool veiled(const State& state) { return step_of(state) == Step::pay; }

    static void legal(const State& state, int, Menu& menu) {
        const auto add = [&menu](const auto& action) { menu.push(action); };
        switch (step_of(state)) {
            case Step::king: return list_decrees(king_of(state.king.value()), state.duties, add);
            case Step::place:
                if (state.shown != state.seats - 1) add(Place{Area::middle});
                if (!state.stashed) add(Place{Area::favor});
                if (!state.kept) add(Place{Area::self});
                return;
            case Step::choose:
                for (const Card card : state.middle) add(Take{card});
                return;
            case Step::pay: return list_next_payments(state, add);
            case Step::bid: return menu.offer_bids_above(state.bid);
            case Step::none: return;
        }
    }

    template <class Sink>
    static void follow(State& state, int seat, const Action& action, Chance& chance, Sink& sink) {
        std::visit([&](const auto& chosen) { act(state, static_cast<Seat>(seat), chosen, sink); }, action);
        follow_automatically(state, chance, sink);
    }

    static int quick(const State& state, int seat, const Menu& menu, Draw& draw) {
        return QuickPolicy(state, seat, draw, POLICY_WEIGHTS[state.seats - min_seats]).choose(menu);
    }
    // A bid above what the seat can pay is no better than passing.
    static std::vector<int> sensible_items(const State& state, int seat, const Menu& menu) {
        if (step_of(state) != Step::bid) return count_up(menu.size());
        const Hand& hand = state.hands[seat];
        const int most = is_gold(state.lot.value()) ? hand.size() : gold_in(hand);
        return count_up(std::clamp(1 + most - state.bid, 1, menu.size()));
    }
    static State resample(const State& state, int viewer, Chance& chance) {
        return Resampler(state, viewer).deal(chance);
    }
    static Sight view(const State& state, int viewer) { return king::view(state, viewer); }
    static Result result(const State& state) { return king::result(state); }

  private:
    template <class Sink>
    static void act(State& state, Seat seat, const Place& place, Sink& sink) {
        const Card card = state.drawn.value();
        if (place.area == Area::middle) return emit(state, sink, CardShown{seat, card});
        if (place.area == Area::favor) return emit(state, sink, CardFavored{seat, card});
        if (is_king(card)) return emit(state, sink, KingRevealed{seat, card});
        emit(state, sink, CardKept{seat, card});
    }
    template <class Sink>
    static void act(State& state, Seat seat, const Take& take, Sink& sink) {
        emit(state, sink, CardTaken{seat, take.card});
    }
    template <class Sink>
    static void act(State& state, Seat seat, const Decree& decree, Sink& sink) {
        Decreed fact{seat, state.king.value(), {}, {}};
        fact.up.extend(decree.up);
        fact.down.extend(decree.down);
        emit(state, sink, fact);
    }
    template <class Sink>
    static void act(State& state, Seat seat, const Pass&, Sink& sink) {
        emit(state, sink, Passed{seat});
    }
    template <class Sink>
    static void act(State& state, Seat seat, const Bid& bid, Sink& sink) {
        if (bid.amount <= state.bid || bid.amount > MAX_BID) fail("no such bid");
        emit(state, sink, BidMade{seat, bid.amount});
    }
    template <class Sink>
    static void act(State& state, Seat seat, const Pay& pay, Sink& sink) {
        if (is_gold(state.lot.value())) return emit(state, sink, CardDiscarded{seat, pay.card});
        if (!is_gold(pay.card)) fail("only gold pays for this card");
        emit(state, sink, CoinPaid{seat, value_of(pay.card), pay.card});
    }

    // Everything that follows without a choice.
    template <class Sink>
    static void follow_automatically(State& state, Chance& chance, Sink& sink) {
        for (int facts = 0; next_fact(state, chance, sink); ++facts)
            if (facts > MAX_AUTOMATIC_FACTS) fail("the facts do not end");
    }
    template <class Sink>
    static bool next_fact(State& state, Chance& chance, Sink& sink) {
        if (state.king && !has_decree(king_of(*state.king), state.duties)) {
            emit(state, sink, KingIdle{state.king_seat, *state.king});
        } else if (state.paying && is_paid(state)) {
            emit(state, sink, FavorTaken{state.leader, state.lot.value()});
        } else if (state.phase == Phase::over || step_of(state) != Step::none) {
            return false;
        } else if (state.phase == Phase::influence) {
            next_influence(state, chance, sink);
        } else {
            next_esteem(state, chance, sink);
        }
        return true;
    }
    template <class Sink>
    static void next_influence(State& state, Chance& chance, Sink& sink) {
        if (!is_distributed(state)) return emit(state, sink, CardDrawn{state.adviser, state.deck[0]});
        const Seat next = next_seat(state, state.adviser);
        if (!state.deck.empty()) return emit(state, sink, DeckPassed{next});
        FavorShuffled fact{next, state.favor};
        chance.at("favor").shuffle(fact.favor);
        emit(state, sink, fact);
    }
    template <class Sink>
    static void next_esteem(State& state, Chance& chance, Sink& sink) {
        if (!state.lot && !state.favor.empty()) return emit(state, sink, FavorRevealed{state.first, state.favor[0]});
        if (!state.lot) {
            const Council council = award_duties(state);
            CouncilNamed fact{council.primaries, council.secondaries, {}};
            for (const Hand& hand : state.hands) fact.hands.push(sorted(hand));
            return emit(state, sink, fact);
        }
        if (state.leader < 0) return emit(state, sink, FavorUnsold{*state.lot});  // nobody bids (F12, F21)
        if (is_solvent(state)) return emit(state, sink, AuctionWon{state.leader, state.bid});
        const Hand& hand = state.hands[state.leader];  // a random card is lost (F17)
        Defaulted fact{state.leader, state.bid, hand.empty() ? 0 : 1, {}};
        if (!hand.empty()) {
            Draw draw = chance.at("penalty", std::int64_t{state.lots}, std::int64_t{state.leader});
            fact.card = hand[static_cast<int>(draw.below(static_cast<std::uint64_t>(hand.size())))];
        }
        emit(state, sink, fact);
    }
};

}  // namespace ftk::king
