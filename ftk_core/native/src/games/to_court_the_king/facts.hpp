// Facts and actions of To Court the King, as in ftk_core/games/to_court_the_king/facts.py.
#pragma once
#include "state.hpp"

namespace ftk::to_court {

struct RoundBegan {
    std::int16_t round = 0;
    Seat seat = 0;
    FTK_FIELDS("round_began", round, seat)
};
struct FinalBegan {
    std::int16_t round = 0;
    Seat seat = 0;
    FTK_FIELDS("final_began", round, seat)
};
struct DiceRolled {
    Seat seat = 0;
    Faces faces;
    bool opening = false;
    FTK_FIELDS("dice_rolled", seat, faces, opening)
};
struct CardUsed {
    Seat seat = 0;
    Character card{};
    FTK_FIELDS("card_used", seat, card)
};
struct DiceChanged {
    Seat seat = 0;
    Character card{};
    Dice before;
    Faces after;
    FTK_FIELDS("dice_changed", seat, card, before, after)
};
struct DiceSetAside {
    Seat seat = 0;
    Dice faces;
    FTK_FIELDS("dice_set_aside", seat, faces)
};
struct RollingEnded {
    Seat seat = 0;
    Dice faces;
    FTK_FIELDS("rolling_ended", seat, faces)
};
struct CardAcquired {
    Seat seat = 0;
    Character card{};
    FTK_FIELDS("card_acquired", seat, card)
};
struct NothingAcquired {
    Seat seat = 0;
    FTK_FIELDS("nothing_acquired", seat)
};
struct KingClaimed {
    Seat seat = 0;
    std::int8_t count = 0, value = 0;
    FTK_FIELDS("king_claimed", seat, count, value)
};
struct FinalRolled {
    Seat seat = 0;
    std::int8_t count = 0, value = 0;
    bool ahead = false;
    FTK_FIELDS("final_rolled", seat, count, value, ahead)
};
struct Conceded {
    Seat seat = 0;
    FTK_FIELDS("conceded", seat)
};
struct CourtDecided {
    Seat seat = 0;
    FTK_FIELDS("court_decided", seat)
};

using Fact = std::variant<RoundBegan, FinalBegan, DiceRolled, CardUsed, DiceChanged, DiceSetAside, RollingEnded,
                          CardAcquired, NothingAcquired, KingClaimed, FinalRolled, Conceded, CourtDecided>;

struct SetAside {
    Dice faces;
    FTK_FIELDS("set_aside", faces)
    bool operator==(const SetAside&) const = default;
};
struct Roll {
    FTK_FIELDS("roll")
    bool operator==(const Roll&) const = default;
};
struct Use {
    Character card{};
    FTK_FIELDS("use", card)
    bool operator==(const Use&) const = default;
};
// Before is empty to add a die, after is empty to roll again.
struct Aim {
    Dice before, after;
    FTK_FIELDS("aim", before, after)
    bool operator==(const Aim&) const = default;
};
struct Finish {
    FTK_FIELDS("finish")
    bool operator==(const Finish&) const = default;
};
struct Acquire {
    Character card{};
    FTK_FIELDS("acquire", card)
    bool operator==(const Acquire&) const = default;
};
struct AcquireNothing {
    FTK_FIELDS("acquire_nothing")
    bool operator==(const AcquireNothing&) const = default;
};
struct Concede {
    FTK_FIELDS("concede")
    bool operator==(const Concede&) const = default;
};
using Action = std::variant<SetAside, Roll, Use, Aim, Finish, Acquire, AcquireNothing, Concede>;

}  // namespace ftk::to_court
