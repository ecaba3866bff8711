// Policy for playouts, as in ftk_core/games/for_the_king/playout_policy.py. Its sums, products, quotients and square roots are
// made in the same order, so that they are the same to the last digit.
#pragma once
#include <bit>
#include <cmath>
#include <span>

#include "scoring.hpp"

namespace ftk::king {

constexpr int HIGH_OFFICE_COUNT = 2, DRAW_STEPS = 1 << 16, MAX_PRICE = 63;
constexpr int KIND_COUNT = 4 * (OFFICE_COUNT + 1);  // kinds of cards: gold or an office, and a value from 1 to 4

class QuickPolicy {
  public:
    QuickPolicy(const State& state, int seat, Draw& draw, const PolicyWeights& weights)
        : state_(state), seat_(seat), hand_(state.hands[seat]), draw_(draw), weights_(weights), gold_(gold_in(hand_)) {
        const bool auction = state.phase == Phase::esteem;
        coin_ = auction ? price_of_gold(gold_) : weights.coin - weights.coin_fall * gold_;
        auction_factor_ = auction ? weights.auction_sharpness : 1.0;
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
    // Cards of a hand in one office; for a rival also the chance to end ahead of it.
    struct Strength {
        double sum;
        char letter;
        double wins;
    };
    // Contest for an office: the chance to be first, and the sum over the rivals of their odds to be ahead.
    struct Contest {
        Strength own;
        std::array<Strength, 4> rivals;  // by seat, without the own one
        double sharpness, first, odds;
    };
    // Sums of card values and best letters of a hand; place 0 is for gold.
    struct Sums {
        std::array<int, OFFICE_COUNT + 1> sums;
        std::array<char, OFFICE_COUNT + 1> letters;
    };
    const State& state_;
    int seat_;
    const Hand& hand_;
    Draw& draw_;
    const PolicyWeights& weights_;
    int gold_;
    double coin_ = 0, auction_factor_ = 1;
    unsigned known_ = 0;  // bit o is set if the contest for office o is known
    std::array<Contest, OFFICE_COUNT> contests_;
    std::array<Sums, 5> sums_;

    void read_hands() {
        for (int seat = 0; seat < state_.seats; ++seat) {
            Sums& sums = sums_[static_cast<std::size_t>(seat)];
            sums.sums.fill(0);
            sums.letters.fill(NO_LETTER);
            for (const Card card : seat == seat_ ? hand_ : state_.known[seat]) {
                const auto at = static_cast<std::size_t>(office_of(card) + 1);
                sums.sums[at] += value_of(card);
                sums.letters[at] = std::min(sums.letters[at], CARD_LETTERS[index(card)]);
            }
        }
    }
    Strength strength_of(int seat, int office) const {
        const Sums& sums = sums_[static_cast<std::size_t>(seat)];
        const auto at = static_cast<std::size_t>(office + 1);
        return {static_cast<double>(sums.sums[at]), sums.letters[at], 0};
    }
    const Contest& contest_for(int office) {
        Contest& contest = contests_[static_cast<std::size_t>(office)];
        if (known_ >> office & 1) return contest;
        if (known_ == 0) read_hands();
        known_ |= 1U << office;
        const bool high = office < HIGH_OFFICE_COUNT;
        contest.first = 1;
        contest.odds = 0;
        contest.own = strength_of(seat_, office);
        contest.sharpness = (high ? weights_.sharpness_high : weights_.sharpness_low) * auction_factor_;
        for (int other = 0, at = 0; other < state_.seats; ++other) {
            if (other == seat_) continue;
            Strength& rival = contest.rivals[static_cast<std::size_t>(at++)];
            rival = strength_of(other, office);
            const int unseen = std::max(0, state_.hands[other].size() - state_.known[other].size());
            rival.sum += unseen * (high ? weights_.unseen_high : weights_.unseen_low);
            rival.wins = chance(contest, contest.own, rival, 0);
            contest.first *= rival.wins;
            contest.odds += (1 - rival.wins) / rival.wins;
        }
        return contest;
    }

    std::span<const Strength> rivals(const Contest& contest) const {
        return {contest.rivals.data(), static_cast<std::size_t>(state_.seats - 1)};
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
        return decide(worth - price * price_of_gold(gold_ - 0.5 * price)) ? price - state_.bid : 0;
    }
    int bid_for_gold(Card lot) {
        const int amount = state_.bid + 1;
        if (amount > hand_.size() || state_.favor.empty()) return 0;
        double cost = 0;
        int left = amount;
        for (const auto& [loss, count] : sorted_losses(hand_))
            for (int card = 0; card < count && left > 0; ++card, --left) cost += loss;
        return decide(gain(lot, 0) - cost);
    }
    // Least sum of own gold cards that is enough; 0 if it is not payable or exceeds MAX_PRICE.
    int payment_for(int amount) const {
        std::uint64_t sums = 1;
        for (const Card card : hand_) sums |= sums << gold_value(card);
        const std::uint64_t enough = amount <= MAX_PRICE ? sums >> amount : 0;
        return enough ? amount + std::countr_zero(enough) : 0;
    }
    // Discard the cards that are missed least. The menu is in canonical order, so the first of them comes first.
    template <class Menu>
    int pay(const Menu& menu) {
        int left = state_.bid - state_.paid.size();
        Hand behind;
        for (const Card card : hand_)
            if (state_.paid.empty() || card > state_.paid.back()) behind.push(card);
        double limit = 0;
        for (const auto& [loss, count] : sorted_losses(behind)) {
            limit = loss;
            if ((left -= count) <= 0) break;
        }
        for (int at = 0; at < menu.size(); ++at)
            if (loss(std::get<Pay>(menu[at]).card) <= limit) return at;
        return 0;
    }
    // Cards of one kind and value are missed alike. Their losses in ascending order, and their numbers.
    static int kind_of(Card card) { return 4 * (office_of(card) + 1) + value_of(card) - 1; }
    Vec<std::pair<double, int>, KIND_COUNT> sorted_losses(const Hand& cards) {
        std::array<int, KIND_COUNT> places{};  // in the list below, from 1
        Vec<std::pair<double, int>, KIND_COUNT> losses;
        for (const Card card : cards) {
            int& place = places.at(static_cast<std::size_t>(kind_of(card)));
            if (place == 0) {
                losses.push(std::pair(loss(card), 0));
                place = losses.size();
            }
            ++losses[place - 1].second;
        }
        losses.sort();
        return losses;
    }

    // Value of 1 gold in the auctions that are left.
    double price_of_gold(double gold) const {
        const int left = state_.favor.size();
        return std::min(weights_.coin_limit, weights_.demand * (left + weights_.last_demand) /
                                                 (gold + weights_.supply * (left + 1)));
    }
    double decree_value(const Decree& decree) {
        double total = 0;
        for (const Office office : decree.up) total += change_of_duty(static_cast<int>(office), 1);
        for (const Office office : decree.down) total += change_of_duty(static_cast<int>(office), -1);
        return total;
    }
    // Change of the lead over the average opponent if a Primary Duty changes.
    double change_of_duty(int office, int change) {
        const Contest& contest = contest_for(office);
        const int duty = state_.duties[office];
        return lead(contest, duty + change) - lead(contest, duty);
    }
    double lead(const Contest& contest, int duty) const {
        const int second = secondary_duty(duty, state_.seats);
        const double points = contest.own.sum > 0 ? contest.first * (duty + second * contest.odds) : 0.0;
        return points - (duty + second - points) / (state_.seats - 1);
    }

    // Gain from one more card, in victory points.
    double gain(Card card, double king) {
        if (is_king(card)) return king;
        if (is_gold(card)) return coin_ * value_of(card);
        const int office = office_of(card);
        if (office >= state_.duties.size()) return 0;
        const Contest& now = contest_for(office);
        const char letter = std::min(now.own.letter, CARD_LETTERS[index(card)]);
        return points_with(office, {now.own.sum + value_of(card), letter, 0}) - points_now(office);
    }
    double loss(Card card) {
        if (is_gold(card)) return coin_ * value_of(card);
        const int office = office_of(card);
        if (is_king(card) || office >= state_.duties.size()) return 0;
        const Strength& own = contest_for(office).own;
        const double less = points_now(office) - points_with(office, {own.sum - value_of(card), own.letter, 0});
        return weights_.loss_of_any + weights_.loss * less;
    }
    // Loss if a rival gets a card, on average over the rivals.
    double denial(Card card) {
        const int office = office_of(card);
        if (office < 0 || office >= state_.duties.size()) return 0;
        const Contest& now = contest_for(office);
        if (now.own.sum <= 0) return 0;
        const double before = points_in(office, now.first, now.odds);
        double total = 0;
        for (const Strength& rival : rivals(now)) {
            const double less = chance(now, now.own, rival, value_of(card));
            total += before - points_in(office, now.first / rival.wins * less,
                                        now.odds - (1 - rival.wins) / rival.wins + (1 - less) / less);
        }
        return total / (state_.seats - 1);
    }

    // Expected points from an office with other cards in it.
    double points_with(int office, const Strength& own) {
        if (own.sum <= 0) return 0;
        const Contest& now = contest_for(office);
        double first = 1, odds = 0;
        for (const Strength& rival : rivals(now)) {
            const double wins = chance(now, own, rival, 0);
            first *= wins;
            odds += (1 - wins) / wins;
        }
        return points_in(office, first, odds);
    }
    double points_now(int office) {
        const Contest& now = contest_for(office);
        return now.own.sum > 0 ? points_in(office, now.first, now.odds) : 0.0;
    }
    double points_in(int office, double first, double odds) const {
        const int duty = state_.duties[office];
        return first * (duty + secondary_duty(duty, state_.seats) * odds);
    }
    // Chance to end ahead of a rival whose sum rises by `more`.
    double chance(const Contest& contest, const Strength& own, const Strength& rival, int more) const {
        double lead = own.sum - rival.sum - more;
        if (own.letter != rival.letter) lead += own.letter < rival.letter ? weights_.letter : -weights_.letter;
        lead *= contest.sharpness;
        return 0.5 + 0.5 * lead / std::sqrt(1 + lead * lead);
    }
};

}  // namespace ftk::king
