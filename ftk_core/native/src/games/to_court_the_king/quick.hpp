// Policy for playouts, as in ftk_core/games/to_court_the_king/playout_policy.py: collect the dice of the best plan, and
// save bad rolls by characters.
#pragma once
#include "plans.hpp"

namespace ftk::to_court {

// True if two dice can become one of a face and another one.
inline bool has_sum(Dice active, int face) {
    for (int one = 1; one <= MAX_FACE; ++one)
        for (int other = one; active[one] && other <= MAX_FACE; ++other)
            if (active[other] > (one == other) && face < one + other && one + other <= face + MAX_FACE) return true;
    return false;
}

// True if a character can help when no active die shows a face.
inline bool helps(Character card, const Hand& hand, int face) {
    switch (card) {
        case Character::philosopher:
        case Character::alchemist: return has_sum(hand.active, face);
        case Character::nobleman: return face > 2 && hand.active[face - 2];
        case Character::noblewoman: return face > 1 && hand.active[face - 1];
        case Character::serving_maid:
            for (int die = std::max(1, face - 3); die < face; ++die)
                if (hand.active[die]) return true;
            return false;
        case Character::astronomer: return hand.aside[face] > 0;
        default: return true;
    }
}

// The character that saves a roll without a wanted die.
inline std::optional<Character> find_saver(const Hand& hand, int face) {
    if (hand.more_dice && !hand.bringers.empty()) return hand.bringers[0];
    for (const Character card : SAVERS)
        if (hand.unused.contains(card) && helps(card, hand, face)) return card;
    if (hand.more_dice && hand.has_queen) return Character::queen;
    return std::nullopt;
}

// Bring in dice, set the wanted dice aside, roll the others, and save a roll without a wanted die.
inline Action choose_in_turn(const Hand& hand, const Plan& plan) {
    for (const Character card : hand.bringers)
        if (hand.more_dice && ADDED_DIE_VALUES[index(card)] != plan.face) return Use{card};
    if (!plan.wanted.empty()) return SetAside{plan.wanted};
    if (hand.state.may_roll) return Roll{};
    if (plan.face)
        if (const auto card = find_saver(hand, plan.face)) return Use{*card};
    return SetAside{Dice(1, hand.active.highest())};
}

template <class Value>
int best_item(const Menu& menu, Value&& value_of) {
    int best = 0, most = value_of(menu[0]);
    for (int at = 1; at < menu.size(); ++at)
        if (const int value = value_of(menu[at]); value > most) best = at, most = value;
    return best;
}

// The change that gives the most dice of a face.
inline int aim(const Menu& menu, Dice active, Character card, int face) {
    if (!face) return 0;  // a state without dice
    if (card == Character::merchant) {
        active -= Dice(active[face], face);
        return active.empty() ? 0 : menu.index_of(Aim{active, {}});
    }
    if (const int raise = raise_of(card)) {
        const int raised = face > raise ? active[face - raise] : 0;
        return raised ? menu.index_of(Aim{Dice(raised, face - raise), Dice(raised, face)}) : 0;
    }
    return best_item(menu, [face](const Action& action) {
        const auto& [before, after] = std::get<Aim>(action);
        return after[face] - before[face];
    });
}

inline int card_value_of(const Action& action) {
    const auto* acquire = std::get_if<Acquire>(&action);
    return acquire ? CARD_VALUES[index(acquire->card)] : 0;
}

inline int quick(const State& state, const Menu& menu, Draw& draw) {
    const Step step = step_of(state);
    if (step == Step::acquire) return best_item(menu, card_value_of);
    if (step != Step::window && step != Step::aim) return 0;  // roll in the final round
    if (step == Step::window && state.active.empty()) return 1;  // bring in a die
    const Hand hand(state);
    const Plan plan = best_plan(hand, draw);
    if (state.using_) return aim(menu, state.active, *state.using_, plan.face);
    return menu.index_of(choose_in_turn(hand, plan));
}

// The dearest character that the dice pay for.
inline Action acquire(const State& state) {
    const Seat seat = state.order[0];
    const bool has_fool = state.cards[seat].contains(Character::fool);
    Character best = has_fool ? Character::charlatan : Character::fool;
    const Purse purse(state.result.value());
    for (const Character card : list_displayed(state) - state.cards[seat])
        if (CARD_VALUES[index(card)] > CARD_VALUES[index(best)] && purse.pays(COSTS[index(card)])) best = card;
    return Acquire{best};
}

// The policy's choice from a menu of several items, without the menu; none if the menu must be listed to tell.
inline std::optional<Action> quick_without_menu(const State& state, Draw& draw) {
    const Step step = step_of(state);
    if (step == Step::acquire) return acquire(state);
    if (step == Step::final) return Roll{};
    const int dice = state.active.size();
    if (step != Step::window || dice == 0 || (dice == 1 && !state.may_roll)) return std::nullopt;
    const Hand hand(state);
    return choose_in_turn(hand, best_plan(hand, draw));
}

}  // namespace ftk::to_court
