// Numbered list of all possible thefts, so that a uniform number draws a uniform theft. As in
// ftk_core/games/kings_court/possible_thefts.py.
//
// Only the sum of the stolen diamonds affects later seats, so their distribution is drawn last: until then only the
// thieves are counted. All numbers fit into 64 bits: there are at most 9 shares for each of 12 chairs, and fewer than
// a million ways to hide and to share 13 diamonds.
#pragma once
#include <vector>

#include "state.hpp"

namespace ftk::kings_court {

using Ways = std::uint64_t;

// Share of a seat: the role that it gives, and whether it includes the fake diamond.
struct Share {
    Role role{};
    bool fake = false;
    bool operator==(const Share&) const = default;
};
constexpr Share NOTHING{Role::urchin, false};
using Shares = Vec<Share, KIND_COUNT + 4>;

inline Shares card_shares() {
    Shares shares;
    for (int card = 0; card < KIND_COUNT; ++card) shares.push({role_of_card(static_cast<Card>(card)), false});
    return shares;
}
inline Shares all_shares() {
    Shares shares = card_shares();
    for (const Share share : {Share{Role::thief, false}, Share{Role::thief, true}, Share{Role::urchin, true}, NOTHING})
        shares.push(share);
    return shares;
}

// Public knowledge about the share of a seat, or, for seat 0, about the first player's dismissal.
struct Chair {
    Seat seat = 0;
    Shares shares;
    std::optional<Count> diamonds;  // if it took diamonds
    int below = DIAMONDS + 1;       // exclusive upper bound for an unknown number of diamonds
    bool refusing = false;          // nothing could be taken from a box that was not empty (K5)
};

// Consecutive seats, with the box before them and, if known, the box after them.
struct Span {
    Vec<Chair, MAX_PLAYERS> chairs;
    Box start;
    Vec<Count, MAX_HIDDEN_DIAMONDS + 1> diamonds;  // possible numbers in the first box
    std::optional<Box> left;
};

class PossibleThefts {
  public:
    explicit PossibleThefts(const Span& span) : span_(span), most_(count_kinds(span.start.cards)) {
        for (const Count number : most_) {
            places_.push(card_sets_);
            card_sets_ *= number + 1;
        }
        if (span_.left) left_cards_ = number_of(count_kinds(span_.left->cards));
        for (const Chair& chair : span_.chairs) {
            below_ = std::min(below_, chair.below);
            fixed_ += chair.diamonds.value_or(0);
        }
        count_splits();
        known_.assign(index_of({span_.chairs.size(), 0, false, 0, false}), UNKNOWN);
        start_ = {0, number_of(most_), span_.start.fake, 0, false};
        count_ = count(start_);
    }

    Ways size() const { return count_; }

    // Write the share of each chair in the theft of this number, and return the diamonds in the box before it.
    Count find(Ways number, Takes& takes) {
        Vec<Share, MAX_PLAYERS> shares;
        Spot spot = start_;
        while (spot.at < span_.chairs.size()) {
            Spot behind = spot;
            visit_shares(spot, [&](Share share, const Spot& next) {
                if (behind.at > spot.at) return;
                const Ways ways = count(next);
                if (number < ways) {
                    shares.push(share);
                    behind = next;
                } else {
                    number -= ways;
                }
            });
            if (behind.at == spot.at) fail("no theft has this number");
            spot = behind;
        }
        int thieves = spot.thieves, total = -1;
        Count before = 0;
        visit_hauls(spot, [&](Count diamonds, int stolen) {
            if (total >= 0) return;
            const Ways ways = splits_[thieves][stolen];
            if (number < ways) {
                before = diamonds;
                total = stolen;
            } else {
                number -= ways;
            }
        });
        for (int at = 0; at < shares.size(); ++at) {
            const Chair& chair = span_.chairs[at];
            Count diamonds = 0;
            if (shares[at].role == Role::thief)
                diamonds = chair.diamonds ? *chair.diamonds : first_split(total, thieves, number);
            takes[chair.seat] = Take{diamonds, card_of(shares[at].role), shares[at].fake};
        }
        return before;
    }

  private:
    // State before a chair. The number of a set of cards has a digit for each kind.
    struct Spot {
        int at = 0, cards = 0;
        bool fake = false;
        int thieves = 0;
        bool emptied = false;  // a seat found the box empty
    };
    static constexpr Ways UNKNOWN = ~Ways{0};

    Span span_;
    Counts most_;
    Vec<int, KIND_COUNT> places_;
    int card_sets_ = 1, left_cards_ = 0, below_ = DIAMONDS + 1, fixed_ = 0;
    Vec<Vec<Ways, DIAMONDS + 1>, MAX_PLAYERS + 1> splits_;
    std::vector<Ways> known_;
    Spot start_;
    Ways count_ = 0;

    int number_of(const Counts& counts) const {
        int number = 0;
        for (int kind = 0; kind < KIND_COUNT; ++kind) {
            if (counts[kind] > most_[kind]) fail("a card in the box was not in the first box");
            number += counts[kind] * places_[kind];
        }
        return number;
    }
    std::size_t index_of(const Spot& spot) const {
        const int index = (spot.at * card_sets_ + spot.cards) * 2 + spot.fake;
        return static_cast<std::size_t>((index * (MAX_PLAYERS + 1) + spot.thieves) * 2 + spot.emptied);
    }

    // By thieves and total: the ways to share it, each at least one diamond and fewer than the bound.
    void count_splits() {
        for (int thieves = 0; thieves <= span_.chairs.size(); ++thieves) {
            Vec<Ways, DIAMONDS + 1> ways;
            for (int total = 0; total <= DIAMONDS; ++total) {
                Ways sum = thieves == 0 && total == 0;
                for (int first = 1; thieves && first <= std::min(total, below_ - 1); ++first)
                    sum += splits_[thieves - 1][total - first];
                ways.push(sum);
            }
            splits_.push(ways);
        }
    }
    // Take the part of the first thief from the total.
    Count first_split(int& total, int& thieves, Ways& number) const {
        for (int first = 1; first <= std::min(total, below_ - 1); ++first) {
            const Ways ways = splits_[thieves - 1][total - first];
            if (number < ways) {
                total -= first;
                --thieves;
                return static_cast<Count>(first);
            }
            number -= ways;
        }
        fail("no theft has this number");
    }

    // Number of continuations from a spot. The depth is the number of chairs.
    Ways count(const Spot& spot) {
        if (spot.at == span_.chairs.size()) return count_hauls(spot);
        Ways& known = known_.at(index_of(spot));
        if (known == UNKNOWN) {
            Ways sum = 0;
            visit_shares(spot, [&](Share, const Spot& next) { sum += count(next); });
            known = sum;
        }
        return known;
    }
    Ways count_hauls(const Spot& spot) const {
        if (span_.left && (left_cards_ != spot.cards || span_.left->fake != spot.fake)) return 0;
        Ways sum = 0;
        visit_hauls(spot, [&](Count, int total) { sum += splits_[spot.thieves][total]; });
        return sum;
    }

    // Visit the possible shares of a chair, each with the next spot.
    template <class Visit>
    void visit_shares(const Spot& spot, Visit&& visit) const {
        const Chair& chair = span_.chairs[spot.at];
        const bool bare = spot.cards == 0 && !spot.fake;
        for (const Share share : chair.shares) {
            const bool nothing = share == NOTHING;
            if ((share.fake && !spot.fake) || (spot.emptied && !nothing)) continue;
            if (nothing && !bare && !chair.refusing) continue;
            Spot next = spot;
            ++next.at;
            if (const auto card = card_of(share.role)) {
                const int kind = static_cast<int>(*card);
                if (spot.cards / places_[kind] % (most_[kind] + 1) == 0) continue;
                next.cards -= places_[kind];
            }
            next.fake = spot.fake && !share.fake;
            next.thieves += share.role == Role::thief && !chair.diamonds;
            next.emptied = spot.emptied || (nothing && !chair.refusing);
            visit(share, next);
        }
    }
    // Visit pairs of diamonds in the first box and diamonds taken by thieves with unknown amounts.
    template <class Visit>
    void visit_hauls(const Spot& spot, Visit&& visit) const {
        for (const Count diamonds : span_.diamonds) {
            const int most = diamonds - fixed_;
            if (span_.left) {
                const int left = span_.left->diamonds;
                if (most >= left && !(spot.emptied && left)) visit(diamonds, most - left);
            } else {
                for (int total = spot.emptied ? std::max(0, most) : 0; total <= most; ++total) visit(diamonds, total);
            }
        }
    }
};

}  // namespace ftk::kings_court
