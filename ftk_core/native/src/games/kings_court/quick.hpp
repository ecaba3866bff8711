// Policy for playouts, as in ftk_core/games/kings_court/playout_policy.py.
#pragma once
#include "menu.hpp"
#include "suspicions.hpp"

namespace ftk::kings_court {

// Numbers of diamonds that a seat finds where the King keeps two or three and thieves take just over half.
constexpr bool is_calm(int diamonds) { return diamonds == 3 || diamonds == 4 || diamonds == 10 || diamonds == 11; }
// Weights of what a seat takes: diamonds, each card, the Apprentice behind a likely winner, the fake alone, nothing.
struct Tastes {
    int diamonds, cards[KIND_COUNT], apprentice_behind_winner, fake, nothing;
};
constexpr Tastes KING_LIKELY_WINS_WEIGHTS{4, {60, 2, 10, 60, 2}, 60, 2, 30};
constexpr Tastes KING_LIKELY_ERRS_WEIGHTS{1, {2, 80, 4, 2, 80}, 60, 20, 200};
constexpr int BOLD = 120, EXTRA_DIAMONDS = 4;
constexpr std::array<Topic, STATEMENTS_PER_SUBJECT> STATEMENTS = {Topic::received_diamonds, Topic::passed_diamonds,
                                                                  Topic::received_cards};

// Thefts that a seat may choose, each with its weight; the diamonds of a Thief come first.
struct TheftChoices {
    Vec<Help, KIND_COUNT + 3> shares;
    Vec<int, KIND_COUNT + 3> weights;
    bool is_bold = false, is_calm = false;  // a Thief takes just over half and perhaps more, or exactly just over half
    int diamonds = 0;

    TheftChoices(const Box& box, int seat, int last) : diamonds(box.diamonds) {
        const bool calm = kings_court::is_calm(diamonds), first = is_first_thief(diamonds);
        is_bold = !calm && first;
        is_calm = calm && first;
        const bool behind_winner = seat == (calm ? 1 : 2);
        const Tastes& tastes = calm ? KING_LIKELY_WINS_WEIGHTS : KING_LIKELY_ERRS_WEIGHTS;
        if (diamonds) add({0, {}, box.fake}, is_bold ? BOLD : tastes.diamonds);
        for (const Card card : kinds_of(box.cards))
            add({0, card, false}, card == Card::apprentice && behind_winner ? tastes.apprentice_behind_winner
                                                                            : tastes.cards[static_cast<int>(card)]);
        if (box.fake) add({0, {}, true}, tastes.fake);
        if (seat == last) add({}, tastes.nothing);
    }
    bool has_diamonds(int at) const { return at == 0 && diamonds; }
    int total() const {
        int total = 0;
        for (const int weight : weights) total += weight;
        return total;
    }
    // Number of equally likely amounts that a Thief takes, some of which may be equal, and each of them.
    int count_amounts() const { return is_bold ? EXTRA_DIAMONDS : is_calm ? 1 : diamonds; }
    int amount_at(int at) const {
        const int half = diamonds / 2 + 1;
        return is_bold ? std::min(diamonds, half + at) : is_calm ? half : 1 + at;
    }

  private:
    void add(const Help& share, int weight) {
        shares.push(share);
        weights.push(weight);
    }
};

// The boxes that a Peasant would have received and passed on: the next seat seems to have stolen, or the seat before.
inline void tell_peasants_story(const Cards& all, bool blames_next, Box& came, Box& went) {
    const auto count_peasants = [](const Cards& cards) { return count_kinds(cards)[static_cast<int>(Card::peasant)]; };
    if (blames_next) {
        went = came;
        if (count_peasants(came.cards)) went.cards.remove(Card::peasant);
        return;
    }
    const Cards seen = came.cards;
    came = went;
    if (count_peasants(came.cards) == count_peasants(all)) {
        came.cards = seen;
    } else {
        came.cards.push(Card::peasant);
        came.cards.sort();
    }
}

// A claim about the box that a seat received or passed on; none for other topics.
inline std::optional<Claim> claim_on_box(Topic topic, const Box& came, const Box& went) {
    Claim claim;
    claim.topic = topic;
    switch (topic) {
        case Topic::received_diamonds: claim.number = came.diamonds; break;
        case Topic::passed_diamonds: claim.number = went.diamonds; break;
        case Topic::received_cards: claim.cards = came.cards; break;
        case Topic::passed_cards: claim.cards = went.cards; break;
        case Topic::received_fake: claim.fake = came.fake; break;
        case Topic::passed_fake: claim.fake = went.fake; break;
        default: return {};
    }
    return claim;
}

class QuickPolicy {
  public:
    QuickPolicy(const State& state, int seat, const Menu& menu, Draw& draw)
        : state_(state), seat_(static_cast<Seat>(seat)), menu_(menu), draw_(draw) {}

    int choose() {
        switch (step_of(state_)) {
            case Step::hide: return MAX_HIDDEN_DIAMONDS;
            case Step::help: return menu_.index_of(take());
            case Step::king: return reign();
            case Step::answer: return claim_on(state_.answering.value().topic);
            case Step::floor: return claim_on(STATEMENTS.at(count_statements()));
            case Step::princess: return below(menu_.size());
            default: return 0;
        }
    }

  private:
    const State& state_;
    const Seat seat_;
    const Menu& menu_;
    Draw& draw_;

    int below(int bound) { return static_cast<int>(draw_.below(static_cast<std::uint64_t>(bound))); }

    std::size_t count_statements() const {
        return static_cast<std::size_t>(STATEMENTS_PER_SUBJECT - state_.statements[seat_]);
    }

    Help take() {
        const TheftChoices choices(state_.box, seat_, state_.seats - 1);
        int at = 0;
        for (int number = below(choices.total()); number >= choices.weights[at]; ++at) number -= choices.weights[at];
        Help share = choices.shares[at];
        if (choices.has_diamonds(at)) {
            const int amount = choices.is_calm ? 0 : below(choices.count_amounts());
            share.diamonds = static_cast<Count>(choices.amount_at(amount));
        }
        return share;
    }

    // Ask for what has not been said, then accuse the most suspected.
    int reign() const {
        if (const int at = find_question(); at >= 0) return at;
        const Suspicions suspicions(state_);
        int best = 0, at = 0;
        double most = suspicions.worth(std::get<Accuse>(menu_[0]).seat);
        for (const Seat seat : list_subjects(state_)) {
            if (state_.revealed[seat]) continue;
            const double worth = suspicions.worth(seat);
            if (worth > most) {
                most = worth;
                best = at;
            }
            ++at;
        }
        return best;
    }
    int find_question() const {
        if (!state_.questions) return -1;
        std::uint32_t heard[MAX_PLAYERS] = {};
        const auto bit = [](Topic topic) { return 1u << static_cast<int>(topic); };
        for (const Utterance& utterance : state_.said) {
            if (const Said* said = std::get_if<Said>(&utterance)) {
                check_seat(said->seat, MAX_PLAYERS);
                heard[said->seat] |= bit(said->claim.topic);
            } else if (const Asked* asked = std::get_if<Asked>(&utterance)) {
                check_seat(asked->seat, MAX_PLAYERS);
                heard[asked->seat] |= bit(asked->topic);
            }
        }
        for (const Topic topic : STATEMENTS)
            for (const Seat seat : list_subjects(state_))
                if (!state_.revealed[seat] && state_.asked[seat] < MAX_QUESTIONS_PER_SEAT && !(heard[seat] & bit(topic)))
                    return menu_.index_of(Ask{seat, topic, {}});
        return -1;
    }

    // Tell the truth, or a Peasant's story.
    int claim_on(Topic topic) {
        const Take take = state_.takes[seat_].value_or(Take{});
        const bool lies = take.diamonds || take.card == Card::usurper;
        Box came = state_.arrivals[seat_].value(), went = came;
        went.remove(take);
        if (seat_ == 1) went.remove({0, state_.dismissed, false});
        if (lies) tell_peasants_story(state_.cards, blames_next(came.diamonds), came, went);
        if (topic == Topic::took) {
            Claim claim;
            claim.topic = topic;
            claim.number = 0;
            if (lies) claim.role = Role::peasant;
            else if (take.card) claim.role = role_of_card(*take.card);
            claim.fake = take.fake && !lies;
            return menu_.index_of(Say{claim});
        }
        const auto claim = claim_on_box(topic, came, went);
        return claim ? menu_.index_of(Say{*claim}) : 1;  // the seat does not know
    }
    // A seat keeps to what it said. The King knows what the first seat received, and what the last one passed on.
    bool blames_next(int received) {
        if (seat_ == 1 || seat_ == state_.seats - 1) return seat_ == 1;
        for (const Utterance& utterance : state_.said) {
            const Said* said = std::get_if<Said>(&utterance);
            if (!said || said->seat != seat_) continue;
            if (said->claim.topic == Topic::received_diamonds || said->claim.topic == Topic::passed_diamonds)
                return said->claim.number == received;
        }
        return below(2) == 0;
    }
};

inline int quick(const State& state, int seat, const Menu& menu, Draw& draw) {
    return menu.size() == 1 ? 0 : QuickPolicy(state, seat, menu, draw).choose();
}

}  // namespace ftk::kings_court
