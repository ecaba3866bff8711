// Kings Court: the functions that every game has, and the automatic facts.
#pragma once
#include <set>
#include <utility>

#include "likelihood.hpp"
#include "options.hpp"
#include "resample.hpp"
#include "sight.hpp"
#include "theft.hpp"
#include "verdict.hpp"

namespace ftk::kings_court {

struct Game {
    using State = kings_court::State;
    using Options = kings_court::Options;
    using Action = kings_court::Action;
    using Fact = kings_court::Fact;
    using Menu = kings_court::Menu;
    using Resampler = kings_court::Resampler;
    static constexpr int resample_cost = 20;
    // Number of courts from which a search draws one by its likelihood, and what that costs, in choices of a playout.
    static constexpr int candidates = 64, likely_cost = 200;
    static double likelihood(const State& state, int viewer) { return likelihood_of(state, viewer); }
    // Claims are the King's evidence, and no evidence for `resample`. Of thefts, playouts find the one that the policy's
    // King suspects least, which is weak against other Kings: the policy's thefts are drawn from a mix. Statements that
    // deceive the policy's King win against copies of the policy, but less against `sleuth`.
    static constexpr std::int64_t least_budget_for_talk = 100'000;
    static bool keeps_policy_choice(const State& state, std::int64_t budget) {
        const bool talks = step_of(state) == Step::answer || step_of(state) == Step::floor;
        return !talks || budget < least_budget_for_talk;
    }
    static constexpr std::string_view name = "kings_court";
    static constexpr int version = 2, min_seats = MIN_PLAYERS, max_seats = MAX_PLAYERS;

    static State setup(int seats, const Options& options) { return kings_court::setup(seats, options); }
    static void check(const State& state, int seats) {
        if (state.seats != seats) fail("impossible state: another number of seats");
        check_size(state.arrivals, seats);
        check_size(state.takes, seats);
        for (const SeatFlags* flags : {&state.fumbled, &state.exiled, &state.revealed, &state.fake_shown})
            check_size(*flags, seats);
        for (const SeatCounts* counts : {&state.asked, &state.statements}) check_size(*counts, seats);
        for (const SeatList* list : {&state.floor, &state.window, &state.tied, &state.winners})
            for (const Seat seat : *list) check_seat(seat, seats);
        for (const Seat seat : {state.at, state.accused.value_or(0), state.shout.value_or(0)}) check_seat(seat, seats);
        for (const Accusation& accusation : state.accusations) check_seat(accusation.seat, seats);
    }

    // The game has no randomness except the seating.
    template <class Sink>
    static void deal(State&, Chance&, Sink&) {}

    static SeatList turn(const State& state) { return seats_to_act(state); }

    // True if a forced move must be hidden: it would reveal that the box is empty (K4).
    static bool veiled(const State& state) { return step_of(state) == Step::help; }

    // The mildest item first; at the theft, the fumble comes first (K6).
    static void legal(const State& state, int seat, Menu& menu) {
        switch (step_of(state)) {
            case Step::hide:
                for (Count count = 0; count <= MAX_HIDDEN_DIAMONDS; ++count) menu.push(Hide{count});
                return;
            case Step::dismiss: return list_dismissals(state, menu);
            case Step::help: return list_shares(state, menu);
            case Step::king: return list_king_choices(state, menu);
            case Step::answer: return list_answers(state, menu);
            case Step::floor: return list_statements(state, static_cast<Seat>(seat), menu);
            case Step::halt:
                menu.push(Stay{});
                menu.push(Halt{});
                return;
            case Step::princess:
                for (const Seat rich : state.tied) menu.push(Choose{rich});
                return;
            case Step::none: return;
        }
    }

    template <class Sink>
    static void follow(State& state, int seat, const Action& action, Chance&, Sink& sink) {
        std::visit([&](const auto& chosen) { act(state, static_cast<Seat>(seat), chosen, sink); }, action);
        while (next_fact(state, sink)) {
        }
    }

    static int quick(const State& state, int seat, const Menu& menu, Draw& draw) {
        return kings_court::quick(state, seat, menu, draw);
    }
    // The policy's King hears claims on diamonds received and passed on, and of claims on cards received the number of the
    // cards and that of Usurpers. Claims that it hears alike are worth the same in a playout.
    static std::vector<int> sensible_items(const State& state, int, const Menu& menu) {
        if (step_of(state) != Step::floor && step_of(state) != Step::answer) return count_up(menu.size());
        std::vector<int> items;
        std::set<std::pair<int, int>> cards;
        bool has_unheard = false;
        for (int at = 0; at < menu.size(); ++at) {
            const Action action = menu[at];
            const Say* say = std::get_if<Say>(&action);
            const Topic topic = say ? say->claim.topic : Topic::received_diamonds;
            bool differs = topic == Topic::received_diamonds || topic == Topic::passed_diamonds;
            if (topic == Topic::received_cards) {
                const Cards& claimed = say->claim.cards.value();
                differs = cards.emplace(claimed.size(), count_kinds(claimed)[static_cast<int>(Card::usurper)]).second;
            } else if (!differs) {
                differs = !std::exchange(has_unheard, true);
            }
            if (differs) items.push_back(at);
        }
        return items;
    }
    static State resample(const State& state, int viewer, Chance& chance) {
        return Resampler(state, viewer).deal(chance);
    }
    static Sight view(const State& state, int viewer) { return kings_court::view(state, viewer); }
    // The winners share the first place with score 1.
    static Result result(const State& state) {
        Result result;
        for (Seat seat = 0; seat < state.seats; ++seat) {
            const bool won = state.winners.contains(seat);
            result.places.push(won ? 1 : 1 + state.winners.size());
            result.scores.push(won);
            result.roles.push(ROLE_NAMES[static_cast<std::size_t>(role_of(state, seat))]);
        }
        return result;
    }

  private:
    template <class Sink>
    static void act(State& state, Seat seat, const Hide& hide, Sink& sink) {
        emit(state, sink, DiamondsHidden{seat, hide.count});
    }
    template <class Sink>
    static void act(State& state, Seat seat, const Dismiss& dismiss, Sink& sink) {
        emit(state, sink, BoxConsidered{seat, dismiss.card});
    }
    template <class Sink>
    static void act(State& state, Seat seat, const Help& help, Sink& sink) {
        emit(state, sink, ShareTaken{seat, help.diamonds, help.card, help.fake});
    }
    template <class Sink>
    static void act(State& state, Seat seat, const Fumble&, Sink& sink) {
        emit(state, sink, Fumbled{seat});
    }
    template <class Sink>
    static void act(State& state, Seat, const Ask& ask, Sink& sink) {
        emit(state, sink, Asked{ask.seat, ask.topic, ask.about});
    }
    template <class Sink>
    static void act(State& state, Seat seat, const Say& say, Sink& sink) {
        emit(state, sink, Said{seat, say.claim});
    }
    template <class Sink>
    static void act(State& state, Seat seat, const DontKnow&, Sink& sink) {
        emit(state, sink, SaidNothing{seat, false});
    }
    template <class Sink>
    static void act(State& state, Seat seat, const Silence&, Sink& sink) {
        emit(state, sink, SaidNothing{seat, true});
    }
    template <class Sink>
    static void act(State& state, Seat, const Accuse& accuse, Sink& sink) {
        emit(state, sink, Accused{accuse.seat});
    }
    template <class Sink>
    static void act(State& state, Seat seat, const Stay&, Sink& sink) {
        emit(state, sink, StoodBy{seat});
    }
    // Only the Guard is heard (K27).
    template <class Sink>
    static void act(State& state, Seat seat, const Halt&, Sink& sink) {
        if (role_of(state, seat) == Role::guard) return emit(state, sink, Halted{seat});
        emit(state, sink, StoodBy{seat});
    }
    template <class Sink>
    static void act(State& state, Seat, const Choose& choose, Sink& sink) {
        emit(state, sink, build_end(state, Ending::princess, SeatList{choose.seat, state.accused.value_or(0)}));
    }

    // Everything that follows without a choice, one step at a time.
    template <class Sink>
    static bool next_fact(State& state, Sink& sink) {
        if (state.ending != Ending::none || !state.hidden) return false;
        if (state.at ? !state.looked : !is_box_back(state)) {
            emit(state, sink, BoxReceived{state.at, state.box.diamonds, state.box.cards, state.box.fake});
        } else if (state.at) {
            return false;
        } else if (const auto end = end_of_investigation(state)) {
            emit(state, sink, *end);
        } else if (state.accused && state.window.empty() && state.tied.empty()) {
            resolve_accusation(state, sink);
        } else {
            return false;
        }
        return true;
    }
};

}  // namespace ftk::kings_court
