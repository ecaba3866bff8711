// Flat Monte Carlo search: the items of a seat's menu are played on in the same sampled worlds, and the budget is spent by
// sequential halving (Karnin, Koren and Somekh 2013). The policy's own choice is kept unless another item is better in the
// worlds that both were played on in: of many items that were played on a few times, one looks good by luck. It is kept,
// too, where the game says that playouts cannot compare the items.
#pragma once
#include <bit>

#include "learning.hpp"

namespace ftk {

struct SearchTerms {
    std::uint64_t seed;
    // Choices that may be played in all playouts together; dealing a world again counts as many as take the same time.
    // Every item that may be worth choosing gets one playout at least.
    std::int64_t budget;
    int seat, policy;
};

// Another item must be better than the policy's own choice by more standard errors of the mean difference, the larger these
// are: real differences are small, and a large one that was measured coarsely is luck.
constexpr double LEAST_ERRORS = 0.5, ERRORS_PER_ERROR = 20;
// Added to the observed variance of a difference, which can be 0 in the first worlds by luck: LEAST_VARIANCE always, and
// UNSEEN_VARIANCE as that of one more world, whose difference is about 0.5.
constexpr double LEAST_VARIANCE = 0.02, UNSEEN_VARIANCE = 0.25;
// Choices that are played where the answer is fixed, for the share of that answer.
constexpr std::int64_t FIXED_BUDGET = 2'000;

class Search {
  public:
    Search(const Table& table, const SearchTerms& terms)
        : table_(table),
          terms_(terms),
          random_(terms.seed),
          policy_(static_cast<Policy>(terms.policy)),
          worlds_(table.worlds(terms.seat)) {}

    // Write by item the mean share of opponents that the seat finishes ahead of, and the number of its playouts. Return
    // the best item.
    int run(double* shares, std::int64_t* playouts) {
        const int size = table_.copy()->menu_size(terms_.seat);
        if (size < 1) fail("this seat has no menu");
        items_.resize(static_cast<std::size_t>(size));
        std::vector<int> rivals = table_.copy()->sensible_items(terms_.seat);
        const bool has_policy = policy_ == Policy::quick;
        own_choice_ = has_policy && size > 1 ? choose_by_policy() : 0;
        std::erase(rivals, own_choice_);
        const bool is_fixed = rivals.empty() || (has_policy && table_.keeps_policy_choice(terms_.budget));
        if (is_fixed) rivals.clear();
        const std::int64_t budget = is_fixed ? std::min(terms_.budget, FIXED_BUDGET) : terms_.budget;
        const int rounds = std::max(1, static_cast<int>(std::bit_width(rivals.size())));
        for (int round = 1; round <= rounds; ++round) {
            while (spent_ * rounds < budget * round) play_world(rivals);
            if (at(own_choice_).count == 0) play_world(rivals);
            std::ranges::stable_sort(rivals, [this](int one, int other) { return lead(one) > lead(other); });
            if (round < rounds) rivals.resize((rivals.size() + 1) / 2);
        }
        for (int item = 0; item < size; ++item) {
            shares[item] = at(item).total / static_cast<double>(std::max<std::int64_t>(1, at(item).count));
            playouts[item] = at(item).count;
        }
        if (is_fixed) return own_choice_;
        return (has_policy ? is_clearly_better(rivals[0]) : lead(rivals[0]) > 0) ? rivals[0] : own_choice_;
    }
    // Choices that were played, with the costs of worlds and estimates.
    std::int64_t spent() const { return spent_; }

  private:
    // Sums over the playouts of an item: shares, and their differences to those of the policy's own choice.
    struct Item {
        double total = 0, lead = 0, squared_lead = 0;
        std::int64_t count = 0;
    };
    const Table& table_;
    SearchTerms terms_;
    FastRandom random_;
    Policy policy_;
    std::unique_ptr<Worlds> worlds_;
    std::vector<Item> items_;
    int own_choice_ = 0;
    std::int64_t spent_ = 0;

    Item& at(int item) { return items_[static_cast<std::size_t>(item)]; }
    double lead(int item) { return at(item).lead / static_cast<double>(at(item).count); }
    int choose_by_policy() const {
        FastRandom words(terms_.seed);
        Draw draw(words);
        return table_.copy()->quick(terms_.seat, draw);
    }
    bool is_clearly_better(int item) {
        const auto count = static_cast<double>(at(item).count);
        const double mean = lead(item), variance = at(item).squared_lead / count - mean * mean;
        const double error = std::sqrt((variance + LEAST_VARIANCE + UNSEEN_VARIANCE / count) / count);
        return mean > error * (LEAST_ERRORS + ERRORS_PER_ERROR * error);
    }
    std::unique_ptr<Table> deal_world() {
        if (policy_ == Policy::quick) {
            spent_ += table_.likely_cost();
            Chance first(next_seed(random_));
            Draw draw(random_);
            double effective = 0;
            return worlds_->deal_likely(first, draw, 0, effective);
        }
        spent_ += table_.resample_cost();
        Chance deal(next_seed(random_));
        return worlds_->deal(deal);
    }

    // Play the policy's own choice and its rivals on from one world in which everything that the seat does not know is
    // dealt again, with the same luck.
    void play_world(const std::vector<int>& rivals) {
        const auto world = deal_world();
        const std::uint64_t luck = next_seed(random_), choices = next_seed(random_);
        const double own = play(*world, own_choice_, luck, choices);
        for (const int item : rivals) {
            const double difference = play(*world, item, luck, choices) - own;
            at(item).lead += difference;
            at(item).squared_lead += difference * difference;
        }
    }
    double play(const Table& world, int item, std::uint64_t luck, std::uint64_t choices) {
        const auto table = world.copy();
        Chance chance(luck);
        FastRandom words(choices);
        Draw draw(words);
        ++spent_;
        const double share =
            table->play_for_search(terms_.seat, item, chance, policy_, draw, terms_.budget, spent_);
        at(item).total += share;
        ++at(item).count;
        return share;
    }
};

}  // namespace ftk
