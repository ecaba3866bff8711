// Random tables that are consistent with everything one viewer knows, as in ftk_core/games/for_the_king/hidden_state_sampler.py
// and hidden_hands.py.
#pragma once
#include <bitset>

#include "gold.hpp"

namespace ftk::king {

using CardSet = std::bitset<CARD_COUNT>;
using CardList = std::vector<Card>;

// Reconstructed hand, and the cards that left it, in order.
struct HandHistory {
    CardList hand, coins, lost;
};

inline std::vector<Dealing> dealings_of(const State& state, int seat) {
    std::vector<Dealing> dealings;
    for (const Dealing& dealing : state.dealings)
        if (dealing.seat == seat) dealings.push_back(dealing);
    return dealings;
}

// Number of cards that a seat kept, and the public history of its hand.
inline HandRecord public_history(const State& state, int seat, const std::vector<Dealing>& dealings) {
    HandRecord record;
    for (const Dealing& dealing : dealings) record.kept += dealing.what == Change::kept;
    int size = record.kept;
    for (const Dealing& dealing : dealings) {
        switch (dealing.what) {
            case Change::kept: break;
            case Change::gained:
                record.events.push_back({EventKind::gained, gold_value(dealing.card.value()), size++});
                break;
            case Change::coin:
                if (dealing.number < 1 || dealing.number > 3) fail("impossible value of a coin");
                record.events.push_back({EventKind::coin, dealing.number, size--});
                break;
            case Change::lost: record.events.push_back({EventKind::lost, 0, size--}); break;
            case Change::short_of: record.events.push_back({EventKind::short_of, dealing.number, size}); break;
        }
    }
    if (state.paying && seat == state.leader && !is_gold(state.lot.value())) {
        const int left = state.bid - gold_paid(state);
        const int highest = state.paid.empty() ? 3 : value_of(state.paid.back());
        if (left > 0) record.events.push_back({EventKind::rich, 10 * left + highest, size});
    }
    return record;
}

// Take `count` cards except Kings from randomly ordered cards; with a share, exactly these coins of each value.
inline CardList draw_kept_cards(CardList& cards, int count, const Coins* share) {
    std::array<int, 4> missing{};
    if (share) missing = {count - total(*share), (*share)[0], (*share)[1], (*share)[2]};
    CardList kept, others;
    for (const Card card : cards) {
        bool fits = static_cast<int>(kept.size()) < count && !is_king(card);
        if (fits && share) {
            int& left = missing[static_cast<std::size_t>(gold_value(card))];
            fits = left > 0;
            left -= fits;
        }
        (fits ? kept : others).push_back(card);
    }
    cards = std::move(others);
    return kept;
}

inline CardList cards_of_value(const CardList& hand, int value) {
    CardList cards;
    for (const Card card : hand)
        if (gold_value(card) == value) cards.push_back(card);
    return cards;
}

inline Card take_card(HandHistory& life, const CardList& cards, Draw& draw) {
    if (cards.empty()) fail("no card in the hand fits its public history");
    const Card card = cards[draw.below(cards.size())];
    life.hand.erase(std::find(life.hand.begin(), life.hand.end(), card));
    return card;
}

// Replay the public history of a hand.
inline HandHistory replay_history(const State& state, int seat, HandLikelihood& likelihood, CardList kept,
                                  const std::vector<Dealing>& dealings, Draw draw) {
    HandHistory life{std::move(kept), {}, {}};
    CardList payment;
    std::vector<Dealing> events;
    for (const Dealing& dealing : dealings)
        if (dealing.what != Change::kept) events.push_back(dealing);
    const bool pays_cards = state.paying && seat == state.leader && is_gold(state.lot.value());
    const std::size_t begun = pays_cards ? static_cast<std::size_t>(state.paid.size()) : 0;
    for (std::size_t at = 0; at + begun < events.size(); ++at) {
        const Dealing& dealing = events[at];
        if (dealing.what == Change::gained) {  // after a payment, whose cards are discarded in canonical order
            std::sort(payment.begin(), payment.end());
            life.lost.insert(life.lost.end(), payment.begin(), payment.end());
            payment.clear();
            life.hand.push_back(dealing.card.value());
        } else if (dealing.what == Change::coin) {
            CardList coins = cards_of_value(life.hand, dealing.number);
            if (!coins.empty()) coins = {*std::min_element(coins.begin(), coins.end())};
            life.coins.push_back(take_card(life, coins, draw));
        } else if (dealing.what == Change::lost) {
            Coins coins{};
            for (const Card card : life.hand)
                if (is_gold(card)) ++coins[static_cast<std::size_t>(gold_value(card) - 1)];
            const int value = choose_weighted(draw, likelihood.ways(static_cast<int>(at), coins));
            const bool by_lot = at && events[at - 1].what == Change::short_of;
            const Card card = take_card(life, cards_of_value(life.hand, value), draw);
            (by_lot ? life.lost : payment).push_back(card);
        }
    }
    if (begun) {  // later cards of the payment follow in canonical order, so enough of them must remain
        CardList low = life.hand;
        std::sort(low.begin(), low.end());
        const auto left = static_cast<std::ptrdiff_t>(low.size()) - (state.bid - static_cast<std::ptrdiff_t>(begun));
        if (left < static_cast<std::ptrdiff_t>(begun)) fail("a payment exceeds the hand");
        low.resize(static_cast<std::size_t>(left));
        draw.shuffle(low);
        low.resize(begun);
        std::sort(low.begin(), low.end());
        for (const Card card : low) {
            life.lost.push_back(card);
            life.hand.erase(std::find(life.hand.begin(), life.hand.end(), card));
        }
    }
    return life;
}

// The cards in play that the viewer has never seen, in canonical order.
inline CardList list_hidden_cards(const State& state, int viewer) {
    CardSet cards;
    const auto add = [&](const auto& pile, bool hidden = true) {
        for (const Card card : pile) cards[static_cast<std::size_t>(index(card))] = hidden;
    };
    add(state.deck);
    add(state.removed);
    add(state.favor);
    add(state.coins);
    for (const Hand& hand : state.hands) add(hand);
    for (const Hand& lost : state.lost) add(lost);
    if (state.drawn) cards[static_cast<std::size_t>(index(*state.drawn))] = true;
    int coin = 0;
    for (const Dealing& dealing : state.dealings) {
        if (dealing.card) cards[static_cast<std::size_t>(index(*dealing.card))] = false;
        if (dealing.what != Change::coin) continue;
        if (dealing.seat == viewer) cards[static_cast<std::size_t>(index(state.coins[coin]))] = false;
        ++coin;
    }
    if (viewer >= 0) {
        add(state.hands[viewer], false);
        add(state.lost[viewer], false);
        add(state.favored[viewer], false);
        if (state.drawn && viewer == state.adviser) cards[static_cast<std::size_t>(index(*state.drawn))] = false;
    }
    CardList hidden;
    for (int card = 0; card < CARD_COUNT; ++card)
        if (cards[static_cast<std::size_t>(card)]) hidden.push_back(static_cast<Card>(card));
    return hidden;
}

// The public histories of all hands but the viewer's, and the distribution of hidden gold that they allow. What it computes
// is kept for the next deal.
class HiddenHands {
  public:
    HiddenHands(const State& state, int viewer, const CardList& unseen) {
        std::vector<HandLikelihood*> bound_hands;
        for (int seat = 0; seat < state.seats; ++seat) {
            if (seat == viewer) continue;
            dealings_[seat] = dealings_of(state, seat);
            auto& likelihood = likelihoods_.try_emplace(seat, public_history(state, seat, dealings_[seat])).first->second;
            if (!likelihood.end) continue;
            bound_.push_back(seat);
            bound_hands.push_back(&likelihood);
        }
        if (bound_.empty()) return;
        Coins coins{};
        int others = 0;
        for (const Card card : unseen) {
            if (is_gold(card)) ++coins[static_cast<std::size_t>(gold_value(card) - 1)];
            others += is_government(card);
        }
        gold_.emplace(bound_hands, coins, others);
    }
    HiddenHands(const HiddenHands&) = delete;  // the distribution points at the likelihoods

    // All other hands by seat; the remaining unseen cards stay in `unseen`, which is given in random order.
    std::map<int, HandHistory> deal(const State& state, CardList& unseen, Chance& chance) {
        std::map<int, CardList> kept;
        if (gold_) {
            Draw draw = chance.at("resample", std::string_view("gold"));
            const std::vector<Coins> shares = gold_->deal(draw);
            for (std::size_t at = 0; at < bound_.size(); ++at)
                kept[bound_[at]] = draw_kept_cards(unseen, likelihoods_.at(bound_[at]).kept, &shares[at]);
            // the constrained seats took the first fitting cards: the rest is no longer in random order
            chance.at("resample", std::string_view("left")).shuffle(unseen);
        }
        for (auto& [seat, likelihood] : likelihoods_)
            if (!kept.contains(seat)) kept[seat] = draw_kept_cards(unseen, likelihood.kept, nullptr);
        std::map<int, HandHistory> lives;
        for (auto& [seat, likelihood] : likelihoods_)
            lives[seat] = replay_history(state, seat, likelihood, kept[seat], dealings_[seat],
                                         chance.at("resample", std::string_view("hand"), std::int64_t{seat}));
        return lives;
    }

  private:
    std::map<int, std::vector<Dealing>> dealings_;
    std::map<int, HandLikelihood> likelihoods_;
    std::vector<int> bound_;  // seats whose hands are constrained by their payments
    std::optional<GoldDistribution> gold_;
};

template <class Cards>
void assign(Cards& cards, const CardList& list) {
    cards.clear();
    cards.extend(list);
}

// Put the reconstructed hands into the table.
inline void put_histories(State& state, const std::map<int, HandHistory>& lives) {
    std::map<int, std::size_t> coins_used;
    std::map<Card, Card> instead;
    int at = 0;
    for (const Dealing& dealing : state.dealings) {
        if (dealing.what != Change::coin) continue;
        Card& coin = state.coins[at++];
        if (const auto life = lives.find(dealing.seat); life != lives.end()) {
            const Card other = life->second.coins.at(coins_used[dealing.seat]++);
            instead[coin] = other;
            coin = other;
        }
    }
    for (const auto& [seat, life] : lives) {
        assign(state.hands[seat], life.hand);
        assign(state.lost[seat], life.lost);
    }
    const auto count = static_cast<std::size_t>(state.paid.size());
    if (const auto life = lives.find(state.leader); count && life != lives.end()) {
        const CardList& paying = is_gold(state.lot.value()) ? life->second.lost : life->second.coins;
        if (paying.size() < count) fail("a payment exceeds the cards that left the hand");
        assign(state.paid, CardList(paying.end() - static_cast<std::ptrdiff_t>(count), paying.end()));
    }
    for (Card& card : state.discards)
        if (const auto other = instead.find(card); other != instead.end()) card = other->second;
}

inline Card pop(CardList& cards) {
    if (cards.empty()) fail("too few hidden cards");
    const Card card = cards.back();
    cards.pop_back();
    return card;
}

// Deal hidden cards to the Favor deck, and redraw the cards that other seats laid there unseen by the viewer.
inline void redeal_favor_deck(State& state, int viewer, CardList& hidden, Draw draw) {
    const Hand own = viewer >= 0 ? state.favored[viewer] : Hand{};
    if (state.phase == Phase::influence) {
        for (Card& card : state.favor)
            if (!own.contains(card)) card = pop(hidden);
        for (Hand& pile : state.favored) pile.clear();
        for (int laid = 0; laid < state.favor.size(); ++laid)
            state.favored[laid % state.seats].push(state.favor[state.favor.size() - 1 - laid]);
        return;
    }
    CardList shown;
    for (const Sale& sale : state.sales) shown.push_back(sale.card);
    if (state.lot) shown.push_back(*state.lot);
    CardList favor, others;
    for (const Card card : own)
        if (std::find(shown.begin(), shown.end(), card) == shown.end()) favor.push_back(card);
    const std::size_t below = static_cast<std::size_t>(state.favor.size()) - favor.size();
    for (std::size_t number = 0; number < below; ++number) others.push_back(pop(hidden));
    favor.insert(favor.end(), others.begin(), others.end());
    draw.shuffle(favor);
    for (const Card card : shown)
        if (!own.contains(card)) others.push_back(card);
    draw.shuffle(others);
    assign(state.favor, favor);
    std::size_t next = 0;
    for (int seat = 0; seat < state.favored.size(); ++seat)
        if (seat != viewer)
            for (Card& card : state.favored[seat]) card = others.at(next++);
}

// Random tables that one viewer cannot distinguish from a given one.
class Resampler {
  public:
    Resampler(const State& state, int viewer) : state_(state), viewer_(viewer) {
        if (is_open()) return;
        unseen_ = list_hidden_cards(state_, viewer_);
        hands_.emplace(state_, viewer_, unseen_);
    }

    State deal(Chance& chance) {
        State state = state_;
        if (is_open()) return state;
        CardList hidden = unseen_;
        chance.at("resample", std::string_view("cards")).shuffle(hidden);
        const auto lives = hands_.value().deal(state, hidden, chance);
        chance.at("resample", std::string_view("rest")).shuffle(hidden);
        put_histories(state, lives);
        if (state.drawn && viewer_ != state.adviser) state.drawn = pop(hidden);
        redeal_favor_deck(state, viewer_, hidden, chance.at("resample", std::string_view("favor")));
        std::size_t next = 0;
        for (Card& card : state.removed) card = hidden.at(next++);
        for (Card& card : state.deck) card = hidden.at(next++);
        return state;
    }

  private:
    State state_;
    int viewer_;
    CardList unseen_;
    std::optional<HiddenHands> hands_;

    bool is_open() const { return viewer_ == OMNISCIENT || state_.phase == Phase::over; }
};

}  // namespace ftk::king
