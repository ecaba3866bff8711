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

// True if no earlier seat can have stolen more than just over half of these diamonds.
constexpr bool is_first_thief(int diamonds) { return DIAMONDS - diamonds <= diamonds / 2 + 1; }

// By the diamonds in the box: the weight of stealing each number, and what just over half of them weighs more. And 1 by
// the sum of the weights of all that a seat can do, by whether it can take a card, or nothing.
struct TheftWeights {
    double any[LEVELS] = {}, half[LEVELS] = {}, scale[LEVELS][2][2] = {};
    constexpr TheftWeights() {
        for (int diamonds = 0; diamonds < LEVELS; ++diamonds) {
            const double boldness = is_first_thief(diamonds) ? FIRST_THIEF : LATER_THIEF;
            const double thefts = diamonds ? boldness * (ANY_AMOUNT + JUST_OVER_HALF) : 0.0;
            for (int others = diamonds ? 0 : 1; others < 4; ++others)
                scale[diamonds][others & 1][others >> 1] = 1 / (thefts + (others & 1) + (others >> 1));
            if (diamonds) any[diamonds] = boldness * ANY_AMOUNT / diamonds;
            half[diamonds] = boldness * JUST_OVER_HALF;
        }
    }
    constexpr double of(int diamonds, int rest) const {
        return any[diamonds] + (is_half_left(diamonds, rest) ? half[diamonds] : 0.0);
    }
    static constexpr int left_of(int diamonds) { return diamonds - diamonds / 2 - 1; }  // if just over half is stolen
    static constexpr bool is_half_left(int diamonds, int rest) { return rest == left_of(diamonds); }
};
constexpr TheftWeights THEFTS;

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

    // Value of accusing a seat.
    double worth(int seat) const { return thief_[seat] - USURPER_FEAR * usurper_[seat]; }

  private:
    // Values by the number of cards that are gone; and by the diamonds that are still to be stolen.
    struct Row {
        double at[CARD_LEVELS] = {};
        void add(double weight, const Row& row) {
            for (int cards = 0; cards < CARD_LEVELS; ++cards) at[cards] += weight * row.at[cards];
        }
        Row operator*(const Row& other) const {
            Row product;
            for (int cards = 0; cards < CARD_LEVELS; ++cards) product.at[cards] = at[cards] * other.at[cards];
            return product;
        }
        double sum() const {
            double sum = 0;
            for (const double value : at) sum += value;
            return sum;
        }
        void add(double weight, const Row& likelihoods, const Row& row) {
            for (int cards = 0; cards < CARD_LEVELS; ++cards) at[cards] += weight * likelihoods.at[cards] * row.at[cards];
        }
    };
    struct Layer {
        Row at[LEVELS];
    };
    // A seat's last claims: numbers of diamonds, of cards that were gone, and of Usurpers. -1 without a claim.
    struct Claimed {
        int received = -1, passed = -1, gone = -1, usurpers = -1;
    };
    static bool fits(int claim, int truth) { return claim < 0 || claim == truth; }

    // Likelihoods of a seat's claims by cards, for everything that it can have taken.
    class Model {
      public:
        Model() = default;
        Model(const Claimed& claimed, int gone) : received_(claimed.received), passed_(claimed.passed) {
            double noise = 1;
            if (claimed.received >= 0) noise /= LEVELS;
            if (claimed.passed >= 0) noise /= LEVELS;
            if (claimed.gone >= 0) noise /= CARD_LEVELS;
            for (int cards = 0; cards <= gone; ++cards) {
                const double came = fits(claimed.gone, cards), went = fits(claimed.gone, std::max(0, cards - 1));
                for (const bool kept : {false, true}) {
                    thief_[kept].at[cards] = RANDOM_THIEF * noise + (kept ? BLAMES_NEXT : 0.0) * came;
                    other_[kept].at[cards] = RANDOM_OTHER * noise + (kept ? HONEST : 0.0) * came;
                }
                for (const int story : {1, 2, 3})
                    stories_[story].at[cards] =
                        (story & 1 ? CONFESSES : 0.0) * came + (story & 2 ? BLAMES_PREVIOUS : 0.0) * went;
            }
        }
        // Of a Thief, without `stories`.
        const Row& thief(int diamonds) const { return thief_[keeps(diamonds)]; }
        const Row& other(int diamonds) const { return other_[keeps(diamonds)]; }
        // Visit the numbers of diamonds, from the least on, that a Thief can have left by its claims, each with the
        // likelihoods of the stories that depend on it.
        template <class Visit>
        void visit_stories(int diamonds, int least, Visit&& visit) const {
            const int first = passed_ < 0 ? least : std::max(least, passed_), last = passed_ < 0 ? diamonds - 1 : passed_;
            for (int rest = first; rest <= last && rest < diamonds; ++rest)
                if (const int story = fits(received_, diamonds) + 2 * fits(received_, rest)) visit(rest, stories_[story]);
        }

      private:
        int received_ = -1, passed_ = -1;
        Row thief_[2], other_[2], stories_[4];
        bool keeps(int diamonds) const { return fits(received_, diamonds) && fits(passed_, diamonds); }
    };

    const State& state_;
    const int last_;
    int left_ = 0, missing_ = 0, cards_ = 0, gone_ = 0;
    bool fake_gone_ = false;
    double thief_[MAX_PLAYERS] = {}, card_[MAX_PLAYERS] = {}, usurper_[MAX_PLAYERS] = {};
    Claimed claimed_[MAX_PLAYERS];
    Model models_[MAX_PLAYERS];
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
    bool is_known(int seat) const { return state_.revealed[seat] || !state_.takes[seat]; }

    bool may_refuse(int seat) const { return fake_gone_ || seat == last_; }
    // A seat that found the box empty took nothing.
    bool is_emptied(int diamonds) const { return diamonds == 0 && gone_ == cards_; }
    // Scale a row so that the weights of all that a seat can do add up to 1.
    void scale(int seat, int diamonds, Row& row) const {
        const double factor = THEFTS.scale[diamonds][true][may_refuse(seat)];
        for (int cards = 0; cards < cards_ && cards < CARD_LEVELS; ++cards) row.at[cards] *= factor;
        if (gone_ == cards_) row.at[cards_] *= THEFTS.scale[diamonds][false][may_refuse(seat) || diamonds == 0];
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
    static bool is_impossible(const Row& row) {
        return std::ranges::all_of(row.at, [](double weight) { return weight == 0; });
    }
    void pass_on(int seat, Layer& here, Layer& next) {
        const Model& model = models_[seat] = Model(claimed_[seat], gone_);
        Row thefts_of_any;  // from more diamonds
        for (int more = missing_; more >= 0; --more) {
            const int diamonds = left_ + more, half = THEFTS.left_of(diamonds) - left_;
            Row& row = here.at[more];
            next.at[more].add(1, thefts_of_any);
            if (is_impossible(row)) continue;
            scale(seat, diamonds, row);
            const Row thefts = row * model.thief(diamonds), others = row * model.other(diamonds);
            if (may_refuse(seat)) next.at[more].add(1, others);
            else if (is_emptied(diamonds)) next.at[more].at[cards_] += others.at[cards_];
            for (int cards = 0; cards < gone_ && !state_.fake_shown[seat]; ++cards)
                next.at[more].at[cards + 1] += others.at[cards];
            if (!more) break;
            thefts_of_any.add(THEFTS.any[diamonds], thefts);
            if (half >= 0) next.at[half].add(THEFTS.half[diamonds], thefts);
            model.visit_stories(diamonds, left_, [&](int rest, const Row& likelihoods) {
                next.at[rest - left_].add(THEFTS.of(diamonds, rest), likelihoods, row);
            });
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
        const Model& model = models_[seat];
        Row all, thefts, takes;
        Row after_any;  // theft
        for (int more = 0; more <= missing_; ++more) {
            const int diamonds = left_ + more, half = THEFTS.left_of(diamonds) - left_;
            if (more) after_any.add(1, after.at[more - 1]);
            if (is_impossible(layers_[seat].at[more])) continue;
            Row sums, stories;
            if (more) {
                sums.add(THEFTS.any[diamonds], after_any);
                if (half >= 0) sums.add(THEFTS.half[diamonds], after.at[half]);
                model.visit_stories(diamonds, left_, [&](int rest, const Row& likelihoods) {
                    stories.add(THEFTS.of(diamonds, rest), likelihoods, after.at[rest - left_]);
                });
            }
            Row card, theft = sums * model.thief(diamonds);
            theft.add(1, stories);
            for (int cards = 0; cards < gone_ && !state_.fake_shown[seat]; ++cards)
                card.at[cards] = model.other(diamonds).at[cards] * after.at[more].at[cards + 1];
            Row& sum = before.at[more] = theft;
            sum.add(1, card);
            if (may_refuse(seat)) sum.add(1, model.other(diamonds) * after.at[more]);
            else if (is_emptied(diamonds)) sum.at[cards_] += model.other(diamonds).at[cards_] * after.at[more].at[cards_];
            const Row& here = layers_[seat].at[more];
            all.add(1, here * sum);
            thefts.add(1, here * theft);
            takes.add(1, here * card);
            scale(seat, diamonds, sum);
        }
        if (const double total = all.sum(); total > 0) {
            thief_[seat] = thefts.sum() / total;
            card_[seat] = takes.sum() / total;
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
