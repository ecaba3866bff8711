// One table of any game behind one interface, as the C functions of api.cpp use it.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "columns.hpp"
#include "game.hpp"

namespace ftk {

enum class Policy : std::uint8_t { quick, random };

// Feature plans of a seat's view and of an action, bound to the types of one game.
struct Encoder {
    Plan view, action;
    std::string_view game = {};
};

// Share of its opponents that a seat finished ahead of; a tie counts half.
inline double share_left_behind(const std::int8_t* places, int seats, int seat) {
    int halves = 0;
    for (int other = 0; other < seats; ++other)
        if (other != seat) halves += (places[seat] < places[other]) + (places[seat] <= places[other]);
    return halves / (2.0 * (seats - 1));
}

class Table;

// Random tables that agree with everything one viewer knows.
class Worlds {
  public:
    virtual ~Worlds() = default;
    virtual std::unique_ptr<Table> deal(Chance& chance) = 0;
    // Deal this number of candidates, the first from `first`, and draw one with a probability proportional to its likelihood
    // if the other seats play by the policy. Write the effective number of candidates: the squared sum of likelihoods over
    // the sum of their squares (Kish 1965). In games without `likelihood` this is `deal`, and the effective number is 0.
    // 0 candidates means the game's own number.
    virtual std::unique_ptr<Table> deal_likely(Chance& first, Draw& draw, int candidates, double& effective) = 0;
};

inline std::uint64_t next_seed(FastRandom& random) {
    return std::uint64_t{random.word()} << 32 | random.word();
}

class Table {
  public:
    virtual ~Table() = default;
    virtual std::unique_ptr<Table> copy() const = 0;
    virtual int seats_due() const = 0;  // bit s is set if seat s must choose
    virtual int menu_size(int seat) = 0;
    virtual std::vector<int> sensible_items(int seat) = 0;  // each other item is worth no more than one of these
    virtual std::string menu(int seat) = 0;
    virtual std::string state() const = 0;
    virtual std::string view(int viewer) const = 0;
    virtual std::string result() const = 0;
    virtual void set_state(std::string_view json) = 0;
    virtual void apply_fact(std::string_view json) = 0;
    virtual void resample(int viewer, Chance& chance) = 0;
    virtual std::unique_ptr<Worlds> worlds(int viewer) const = 0;  // the same as resample, faster for many deals
    virtual int quick(int seat, Draw& draw) = 0;
    virtual int resample_cost() const = 0;  // in choices of a playout
    virtual int likely_cost() const = 0;    // of a world that is drawn by its likelihood
    // True if a search with this budget returns the policy's choice, because playouts cannot compare the items.
    virtual bool keeps_policy_choice(std::int64_t budget) const = 0;
    virtual std::string deal(Chance& chance) = 0;                       // the facts, as a JSON array
    virtual void deal_unrecorded(Chance& chance) = 0;                   // like deal, without the facts
    virtual std::string follow_action(int seat, std::string_view action, Chance& chance) = 0;  // an action as JSON
    // The next menu of several items as seat << 32 | size, or 0 at the end; `choose` answers it and returns the next.
    virtual std::int64_t next_question(Chance& chance) = 0;
    virtual std::int64_t choose(int item, Chance& chance) = 0;
    // Play moves without a choice, and write by seat the sizes of the menus from which seats must choose, 0 for others.
    // They include menus of one item where a forced move must stay hidden.
    virtual void ask(Chance& chance, std::int32_t* sizes) = 0;
    virtual void answer(const std::int32_t* items, Chance& chance) = 0;  // an item for each of these seats
    virtual void bind(Encoder& encoder) const = 0;
    virtual void observe(const Encoder& encoder, int seat, ColumnRow& row) const = 0;
    virtual void write_menu(const Encoder& encoder, int seat, float* rows, int size) = 0;
    virtual void step(int seat, int item, Chance& chance) = 0;           // play an item, without the facts
    // Play on to the end. `early` holds by seat the JSON of a choice that is already made, or null.
    virtual std::int64_t play_on(Chance& chance, Policy policy, Draw& draw, const char* const* early) = 0;
    // The same after a seat has chosen an item of its menu. Other seats that choose at the same time do not know it.
    virtual std::int64_t play_on_with(int seat, int item, Chance& chance, Policy policy, Draw& draw,
                                      int later) = 0;
    virtual void places(std::int8_t* by_seat) const = 0;
    // The same for a search with this budget, which may end before the match does: a game can estimate the result. Add the
    // number of choices to `choices`, and return the share of opponents that the seat is expected to finish ahead of.
    virtual double play_for_search(int seat, int item, Chance& chance, Policy policy, Draw& draw, std::int64_t budget,
                                   std::int64_t& choices) = 0;
    virtual int seats() const = 0;
    virtual std::string rerun(std::string_view lines, Chance& chance) = 0;
};

template <class Game>
class TableOf final : public Table {
  public:
    TableOf(int seats, std::string_view options) {
        if (seats < Game::min_seats || seats > Game::max_seats) fail("impossible number of seats");
        typename Game::Options read{};
        if (!options.empty()) read = from_json<typename Game::Options>(options);
        seats_ = seats;
        state_ = Game::setup(seats, read);
    }

    std::unique_ptr<Table> copy() const override { return std::make_unique<TableOf>(*this); }
    int seats() const override { return seats_; }

    int seats_due() const override {
        int due = 0;
        for (const Seat seat : Game::turn(state_)) {
            check_seat(seat, seats_);
            due |= 1 << seat;
        }
        return due;
    }
    int menu_size(int seat) override {
        list_menu(seat);
        return menu_.size();
    }
    std::vector<int> sensible_items(int seat) override {
        list_menu(seat);
        if constexpr (requires { Game::sensible_items(state_, seat, menu_); })
            return Game::sensible_items(state_, seat, menu_);
        return count_up(menu_.size());
    }
    std::string menu(int seat) override {
        list_menu(seat);
        std::string text = "[";
        JsonWriter writer(text);
        for (int at = 0; at < menu_.size(); ++at) {
            if (at) text += ',';
            writer.write(menu_[at]);
        }
        return text + "]";
    }
    std::string state() const override { return to_json(state_); }
    std::string view(int viewer) const override { return to_json(Game::view(state_, check_viewer(viewer))); }
    std::string result() const override {
        const Result result = Game::result(state_);
        std::string text = "[[";
        JsonWriter writer(text);
        text.pop_back();
        writer.write(result.places);
        text += ',';
        writer.write(result.scores);
        text += ",[";
        for (int at = 0; at < result.roles.size(); ++at)
            ((text += at ? ",\"" : "\"").append(result.roles[at])) += '"';
        return text + "]]";
    }
    void set_state(std::string_view json) override {
        auto state = from_json<typename Game::State>(json);
        Game::check(state, seats_);
        state_ = state;
        answers_.clear();
        due_.clear();
    }
    void apply_fact(std::string_view json) override {
        auto state = state_;
        std::visit([&](const auto& fact) { apply(state, fact); }, from_json<typename Game::Fact>(json));
        Game::check(state, seats_);
        state_ = state;
    }
    void resample(int viewer, Chance& chance) override {
        state_ = Game::resample(state_, check_viewer(viewer), chance);
    }
    std::unique_ptr<Worlds> worlds(int viewer) const override {
        return std::make_unique<WorldsOf>(*this, check_viewer(viewer));
    }
    int resample_cost() const override {
        if constexpr (requires { Game::resample_cost; }) return Game::resample_cost;
        return 0;
    }
    int likely_cost() const override {
        if constexpr (requires { Game::likely_cost; }) return Game::likely_cost;
        return resample_cost();
    }
    bool keeps_policy_choice(std::int64_t budget) const override {
        if constexpr (requires { Game::keeps_policy_choice(state_, budget); })
            return Game::keeps_policy_choice(state_, budget);
        return false;
    }
    int quick(int seat, Draw& draw) override {
        list_menu(seat);
        if (menu_.size() == 0) throw Error("seat " + std::to_string(seat) + " has no choice to make");
        return Game::quick(state_, seat, menu_, draw);
    }
    std::string deal(Chance& chance) override {
        FactList facts;
        Game::deal(state_, chance, facts);
        return facts.close();
    }
    void deal_unrecorded(Chance& chance) override {
        IgnoreFacts ignore;
        Game::deal(state_, chance, ignore);
    }
    std::string follow_action(int seat, std::string_view action, Chance& chance) override {
        if (seat < 0 || seat >= seats_) fail("no such seat");
        FactList facts;
        Game::follow(state_, seat, from_json<typename Game::Action>(action), chance, facts);
        return facts.close();
    }
    std::int64_t next_question(Chance& chance) override {
        for (int turns = 0; turns < MAX_CHOICES; ++turns) {
            if (answers_.empty()) due_ = Game::turn(state_);
            if (due_.empty()) return 0;
            while (answers_.size() < due_.size()) {
                const Seat seat = due_[answers_.size()];
                check_seat(seat, seats_);
                menu_.clear();
                Game::legal(state_, seat, menu_);
                if (menu_.size() > 1) return std::int64_t{seat} << 32 | menu_.size();
                answers_.push(menu_[0]);
            }
            IgnoreFacts ignore;
            for (int at = 0; at < due_.size(); ++at) Game::follow(state_, due_[at], answers_[at], chance, ignore);
            answers_.clear();
        }
        fail("the match does not end");
    }
    std::int64_t choose(int item, Chance& chance) override {
        if (answers_.size() >= due_.size()) fail("no question was asked");
        answers_.push(menu_[item]);
        return next_question(chance);
    }
    void ask(Chance& chance, std::int32_t* sizes) override {
        std::fill_n(sizes, seats_, 0);
        answers_.clear();
        for (int turns = 0; turns < MAX_CHOICES; ++turns) {
            due_ = Game::turn(state_);
            bool forced = false, chosen = false;
            for (const Seat seat : due_) {
                list_checked_menu(seat);
                sizes[seat] = menu_.size();
                (menu_.size() > 1 ? chosen : forced) = true;
            }
            if (forced && is_veiled()) return;
            for (const Seat seat : due_)
                if (sizes[seat] == 1) sizes[seat] = 0;
            if (chosen || due_.empty()) return;
            const std::array<std::int32_t, MAX_SEATS> first{};
            follow_choices(first.data(), chance);
        }
        fail("the match does not end");
    }
    void answer(const std::int32_t* items, Chance& chance) override { follow_choices(items, chance); }
    void bind(Encoder& encoder) const override {
        encoder.game = Game::name;
        encoder.view.bind_parts<Seat, int, decltype(Game::view(state_, 0))>();
        encoder.action.bind<typename Game::Action>();
    }
    void observe(const Encoder& encoder, int seat, ColumnRow& row) const override {
        check_seat(seat, seats_);
        if (encoder.game != Game::name) fail("a feature plan of another game");
        encoder.view.write_parts(row, seat, seats_, Game::view(state_, seat));
    }
    void write_menu(const Encoder& encoder, int seat, float* rows, int size) override {
        check_seat(seat, seats_);
        if (encoder.game != Game::name) fail("a feature plan of another game");
        list_menu(seat);
        if (menu_.size() != size) fail("a menu of another size");
        for (int item = 0; item < size; ++item, rows += encoder.action.size())
            write_item(encoder.action, menu_[item], rows);
    }
    void step(int seat, int item, Chance& chance) override {
        IgnoreFacts ignore;
        list_menu(seat);
        Game::follow(state_, seat, typename Game::Action(menu_[item]), chance, ignore);
    }
    std::int64_t play_on(Chance& chance, Policy policy, Draw& draw, const char* const* early) override {
        EarlyChoices<Game> early_choices{};
        for (int seat = 0; early && seat < seats_; ++seat)
            if (early[seat]) early_choices[seat] = from_json<typename Game::Action>(early[seat]);
        return with_policy(policy, draw, [&](auto& choose) {
            return ftk::play_on<Game>(state_, chance, choose, IgnoreFacts{}, early_choices);
        });
    }
    std::int64_t play_on_with(int seat, int item, Chance& chance, Policy policy, Draw& draw, int later) override {
        list_checked_menu(seat);
        EarlyChoices<Game> early{};
        early[static_cast<std::size_t>(seat)] = menu_[item];
        const int menu_size = menu_.size();
        std::optional<typename Game::Action> later_action;
        if (later > 0) later_action = menu_[later - 1];
        return with_policy(policy, draw, [&](auto& choose) {
            if (!later_action) return ftk::play_on<Game>(state_, chance, choose, IgnoreFacts{}, early);
            LaterChoice<Game, std::remove_reference_t<decltype(choose)>> waiting{choose, seat, menu_size, later_action};
            return ftk::play_on<Game>(state_, chance, waiting, IgnoreFacts{}, early);
        });
    }
    double play_for_search(int seat, int item, Chance& chance, Policy policy, Draw& draw,
                           [[maybe_unused]] std::int64_t budget, std::int64_t& choices) override {
        if constexpr (requires { Game::is_horizon(state_, state_, 0); }) {
            if (policy == Policy::quick && budget >= Game::horizon_budget) {
                list_checked_menu(seat);
                EarlyChoices<Game> early{};
                early[static_cast<std::size_t>(seat)] = menu_[item];
                const auto stops = [before = state_, seat](const auto& now) {
                    return Game::is_horizon(before, now, seat);
                };
                QuickChoice<Game> choose{draw};
                choices += ftk::play_on<Game>(state_, chance, choose, IgnoreFacts{}, early, stops);
                if (Game::turn(state_).empty()) return share_of(seat);
                choices += Game::estimate_cost(state_);
                return Game::estimate_share(state_, seat);
            }
        }
        choices += play_on_with(seat, item, chance, policy, draw, 0);
        return share_of(seat);
    }
    void places(std::int8_t* by_seat) const override {
        const Result result = Game::result(state_);
        if (result.places.size() != seats_) fail("a result of another number of seats");
        for (int seat = 0; seat < seats_; ++seat)
            by_seat[seat] = static_cast<std::int8_t>(result.places[seat]);
    }

    // Rerun the choices of a log from the bare table and compare every line after the opening, but for the last one.
    // Return the places and scores; raise Error at the first line that does not follow.
    std::string rerun(std::string_view lines, Chance& chance) override {
        LogChecker log(lines);
        Game::deal(state_, chance, log);
        const auto choose = [&](const auto&, int seat, const auto& menu) { return log.choice(seat, menu); };
        ftk::play_on<Game>(state_, chance, choose, log);
        log.finish();
        return result();
    }

  private:
    typename Game::State state_;
    typename Game::Menu menu_;                           // the menu that was listed last
    int listed_ = -1;                                    // seat of that menu
    SeatList due_;                                       // seats that choose in this turn
    Vec<typename Game::Action, MAX_SEATS> answers_;      // and their choices so far
    int seats_ = 0;

    void list_menu(int seat) {
        listed_ = seat;
        menu_.clear();
        if (Game::turn(state_).contains(static_cast<Seat>(seat))) Game::legal(state_, seat, menu_);
    }
    void list_checked_menu(int seat) {
        check_seat(seat, seats_);
        listed_ = seat;
        menu_.clear();
        Game::legal(state_, seat, menu_);
        if (menu_.size() == 0) fail("a seat that must choose has no menu");
    }
    bool is_veiled() const {
        if constexpr (requires { Game::veiled(state_); }) return Game::veiled(state_);
        return false;
    }
    // All seats that must choose do so in the same state, then the choices take effect in seat order.
    void follow_choices(const std::int32_t* items, Chance& chance) {
        IgnoreFacts ignore;
        answers_.clear();
        for (const Seat seat : due_) {
            if (listed_ != seat) list_checked_menu(seat);
            answers_.push(menu_[menu_.size() == 1 ? 0 : items[seat]]);
        }
        for (int at = 0; at < due_.size(); ++at) Game::follow(state_, due_[at], answers_[at], chance, ignore);
        answers_.clear();
    }
    static void write_item(const Plan& plan, const typename Game::Action& action, float* columns) {
        std::vector<std::uint32_t> notes(static_cast<std::size_t>(plan.size()) + 1);
        ColumnRow row(columns, notes.data());
        plan.write(action, row, 0);
    }
    double share_of(int seat) const {
        std::array<std::int8_t, MAX_SEATS> by_seat{};
        places(by_seat.data());
        return share_left_behind(by_seat.data(), seats_, seat);
    }
    int check_viewer(int viewer) const {
        if (viewer < OMNISCIENT || viewer >= seats_) fail("no such viewer");
        return viewer;
    }

    struct OneByOne {
        typename Game::State state;
        int viewer;
        auto deal(Chance& chance) const { return Game::resample(state, viewer, chance); }
    };
    template <class Rules>
    struct ResamplerOf {
        using type = OneByOne;
    };
    template <class Rules>
        requires requires { typename Rules::Resampler; }
    struct ResamplerOf<Rules> {
        using type = typename Rules::Resampler;
    };
    class WorldsOf final : public Worlds {
      public:
        WorldsOf(const TableOf& table, int viewer)
            : table_(table), viewer_(viewer), resampler_{table.state_, viewer} {}
        std::unique_ptr<Table> deal(Chance& chance) override {
            auto world = std::make_unique<TableOf>(table_);
            world->state_ = resampler_.deal(chance);
            return world;
        }
        std::unique_ptr<Table> deal_likely(Chance& first, [[maybe_unused]] Draw& draw, [[maybe_unused]] int candidates,
                                           double& effective) override {
            effective = 0;
            auto world = deal(first);
            if constexpr (requires { Game::likelihood(table_.state_, viewer_); }) {
                auto& chosen = static_cast<TableOf&>(*world).state_;
                double total = Game::likelihood(chosen, viewer_), squares = total * total;
                for (int number = 1; number < (candidates ? candidates : Game::candidates); ++number) {
                    Chance chance = first.another(draw);
                    const auto state = resampler_.deal(chance);
                    const double weight = Game::likelihood(state, viewer_);
                    total += weight;
                    squares += weight * weight;
                    if (draw.below(DRAWN_PARTS) * total < weight * DRAWN_PARTS) chosen = state;
                }
                effective = total * total / squares;
            }
            return world;
        }

      private:
        static constexpr std::uint32_t DRAWN_PARTS = 1 << 24;
        TableOf table_;
        int viewer_;
        typename ResamplerOf<Game>::type resampler_;
    };

    template <class Play>
    std::int64_t with_policy(Policy policy, Draw& draw, Play&& play) {
        if (policy == Policy::quick) {
            QuickChoice<Game> choose{draw};
            return play(choose);
        }
        auto choose = [&](const auto&, int, const auto& menu) {
            return static_cast<int>(draw.below(static_cast<std::uint64_t>(menu.size())));
        };
        return play(choose);
    }

    struct FactList {
        std::string text = "[";
        template <class Fact>
        void operator()(const Fact& fact) {
            if (text.size() > 1) text += ',';
            JsonWriter(text).write(fact);
        }
        std::string close() { return text + "]"; }
    };

    // Checks the entries of a log, which ftk_core/log_entries.py writes.
    class LogChecker {
      public:
        explicit LogChecker(std::string_view text) : text_(text) {}
        template <class Fact>
        void operator()(const Fact& fact) {
            expected_.clear();
            JsonWriter writer(expected_);
            expected_ += "{\"kind\":\"happened\",\"seq\":";
            writer.write(seq_);
            expected_ += ",\"fact\":";
            writer.write(fact);
            expected_ += '}';
            if (next() != expected_) fail_here("another fact follows");
        }
        template <class Menu>
        int choice(int seat, const Menu& menu) {
            const std::string_view line = next();
            expected_.clear();
            JsonWriter writer(expected_);
            expected_ += "{\"kind\":\"chose\",\"seq\":";
            writer.write(seq_ - 1);
            expected_ += ",\"seat\":";
            writer.write(seat);
            expected_ += ",\"action\":";
            if (!line.starts_with(expected_)) fail_here("a choice of another seat follows");
            JsonReader rest(line.substr(expected_.size()));
            const std::string_view action = rest.object();
            const bool excused = check_rest_of_choice(rest);
            const int at = menu.index_of(from_json<typename Game::Action>(action));
            if (at < 0) fail_here("the choice is not on the menu");
            if (excused && at > 0) fail_here("without an answer, the first item of the menu is played");
            return at;
        }
        void finish() const {
            if (at_ != text_.size()) fail_here("the log continues after the end of the match");
        }

      private:
        std::string_view text_;
        std::size_t at_ = 0;
        std::int64_t seq_ = 1;
        std::string expected_;

        std::string_view next() {
            const auto end = text_.find('\n', at_);
            if (end == std::string_view::npos) fail_here("the log ends before the match");
            const auto line = text_.substr(at_, end - at_);
            at_ = end + 1;
            ++seq_;
            return line;
        }
        // Return true if the seat gave no answer. The engine does not check the numbers of the clock.
        bool check_rest_of_choice(JsonReader& rest) {
            rest.expect(",\"excuse\":");
            const bool excused = !rest.accept("null");
            if (excused && !rest.accept("\"timeout\"") && !rest.accept("\"crash\"")) rest.expect("\"nonsense\"");
            std::int64_t number = 0;
            for (const char* key : {",\"charged_us\":", ",\"bank_ms\":"}) {
                rest.expect(key);
                rest.read(number);
            }
            // Each of these is left out if it was not measured: of a remote bot's answer, only `wall_us` is known.
            for (const char* key : {",\"idle_us\":", ",\"wall_us\":", ",\"queued_us\":"})
                if (rest.accept(key)) rest.read(number);
            rest.expect("}");
            rest.finish();
            return excused;
        }
        [[noreturn]] void fail_here(const char* why) const {
            throw Error("entry " + std::to_string(seq_ - 1) + ": " + why);
        }
    };
};

}  // namespace ftk
