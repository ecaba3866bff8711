// Everything that can be asked and said in a court, by the number of an item. It depends on the size and the contents
// of the court alone, never on the truth (K29).
#pragma once
#include "state.hpp"

namespace ftk::kings_court {

class Lexicon {
  public:
    Lexicon() = default;
    explicit Lexicon(const State& state)
        : seats_(state.seats), fake_(state.fake), cards_(state.cards), kinds_(kinds_of(cards_)),
          counts_(count_kinds(cards_)) {
        for (const int count : counts_) card_sets_ *= count + 1;
        topics_.extend(std::array{Topic::received_diamonds, Topic::received_cards, Topic::passed_diamonds,
                                  Topic::passed_cards, Topic::took, Topic::suspect});
        if (fake_) topics_.extend(std::array{Topic::received_fake, Topic::passed_fake});
        for (int topic = 0; topic < TOPIC_COUNT; ++topic) claims_.push(count_claims(static_cast<Topic>(topic)));
    }
    bool is_of(const State& state) const {
        return seats_ == state.seats && fake_ == state.fake && cards_ == state.cards;
    }

    // Topics that every subject can be asked about and can speak about unasked.
    const auto& topics() const { return topics_; }
    int count_questions(Seat seat) const { return count_topics(seat) + count_other_seats(seat); }
    Ask question(Seat seat, int at) const {
        if (at < topics_.size()) return {seat, topics_[at], {}};
        if (at < count_topics(seat)) return {seat, Topic::dismissed, {}};
        return {seat, Topic::role_of, other_seat(seat, at - count_topics(seat))};
    }

    // Claims of a speaker on a topic. Nobody makes a claim about themselves.
    int count_claims(Seat speaker, Topic topic, std::optional<Seat> about) const {
        if (topic == Topic::role_of) return about == speaker ? 0 : kinds_.size() + 2;
        const bool is_about_others = topic == Topic::suspect || topic == Topic::vouch || topic == Topic::trust;
        return is_about_others ? count_other_seats(speaker) : claims_[static_cast<int>(topic)];
    }
    Claim claim(Seat speaker, Topic topic, std::optional<Seat> about, int at) const {
        Claim claim;
        claim.topic = topic;
        switch (topic) {
            case Topic::received_diamonds:
            case Topic::passed_diamonds:
            case Topic::returned_diamonds:
            case Topic::hid: claim.number = static_cast<Count>(at); break;
            case Topic::received_cards:
            case Topic::passed_cards:
            case Topic::returned_cards: claim.cards = card_set(at); break;
            case Topic::took: claim_share(claim, at); break;
            case Topic::dismissed:
                if (at) claim.role = role_of_card(kinds_[at - 1]);
                break;
            case Topic::role_of:
                claim.seat = about;
                claim.role = at < kinds_.size() ? role_of_card(kinds_[at])
                                                : at == kinds_.size() ? Role::thief : Role::urchin;
                break;
            case Topic::received_fake:
            case Topic::passed_fake:
            case Topic::returned_fake: claim.fake = at == 0; break;
            case Topic::suspect:
            case Topic::vouch:
            case Topic::trust: claim.seat = other_seat(speaker, at); break;
        }
        return claim;
    }
    // Number of a claim on its topic, among so many; -1 if nobody can make it.
    int index_of(Seat speaker, std::optional<Seat> about, const Claim& given, int count) const {
        int first = 0, last = count - 1;
        if (given.cards) first = last = number_of(*given.cards);
        else if (given.topic != Topic::took && given.number) first = last = *given.number;
        for (int at = first; at >= 0 && at <= last && at < count; ++at)
            if (claim(speaker, given.topic, about, at) == given) return at;
        return -1;
    }

  private:
    static constexpr int TOPIC_COUNT = std::size(TOPIC_NAMES);
    Seat seats_ = 0;
    bool fake_ = false;
    Cards cards_;
    Kinds kinds_;
    Counts counts_;
    int card_sets_ = 1;
    Vec<Topic, 8> topics_;
    Vec<int, TOPIC_COUNT> claims_;  // the number on each topic that is not about a seat

    int count_claims(Topic topic) const {
        switch (topic) {
            case Topic::received_diamonds:
            case Topic::passed_diamonds:
            case Topic::returned_diamonds: return DIAMONDS + 1;
            case Topic::hid: return MAX_HIDDEN_DIAMONDS + 1;
            case Topic::received_cards:
            case Topic::passed_cards:
            case Topic::returned_cards: return card_sets_;
            case Topic::took: return (DIAMONDS + 1) * (fake_ ? 2 : 1) + kinds_.size();
            case Topic::dismissed: return 1 + kinds_.size();
            case Topic::received_fake:
            case Topic::passed_fake:
            case Topic::returned_fake: return fake_ ? 2 : 0;
            default: return 0;
        }
    }
    // Only seat 1 knows of a dismissal (K2).
    int count_topics(Seat seat) const { return topics_.size() + (seat == 1); }
    int count_other_seats(Seat seat) const { return seats_ - 1 - (seat > 0 && seat < seats_); }
    static Seat other_seat(Seat seat, int at) { return static_cast<Seat>(1 + at + (seat > 0 && at + 1 >= seat)); }

    // The number of a set has a digit for each kind, the last kind in the lowest place.
    Cards card_set(int at) const {
        Cards cards;
        int place = card_sets_;
        for (int kind = 0; kind < counts_.size(); ++kind) {
            place /= counts_[kind] + 1;
            for (int number = at / place; number > 0; --number) cards.push(static_cast<Card>(kind));
            at %= place;
        }
        return cards;
    }
    // Meaningless for more cards of a kind than the court has.
    int number_of(const Cards& cards) const {
        const Counts numbers = count_kinds(cards);
        int number = 0;
        for (int kind = 0; kind < counts_.size(); ++kind) number = number * (counts_[kind] + 1) + numbers[kind];
        return number;
    }
    // Diamonds, then each kind of card, then diamonds with the fake one.
    void claim_share(Claim& claim, int at) const {
        const int behind = at - (DIAMONDS + 1), with_fake = behind - kinds_.size();
        claim.fake = with_fake >= 0;
        claim.number = static_cast<Count>(behind < 0 ? at : std::max(with_fake, 0));
        if (behind >= 0 && !claim.fake) claim.role = role_of_card(kinds_[behind]);
    }
};

}  // namespace ftk::kings_court
