// Distribution of hidden gold over hands, as in ftk_core/games/for_the_king/gold_distribution.py. Payments prove that
// gold was in a hand; defaults prove that it was not. Sums are made in the same order as there.
#pragma once
#include <map>
#include <vector>

#include "scoring.hpp"

namespace ftk::king {

using Coins = std::array<int, 3>;  // number of gold cards of each of the values 1, 2 and 3

// Event in the history of a hand. The number is the value of gained gold or of a coin, the bid that could not be paid,
// or ten times the amount still to be paid plus the highest coin that can follow (rich).
enum class EventKind : std::uint8_t { gained, coin, lost, short_of, rich };
struct HandEvent {
    EventKind kind{};
    int number = 0, size = 0;  // size: cards in the hand before it
};
struct HandRecord {
    int kept = 0;
    std::vector<HandEvent> events;
};

constexpr int MAX_COINS = 1 << 10;

inline int total(const Coins& coins) { return coins[0] + coins[1] + coins[2]; }

inline Coins remove_coins(Coins coins, int value, int count = 1) {
    if (value && coins[static_cast<std::size_t>(value - 1)] != MAX_COINS)
        coins[static_cast<std::size_t>(value - 1)] -= count;
    return coins;
}

template <class Choice>
using Weighted = std::vector<std::pair<Choice, double>>;

template <class Choice>
double sum_weights(const Weighted<Choice>& choices) {
    double sum = 0;
    for (const auto& [choice, weight] : choices) sum += weight;
    return sum;
}

template <class Choice>
Choice choose_weighted(Draw& draw, const Weighted<Choice>& choices) {
    constexpr std::uint64_t steps = std::uint64_t{1} << 32;
    double point = draw.below(steps) / static_cast<double>(steps) * sum_weights(choices);
    for (const auto& [choice, weight] : choices) {
        point -= weight;
        if (point < 0) return choice;
    }
    for (auto at = choices.rbegin(); at != choices.rend(); ++at)  // rounding consumed the remaining weight
        if (at->second != 0) return at->first;
    fail("no hand agrees with the public history");
}

// n * (n-1) * ... with k factors, rounded once as Python rounds an integer to a float.
inline double permutations(int n, int k) {
    if (k > n || n < 0) return 0;
    constexpr int limb_count = 16;
    std::uint32_t limbs[limb_count] = {1};
    int used = 1;
    for (int factor = n; factor > n - k; --factor) {
        std::uint64_t carry = 0;
        for (int at = 0; at < used; ++at) {
            carry += std::uint64_t{limbs[at]} * static_cast<std::uint64_t>(factor);
            limbs[at] = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
        if (carry) {
            if (used == limb_count) fail("too many cards for a hand");
            limbs[used++] = static_cast<std::uint32_t>(carry);
        }
    }
    // the highest 64 bits, with a lowest bit that stands for everything below them, round as the whole number does
    int bits = 32 * used;
    while (bits > 1 && !(limbs[(bits - 1) / 32] >> ((bits - 1) % 32) & 1)) --bits;
    std::uint64_t high = 0;
    const int dropped = std::max(0, bits - 63);
    for (int at = bits - 1; at >= dropped; --at) high = high << 1 | (limbs[at / 32] >> (at % 32) & 1);
    bool rest = false;
    for (int at = 0; at < dropped; ++at) rest |= limbs[at / 32] >> (at % 32) & 1;
    return std::ldexp(static_cast<double>(high << 1 | rest), dropped - 1);
}

inline double binomial(int n, int k) {
    double ways = 1;  // small numbers: exact
    for (int at = 1; at <= k; ++at) ways = ways * (n - k + at) / at;
    return ways;
}

inline bool is_event_possible(EventKind kind, int number, const Coins& coins) {
    if (kind == EventKind::short_of) return !number || coins[0] + 2 * coins[1] + 3 * coins[2] < number;
    const int left = number / 10, highest = number % 10;
    int sum = 0;
    for (int value = 1; value <= highest; ++value) sum += value * coins[static_cast<std::size_t>(value - 1)];
    return sum >= left;
}

// Likelihood of the public history of one hand, given its gold.
class HandLikelihood {
  public:
    explicit HandLikelihood(HandRecord record) : kept(record.kept), events_(std::move(record.events)) {
        int most = 3 * kept;
        for (const HandEvent& event : events_)
            if (event.kind == EventKind::gained) most += event.number;
        for (std::size_t at = 0; at < events_.size(); ++at) {
            HandEvent& event = events_[at];  // a bid above any possible amount constrains nothing
            if (event.kind == EventKind::short_of && event.number > most) event.number = 0;
            const bool constrains = event.kind != EventKind::gained && event.kind != EventKind::lost;
            if (constrains && event.number) end = static_cast<int>(at) + 1;
        }
        find_needed_coins();
    }

    int kept;
    int end = 0;  // number of events up to the last constraint: everything is possible after it

    // Probability of all events from index `at` on, given this gold. Losses are random.
    double chance(int at, const Coins& coins) {
        if (at >= end) return 1;
        Coins capped = coins;
        const Coins& most = needed_[static_cast<std::size_t>(at)];
        for (std::size_t value = 0; value < 3; ++value)
            if (capped[value] >= most[value]) capped[value] = MAX_COINS;
        const auto key = std::pair(at, capped);
        if (const auto known = known_.find(key); known != known_.end()) return known->second;
        const double sum = sum_weights(ways(at, capped));
        return known_[key] = sum;
    }

    // The coin values that can leave the hand in an event, 0 for no gold, with their probabilities.
    Weighted<int> ways(int at, const Coins& coins) {
        const HandEvent event = events_.at(static_cast<std::size_t>(at));
        Weighted<int> all;
        if (event.kind == EventKind::lost) {
            int gold = 0;
            for (const int count : coins)
                if (0 < count && count < MAX_COINS) gold += count;
            const double size = event.size;
            all.emplace_back(0, (event.size - gold) / size * chance(at + 1, coins));
            for (int value = 1; value <= 3; ++value) {
                const int count = coins[static_cast<std::size_t>(value - 1)];
                if (0 < count && count < MAX_COINS)
                    all.emplace_back(value, count / size * chance(at + 1, remove_coins(coins, value)));
            }
        } else if (event.kind == EventKind::coin) {
            if (coins[static_cast<std::size_t>(event.number - 1)])
                all.emplace_back(event.number, chance(at + 1, remove_coins(coins, event.number)));
        } else if (event.kind == EventKind::gained) {
            all.emplace_back(event.number, chance(at + 1, remove_coins(coins, event.number, -1)));
        } else if (is_event_possible(event.kind, event.number, coins)) {
            all.emplace_back(0, chance(at + 1, coins));
        }
        return all;
    }

  private:
    std::vector<HandEvent> events_;
    std::vector<Coins> needed_;
    std::map<std::pair<int, Coins>, double> known_;

    // For each event and value, the number of coins that suffice before it, whatever the hand loses.
    void find_needed_coins() {
        needed_.resize(static_cast<std::size_t>(end));
        Coins most{};
        for (int at = end - 1; at >= 0; --at) {
            const HandEvent& event = events_[static_cast<std::size_t>(at)];
            if (event.kind == EventKind::lost) {
                for (int& count : most) ++count;
            } else if (event.kind == EventKind::coin) {
                most = remove_coins(most, event.number, -1);
            } else if (event.kind == EventKind::short_of && event.number) {
                most = {MAX_COINS, MAX_COINS, MAX_COINS};  // more gold makes this event less likely
            } else if (event.kind == EventKind::rich) {
                const int left = event.number / 10, highest = event.number % 10;
                for (int value = 1; value <= highest; ++value) {
                    int& count = most[static_cast<std::size_t>(value - 1)];
                    count = std::max(count, (left + value - 1) / value);
                }
            }
            needed_[static_cast<std::size_t>(at)] = most;
        }
    }
};

// Distribution of the hidden gold over several hands, weighted by the number of deals.
class GoldDistribution {
  public:
    GoldDistribution(std::vector<HandLikelihood*> hands, const Coins& coins, int others)
        : hands_(std::move(hands)), coins_(coins), others_(others) {
        for (HandLikelihood* hand : hands_) shares_.push_back(possible_shares(*hand));
    }

    // Draw the gold that each hand was dealt face down.
    std::vector<Coins> deal(Draw& draw) {
        Coins coins = coins_;
        int others = others_;
        std::vector<Coins> dealt;
        for (std::size_t number = 0; number < hands_.size(); ++number) {
            const Coins share = choose_weighted(draw, ways(number, coins, others));
            for (std::size_t value = 0; value < 3; ++value) coins[value] -= share[value];
            others += total(share) - hands_[number]->kept;
            dealt.push_back(share);
        }
        return dealt;
    }

  private:
    std::vector<HandLikelihood*> hands_;
    std::vector<Weighted<Coins>> shares_;
    Coins coins_;
    int others_;
    std::map<std::tuple<std::size_t, Coins, int>, Weighted<Coins>> known_;

    // The possible shares of gold for a hand. The weight of each is its number of orders times the probability of the
    // hand's events.
    static Weighted<Coins> possible_shares(HandLikelihood& hand) {
        Weighted<Coins> shares;
        const int kept = hand.kept;
        for (int one = 0; one <= kept; ++one)
            for (int two = 0; two <= kept; ++two)
                for (int three = 0; three <= kept; ++three) {
                    const int gold = one + two + three;
                    if (gold > kept) continue;
                    const double chance = hand.chance(0, {one, two, three});
                    if (chance == 0) continue;
                    const double orders = binomial(kept, gold) * binomial(gold, one) * binomial(gold - one, two);
                    shares.emplace_back(Coins{one, two, three}, orders * chance);
                }
        return shares;
    }

    const Weighted<Coins>& ways(std::size_t number, const Coins& coins, int others) {
        const auto key = std::tuple(number, coins, others);
        if (const auto known = known_.find(key); known != known_.end()) return known->second;
        Weighted<Coins> weighted;
        for (const auto& [share, weight] : shares_[number]) {
            const int cards = hands_[number]->kept - total(share);
            double deals = weight * permutations(others, cards);
            Coins left = coins;
            for (std::size_t value = 0; value < 3; ++value) {
                deals *= permutations(coins[value], share[value]);
                left[value] -= share[value];
            }
            if (deals != 0) weighted.emplace_back(share, deals * weight_of(number + 1, left, others - cards));
        }
        return known_[key] = std::move(weighted);
    }
    double weight_of(std::size_t number, const Coins& coins, int others) {
        return number == hands_.size() ? 1 : sum_weights(ways(number, coins, others));
    }
};

}  // namespace ftk::king
