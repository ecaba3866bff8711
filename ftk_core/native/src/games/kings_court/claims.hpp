// Claims that players can make about the box, roles and pockets, as in ftk_core/games/kings_court/player_claims.py.
#pragma once
#include "../../game.hpp"
#include "box.hpp"

namespace ftk {
template <>
struct Names<kings_court::Card> {
    static constexpr auto& names = kings_court::CARD_NAMES;
};
template <>
struct Names<kings_court::Role> {
    static constexpr auto& names = kings_court::ROLE_NAMES;
};
template <>
struct Names<kings_court::Topic> {
    static constexpr auto& names = kings_court::TOPIC_NAMES;
};
template <>
struct Names<kings_court::Step> {
    static constexpr auto& names = kings_court::STEP_NAMES;
};
template <>
struct Names<kings_court::Ending> {
    static constexpr auto& names = kings_court::ENDING_NAMES;
};
}  // namespace ftk

namespace ftk::kings_court {

static_assert(MAX_PLAYERS <= MAX_SEATS);

// Besides the diamonds, the box holds three things fewer than there are players.
constexpr int box_size(int seats) { return seats - 3; }

using Count = std::int8_t;
using Cards = Vec<Card, box_size(MAX_PLAYERS)>;
using Kinds = Vec<Card, KIND_COUNT>;

// Among the roles, those of the cards follow the King's in the order of the cards.
constexpr Role role_of_card(Card card) { return static_cast<Role>(static_cast<int>(card) + 1); }
constexpr std::optional<Card> card_of(Role role) {
    if (role < role_of_card(Card{0}) || role > role_of_card(Card{KIND_COUNT - 1})) return {};
    return static_cast<Card>(static_cast<int>(role) - 1);
}
static_assert(role_of_card(Card::peasant) == Role::peasant && card_of(Role::princess) == Card::princess);

// Each kind of card once, in order of appearance.
inline Kinds kinds_of(const Cards& cards) {
    Kinds kinds;
    for (const Card card : cards)
        if (!kinds.contains(card)) kinds.push(card);
    return kinds;
}

// Number of cards of each kind.
using Counts = Vec<Count, KIND_COUNT>;
inline Counts count_kinds(const Cards& cards) {
    Counts counts(KIND_COUNT, 0);
    for (const Card card : cards) ++counts[static_cast<int>(card)];
    return counts;
}

// Claim of a player, true or false (K29).
struct Claim {
    Topic topic{};
    std::optional<Count> number;
    std::optional<Cards> cards;
    std::optional<Seat> seat;
    std::optional<Role> role;
    bool fake = false;
    FTK_FIELDS("", topic, number, cards, seat, role, fake)
    bool operator==(const Claim&) const = default;
};

// Contents of a subject's pocket.
struct Take {
    Count diamonds = 0;
    std::optional<Card> card;
    bool fake = false;
    FTK_FIELDS("", diamonds, card, fake)
};
using Takes = Vec<std::optional<Take>, MAX_PLAYERS>;

}  // namespace ftk::kings_court
