// The built-in bot `counter` of For the King in C++, for many matches against it.
#pragma once
#include "games/for_the_king/rules.hpp"

namespace ftk::king {

class CounterBot {
  public:
    CounterBot(const State& state, int seat) : state_(state), seat_(seat) {
        own_ = strengths(state.hands[seat], 0);
        for (int other = 0; other < state.seats; ++other)
            if (other != seat)
                rivals_.push_back(strengths(state.known[other], state.hands[other].size() - state.known[other].size()));
    }

    int choose(const Menu& menu) const {
        const auto best = [&](auto&& value) {
            int best = 0;
            for (int at = 1; at < menu.size(); ++at)
                if (value(at) > value(best)) best = at;
            return best;
        };
        switch (step_of(state_)) {
            case Step::place: {
                const Card card = state_.drawn.value();
                double left = menu.size();
                for (int at = 0; at < menu.size(); ++at)
                    if (std::get<Place>(menu[at]).area == Area::middle) left += state_.seats - 2;
                const double worth[] = {-0.5 * gift(card) + 0.05, 0.25 * gain(card) - 0.15 * gift(card),
                                        gain(card) - 0.62 * std::max(0.25, left / (state_.seats + 1))};
                return best([&](int at) { return worth[static_cast<int>(std::get<Place>(menu[at]).area)]; });
            }
            case Step::choose: return best([&](int at) { return gain(std::get<Take>(menu[at]).card); });
            case Step::king: return best([&](int at) { return decree(std::get<Decree>(menu[at])); });
            case Step::bid: return bid();
            case Step::pay:
                if (!is_gold(state_.lot.value())) return 0;
                return best([&](int at) { return -loss(std::get<Pay>(menu[at]).card); });
            case Step::none: break;
        }
        return 0;
    }

  private:
    using Strengths = std::array<double, OFFICE_COUNT>;
    const State& state_;
    int seat_;
    Strengths own_{};
    std::vector<Strengths> rivals_;

    static Strengths strengths(const Hand& cards, int unseen) {
        Strengths sums{};
        for (const Card card : cards)
            if (is_government(card)) sums[static_cast<std::size_t>(office_of(card))] += value_of(card);
        for (std::size_t office = 0; office < OFFICE_COUNT; ++office)
            sums[office] += std::max(0, unseen) * (office < HIGH_OFFICE_COUNT ? 0.30 : 0.13);
        return sums;
    }
    bool is_used(Card card) const { return is_government(card) && office_of(card) < state_.duties.size(); }
    double own(Card card) const { return own_[static_cast<std::size_t>(office_of(card))]; }
    double prospect(int office, double strength) const {
        double ahead = 1, second = 0;
        for (const Strengths& rival : rivals_) {
            const double scale = office < HIGH_OFFICE_COUNT ? 1.2 : 0.8;
            const double lead = (strength - rival[static_cast<std::size_t>(office)]) / scale;
            const double win = 1 / (1 + std::pow(2.718, -1.6 * lead));
            second = second * win + ahead * (1 - win);
            ahead *= win;
        }
        const int duty = state_.duties[office];
        return strength > 0 ? ahead * duty + second * secondary_duty(duty, state_.seats) : 0.0;
    }
    double gain(Card card) const {
        if (is_gold(card)) return 0.22 * value_of(card);
        if (!is_used(card)) return 0.4;
        return prospect(office_of(card), own(card) + value_of(card)) - prospect(office_of(card), own(card));
    }
    double gift(Card card) const {
        if (is_gold(card)) return 0.22 * value_of(card);
        return is_used(card) ? 0.25 * value_of(card) : 0.4;
    }
    double loss(Card card) const {
        if (is_gold(card)) return 0.22 * value_of(card);
        if (!is_used(card)) return 0;
        return prospect(office_of(card), own(card)) - prospect(office_of(card), own(card) - value_of(card));
    }
    double decree(const Decree& decree) const {
        double total = 0;
        const auto add = [&](int sign, const auto& offices) {
            for (const Office named : offices) {
                const auto office = static_cast<std::size_t>(named);
                double most = rivals_[0][office];
                for (const Strengths& rival : rivals_) most = std::max(most, rival[office]);
                total += sign * (own_[office] - most);
            }
        };
        add(1, decree.up);
        add(-1, decree.down);
        return total;
    }
    int bid() const {
        const Card lot = state_.lot.value();
        const Hand& hand = state_.hands[seat_];
        const int amount = state_.bid + 1, gold = gold_in(hand);
        if (is_gold(lot)) {
            if (amount > hand.size() || state_.favor.size() < 2) return 0;
            std::vector<double> losses;
            for (const Card card : hand) losses.push_back(loss(card));
            std::ranges::sort(losses);
            return std::accumulate(losses.begin(), losses.begin() + amount, 0.0) < gain(lot);
        }
        const double price = gold ? std::min(0.22, 2.7 / (gold + 0.75 * (state_.favor.size() + 1))) : 0.0;
        const double worth = is_king(lot) ? 0.7 : gain(lot) + 0.1 * gift(lot);
        return amount <= gold && worth > amount * price;
    }
};

}  // namespace ftk::king
