// Parts that all games share: results, seats, and the loop in which a match is played on.
#pragma once
#include <algorithm>
#include <cmath>
#include <concepts>
#include <numeric>
#include <vector>

#include "chance.hpp"
#include "json.hpp"
#include "set.hpp"

namespace ftk {

constexpr int MAX_SEATS = 12;
constexpr int PUBLIC = -1, OMNISCIENT = -2;
using Seat = std::int8_t;
using SeatList = Set<Seat, MAX_SEATS>;

// Result of a finished match, by seat. A game without different roles leaves the roles empty.
struct Result {
    Vec<std::int32_t, MAX_SEATS> places, scores;
    Vec<std::string_view, MAX_SEATS> roles;
};

// Places by key: a greater key is better, and equal keys share a place.
template <class Keys>
Vec<std::int32_t, MAX_SEATS> rank_by_keys(const Keys& keys) {
    Vec<std::int32_t, MAX_SEATS> places;
    for (const auto& key : keys) {
        int place = 1;
        for (const auto& other : keys) place += key < other;
        places.push(place);
    }
    return places;
}

// The numbers from 0 on, below a size.
inline std::vector<int> count_up(int size) {
    std::vector<int> numbers(static_cast<std::size_t>(size));
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

struct StandardOptions {
    FTK_FIELDS("")
};

// More than any match by the rules. Play from an impossible state ends here instead of going on for ever.
constexpr int MAX_CHOICES = 1'000'000, MAX_AUTOMATIC_FACTS = 10'000;

inline void check_seat(int seat, int seats, int least = 0) {
    if (seat < least || seat >= seats) fail("impossible state: no such seat");
}
template <class Values>
void check_size(const Values& values, int size) {
    if (values.size() != size) fail("impossible state: a list by seat has another length");
}

struct IgnoreFacts {
    template <class Fact>
    void operator()(const Fact&) const {}
};

struct NeverStops {
    template <class State>
    bool operator()(const State&) const {
        return false;
    }
};

// Record a fact, then apply it.
template <class State, class Sink, class Fact>
void emit(State& state, Sink& sink, const Fact& fact) {
    sink(fact);
    apply(state, fact);
}

// By seat: a choice that was made before play goes on.
template <class Game>
using EarlyChoices = std::array<std::optional<typename Game::Action>, MAX_SEATS>;

// The playout policy of a game as `play_on` asks it.
template <class Game>
struct QuickChoice {
    Draw& draw;
    template <class Menu>
    int operator()(const typename Game::State& state, int seat, const Menu& menu) const {
        return Game::quick(state, seat, menu, draw);
    }
    auto without_menu(const typename Game::State& state) const
        requires requires { Game::quick_without_menu(state, draw); }
    {
        return Game::quick_without_menu(state, draw);
    }
};

// A policy for all seats, except that one seat plays a given action, once, as soon as a menu of `least` items or more
// offers it. A shorter menu is another kind of choice, such as the answer to a question instead of a statement.
template <class Game, class Choose>
struct LaterChoice {
    Choose& choose;
    int waiting_seat, least;
    std::optional<typename Game::Action> action;
    template <class Menu>
    int operator()(const typename Game::State& state, int seat, const Menu& menu) {
        if (action && seat == waiting_seat && menu.size() >= least)
            for (int at = 0; at < menu.size(); ++at)
                if (*action == menu[at]) return action.reset(), at;
        return choose(state, seat, menu);
    }
    auto without_menu(const typename Game::State& state)
        requires requires { choose.without_menu(state); }
    {
        return action ? decltype(choose.without_menu(state)){} : choose.without_menu(state);
    }
};

// Play on until the match is over: all seats that must choose do so in the same state, then the choices take effect in
// seat order. A seat is not asked about a menu of one item. `choose` gets (state, seat, menu) and returns an index. It
// may have `without_menu`, which gets (state) and returns a choice from several items, or none: it is faster where menus
// are long. Play stops early in a state for which `stops` returns true.
template <class Game, class Choose, class Sink, class Stops = NeverStops>
std::int64_t play_on(typename Game::State& state, Chance& chance, Choose&& choose, Sink&& sink,
                     EarlyChoices<Game> early = {}, Stops&& stops = {}) {
    std::int64_t choices = 0, turns = 0;
    typename Game::Menu menu;
    const auto answer = [&](Seat seat) -> typename Game::Action {
        check_seat(seat, MAX_SEATS);
        if (auto& choice = early[static_cast<std::size_t>(seat)]) return *std::exchange(choice, std::nullopt);
        if constexpr (requires { choose.without_menu(state); })
            if (auto choice = choose.without_menu(state)) return ++choices, *choice;
        menu.clear();
        Game::legal(state, seat, menu);
        if (menu.size() <= 1) return menu[0];
        const int at = choose(state, seat, menu);
        ++choices;
        return menu[at];
    };
    Vec<typename Game::Action, MAX_SEATS> answers;
    for (;;) {
        const SeatList due = Game::turn(state);
        if (due.empty() || stops(state)) return choices;
        if (++turns > MAX_CHOICES) fail("the match does not end");
        if (due.has_one()) {
            Game::follow(state, due[0], answer(due[0]), chance, sink);
            continue;
        }
        answers.clear();
        for (const Seat seat : due) answers.push_result([&] { return answer(seat); });
        int at = 0;
        for (const Seat seat : due) Game::follow(state, seat, answers[at++], chance, sink);
    }
}

}  // namespace ftk
