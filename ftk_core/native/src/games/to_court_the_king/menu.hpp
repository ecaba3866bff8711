// Menus of the seat to act, the mildest item first (T25).
#pragma once
#include "subsets.hpp"

namespace ftk::to_court {

constexpr int sum_of(Dice dice) {
    int sum = 0;
    for (int face = 1; face <= MAX_FACE; ++face) sum += dice[face] * face;
    return sum;
}
constexpr bool are_disjoint(Dice some, Dice others) {
    for (int face = 1; face <= MAX_FACE; ++face)
        if (some[face] && others[face]) return false;
    return true;
}

// Every way to move pips among two or three dice, in the order of a menu: most pips first. The sum is kept, and every
// die changes (T10).
constexpr auto PIP_MOVES = [] {
    Vec<Dice, 77> sets;
    for (Face one = 1; one <= MAX_FACE; ++one)
        for (Face two = one; two <= MAX_FACE; ++two) {
            Dice set(1, one);
            set += Dice(1, two);
            sets.push(set);
            for (Face three = two; three <= MAX_FACE; ++three) {
                sets.push(set);
                sets.back() += Dice(1, three);
            }
        }
    Vec<Aim, 70> moves;
    for (int sum = 3 * MAX_FACE; sum > 0; --sum) {
        Vec<Dice, 77> equal;
        for (const Dice set : sets)
            if (sum_of(set) == sum) equal.push(set);
        for (const Dice before : equal)
            for (const Dice after : equal)
                if (before.size() == after.size() && are_disjoint(before, after)) moves.push({before, after});
    }
    return moves;
}();

// Pips can be moved unless there is only one way to make the sum of the dice: all are 1 or 6, but for a single 2 or 5.
constexpr bool can_move_pips(Dice dice) {
    const bool is_least = dice.highest() <= 2 && dice[2] <= 1;
    const bool is_most = dice.lowest() >= MAX_FACE - 1 && dice[MAX_FACE - 1] <= 1;
    return dice.size() >= 2 && !is_least && !is_most;
}
static_assert(std::all_of(PIP_MOVES.begin(), PIP_MOVES.end(), [](const Aim& move) {
    return can_move_pips(move.before);
}));

class Menu {
  public:
    int size() const { return subsets_.size() + actions_.size(); }
    Action operator[](int at) const {
        if (at < 0 || at >= subsets_.size()) return actions_[at - subsets_.size()];
        const Dice some = subsets_[at];
        return is_aim_ ? Action(Aim{some, subsets_.raised(some)}) : Action(SetAside{some});
    }
    int index_of(const Action& action) const {
        if (const int at = actions_.index_of(action); at >= 0) return subsets_.size() + at;
        const auto* set_aside = std::get_if<SetAside>(&action);
        const auto* aim = std::get_if<Aim>(&action);
        if (!set_aside && !aim) return -1;
        const int at = subsets_.index_of(aim ? aim->before : set_aside->faces);
        return at >= 0 && (*this)[at] == action ? at : -1;
    }
    void clear() {
        subsets_.clear();
        actions_.clear();
    }
    template <class One>
    void push(const One& action) { actions_.push(action); }
    // Ahead of all other items: set any of the dice aside.
    void offer_set_asides(Dice dice) {
        is_aim_ = false;
        subsets_.list(dice, 0);
    }
    // Ahead of all other items: raise any of the dice, or without a raise roll them again.
    void offer_aims(Dice dice, int raise) {
        is_aim_ = true;
        subsets_.list(dice, raise);
    }

  private:
    bool is_aim_ = false;
    Subsets subsets_;
    Vec<Action, PIP_MOVES.capacity> actions_;
};

inline bool is_possible(Character card, Dice active, const Aim& move) {
    return move.before.size() <= (card == Character::alchemist ? 3 : 2) && active.contain(move.before);
}

// The characters that add a die.
constexpr Characters ADDERS = [] {
    Characters adders;
    for (int at = 0; at < CHARACTER_COUNT; ++at)
        if (ADDED_DIE_VALUES[at]) adders.add(static_cast<Character>(at));
    return adders;
}();

// The characters that have an effect on active dice, of which there is at least one (T8).
inline Characters list_effective(Dice active, Dice aside) {
    Characters cards = {Character::fool, Character::merchant, Character::magician};
    const int low = active.lowest();
    if (low < MAX_FACE) cards.add(Character::serving_maid);
    if (low + raise_of(Character::noblewoman) <= MAX_FACE) cards.add(Character::noblewoman);
    if (low + raise_of(Character::nobleman) <= MAX_FACE) cards.add(Character::nobleman);
    if (!aside.empty() && (aside.lowest() != low || aside.highest() != low || active.highest() != low))
        cards.add(Character::astronomer);  // needs a die set aside (T11)
    if (!can_move_pips(active)) return cards;
    cards.add(Character::philosopher);
    cards.add(Character::alchemist);
    return cards;
}

// The characters that the seat to act can use, each once a turn: those that add a die, then those that change dice.
// None adds a thirteenth die (T3).
struct Uses {
    Characters adding, changing;
    bool empty() const { return adding.empty() && changing.empty(); }
};
inline Uses list_uses(const State& state) {
    const Seat seat = state.order[0];
    const Characters used(state.used), unused = state.cards[seat] - used;
    Uses uses;
    if (!state.active.empty()) uses.changing = unused & list_effective(state.active, state.aside);
    if (state.active.size() + state.aside.size() == DICE) return uses;
    uses.adding = unused & ADDERS;
    if (state.final && state.queen == seat && !used.contains(Character::queen)) uses.changing.add(Character::queen);
    return uses;
}

// After a roll: set all or some dice aside, use a character, or roll the others.
inline void list_window(const State& state, Menu& menu) {
    if (state.active.empty())
        menu.push(Finish{});
    else
        menu.offer_set_asides(state.active);
    const Uses uses = list_uses(state);
    for (const Character card : uses.adding) menu.push(Use{card});
    for (const Character card : uses.changing) menu.push(Use{card});
    if (!state.active.empty() && state.may_roll) menu.push(Roll{});
}

// Every possible effect of the character in use, most pips first. One that changes nothing is not possible (T8).
inline void list_aims(const State& state, Menu& menu) {
    const Character card = state.using_.value();
    const Dice active = state.active, aside = state.aside;
    const auto offer_changes = [&](auto&& is_possible) {
        for (Face after = MAX_FACE; after >= 1; --after)
            for (Face before = 1; before <= MAX_FACE; ++before)
                if (active[before] && before != after && is_possible(before, after))
                    menu.push(Aim{Dice(1, before), Dice(1, after)});
    };
    switch (card) {
        case Character::fool:
            for (Face face = 1; face <= MAX_FACE; ++face)
                if (active[face]) menu.push(Aim{Dice(1, face), {}});
            return;
        case Character::queen:
            for (Face face = MAX_FACE; face >= 1; --face) menu.push(Aim{{}, Dice(1, face)});
            return;
        case Character::merchant:
        case Character::noblewoman:
        case Character::nobleman: return menu.offer_aims(active, raise_of(card));
        case Character::philosopher:
        case Character::alchemist:
            for (const Aim& move : PIP_MOVES)
                if (is_possible(card, active, move)) menu.push(move);
            return;
        case Character::serving_maid:
            return offer_changes([](int before, int after) { return before < after && after <= before + 3; });
        case Character::astronomer: return offer_changes([&aside](int, int after) { return aside[after] > 0; });
        case Character::magician: return offer_changes([](int, int) { return true; });
        default: return;
    }
}

// The characters that the dice result pays for, the dearest first, after taking none.
inline void list_acquisitions(const State& state, Menu& menu) {
    const Seat seat = state.order[0];
    const Purse purse(state.result.value());
    menu.push(AcquireNothing{});
    for (int at = index(Character::king); at >= index(Character::farmer); --at)
        if (const auto card = static_cast<Character>(at); may_take(state, seat, card) && purse.pays(COSTS[at]))
            menu.push(Acquire{card});
    for (const Character card : {Character::charlatan, Character::fool})
        if (may_take(state, seat, card)) menu.push(Acquire{card});
}

}  // namespace ftk::to_court
