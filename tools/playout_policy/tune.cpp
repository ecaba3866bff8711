// Search for the weights of For the King's playout policy by the cross-entropy method: matches against the built-in bot
// `counter` and against the policy's present weights, every deal from each seat.
//
//     c++ -std=c++20 -O3 -ffp-contract=off -I ftk_core/native/src tools/playout_policy/tune.cpp -o /tmp/tune
//     /tmp/tune SEATS ITERATIONS [CANDIDATES DEALS]
//
// prints a row for ftk_core/games/for_the_king/playout_values/playout_policy_weights.py after each tenth iteration.
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>

#include "counter_bot.hpp"
#include "learning.hpp"

using namespace ftk;
using namespace ftk::king;

constexpr int WEIGHT_COUNT = sizeof(PolicyWeights) / sizeof(double);
constexpr int MIXING = WEIGHT_COUNT - 1;  // the last weight is given, not searched for: play without chance is stronger
using Weights = std::array<double, WEIGHT_COUNT>;
constexpr double FIRST_SPREAD = 0.25, LEAST_SPREAD = 0.015, LEARNING_RATE = 0.7;

PolicyWeights named(const Weights& weights) { return std::bit_cast<PolicyWeights>(weights); }

// Share of opponents that a seat with these weights leaves behind; they are counters, or have other weights.
double play(int seats, int seat, std::uint64_t deal, const PolicyWeights& weights, const PolicyWeights* others) {
    State state = Game::setup(seats, {});
    Chance chance{deal};
    IgnoreFacts ignore;
    Game::deal(state, chance, ignore);
    FastRandom words(deal + static_cast<std::uint64_t>(seat));
    Draw draw(words);
    const auto choose = [&](const State& now, int chooser, const Menu& menu) {
        if (chooser == seat) return QuickPolicy(now, chooser, draw, weights).choose(menu);
        if (others) return QuickPolicy(now, chooser, draw, *others).choose(menu);
        return CounterBot(now, chooser).choose(menu);
    };
    play_on<Game>(state, chance, choose, [](auto&&...) {}, ignore);
    std::array<std::int8_t, MAX_SEATS> places{};
    const Result result = Game::result(state);
    for (int at = 0; at < seats; ++at)
        places[static_cast<std::size_t>(at)] = static_cast<std::int8_t>(result.places[at]);
    return share_left_behind(places.data(), seats, seat);
}

double mean_share(int seats, std::uint64_t first_deal, int deals, const Weights& weights, const Weights* others) {
    const PolicyWeights mine = named(weights), theirs = named(others ? *others : weights);
    double total = 0;
    for (int deal = 0; deal < deals; ++deal)
        for (int seat = 0; seat < seats; ++seat)
            total += play(seats, seat, first_deal + 7919 * static_cast<std::uint64_t>(deal), mine,
                          others ? &theirs : nullptr);
    return total / (deals * seats);
}

int main(int count, char** words) {
    if (count < 3) return std::fputs("usage: tune SEATS ITERATIONS [CANDIDATES DEALS]\n", stderr), 2;
    const int seats = std::atoi(words[1]), iterations = std::atoi(words[2]);
    const int candidates = count > 4 ? std::atoi(words[3]) : 40, deals = count > 4 ? std::atoi(words[4]) : 50;
    std::mt19937_64 generator(static_cast<std::uint64_t>(seats));
    std::normal_distribution<double> normal;
    auto mean = std::bit_cast<Weights>(POLICY_WEIGHTS[seats - Game::min_seats]), opponent = mean;
    Weights spread{};
    for (int at = 0; at < MIXING; ++at) spread[at] = FIRST_SPREAD * std::max(0.06, std::fabs(mean[at]));
    for (int iteration = 1; iteration <= iterations; ++iteration) {
        std::vector<std::pair<double, Weights>> tried(static_cast<std::size_t>(candidates));
        const std::uint64_t deal = 1'000'003 * static_cast<std::uint64_t>(iteration);
        for (auto& [value, weights] : tried) {
            weights = mean;
            for (int at = 0; at < MIXING; ++at) weights[at] = std::max(0.0, mean[at] + spread[at] * normal(generator));
            value = mean_share(seats, deal, deals, weights, nullptr);
            value += mean_share(seats, ~deal, deals, weights, &opponent);
        }
        std::ranges::sort(tried, [](const auto& one, const auto& other) { return one.first > other.first; });
        tried.resize(tried.size() / 4);
        for (int at = 0; at < MIXING; ++at) {
            double sum = 0, squares = 0;
            for (const auto& [value, weights] : tried) sum += weights[at];
            const double best = sum / static_cast<double>(tried.size());
            for (const auto& [value, weights] : tried) squares += (weights[at] - best) * (weights[at] - best);
            mean[at] += LEARNING_RATE * (best - mean[at]);
            spread[at] = std::max(LEAST_SPREAD * std::fabs(mean[at]),
                                  0.5 * (spread[at] + std::sqrt(squares / static_cast<double>(tried.size()))));
        }
        if (iteration % 5 == 0) opponent = mean;
        if (iteration % 10 && iteration != iterations) continue;
        std::printf("%d: PlayoutPolicyWeights(", seats);
        for (int at = 0; at < WEIGHT_COUNT; ++at) std::printf("%s%.3g", at ? ", " : "", mean[at]);
        std::printf("),  # %.3f against counter\n", mean_share(seats, 1, 400, mean, nullptr));
        std::fflush(stdout);
    }
}
