// Policy for playouts, as in ftk_core/games/for_the_king/playout_policy.py. Its sums, products, quotients and square roots are
// made in the same order, so that they are the same to the last digit.
#pragma once
#include <bit>
#include <cmath>

#include "scoring.hpp"

namespace ftk::king {

constexpr int HIGH_OFFICE_COUNT = 2, DRAW_STEPS = 1 << 16, MAX_PRICE = 63;

class QuickPolicy {
  public:
    QuickPolicy(const State& state, int seat, Draw& draw, const PolicyWeights& weights)
        : state_(state), seat_(seat), draw_(draw), weights_(weights), own_(read(state.hands[seat])) {
        const bool auction = state.phase == Phase::esteem;
        blur_ = {weights.blur_high, weights.blur_low};
        if (auction) blur_ = {blur_[0] * weights.auction_blur, blur_[1] * weights.auction_blur};
        for (int other = 0; other < state.seats; ++other)
            if (other != seat) rivals_.push(read(state.known[other], state.hands[other].size()));
        coin_ = auction ? price_of_gold(own_.gold) : weights.coin - weights.coin_fall * own_.gold;
    }

    template <class Menu>
    int choose(const Menu& menu) {
        switch (step_of(state_)) {
            case Step::place: return place(menu);
            case Step::choose:
                return pick(menu.size(), [&](int at) {
                    const Card card = state_.middle[at];
                    return gain(card, weights_.king_taken) + weights_.denial_taken * denial(card);
                });
            case Step::king:
                return pick(menu.size(), [&](int at) { return decree_value(std::get<Decree>(menu[at])); });
            case Step::bid: return bid();
            case Step::pay: return is_gold(state_.lot.value()) ? pay(menu) : 0;
            case Step::none: break;
        }
        return 0;
    }

  private:
    // Sums of card values and best letters by office, of the cards that are known; the others count an average value.
    struct Strength {
        std::array<double, OFFICE_COUNT> sums{};
        std::array<char, OFFICE_COUNT> letters{};
        int gold = 0;
    };
    // Chance of the first place in an office, and the sum of the odds that just one rival is ahead.
    struct Contest {
        double first = 1, odds = 0;
    };
    const State& state_;
    int seat_;
    Draw& draw_;
    const PolicyWeights& weights_;
    Strength own_;
    Vec<Strength, 4> rivals_;
    std::array<double, 2> blur_{};
    double coin_ = 0;

    Strength read(const Hand& known, int size = 0) const {
        std::array<int, OFFICE_COUNT> sums{};
        Strength strength;
        strength.letters.fill(NO_LETTER);
        for (const Card card : known) {
            strength.gold += gold_value(card);
            if (!is_government(card)) continue;
            const auto office = static_cast<std::size_t>(office_of(card));
            sums[office] += value_of(card);
            strength.letters[office] = std::min(strength.letters[office], CARD_LETTERS[index(card)]);
        }
        const int unseen = std::max(0, size - known.size());
        for (std::size_t office = 0; office < OFFICE_COUNT; ++office)
            strength.sums[office] =
                sums[office] + unseen * (office < HIGH_OFFICE_COUNT ? weights_.unseen_high : weights_.unseen_low);
        return strength;
    }

    // True if an advantage is large, false if a disadvantage is, and at random in between.
    bool decide(double advantage) {
        const double chance = 0.5 + advantage / weights_.mixing;
        if (chance >= 1 || chance <= 0) return chance >= 1;
        return draw_.below(DRAW_STEPS) < chance * DRAW_STEPS;
    }
    // The best item, or sometimes the second best if it is nearly as good.
    template <class Value>
    int pick(int size, Value&& value) {
        int best = 0, second = -1;
        double most = value(0), next = 0;
        for (int at = 1; at < size; ++at) {
            const double other = value(at);
            if (other > most) {
                second = best, next = most;
                best = at, most = other;
            } else if (second < 0 || other > next) {
                second = at, next = other;
            }
        }
        return second < 0 || decide(most - next) ? best : second;
    }

    template <class Menu>
    int place(const Menu& menu) {
        const Card card = state_.drawn.value();
        bool in_middle = false;
        for (int at = 0; at < menu.size(); ++at) in_middle |= std::get<Place>(menu[at]).area == Area::middle;
        const int left = menu.size() + (in_middle ? state_.seats - 2 : 0);
        const double gained = gain(card, weights_.king_kept), denied = denial(card);
        double given = weights_.middle, stashed = weights_.favor * gained;
        given -= weights_.denial_middle * denied + weights_.gold_middle * gold_value(card);
        stashed -= weights_.denial_favor * denied + weights_.gold_favor * gold_value(card);
        if (is_king(card)) {
            given -= weights_.king_middle;
            stashed += weights_.king_favor;
        }
        const double worth[] = {given, stashed, gained - weights_.patience * left / (state_.seats + 1)};
        return pick(menu.size(), [&](int at) { return worth[static_cast<int>(std::get<Place>(menu[at]).area)]; });
    }

    // Bid the amount that the coins pay anyway, while the card is worth it; else pass.
    int bid() {
        const Card lot = state_.lot.value();
        if (is_gold(lot)) return bid_for_gold(lot);
        const int price = payment_for(state_.bid + 1);
        if (price == 0) return 0;
        const double worth = gain(lot, weights_.king_bought) + weights_.denial_bought * denial(lot);
        return decide(worth - price * price_of_gold(own_.gold - 0.5 * price)) ? price - state_.bid : 0;
    }
    int bid_for_gold(Card lot) {
        const Hand& hand = state_.hands[seat_];
        const int amount = state_.bid + 1;
        if (amount > hand.size() || state_.favor.empty()) return 0;
        const auto losses = sorted_losses(hand);
        double cost = 0;
        for (int at = 0; at < amount; ++at) cost += losses[at];
        return decide(gain(lot, 0) - cost);
    }
    // Least sum of own gold cards that is enough; 0 if it is not payable or exceeds MAX_PRICE.
    int payment_for(int amount) const {
        std::uint64_t sums = 1;
        for (const Card card : state_.hands[seat_]) sums |= sums << gold_value(card);
        const std::uint64_t enough = amount <= MAX_PRICE ? sums >> amount : 0;
        return enough ? amount + std::countr_zero(enough) : 0;
    }
    // Discard the cards that are missed least. The menu is in canonical order, so the first of them comes first.
    template <class Menu>
    int pay(const Menu& menu) {
        const int left = state_.bid - state_.paid.size();
        Hand behind;
        for (const Card card : state_.hands[seat_])
            if (state_.paid.empty() || card > state_.paid.back()) behind.push(card);
        const double limit = sorted_losses(behind)[left - 1];
        for (int at = 0; at < menu.size(); ++at)
            if (loss(std::get<Pay>(menu[at]).card) <= limit) return at;
        return 0;
    }
    Vec<double, 64> sorted_losses(const Hand& cards) const {
        Vec<double, 64> losses;
        for (const Card card : cards) losses.push(loss(card));
        losses.sort();
        return losses;
    }

    // Value of 1 gold in the auctions that are left.
    double price_of_gold(double gold) const {
        const int left = state_.favor.size();
        return std::min(weights_.coin_limit, weights_.demand * (left + weights_.last_demand) /
                                                 (gold + weights_.supply * (left + 1)));
    }
    double decree_value(const Decree& decree) const {
        double total = 0;
        for (const Office office : decree.up) total += change_of_duty(static_cast<int>(office), 1);
        for (const Office office : decree.down) total += change_of_duty(static_cast<int>(office), -1);
        return total;
    }
    // Change of the lead over the average opponent if a Primary Duty changes.
    double change_of_duty(int office, int change) const {
        const Contest contest = compete(office, strength(office), letter(office));
        const int duty = state_.duties[office];
        return lead(office, contest, duty + change) - lead(office, contest, duty);
    }
    double lead(int office, const Contest& contest, int duty) const {
        const int second = secondary_duty(duty, state_.seats);
        const double points = strength(office) > 0 ? contest.first * (duty + second * contest.odds) : 0.0;
        return points - (duty + second - points) / (state_.seats - 1);
    }

    // Gain from one more card, in victory points.
    double gain(Card card, double king) const {
        if (is_king(card)) return king;
        if (is_gold(card)) return coin_ * value_of(card);
        const int office = office_of(card);
        if (office >= state_.duties.size()) return 0;
        const double own = strength(office);
        return prospect(office, own + value_of(card), std::min(letter(office), CARD_LETTERS[index(card)])) -
               prospect(office, own, letter(office));
    }
    double loss(Card card) const {
        if (is_gold(card)) return coin_ * value_of(card);
        const int office = office_of(card);
        if (is_king(card) || office >= state_.duties.size()) return 0;
        const double own = strength(office);
        return weights_.loss_of_any +
               weights_.loss * (prospect(office, own, letter(office)) - prospect(office, own - value_of(card), letter(office)));
    }
    // Loss if a rival gets a card, on average over the rivals.
    double denial(Card card) const {
        const int office = office_of(card);
        if (office < 0 || office >= state_.duties.size() || strength(office) <= 0) return 0;
        const Contest now = compete(office, strength(office), letter(office));
        const double before = points(office, now);
        double total = 0;
        for (const Strength& rival : rivals_) {
            const double wins = chance(office, strength(office), letter(office), rival, 0);
            const double less = chance(office, strength(office), letter(office), rival, value_of(card));
            total += before - points(office, {now.first / wins * less, now.odds - (1 - wins) / wins + (1 - less) / less});
        }
        return total / (state_.seats - 1);
    }

    double strength(int office) const { return own_.sums[static_cast<std::size_t>(office)]; }
    char letter(int office) const { return own_.letters[static_cast<std::size_t>(office)]; }
    // Expected points from an office.
    double prospect(int office, double own, char letter) const {
        return own > 0 ? points(office, compete(office, own, letter)) : 0.0;
    }
    double points(int office, const Contest& contest) const {
        const int duty = state_.duties[office];
        return contest.first * (duty + secondary_duty(duty, state_.seats) * contest.odds);
    }
    Contest compete(int office, double own, char letter) const {
        Contest contest;
        for (const Strength& rival : rivals_) {
            const double wins = chance(office, own, letter, rival, 0);
            contest.first *= wins;
            contest.odds += (1 - wins) / wins;
        }
        return contest;
    }
    // Chance to end with more than a rival, which gets so many more points.
    double chance(int office, double own, char letter, const Strength& rival, int more) const {
        const auto at = static_cast<std::size_t>(office);
        double lead = own - rival.sums[at] - more;
        if (letter != rival.letters[at]) lead += letter < rival.letters[at] ? weights_.letter : -weights_.letter;
        lead /= blur_[office >= HIGH_OFFICE_COUNT];
        return 0.5 + 0.5 * lead / std::sqrt(1 + lead * lead);
    }
};

}  // namespace ftk::king
