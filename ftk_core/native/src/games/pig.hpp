// Rules of Pig, as in ftk_core/games/pig/rules.py: roll and gather, or hold and bank, first to 100.
#pragma once
#include "../game.hpp"

namespace ftk::pig {

constexpr int GOAL = 100, PLAYOUT_HOLD_POINTS = 20, ROLLS_PER_TURN = 40;

struct State {
    Vec<std::int32_t, 6> banked;
    Seat seat = 0;
    std::int32_t gathered = 0, rolls = 0, turns = 0;
    std::int8_t face = 0;
    FTK_FIELDS("", banked, seat, gathered, rolls, turns, face)
};

struct Hold {
    FTK_FIELDS("hold")
    bool operator==(const Hold&) const = default;
};
struct Roll {
    FTK_FIELDS("roll")
    bool operator==(const Roll&) const = default;
};
struct DieRolled {
    Seat seat = 0;
    std::int8_t face = 0;
    FTK_FIELDS("die_rolled", seat, face)
};
struct TurnBanked {
    Seat seat = 0;
    std::int32_t points = 0;
    FTK_FIELDS("turn_banked", seat, points)
};

inline void next_turn(State& state, int face) {
    state.seat = static_cast<Seat>((state.seat + 1) % state.banked.size());
    state.gathered = state.rolls = 0;
    ++state.turns;
    state.face = static_cast<std::int8_t>(face);
}
inline void apply(State& state, const DieRolled& fact) {
    if (fact.face == 1) return next_turn(state, 1);
    state.gathered += fact.face;
    ++state.rolls;
    state.face = fact.face;
}
inline void apply(State& state, const TurnBanked& fact) {
    state.banked[fact.seat] += fact.points;
    next_turn(state, state.face);
}

struct Game {
    using State = pig::State;
    using View = pig::State;
    using Options = StandardOptions;
    using Action = std::variant<Hold, Roll>;
    using Fact = std::variant<DieRolled, TurnBanked>;
    using Menu = Vec<Action, 2>;
    static constexpr std::string_view name = "pig";
    static constexpr int version = 1, min_seats = 2, max_seats = 6;

    static State setup(int seats, const Options&) {
        State state;
        state.banked = {static_cast<std::size_t>(seats), 0};
        return state;
    }
    static void check(const State& state, int seats) {
        check_size(state.banked, seats);
        check_seat(state.seat, seats);
    }
    template <class Sink>
    static void deal(State&, Chance&, Sink&) {}

    static SeatList turn(const State& state) {
        SeatList due;
        for (const int points : state.banked)
            if (points >= GOAL) return due;
        due.add(state.seat);
        return due;
    }
    static void legal(const State& state, int, Menu& menu) {
        if (state.rolls > 0) menu.push(Hold{});
        if (state.rolls < ROLLS_PER_TURN) menu.push(Roll{});
    }
    template <class Sink>
    static void follow(State& state, int seat, const Action& action, Chance& chance, Sink& sink) {
        if (std::holds_alternative<Hold>(action)) return emit(state, sink, TurnBanked{Seat(seat), state.gathered});
        const auto face = 1 + chance.at("roll", std::int64_t{state.turns}, std::int64_t{state.rolls}).below(6);
        emit(state, sink, DieRolled{Seat(seat), static_cast<std::int8_t>(face)});
    }
    static int quick(const State& state, int seat, const Menu&, Draw&) {
        return state.gathered < PLAYOUT_HOLD_POINTS && state.banked[seat] + state.gathered < GOAL;
    }
    static State resample(const State& state, int, Chance&) { return state; }
    static View view(const State& state, int) { return state; }
    static Result result(const State& state) {
        Result result{rank_by_keys(state.banked), {}, {}};
        result.scores.extend(state.banked);
        return result;
    }
};

}  // namespace ftk::pig
