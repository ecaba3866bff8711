// Menu of a seat. Questions and claims are not stored one by one: there are hundreds of them.
#pragma once
#include "lexicon.hpp"

namespace ftk::kings_court {

class Menu {
  public:
    int size() const { return size_; }
    Action operator[](int at) const {
        if (at < singles_.size()) return singles_[at];
        at -= singles_.size();
        for (const Seat seat : asked_) {
            if (at < lexicon_.count_questions(seat)) return lexicon_.question(seat, at);
            at -= lexicon_.count_questions(seat);
        }
        for (const auto& [topic, count] : claims_) {
            if (at < count) return Say{lexicon_.claim(speaker_, topic, about_, at)};
            at -= count;
        }
        fail("index out of range");
    }
    int index_of(const Action& action) const {
        if (const int at = singles_.index_of(action); at >= 0) return at;
        const Ask* ask = std::get_if<Ask>(&action);
        const Say* say = std::get_if<Say>(&action);
        int start = singles_.size();
        for (const Seat seat : asked_) {
            const int count = lexicon_.count_questions(seat);
            for (int at = 0; ask && ask->seat == seat && at < count; ++at)
                if (lexicon_.question(seat, at) == *ask) return start + at;
            start += count;
        }
        for (const auto& [topic, count] : claims_) {
            if (say && say->claim.topic == topic) {
                const int at = lexicon_.index_of(speaker_, about_, say->claim, count);
                return at < 0 ? -1 : start + at;
            }
            start += count;
        }
        return -1;
    }
    void clear() {
        size_ = 0;
        singles_.clear();
        asked_.clear();
        claims_.clear();
    }

    // Single items come before all questions, and those before all claims.
    template <class Single>
    void push(const Single& single) {
        singles_.push(single);
        ++size_;
    }
    void set_court(const State& state) {
        if (!lexicon_.is_of(state)) lexicon_ = Lexicon(state);
    }
    void push_questions(Seat seat) {
        asked_.add(seat);
        size_ += lexicon_.count_questions(seat);
    }
    void set_speaker(Seat speaker, std::optional<Seat> about = {}) {
        speaker_ = speaker;
        about_ = about;
    }
    void push_claims(Topic topic) {
        const int count = lexicon_.count_claims(speaker_, topic, about_);
        claims_.push(Claims{topic, count});
        size_ += count;
    }
    void push_claims_on_topics() {
        for (const Topic topic : lexicon_.topics()) push_claims(topic);
    }

  private:
    struct Claims {
        Topic topic{};
        int count = 0;
    };
    int size_ = 0;
    Lexicon lexicon_;
    Vec<Action, 40> singles_;
    SeatList asked_;
    Vec<Claims, 10> claims_;
    Seat speaker_ = 0;
    std::optional<Seat> about_;
};

}  // namespace ftk::kings_court
