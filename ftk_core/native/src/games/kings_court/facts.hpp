// Facts and actions of Kings Court, as in ftk_core/games/kings_court/facts.py. Secret fields can be empty.
#pragma once
#include "claims.hpp"

namespace ftk::kings_court {

struct DiamondsHidden {
    Seat seat = 0;
    std::optional<Count> count;
    FTK_FIELDS("diamonds_hidden", seat, count)
};
struct BoxReceived {
    Seat seat = 0;
    std::optional<Count> diamonds;
    std::optional<Cards> cards;
    std::optional<bool> fake;
    FTK_FIELDS("box_received", seat, diamonds, cards, fake)
};
struct BoxConsidered {
    Seat seat = 0;
    std::optional<Card> card;
    FTK_FIELDS("box_considered", seat, card)
};
struct ShareTaken {
    Seat seat = 0;
    std::optional<Count> diamonds;
    std::optional<Card> card;
    std::optional<bool> fake;
    FTK_FIELDS("share_taken", seat, diamonds, card, fake)
};
struct Fumbled {
    Seat seat = 0;
    FTK_FIELDS("fumbled", seat)
};
struct Asked {
    Seat seat = 0;
    Topic topic{};
    std::optional<Seat> about;
    FTK_FIELDS("asked", seat, topic, about)
};
struct Said {
    Seat seat = 0;
    Claim claim;
    FTK_FIELDS("said", seat, claim)
};
struct SaidNothing {
    Seat seat = 0;
    bool knows = false;
    FTK_FIELDS("said_nothing", seat, knows)
};
struct Accused {
    Seat seat = 0;
    FTK_FIELDS("accused", seat)
};
struct StoodBy {
    Seat seat = 0;
    FTK_FIELDS("stood_by", seat)
};
struct Halted {
    Seat seat = 0;
    FTK_FIELDS("halted", seat)
};
struct PrincessCourted {
    Seat seat = 0;
    SeatList between;
    FTK_FIELDS("princess_courted", seat, between)
};
struct FakeShown {
    Seat seat = 0;
    FTK_FIELDS("fake_shown", seat)
};
struct PocketsEmptied {
    Seat seat = 0;
    Take take;
    bool exiled = false;
    FTK_FIELDS("pockets_emptied", seat, take, exiled)
};
struct GiftGiven {
    Seat seat = 0;
    FTK_FIELDS("gift_given", seat)
};
struct Exiled {
    Seat seat = 0;
    FTK_FIELDS("exiled", seat)
};
struct CourtClosed {
    Ending ending{};
    SeatList winners;
    Count hidden = 0;
    std::optional<Card> dismissed;
    Takes takes;
    FTK_FIELDS("court_closed", ending, winners, hidden, dismissed, takes)
};

using Fact = std::variant<DiamondsHidden, BoxReceived, BoxConsidered, ShareTaken, Fumbled, Asked, Said, SaidNothing,
                          Accused, StoodBy, Halted, PrincessCourted, FakeShown, PocketsEmptied, GiftGiven, Exiled,
                          CourtClosed>;

struct Hide {
    Count count = 0;
    FTK_FIELDS("hide", count)
    bool operator==(const Hide&) const = default;
};
struct Dismiss {
    std::optional<Card> card;
    FTK_FIELDS("dismiss", card)
    bool operator==(const Dismiss&) const = default;
};
struct Help {
    Count diamonds = 0;
    std::optional<Card> card;
    bool fake = false;
    FTK_FIELDS("help", diamonds, card, fake)
    bool operator==(const Help&) const = default;
};
struct Fumble {
    FTK_FIELDS("fumble")
    bool operator==(const Fumble&) const = default;
};
struct Ask {
    Seat seat = 0;
    Topic topic{};
    std::optional<Seat> about;
    FTK_FIELDS("ask", seat, topic, about)
    bool operator==(const Ask&) const = default;
};
struct Say {
    Claim claim;
    FTK_FIELDS("say", claim)
    bool operator==(const Say&) const = default;
};
struct DontKnow {
    FTK_FIELDS("dont_know")
    bool operator==(const DontKnow&) const = default;
};
struct Silence {
    FTK_FIELDS("silence")
    bool operator==(const Silence&) const = default;
};
struct Accuse {
    Seat seat = 0;
    FTK_FIELDS("accuse", seat)
    bool operator==(const Accuse&) const = default;
};
struct Stay {
    FTK_FIELDS("stay")
    bool operator==(const Stay&) const = default;
};
struct Halt {
    FTK_FIELDS("halt")
    bool operator==(const Halt&) const = default;
};
struct Choose {
    Seat seat = 0;
    FTK_FIELDS("choose", seat)
    bool operator==(const Choose&) const = default;
};
using Action = std::variant<Hide, Dismiss, Help, Fumble, Ask, Say, DontKnow, Silence, Accuse, Stay, Halt, Choose>;

}  // namespace ftk::kings_court
