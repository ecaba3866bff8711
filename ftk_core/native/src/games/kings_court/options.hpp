// Box contents that an organiser can change, as in ftk_core/games/kings_court/roles_and_options.py.
#pragma once
#include <string>

#include "state.hpp"

namespace ftk::kings_court {

struct Options {
    std::optional<Cards> cards;
    bool fake = false;
    std::optional<std::int32_t> gifts;
    FTK_FIELDS("", cards, fake, gifts)
};

// Default cards in canonical order. The fake diamond replaces a Usurper.
inline Cards default_cards(const Composition& composition, bool fake) {
    Cards cards;
    for (int number = 0; number < composition.peasants; ++number) cards.push(Card::peasant);
    for (int number = fake; number < composition.usurpers; ++number) cards.push(Card::usurper);
    for (int number = 0; number < composition.apprentices; ++number) cards.push(Card::apprentice);
    return cards;
}

inline void check_box(int seats, const Cards& cards, bool fake) {
    const int size = box_size(seats), given = cards.size() + fake;
    if (given != size)
        throw Error("with " + std::to_string(seats) + " players the box holds " + std::to_string(size) +
                    (fake ? " cards, the fake diamond counted as one, not " : " cards, not ") + std::to_string(given));
    if (!cards.contains(Card::peasant)) fail("keep at least one Loyal Peasant");
    const Counts counts = count_kinds(cards);
    for (const Card single : {Card::guard, Card::princess})
        if (const int kind = static_cast<int>(single); counts[kind] > 1)
            throw Error("there is one " + std::string(CARD_NAMES[kind]) + " at the most");
}

inline State setup(int seats, const Options& options) {
    const Composition& defaults = COMPOSITIONS.at(static_cast<std::size_t>(seats - MIN_PLAYERS));
    const int gifts = options.gifts.value_or(defaults.gifts);
    if (gifts < 0 || gifts >= seats)
        throw Error("there are 0 to " + std::to_string(seats - 1) + " Kings Gifts, not " + std::to_string(gifts));
    Cards cards = options.cards.value_or(default_cards(defaults, options.fake));
    check_box(seats, cards, options.fake);
    cards.sort();
    return new_court(seats, cards, options.fake, gifts);
}

}  // namespace ftk::kings_court
