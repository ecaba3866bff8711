// Flat Monte Carlo search: every item of a seat's menu is played on in the same sampled worlds, and the budget is spent by
// sequential halving (Karnin, Koren and Somekh 2013). The policy's own choice is kept unless another item is clearly better:
// of many items that were played on a few times, one looks good by luck. It is kept, too, where the worlds ignore evidence.
#pragma once
#include <numeric>

#include "learning.hpp"

namespace ftk {

struct SearchTerms {
    std::uint64_t seed;
    // Choices that may be played in all playouts together; dealing a world again counts as many as take the same time.
    // Every item gets one playout at least.
    std::int64_t budget;
    int seat, policy;
};

// Another item must be better than the policy's own choice by 1.5 standard errors; a share's standard deviation is about 0.4.
constexpr double CLEARLY_BETTER = 1.5 * 0.4;

class Search {
  public:
    Search(const Table& table, const SearchTerms& terms)
        : table_(table), terms_(terms), random_(terms.seed), policy_(static_cast<Policy>(terms.policy)) {}

    // Write by item the mean share of opponents that the seat finishes ahead of, and the number of its playouts. Return
    // the best item.
    int run(double* shares, std::int64_t* playouts) {
        const int size = table_.copy()->menu_size(terms_.seat);
        if (size < 1) fail("this seat has no menu");
        totals_.resize(static_cast<std::size_t>(size));
        counts_.resize(totals_.size());
        std::vector<int> items(totals_.size());
        std::iota(items.begin(), items.end(), 0);
        const int own_choice = size > 1 ? choose_by_policy() : -1;
        int rounds = 1;
        while (1 << rounds < size) ++rounds;
        for (int round = 1; round <= rounds; ++round) {
            while (spent_ * rounds < terms_.budget * round) play_world(items);
            if (counts_[static_cast<std::size_t>(items[0])] == 0) play_world(items);
            std::stable_sort(items.begin(), items.end(), [this](int one, int other) { return mean(one) > mean(other); });
            if (round < rounds) items.resize((items.size() + 1) / 2);
            if (own_choice >= 0 && std::ranges::find(items, own_choice) == items.end()) items.back() = own_choice;
        }
        for (int item = 0; item < size; ++item) {
            shares[item] = mean(item);
            playouts[item] = counts_[static_cast<std::size_t>(item)];
        }
        const bool keeps = own_choice >= 0 && (table_.ignores_evidence() || !is_clearly_better(items[0], own_choice));
        return keeps ? own_choice : items[0];
    }

  private:
    const Table& table_;
    SearchTerms terms_;
    FastRandom random_;
    Policy policy_;
    std::vector<double> totals_;
    std::vector<std::int64_t> counts_;
    std::int64_t spent_ = 0;

    double mean(int item) const {
        const auto at = static_cast<std::size_t>(item);
        return totals_[at] / static_cast<double>(std::max<std::int64_t>(1, counts_[at]));
    }
    // -1 if playouts are random.
    int choose_by_policy() const {
        if (policy_ != Policy::quick) return -1;
        FastRandom words(terms_.seed);
        Draw draw(words);
        return table_.copy()->quick(terms_.seat, draw);
    }
    bool is_clearly_better(int one, int other) const {
        const auto playouts = [this](int item) { return static_cast<double>(counts_[static_cast<std::size_t>(item)]); };
        return mean(one) - mean(other) > CLEARLY_BETTER * std::sqrt(1 / playouts(one) + 1 / playouts(other));
    }
    std::uint64_t next_seed() { return std::uint64_t{random_.word()} << 32 | random_.word(); }

    // Play every item on from one world in which everything that the seat does not know is dealt again, with the same luck.
    void play_world(const std::vector<int>& items) {
        const auto world = table_.copy();
        Chance deal(next_seed());
        world->resample(terms_.seat, deal);
        spent_ += world->resample_cost();
        const std::uint64_t luck = next_seed(), choices = next_seed();
        std::array<std::int8_t, MAX_SEATS> places{};
        for (const int item : items) {
            const auto table = world->copy();
            Chance chance(luck);
            FastRandom words(choices);
            Draw draw(words);
            spent_ += 1 + table->play_on_with(terms_.seat, item, chance, policy_, draw);
            table->places(places.data());
            const auto at = static_cast<std::size_t>(item);
            totals_[at] += share_left_behind(places.data(), table->seats(), terms_.seat);
            ++counts_[at];
        }
    }
};

}  // namespace ftk
