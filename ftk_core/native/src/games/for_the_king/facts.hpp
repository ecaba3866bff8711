// Facts and actions of For the King, as in ftk_core/games/for_the_king/facts.py.
#pragma once
#include "state.hpp"

namespace ftk::king {

using OfficeList = Vec<Office, OFFICE_COUNT>;

struct DeckShuffled {
    Cards deck, removed;
    FTK_FIELDS("deck_shuffled", deck, removed)
};
struct DeckPassed {
    Seat seat = 0;
    FTK_FIELDS("deck_passed", seat)
};
struct CardDrawn {
    Seat seat = 0;
    Card card{};
    FTK_FIELDS("card_drawn", seat, card)
};
struct CardKept {
    Seat seat = 0;
    Card card{};
    FTK_FIELDS("card_kept", seat, card)
};
struct CardShown {
    Seat seat = 0;
    Card card{};
    FTK_FIELDS("card_shown", seat, card)
};
struct CardFavored {
    Seat seat = 0;
    Card card{};
    FTK_FIELDS("card_favored", seat, card)
};
struct CardTaken {
    Seat seat = 0;
    Card card{};
    FTK_FIELDS("card_taken", seat, card)
};
struct KingRevealed {
    Seat seat = 0;
    Card card{};
    FTK_FIELDS("king_revealed", seat, card)
};
struct Decreed {
    Seat seat = 0;
    Card card{};
    OfficeList up, down;
    FTK_FIELDS("decreed", seat, card, up, down)
};
struct KingIdle {
    Seat seat = 0;
    Card card{};
    FTK_FIELDS("king_idle", seat, card)
};
struct FavorShuffled {
    Seat first = 0;
    Vec<Card, 32> favor;
    FTK_FIELDS("favor_shuffled", first, favor)
};
struct FavorRevealed {
    Seat seat = 0;
    Card card{};
    FTK_FIELDS("favor_revealed", seat, card)
};
struct BidMade {
    Seat seat = 0;
    std::int32_t amount = 0;
    FTK_FIELDS("bid_made", seat, amount)
};
struct Passed {
    Seat seat = 0;
    FTK_FIELDS("passed", seat)
};
struct AuctionWon {
    Seat seat = 0;
    std::int32_t amount = 0;
    FTK_FIELDS("auction_won", seat, amount)
};
struct CoinPaid {
    Seat seat = 0;
    std::int32_t value = 0;
    Card card{};
    FTK_FIELDS("coin_paid", seat, value, card)
};
struct CardDiscarded {
    Seat seat = 0;
    Card card{};
    FTK_FIELDS("card_discarded", seat, card)
};
struct Defaulted {
    Seat seat = 0;
    std::int32_t amount = 0, lost = 0;
    std::optional<Card> card;
    FTK_FIELDS("defaulted", seat, amount, lost, card)
};
struct FavorTaken {
    Seat seat = 0;
    Card card{};
    FTK_FIELDS("favor_taken", seat, card)
};
struct FavorUnsold {
    Card card{};
    FTK_FIELDS("favor_unsold", card)
};
struct CouncilNamed {
    Holders primaries, secondaries;
    Hands hands;
    FTK_FIELDS("council_named", primaries, secondaries, hands)
};

using Fact = std::variant<DeckShuffled, DeckPassed, CardDrawn, CardKept, CardShown, CardFavored, CardTaken,
                          KingRevealed, Decreed, KingIdle, FavorShuffled, FavorRevealed, BidMade, Passed, AuctionWon,
                          CoinPaid, CardDiscarded, Defaulted, FavorTaken, FavorUnsold, CouncilNamed>;

struct Place {
    Area area{};
    FTK_FIELDS("place", area)
    bool operator==(const Place&) const = default;
};
struct Take {
    Card card{};
    FTK_FIELDS("take", card)
    bool operator==(const Take&) const = default;
};
struct Decree {
    Vec<Office, 2> up, down;
    FTK_FIELDS("decree", up, down)
    bool operator==(const Decree&) const = default;
};
struct Pass {
    FTK_FIELDS("pass")
    bool operator==(const Pass&) const = default;
};
struct Bid {
    std::int32_t amount = 0;
    FTK_FIELDS("bid", amount)
    bool operator==(const Bid&) const = default;
};
struct Pay {
    Card card{};
    FTK_FIELDS("pay", card)
    bool operator==(const Pay&) const = default;
};
using Action = std::variant<Place, Take, Decree, Pass, Bid, Pay>;

}  // namespace ftk::king
