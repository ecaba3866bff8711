// To Court the King: the functions that every game has, and the automatic facts.
#pragma once
#include "changes.hpp"
#include "quick.hpp"
#include "values.hpp"

namespace ftk::to_court {

struct Game {
    using State = to_court::State;
    using View = to_court::State;
    using Options = StandardOptions;
    using Action = to_court::Action;
    using Fact = to_court::Fact;
    using Menu = to_court::Menu;
    static constexpr std::string_view name = "to_court_the_king";
    static constexpr int version = 2, min_seats = 2, max_seats = SEAT_LIMIT;

    static State setup(int seats, const Options&) {
        State state;
        state.seats = static_cast<std::int8_t>(seats);
        for (int at = 0; at < DISPLAY_SIZE; ++at)
            state.display.push({static_cast<Character>(index(Character::farmer) + at), COPIES[seats - min_seats][at]});
        state.cards = {static_cast<std::size_t>(seats), Characters{}};
        state.charlatans = {static_cast<std::size_t>(seats), 0};
        return state;
    }

    static void check(const State& state, int seats) {
        if (state.seats != seats) fail("impossible state: another number of seats");
        check_size(state.cards, seats);
        check_size(state.charlatans, seats);
        for (const Seats* list : {&state.order, &state.rolled})
            for (const Seat seat : *list) check_seat(seat, seats);
        const auto none = Seat{0};
        for (const Seat seat : {state.start, state.king.value_or(none), state.queen.value_or(none),
                                state.winner.value_or(none)})
            check_seat(seat, seats);
        check_size(state.display, DISPLAY_SIZE);
    }

    // Start the first round; seat 0 begins.
    template <class Sink>
    static void deal(State& state, Chance& chance, Sink& sink) {
        follow_automatically(state, chance, sink);
    }

    static SeatList turn(const State& state) {
        if (step_of(state) == Step::none) return {};
        const Seat seat = state.order[0];
        if (seat < 0 || seat >= state.seats) fail("no such seat");
        return {seat};
    }

    static void legal(const State& state, int, Menu& menu) {
        switch (step_of(state)) {
            case Step::window: return list_window(state, menu);
            case Step::aim: return list_aims(state, menu);
            case Step::acquire: return list_acquisitions(state, menu);
            case Step::final:
                menu.push(Roll{});
                menu.push(Concede{});
                return;
            case Step::none: return;
        }
    }

    template <class Sink>
    static void follow(State& state, int seat, const Action& action, Chance& chance, Sink& sink) {
        std::visit([&](const auto& chosen) { act(state, static_cast<Seat>(seat), chosen, chance, sink); }, action);
        follow_automatically(state, chance, sink);
    }

    static int quick(const State& state, int, const Menu& menu, Draw& draw) {
        return to_court::quick(state, menu, draw);
    }
    static std::optional<Action> quick_without_menu(const State& state, Draw& draw) {
        return to_court::quick_without_menu(state, draw);
    }
    // A search with a large budget plays on to the end of the seat's turn and estimates the result there; what a character
    // is worth shows at the end of the next turn. After the King was claimed, and after more rounds than the network has
    // seen, the end of the match is near.
    static constexpr std::int64_t horizon_budget = 100'000;
    static bool is_horizon(const State& before, const State& now, int seat) {
        if (now.final || now.king || now.round > VALUE_ROUNDS) return false;
        if (step_of(before) == Step::acquire)
            return now.round > before.round + 1 || (now.round == before.round + 1 && !is_waiting(now, seat));
        return now.round != before.round || now.order[0] != seat;
    }
    static bool is_waiting(const State& state, int seat) {
        return std::ranges::find(state.order, static_cast<Seat>(seat)) != state.order.end();
    }
    // Cost of `estimate_share`, in choices of a playout.
    static int estimate_cost(const State& state) { return 1 + state.seats; }
    static double estimate_share(const State& state, int seat) { return to_court::estimate_share(state, seat); }
    // Nothing is hidden, and each roll is drawn when it happens.
    static State resample(const State& state, int, Chance&) { return state; }
    static View view(const State& state, int) { return state; }

    // The winner first, then by counted result, the earlier ahead (T24).
    static Result result(const State& state) {
        struct Standing {
            bool is_winner;
            BestSet counted;
            int earliness;
            auto operator<=>(const Standing&) const = default;
        };
        Vec<Standing, SEAT_LIMIT> standings;
        Result result;
        for (Seat seat = 0; seat < state.seats; ++seat) {
            const auto [counted, when] = counted_result(state, seat);
            standings.push({seat == state.winner, counted, -when});
            result.scores.push(10 * counted.first + counted.second);
        }
        result.places = rank_by_keys(standings);
        return result;
    }

  private:
    // A seat's counted result and the time of its roll. A claim precedes all final results (T20).
    static std::pair<BestSet, int> counted_result(const State& state, Seat seat) {
        const BestSet own = state.finals.empty() ? BestSet(0, 0) : state.finals[seat].value_or(BestSet(0, 0));
        if (seat == state.queen && state.claim >= own) return {state.claim, -1};
        const int when = state.rolled.index_of(seat);
        return {own, when < 0 ? state.seats : when};
    }

    template <class Sink>
    static void act(State& state, Seat seat, const SetAside& action, Chance&, Sink& sink) {
        emit(state, sink, DiceSetAside{seat, action.faces});
    }
    template <class Sink>
    static void act(State& state, Seat seat, const Roll&, Chance& chance, Sink& sink) {
        roll(state, seat, chance, sink);
    }
    template <class Sink>
    static void act(State& state, Seat seat, const Use& use, Chance&, Sink& sink) {
        emit(state, sink, CardUsed{seat, use.card});
        if (const Face added = ADDED_DIE_VALUES[index(use.card)])
            emit(state, sink, DiceChanged{seat, use.card, {}, Faces(1, added)});
    }
    template <class Sink>
    static void act(State& state, Seat seat, const Aim& aim, Chance& chance, Sink& sink) {
        const Character card = state.using_.value();
        DiceChanged fact{seat, card, aim.before, aim.after.list()};
        if (card == Character::fool) fact.after = throw_dice(state, seat, aim.before.size(), "fool", chance);
        if (card == Character::merchant) fact.after = throw_dice(state, seat, aim.before.size(), "merchant", chance);
        emit(state, sink, fact);
    }
    template <class Sink>
    static void act(State& state, Seat seat, const Finish&, Chance&, Sink& sink) {
        emit(state, sink, RollingEnded{seat, state.aside});
    }
    template <class Sink>
    static void act(State& state, Seat seat, const Acquire& acquire, Chance&, Sink& sink) {
        if (acquire.card != Character::king) return emit(state, sink, CardAcquired{seat, acquire.card});
        const auto [count, value] = best_set(state.result.value());
        emit(state, sink, KingClaimed{seat, count, value});
    }
    template <class Sink>
    static void act(State& state, Seat seat, const AcquireNothing&, Chance&, Sink& sink) {
        emit(state, sink, NothingAcquired{seat});
    }
    template <class Sink>
    static void act(State& state, Seat seat, const Concede&, Chance&, Sink& sink) {
        emit(state, sink, Conceded{seat});
    }

    static Faces throw_dice(const State& state, Seat seat, int count, const auto& purpose, Chance& chance) {
        Draw draw = chance.at(purpose, std::int64_t{state.round}, std::int64_t{seat});
        Faces dice;
        for (int die = 0; die < count; ++die) dice.push(static_cast<Face>(1 + draw.below(MAX_FACE)));
        return dice;
    }
    // At the start of a turn roll all dice of the seat, later the active ones.
    template <class Sink>
    static void roll(State& state, Seat seat, Chance& chance, Sink& sink) {
        const bool opening = !state.rolling;
        const int count = opening ? start_dice(state, seat) : state.active.size();
        const Numbered purpose{"roll", opening ? 0 : state.rolls};
        emit(state, sink, DiceRolled{seat, throw_dice(state, seat, count, purpose, chance), opening});
    }

    // Everything that follows without a choice.
    template <class Sink>
    static void follow_automatically(State& state, Chance& chance, Sink& sink) {
        while (next_fact(state, chance, sink)) {
        }
    }
    template <class Sink>
    static bool next_fact(State& state, Chance& chance, Sink& sink) {
        if (state.over) return false;
        if (state.order.empty()) return next_round(state, sink), true;
        const Seat seat = state.order[0];
        if (state.result) {
            if (state.final) record_final_result(state, seat, sink);
            return state.final;
        }
        if (!state.rolling) {
            if (!state.final) roll(state, seat, chance, sink);
            return !state.final;
        }
        if (state.using_ || !state.active.empty() || !list_uses(state).empty()) return false;
        emit(state, sink, RollingEnded{seat, state.aside});
        return true;
    }
    // The next round, the final round once the King is claimed or the limit is reached (T18, T23), or the end.
    template <class Sink>
    static void next_round(State& state, Sink& sink) {
        const Seat right = right_neighbour(state, state.start);
        const auto next = static_cast<std::int16_t>(state.round + 1);
        // If all conceded, the first seat of the order wins.
        if (state.final) return emit(state, sink, CourtDecided{state.king.value_or(right)});
        if (state.king || state.round == MAX_ROUNDS) return emit(state, sink, FinalBegan{next, right});
        emit(state, sink, RoundBegan{next, state.round ? right : Seat{0}});
    }
    // A final result must beat the best one (T20), or equal it for the Queen's holder (T21).
    template <class Sink>
    static void record_final_result(State& state, Seat seat, Sink& sink) {
        const BestSet set = best_set(state.result.value());
        const bool ahead = set > state.best || (seat == state.queen && set == state.best);
        emit(state, sink, FinalRolled{seat, set.first, set.second, ahead});
    }
};

}  // namespace ftk::to_court
