// Compares the likelihoods of a court with what the policy does: prints a line for each difference.
#include <cmath>
#include <cstdio>
#include <map>
#include <tuple>

#include "game.hpp"
#include "games/kings_court/rules.hpp"

using namespace ftk;
using namespace ftk::kings_court;

namespace {

constexpr int MATCHES = 12, DRAWS = 4000;
constexpr double STANDARD_ERRORS = 5;

// How often the policy takes each share of the box, against the likelihood of that theft.
void compare_thefts(const State& state, int seat, const kings_court::Menu& menu, Draw& draw) {
    std::map<int, int> counts;
    for (int trial = 0; trial < DRAWS; ++trial) ++counts[Game::quick(state, seat, menu, draw)];
    for (int item = 0; item < menu.size(); ++item) {
        const kings_court::Action action = menu[item];
        const Help* share = std::get_if<Help>(&action);  // a fumble is none
        const Take take = share ? Take{share->diamonds, share->card, share->fake} : Take{};
        const double wanted = share ? theft_likelihood(state.box, take, seat, state.seats - 1) : OFF_POLICY;
        const double found = counts[item] / static_cast<double>(DRAWS);
        const double margin = STANDARD_ERRORS * std::sqrt(wanted * (1 - wanted) / DRAWS);
        if (std::abs(std::max(OFF_POLICY, found) - wanted) > margin)
            std::printf("%d seats, seat %d, item %d: %g of thefts, not %g\n", state.seats, seat, item, found, wanted);
    }
}

// What the policy said follows from its thefts, and another number of diamonds does not.
void compare_claims(const State& state) {
    for (Seat seat = 1; seat < state.seats; ++seat) {
        if (!state.takes[seat] || !state.arrivals[seat]) continue;
        const Take& take = *state.takes[seat];
        const bool lies = take.diamonds || take.card == Card::usurper;
        const bool has_two_stories = lies && seat > 1 && seat < state.seats - 1;
        const double likelihood = talk_likelihood(state, seat, take);
        if (has_two_stories ? likelihood < 0.5 : likelihood != 1)
            std::printf("%d seats, seat %d: likelihood %g of what the policy said\n", state.seats, seat, likelihood);
        State changed = state;
        for (Utterance& utterance : changed.said) {
            Said* said = std::get_if<Said>(&utterance);
            if (lies || !said || said->seat != seat || said->claim.topic != Topic::passed_diamonds) continue;
            said->claim.number = static_cast<Count>(said->claim.number.value() + 1);
            if (talk_likelihood(changed, seat, take) > OFF_POLICY)
                std::printf("%d seats, seat %d: a false number is as likely as the true one\n", state.seats, seat);
            break;
        }
    }
}

}  // namespace

int main() {
    int thefts = 0, talks = 0;
    for (int seats = MIN_PLAYERS; seats <= MAX_PLAYERS; ++seats)
        for (int number = 0; number < MATCHES; ++number) {
            State state = Game::setup(seats, {});
            FastRandom random(static_cast<std::uint64_t>(1000 * seats + number));
            Draw draw(random);
            Chance chance{static_cast<std::uint64_t>(number)};
            IgnoreFacts ignore;
            const auto choose = [&](const State& now, int seat, const kings_court::Menu& menu) {
                if (step_of(now) == Step::help) {
                    compare_thefts(now, seat, menu, draw);
                    ++thefts;
                }
                return Game::quick(now, seat, menu, draw);
            };
            Game::deal(state, chance, ignore);
            ftk::play_on<Game>(state, chance, choose, ignore);
            compare_claims(state);
            talks += state.said.size();
        }
    std::printf("compared %d thefts and %d claims\n", thefts, talks);
}
