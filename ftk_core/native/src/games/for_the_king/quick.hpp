// Policy for playouts, as in ftk_core/games/for_the_king/playout_policy.py. Its sums, products and quotients are made in the
// same order, so that they are the same to the last digit.
#pragma once
#include <cmath>

#include "scoring.hpp"

namespace ftk::king {

constexpr int HIGH_OFFICE_COUNT = 2;
constexpr double UNSEEN_CARD_STRENGTH[] = {0.30, 0.13}, RACE_STEEPNESS[] = {0.7, 1.0};
constexpr double COIN = 0.22, KING = 0.4, BOUGHT_KING = 0.7;

class QuickPolicy {
  public:
    QuickPolicy(const State& state, int seat) : state_(state), seat_(seat) {}

    template <class Menu>
    int choose(const Menu& menu) const {
        switch (step_of(state_)) {
            case Step::place: return place(menu);
            case Step::choose:
                return best_of(menu.size(), [&](int at) { return gain(state_.middle[at]); });
            case Step::king:
                return best_of(menu.size(), [&](int at) { return decree_value(std::get<Decree>(menu[at])); });
            case Step::bid: return bid();
            case Step::pay:
                if (is_gold(state_.lot.value()))
                    return best_of(menu.size(), [&](int at) { return -loss(std::get<Pay>(menu[at]).card); });
                return 0;
            case Step::none: break;
        }
        return 0;
    }

  private:
    using Rivals = Vec<double, 5>;
    const State& state_;
    int seat_;

    template <class Value>
    static int best_of(int size, Value&& value) {
        int best = 0;
        double most = value(0);
        for (int at = 1; at < size; ++at)
            if (const double other = value(at); other > most) best = at, most = other;
        return best;
    }

    template <class Menu>
    int place(const Menu& menu) const {
        const Card card = state_.drawn.value();
        const double gained = gain(card), gift = value_to_opponent(card);
        bool in_middle = false;
        for (int at = 0; at < menu.size(); ++at) in_middle |= std::get<Place>(menu[at]).area == Area::middle;
        const int left = menu.size() + (in_middle ? state_.seats - 2 : 0);
        const double worth[] = {0.05 - 0.5 * gift, 0.25 * gained - 0.15 * gift,
                                gained - 0.62 * std::max(0.25, double(left) / (state_.seats + 1))};
        return best_of(menu.size(), [&](int at) { return worth[static_cast<int>(std::get<Place>(menu[at]).area)]; });
    }

    // Item 1 raises by one, while the card gains more than its price; item 0 passes.
    int bid() const {
        const Card lot = state_.lot.value();
        const Hand& hand = state_.hands[seat_];
        const int amount = state_.bid + 1;
        if (is_gold(lot))  // any useless card can pay
            return amount <= std::min({hand.size(), value_of(lot) - 1, state_.favor.size() - 1});
        const int gold = gold_in(hand);
        if (amount > gold) return 0;
        const double price = std::min(COIN, 2.7 / (gold + 0.75 * (state_.favor.size() + 1)));
        const double worth = is_king(lot) ? BOUGHT_KING : gain(lot) + 0.1 * value_to_opponent(lot);
        return worth > amount * price;
    }

    double decree_value(const Decree& decree) const {
        double total = 0;
        const auto add = [&](int sign, const auto& offices) {
            for (const Office named : offices) {
                const int office = static_cast<int>(named);
                const Rivals others = rivals(office);
                const double most = *std::max_element(others.begin(), others.end());
                total += sign * (strength(state_.hands[seat_], office) - most);
            }
        };
        add(1, decree.up);
        add(-1, decree.down);
        return total;
    }

    double gain(Card card) const { return change(card, value_of(card)); }
    double loss(Card card) const { return is_king(card) ? 0.0 : -change(card, -value_of(card)); }

    double change(Card card, int more) const {
        const int office = office_of(card);
        if (office < 0) return is_gold(card) ? COIN * more : KING;
        if (office >= state_.duties.size()) return 0;
        const int mine = strength(state_.hands[seat_], office);
        const Rivals others = rivals(office);
        return prospect(office, mine + more, others) - prospect(office, mine, others);
    }

    static double value_to_opponent(Card card) {
        if (is_gold(card)) return COIN * value_of(card);
        return is_king(card) ? KING : 0.25 * value_of(card);
    }

    static int strength(const Hand& hand, int office) {
        int sum = 0;
        for (const Card card : hand) sum += office_of(card) == office ? value_of(card) : 0;
        return sum;
    }

    // Likely strengths of the opponents in an office: known cards, and a share of the unseen ones.
    Rivals rivals(int office) const {
        const double each = UNSEEN_CARD_STRENGTH[office >= HIGH_OFFICE_COUNT];
        Rivals strengths;
        for (int other = 0; other < state_.seats; ++other)
            if (other != seat_)
                strengths.push(strength(state_.known[other], office) +
                               each * (state_.hands[other].size() - state_.known[other].size()));
        return strengths;
    }

    // Expected points of an office at some strength, smoothed so that close races matter.
    double prospect(int office, int mine, const Rivals& others) const {
        if (mine <= 0) return 0;
        double first = 1, second = 0;
        const double steep = RACE_STEEPNESS[office >= HIGH_OFFICE_COUNT];
        for (const double rival : others) {
            const double lead = steep * (mine - rival);
            const double wins = 0.5 + 0.5 * lead / (1 + std::fabs(lead));
            second = second * wins + first * (1 - wins);
            first *= wins;
        }
        const int duty = state_.duties[office];
        return first * duty + second * secondary_duty(duty, state_.seats);
    }
};

}  // namespace ftk::king
