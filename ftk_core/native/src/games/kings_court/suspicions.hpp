// The King's suspicions, as in ftk_core/games/kings_court/suspicions/. Its sums, products and quotients are made
// in the same order, so that they are the same to the last digit.
#pragma once
#include "state.hpp"

namespace ftk::kings_court {

constexpr double HONEST = 0.85, BLAMES_NEXT = 0.35, BLAMES_PREVIOUS = 0.3, CONFESSES = 0.1;
constexpr double RANDOM_THIEF = 1 - BLAMES_NEXT - BLAMES_PREVIOUS - CONFESSES, RANDOM_OTHER = 1 - HONEST;
constexpr double ANY_AMOUNT = 0.7, JUST_OVER_HALF = 0.6, FIRST_THIEF = 2.0, LATER_THIEF = 1.0, DISMISSED = 0.1;
constexpr double USURPER_TRUTH = 0.9, USURPER_LIE = 0.5, USURPER_OTHER_LIE = 0.2, USURPER_FEAR = 0.6;
constexpr int LEVELS = DIAMONDS + 1, CARD_LEVELS = box_size(MAX_PLAYERS) + 1;

// Whether no earlier seat can have stolen more than just over half of these diamonds.
constexpr bool is_first_thief(int diamonds) { return DIAMONDS - diamonds <= diamonds / 2 + 1; }

// Weight of a theft by the diamonds in the box and those stolen, and of all thefts together.
struct TheftWeights {
    double theft[LEVELS][LEVELS] = {}, all[LEVELS] = {};
    constexpr TheftWeights() {
        for (int diamonds = 1; diamonds < LEVELS; ++diamonds) {
            const double boldness = is_first_thief(diamonds) ? FIRST_THIEF : LATER_THIEF;
            for (int stolen = 1; stolen <= diamonds; ++stolen) {
                theft[diamonds][stolen] = boldness * ANY_AMOUNT / diamonds;
                if (stolen == diamonds / 2 + 1) theft[diamonds][stolen] += boldness * JUST_OVER_HALF;
            }
            all[diamonds] = boldness * (ANY_AMOUNT + JUST_OVER_HALF);
        }
    }
};
constexpr TheftWeights THEFT_WEIGHTS;

class Suspicions {
  public:
    explicit Suspicions(const State& state) : state_(state), last_(state.seats - 1) {
        const Box& back = state.arrivals[0].value();
        left_ = back.diamonds;
        missing_ = DIAMONDS - state.hidden.value() - left_;
        cards_ = state.cards.size();
        gone_ = cards_ - back.cards.size();
        fake_gone_ = state.fake && !back.fake;
        if (left_ < 0 || missing_ < 0 || left_ + missing_ > DIAMONDS || gone_ < 0)
            fail("impossible state: another box came back");
        hear();
        look_ahead();
        look_back();
        find_usurpers();
    }

    // How much it is worth to accuse a seat.
    double worth(int seat) const { return thief_[seat] - USURPER_FEAR * usurper_[seat]; }

  private:
    // Values by the number of cards that are gone; and by the diamonds that are still to be stolen.
    struct Row {
        double at[CARD_LEVELS] = {};
    };
    struct Layer {
        Row at[LEVELS];
    };
    // A seat's last claims: numbers of diamonds, of cards that were gone, and of Usurpers. -1 without a claim.
    struct Claimed {
        int received = -1, passed = -1, gone = -1, usurpers = -1;
    };
    const State& state_;
    const int last_;
    int left_ = 0, missing_ = 0, cards_ = 0, gone_ = 0;
    bool fake_gone_ = false;
    double thief_[MAX_PLAYERS] = {}, card_[MAX_PLAYERS] = {}, usurper_[MAX_PLAYERS] = {};
    Claimed claimed_[MAX_PLAYERS];
    Layer layers_[MAX_PLAYERS + 1];  // before each seat

    void hear() {
        for (const Utterance& utterance : state_.said) {
            const Said* said = std::get_if<Said>(&utterance);
            if (!said) continue;
            check_seat(said->seat, MAX_PLAYERS);
            Claimed& claimed = claimed_[said->seat];
            const Claim& claim = said->claim;
            if (claim.topic == Topic::received_diamonds) claimed.received = claim.number.value();
            if (claim.topic == Topic::passed_diamonds) claimed.passed = claim.number.value();
            if (claim.topic != Topic::received_cards) continue;
            claimed.gone = cards_ - claim.cards.value().size();
            claimed.usurpers = count_kinds(*claim.cards)[static_cast<int>(Card::usurper)];
        }
    }
    static bool fits(int claim, int truth) { return claim < 0 || claim == truth; }
    bool is_known(int seat) const { return state_.revealed[seat] || !state_.takes[seat]; }

    // What the claims of a seat say for and against each possibility.
    struct Model {
        Claimed claimed;
        double noise = 1;
        Row came, went;  // 1 where a claim about cards is true, and where it is for a thief that blames the seat before

        Model(const Claimed& claims, int gone) : claimed(claims) {
            if (claimed.received >= 0) noise /= LEVELS;
            if (claimed.passed >= 0) noise /= LEVELS;
            if (claimed.gone >= 0) noise /= CARD_LEVELS;
            for (int cards = 0; cards <= gone; ++cards) {
                came.at[cards] = fits(claimed.gone, cards);
                went.at[cards] = fits(claimed.gone, std::max(0, cards - 1));
            }
        }
        bool keeps(int diamonds) const { return fits(claimed.received, diamonds) && fits(claimed.passed, diamonds); }
        Row thief(int diamonds) const { return mix(RANDOM_THIEF, keeps(diamonds) ? BLAMES_NEXT : 0.0); }
        Row other(int diamonds) const { return mix(RANDOM_OTHER, keeps(diamonds) ? HONEST : 0.0); }
        // Visit the likelihoods by cards of the stories that depend on the diamonds stolen.
        template <class Visit>
        void visit_stories(int diamonds, int rest, int gone, Visit&& visit) const {
            if (!fits(claimed.passed, rest)) return;
            const double confesses = fits(claimed.received, diamonds) ? CONFESSES : 0.0;
            const double blames = fits(claimed.received, rest) ? BLAMES_PREVIOUS : 0.0;
            if (confesses + blames == 0) return;
            for (int cards = 0; cards <= gone; ++cards)
                visit(cards, confesses * came.at[cards] + blames * went.at[cards]);
        }

      private:
        Row mix(double random, double story) const {
            Row row;
            for (int cards = 0; cards < CARD_LEVELS; ++cards) row.at[cards] = random * noise + story * came.at[cards];
            return row;
        }
    };

    // The weights of all that a seat can do, by which each is divided.
    double weight_of_all(int seat, int diamonds, int cards) const {
        return THEFT_WEIGHTS.all[diamonds] + (cards < cards_) + may_take_nothing(seat, diamonds, cards);
    }
    bool may_take_nothing(int seat, int diamonds, int cards) const {
        return fake_gone_ || seat == last_ || (diamonds == 0 && cards == cards_);
    }

    // The diamonds and cards that a seat is known to have taken.
    struct Known {
        int stolen, card;
    };
    Known known_take(int seat) const {
        const Take take = state_.takes[seat].value_or(Take{});
        if (take.diamonds < 0) fail("impossible state: fewer diamonds than none");
        return {take.diamonds, take.card.has_value()};
    }

    // Weigh every state of the box before each seat by what happened before it.
    void look_ahead() {
        layers_[1].at[missing_].at[0] = 1;
        if (gone_) layers_[1].at[missing_].at[1] = DISMISSED;
        for (int seat = 1; seat <= last_; ++seat) {
            if (!is_known(seat)) {
                pass_on(seat, layers_[seat], layers_[seat + 1]);
                continue;
            }
            const auto [stolen, card] = known_take(seat);
            for (int more = stolen; more <= missing_; ++more)
                for (int cards = card; cards <= gone_; ++cards)
                    layers_[seat + 1].at[more - stolen].at[cards] = layers_[seat].at[more].at[cards - card];
        }
    }
    void pass_on(int seat, Layer& here, Layer& next) const {
        const Model model(claimed_[seat], gone_);
        for (int more = 0; more <= missing_; ++more) {
            const int diamonds = left_ + more;
            Row& row = here.at[more];
            const Row thief = model.thief(diamonds), other = model.other(diamonds);
            Row thefts;
            for (int cards = 0; cards <= gone_; ++cards) {
                row.at[cards] /= weight_of_all(seat, diamonds, cards);
                thefts.at[cards] = row.at[cards] * thief.at[cards];
                const double honest = row.at[cards] * other.at[cards];
                if (may_take_nothing(seat, diamonds, cards)) next.at[more].at[cards] += honest;
                if (cards < gone_ && !state_.fake_shown[seat]) next.at[more].at[cards + 1] += honest;
            }
            for (int rest = 0; rest < more; ++rest) {
                const double weight = THEFT_WEIGHTS.theft[diamonds][more - rest];
                Row& after = next.at[rest];
                for (int cards = 0; cards <= gone_; ++cards) after.at[cards] += weight * thefts.at[cards];
                model.visit_stories(diamonds, left_ + rest, gone_, [&](int cards, double likelihood) {
                    after.at[cards] += weight * likelihood * row.at[cards];
                });
            }
        }
    }

    // Weigh every state by what happened after it, and so every seat's role by both.
    void look_back() {
        Layer after;
        after.at[0].at[gone_] = 1;
        for (int seat = last_; seat > 0; --seat) {
            Layer before;
            if (is_known(seat)) {
                const auto [stolen, card] = known_take(seat);
                for (int more = stolen; more <= missing_; ++more)
                    for (int cards = card; cards <= gone_; ++cards)
                        before.at[more].at[cards - card] = after.at[more - stolen].at[cards];
                thief_[seat] = stolen > 0;
            } else {
                weigh_roles(seat, after, before);
            }
            after = before;
        }
    }
    void weigh_roles(int seat, const Layer& after, Layer& before) {
        const Model model(claimed_[seat], gone_);
        double total = 0, thefts = 0, cards_taken = 0;
        for (int more = 0; more <= missing_; ++more) {
            const int diamonds = left_ + more;
            const Row thief = model.thief(diamonds), other = model.other(diamonds);
            Row sums, stories;
            for (int rest = 0; rest < more; ++rest) {
                const double weight = THEFT_WEIGHTS.theft[diamonds][more - rest];
                for (int cards = 0; cards <= gone_; ++cards) sums.at[cards] += weight * after.at[rest].at[cards];
                model.visit_stories(diamonds, left_ + rest, gone_, [&](int cards, double likelihood) {
                    stories.at[cards] += weight * likelihood * after.at[rest].at[cards];
                });
            }
            for (int cards = 0; cards <= gone_; ++cards) {
                const double here = layers_[seat].at[more].at[cards];
                const double theft = sums.at[cards] * thief.at[cards] + stories.at[cards];
                double card = 0, nothing = 0;
                if (may_take_nothing(seat, diamonds, cards)) nothing = other.at[cards] * after.at[more].at[cards];
                if (cards < gone_ && !state_.fake_shown[seat]) card = other.at[cards] * after.at[more].at[cards + 1];
                const double all = theft + card + nothing;
                before.at[more].at[cards] = all / weight_of_all(seat, diamonds, cards);
                total += here * all;
                thefts += here * theft;
                cards_taken += here * card;
            }
        }
        if (total > 0) {
            thief_[seat] = thefts / total;
            card_[seat] = cards_taken / total;
        }
    }

    // The same with the number of Usurpers in the box as its state.
    void find_usurpers() {
        const int kind = static_cast<int>(Card::usurper);
        const int most = count_kinds(state_.cards)[kind], end = count_kinds(state_.arrivals[0].value().cards)[kind];
        if (end >= most) return;
        const double share = static_cast<double>(most - end) / gone_;
        Row layers[MAX_PLAYERS + 1];
        layers[1].at[most] = 1;
        layers[1].at[most - 1] = DISMISSED;
        for (int seat = 1; seat <= last_; ++seat)
            for (int usurpers = end; usurpers <= most; ++usurpers) {
                const double here = layers[seat].at[usurpers];
                layers[seat + 1].at[usurpers] += here * stays(seat, usurpers, share);
                if (usurpers > end) layers[seat + 1].at[usurpers - 1] += here * goes(seat, usurpers, share);
            }
        Row after;
        after.at[end] = 1;
        for (int seat = last_; seat > 0; --seat) {
            Row before;
            double total = 0, taken = 0;
            for (int usurpers = end; usurpers <= most; ++usurpers) {
                const double here = layers[seat].at[usurpers];
                const double stay = stays(seat, usurpers, share) * after.at[usurpers];
                const double go = usurpers > end ? goes(seat, usurpers, share) * after.at[usurpers - 1] : 0.0;
                before.at[usurpers] = stay + go;
                total += here * before.at[usurpers];
                taken += here * go;
            }
            if (total > 0) usurper_[seat] = taken / total;
            after = before;
        }
    }
    double stays(int seat, int usurpers, double share) const {
        const int claim = claimed_[seat].usurpers;
        const double thief = thief_[seat], honest = claim == usurpers ? USURPER_TRUTH : 1 - USURPER_TRUTH;
        const double likelihood = claim < 0 ? 1.0 : thief * lie(claim, usurpers) + (1 - thief) * honest;
        return (1 - card_[seat] * share) * likelihood;
    }
    double goes(int seat, int usurpers, double share) const {
        const int claim = claimed_[seat].usurpers;
        return card_[seat] * share * (claim < 0 ? 1.0 : lie(claim, usurpers));
    }
    static double lie(int claim, int usurpers) { return claim == usurpers ? USURPER_LIE : USURPER_OTHER_LIE; }
};

}  // namespace ftk::kings_court
