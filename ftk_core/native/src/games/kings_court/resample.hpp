// Random courts that are consistent with everything one viewer knows, as in ftk_core/games/kings_court/hidden_state_sampler.py.
// Claims and the King's questions do not bind anybody and are not evidence.
#pragma once
#include "possible_thefts.hpp"

namespace ftk::kings_court {

// A court that agrees with a state is found after a few draws; a state that no match can reach may have none.
constexpr int MAX_DRAWS = 1'000'000;
// The thefts before and after the viewer looked into the box.
using World = std::vector<PossibleThefts>;
// Diamonds of the richest, between whom the Princess chooses; none if she does not choose.
using Riches = std::optional<Count>;

inline std::vector<Riches> list_possible_riches(const State& state, int viewer) {
    if (state.tied.empty()) return {std::nullopt};
    if (state.tied.contains(0)) return {state.recovered};
    const auto own = viewer > 0 ? state.takes[viewer] : std::nullopt;
    if (own && state.tied.contains(static_cast<Seat>(viewer))) return {own->diamonds};
    std::vector<Riches> riches;
    Count least = state.recovered;
    if (own && !state.revealed[viewer]) least = std::max(least, own->diamonds);
    for (int rich = least + 1; rich <= DIAMONDS; ++rich) riches.push_back(static_cast<Count>(rich));
    return riches;
}

// Public knowledge of what a seat took.
inline Chair chair_of(const State& state, Seat seat, const Riches& rich) {
    const auto& take = state.takes[seat];
    const bool last = seat == state.seats - 1;
    Chair chair;
    chair.seat = seat;
    if (take && state.revealed[seat]) {
        chair.shares.push({role_of(state, seat), take->fake});
        if (take->diamonds) chair.diamonds = take->diamonds;
        chair.refusing = last;
        return chair;
    }
    if (state.tied.contains(seat)) {
        if (!state.fake_shown[seat]) chair.shares.push({Role::thief, false});
        chair.shares.push({Role::thief, true});
        chair.diamonds = rich;
        return chair;
    }
    if (rich) chair.below = *rich;
    if (state.fake_shown[seat]) {
        chair.shares.push({Role::thief, true});
        chair.shares.push({Role::urchin, true});
    } else if (!state.tied.empty() && seat == state.accused) {
        chair.shares.push({Role::princess, false});
    } else if (seat == state.shout) {
        chair.shares.push({Role::guard, false});
    } else {
        chair.shares = all_shares();
        chair.refusing = last;
    }
    return chair;
}

inline Chair chair_of_dismissal() {
    Chair chair;
    chair.shares = card_shares();
    chair.shares.push(NOTHING);
    chair.refusing = true;
    return chair;
}

// The box as the viewer passed it on.
inline Box box_passed_on(const State& state, int viewer, Box box) {
    box.remove(state.takes[viewer].value_or(Take{}));
    if (viewer == 1) box.remove({0, state.dismissed, false});
    return box;
}

// The seats before and after the viewer looked into the box; one span if it never did.
inline World possible_world(const State& state, int viewer, const Riches& rich) {
    const Box* arrival = viewer >= 0 && state.arrivals[viewer] ? &*state.arrivals[viewer] : nullptr;
    const bool splits = viewer > 0 && arrival;
    Span before, after;
    before.start = {DIAMONDS, state.cards, state.fake};
    if (arrival) before.left = *arrival;
    if (viewer == 0)
        before.diamonds.push(static_cast<Count>(DIAMONDS - state.hidden.value_or(0)));
    else
        for (int hidden = 0; hidden <= MAX_HIDDEN_DIAMONDS; ++hidden)
            before.diamonds.push(static_cast<Count>(DIAMONDS - hidden));
    if (state.considered && !(splits && viewer == 1)) before.chairs.push(chair_of_dismissal());
    for (Seat seat = 1; seat < state.seats; ++seat) {
        if (!state.takes[seat] || (splits && seat == viewer)) continue;
        (splits && seat > viewer ? after : before).chairs.push(chair_of(state, seat, rich));
    }
    World world{PossibleThefts(before)};
    if (!splits || (!state.takes[viewer] && !state.fumbled[viewer])) return world;
    after.start = box_passed_on(state, viewer, *arrival);
    after.diamonds.push(after.start.diamonds);
    world.emplace_back(after);
    return world;
}

inline Ways count_ways(const World& world) {
    Ways ways = 1;
    for (const PossibleThefts& thefts : world) ways *= thefts.size();
    return ways;
}

// Uniform integer below a bound of up to 64 bits.
inline Ways draw_below(Draw& draw, Ways bound) {
    if (bound == 0) fail("no theft agrees with what the viewer knows");
    const bool is_short = bound <= 0xffffffff;
    const Ways rest = (is_short ? (Ways{1} << 32) : 0 - bound) % bound;  // of 2**32 or 2**64
    const Ways most = (is_short ? 0xffffffff : ~Ways{0}) - rest;
    for (int tries = 0; tries < MAX_DRAWS; ++tries) {
        Ways number = draw.below(Ways{1} << 32);
        if (!is_short) number = number << 32 | draw.below(Ways{1} << 32);
        if (number <= most) return number % bound;
    }
    fail("no number was drawn");
}

// Replace the thefts in a court. The takes at seat 0 are the dismissal. Return false if a seat fumbled with an empty
// box, which is impossible.
inline bool replace_thefts(State& state, int viewer, Count hidden, const Takes& takes) {
    const auto dismissal = takes[0];
    if (viewer != 1) state.dismissed = dismissal ? dismissal->card : std::nullopt;
    state.hidden = hidden;
    state.box = {static_cast<Count>(DIAMONDS - hidden), state.cards, state.fake};
    for (int step = 1; step <= state.seats; ++step) {
        const int seat = step == state.seats ? 0 : step;
        if (!state.arrivals[seat]) break;
        if (state.fumbled[seat] && state.box.empty()) return false;
        state.arrivals[seat] = state.box;
        if (seat == 1 && state.considered) state.box.remove({0, state.dismissed, false});
        if (seat == 0 || state.fumbled[seat]) continue;
        if (seat != viewer) state.takes[seat] = takes[seat];
        if (state.takes[seat]) state.box.remove(*state.takes[seat]);
    }
    return true;
}

// All legal sequences of hidden, dismissed and taken contents are equally likely that give the viewer the same box and
// agree with: everything revealed or shown, a Guard who cried HAULT, exactly the candidates that a Princess has, and a
// Thief still to be found while the investigation continues.
// The possible thefts are counted once for all deals.
class Resampler {
  public:
    Resampler(const State& state, int viewer) : state_(state), viewer_(viewer) {
        if (is_open()) return;
        for (const Riches& rich : list_possible_riches(state_, viewer_)) {
            worlds_.push_back(possible_world(state_, viewer_, rich));
            total_ += count_ways(worlds_.back());
        }
    }

    State deal(Chance& chance) {
        State other = state_;
        if (is_open()) return other;
        Draw draw = chance.at("resample");
        for (int tries = 0; tries < MAX_DRAWS; ++tries) {
            Ways number = draw_below(draw, total_);
            auto world = worlds_.begin();
            for (; number >= count_ways(*world); ++world) number -= count_ways(*world);
            Takes takes(static_cast<std::size_t>(state_.seats), std::nullopt);
            Count hidden = 0;
            for (PossibleThefts& thefts : *world) {
                const Count diamonds = thefts.find(number % thefts.size(), takes);
                if (&thefts == &world->front()) hidden = static_cast<Count>(DIAMONDS - diamonds);
                number /= thefts.size();
            }
            if (replace_thefts(other, viewer_, hidden, takes) && (is_all_recovered(state_) || !is_all_recovered(other)))
                return other;
        }
        fail("no court agrees with what the viewer knows");
    }

  private:
    State state_;
    int viewer_;
    std::vector<World> worlds_;
    Ways total_ = 0;

    bool is_open() const { return viewer_ == OMNISCIENT || state_.ending != Ending::none || !state_.hidden; }
};

}  // namespace ftk::kings_court
