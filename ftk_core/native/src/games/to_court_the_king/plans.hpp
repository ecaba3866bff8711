// Plans for a turn of a playout, as in ftk_core/games/to_court_the_king/playout_plans.py: each is a set of dice to
// collect, and the expected value of what it wins.
#pragma once
#include "chances.hpp"
#include "menu.hpp"

namespace ftk::to_court {

struct Plan {
    int score = -1;
    Dice wanted;   // active dice to set aside
    int face = 0;  // of which the plan collects as many as possible; 0 for other plans
};

static_assert(*std::max_element(std::begin(CARD_VALUES), std::end(CARD_VALUES)) + EQUAL_DIE_VALUE * DICE <= INT16_MAX);

// Dice and characters of the seat in turn.
struct Hand {
    const State& state;
    Seat seat;
    Dice active, aside, dice;
    Characters unused, bringers, offered;
    bool has_queen;
    int more_dice, savers;
    int floor = 0;                       // value of the best character that the dice set aside win
    std::array<std::int16_t, DICE + HITS> values{};  // by number of equal dice; 0 for more than there are

    explicit Hand(const State& table)
        : state(table), seat(table.order[0]), active(table.active), aside(table.aside), dice(active) {
        dice += aside;
        const Characters used(state.used);
        unused = state.cards[seat] - used;
        has_queen = state.final && state.queen == seat && !used.contains(Character::queen);
        bringers = unused & ADDERS;
        more_dice = std::min(bringers.size() + has_queen, DICE - dice.size());  // T3
        savers = (unused & Characters(ALL_SAVERS)).size();
        if (!state.final) value_characters();
    }

    // The value of a number of dice of a face; `chances` are those that so many more of them come.
    int expected_value(int count, int face, const NegativeChances& chances, int most) const {
        int value = 0;
        if (state.final)
            for (int more = 0; more <= most; ++more)
                value -= chances[static_cast<std::size_t>(more)] * final_value_of(count + more, face);
        else
            value = -sum_of_products(chances, values.data() + count);  // no chance differs from 0 beyond `most`
        return value;
    }
    int final_value_of(int count, int face) const {
        const BestSet set(count, face);
        const bool is_ahead = set > state.best || (state.queen == seat && set == state.best);  // T20, T21
        return FINAL_DIE_VALUE * count + face + LEAD_VALUE * is_ahead;
    }
    int value_of_chance(Character card, int chance) const {
        return chance * CARD_VALUES[index(card)] + (CERTAIN - chance) * floor;
    }

  private:
    static constexpr Characters ALL_SAVERS = [] {
        Characters savers;
        for (const Character card : SAVERS) savers.add(card);
        return savers;
    }();
    static constexpr Characters WON_BY_EQUAL_DICE = [] {
        Characters cards;
        for (int at = 0; at < CHARACTER_COUNT; ++at)
            if (EQUAL_DICE_THAT_WIN[at]) cards.add(static_cast<Character>(at));
        return cards;
    }();
    static constexpr Characters LOST_BY_ANOTHER_DIE = [] {
        Characters cards;
        for (int at = 0; at < CHARACTER_COUNT; ++at)
            if (COSTS[at].kind == CostKind::odd || COSTS[at].kind == CostKind::even) cards.add(static_cast<Character>(at));
        return cards;
    }();

    void value_characters() {
        const Characters own = state.cards[seat];
        offered = list_displayed(state) - own;
        floor = CARD_VALUES[index(own.contains(Character::fool) ? Character::charlatan : Character::fool)];
        if (!aside.empty()) {
            const Purse purse(aside);
            for (const Character card : offered - LOST_BY_ANOTHER_DIE)
                if (CARD_VALUES[index(card)] > floor && purse.pays(COSTS[index(card)])) floor = CARD_VALUES[index(card)];
        }
        for (const Character card : offered & WON_BY_EQUAL_DICE) {
            auto& value = values[static_cast<std::size_t>(EQUAL_DICE_THAT_WIN[index(card)])];
            value = static_cast<std::int16_t>(std::max<int>(value, CARD_VALUES[index(card)]));
        }
        for (int count = 0, most = floor; count <= DICE; ++count) {
            auto& value = values[static_cast<std::size_t>(count)];
            most = std::max<int>(most, value);
            value = static_cast<std::int16_t>(most + EQUAL_DIE_VALUE * count);
        }
    }
};

// Collect one face.
inline Plan collect(const Hand& hand, int face) {
    const int has = hand.active[face];
    int hits = hand.dice[face], rest = hand.active.size() - has + hand.more_dice, savers = hand.savers, spares = 0;
    for (const Character card : hand.bringers) spares += ADDED_DIE_VALUES[index(card)] == face;
    spares = std::min(spares + hand.has_queen, hand.more_dice);
    if (!hand.active.empty() && !has && !spares && !hand.state.may_roll) {
        hits += savers > 0;
        savers = std::max(savers - 1, 0);
        --rest;
    }
    rest -= spares;
    const auto& chances = CHANCES.hits[static_cast<std::size_t>(rest)][static_cast<std::size_t>(savers)];
    return {hand.expected_value(hits + spares, face, chances, rest), Dice(has, face), face};
}

// Set every 6 aside, or else the highest die; all dice if they suffice.
inline Plan add_pips(const Hand& hand, Character card) {
    const Dice active = hand.active;
    int missing = COSTS[index(card)].number - sum_of(hand.aside);
    if (sum_of(active) >= missing) return {hand.value_of_chance(card, CERTAIN), active};
    Dice wanted(active[MAX_FACE], MAX_FACE);
    if (wanted.empty() && !hand.state.may_roll && !active.empty()) wanted = Dice(1, active.highest());
    const int rest = active.size() - wanted.size() + hand.more_dice;
    missing = std::max(0, missing - sum_of(wanted));
    const int chance = CHANCES.pips[static_cast<std::size_t>(rest)][static_cast<std::size_t>(missing)];
    return {hand.value_of_chance(card, chance), wanted};
}

// Keep pairs, and a single die for each pair that is missing; one that is set aside first.
inline Plan make_pairs(const Hand& hand, Character card) {
    int missing = COSTS[index(card)].number, singles = 0;
    for (int face = 1; face <= MAX_FACE; ++face) missing -= hand.dice[face] / 2;
    missing = std::max(0, missing);
    Dice wanted;
    for (const bool is_aside : {true, false})
        for (int face = MAX_FACE; face >= 1; --face) {
            if (!hand.dice[face] || (hand.aside[face] > 0) != is_aside) continue;
            const bool keeps_single = hand.dice[face] % 2 && singles < missing;
            singles += keeps_single;
            const int keep = hand.dice[face] - (hand.dice[face] % 2 && !keeps_single);
            wanted += Dice(std::clamp(keep - hand.aside[face], 0, hand.active[face]), face);
        }
    int rest = hand.active.size() - wanted.size() + hand.more_dice;
    const int dice_missing = 2 * missing - singles;
    if (dice_missing && wanted.empty() && !hand.state.may_roll) rest = std::max(0, rest - 1);
    const int chance = CHANCES.faces[static_cast<std::size_t>(rest)][static_cast<std::size_t>(dice_missing)];
    return {hand.value_of_chance(card, chance), wanted};
}

// The plan with the highest score. A character in use only serves to collect one face.
inline Plan best_plan(const Hand& hand, Draw& draw) {
    Plan best;
    for (int face = MAX_FACE; face >= 1; --face) {
        if (!hand.dice[face]) continue;
        const Plan plan = collect(hand, face);
        if (plan.score > best.score || (plan.score == best.score && draw.below(TIE_ODDS) == 0)) best = plan;
    }
    if (hand.state.using_) return best;
    const auto consider = [&](Character card, const auto& make) {
        if (!hand.offered.contains(card) || CARD_VALUES[index(card)] * CERTAIN <= best.score) return;
        if (const Plan plan = make(hand, card); plan.score > best.score) best = plan;
    };
    consider(Character::laborer, add_pips);
    consider(Character::pawn_broker, add_pips);
    consider(Character::astronomer, make_pairs);
    consider(Character::bishop, make_pairs);
    return best;
}

}  // namespace ftk::to_court
