// Tables of one game for learning programs: the same questions as ftk_core/rl/simulated_match.py, and observations.
#pragma once
#include <cstring>

#include "table.hpp"

namespace ftk {

enum class Opponents : std::uint8_t { quick, random, none };  // none: all seats learn

// One step of all tables (ftk_learning_step). Arrays are by table; "row" arrays hold one row per table.
struct LearningStep {
    const std::int64_t* actions;  // null: deal all tables anew
    float* observations;          // rows of the observation's width, as the last call left them
    std::int8_t* masks;           // rows of the longest menu, as the last call left them
    std::int32_t *seats, *sizes;  // seat that is asked or, at the end, chose last; size of its menu, 0 at the end
    double *rewards, *shares;     // of the seat that chose; rows by seat at the end, else as the last call left them
    std::uint8_t *over, *excused;
};

class LearningTables {
  public:
    LearningTables(std::unique_ptr<Table> bare, int count, Encoder encoder, int longest_menu, Opponents opponents)
        : bare_(std::move(bare)), encoder_(std::move(encoder)), longest_(longest_menu), opponents_(opponents) {
        bare_->bind(encoder_);
        notes_.resize(static_cast<std::size_t>(encoder_.view.size()) + 1);
        if (count < 1 || longest_ < 1) fail("there must be a table and a menu");
        for (int number = 0; number < count; ++number) {
            Slot& slot = slots_.emplace_back();
            slot.table = bare_->copy();
            slot.notes.resize(notes_.size());
        }
    }

    int seats() const { return bare_->seats(); }

    // Deal a table anew; write by seat the sizes of the menus from which seats must choose, 0 for the others.
    void deal(int number, const Seed& seed, std::int32_t* sizes) {
        Slot& slot = slots_.at(static_cast<std::size_t>(number));
        deal(slot, seed);
        std::copy_n(slot.sizes.begin(), seats(), sizes);
    }
    // Play an item for every seat that must choose; write the sizes of the next menus.
    void answer(int number, const std::int32_t* items, std::int32_t* sizes) {
        Slot& slot = slots_.at(static_cast<std::size_t>(number));
        std::copy_n(items, seats(), slot.items.begin());
        answer(slot);
        std::copy_n(slot.sizes.begin(), seats(), sizes);
    }
    // Write what a seat observes into a row of as many numbers as the encoder has columns.
    void observe(int number, int seat, float* columns) {
        std::fill_n(columns, encoder_.view.size(), 0.0F);
        ColumnRow row(columns, notes_.data());
        slots_.at(static_cast<std::size_t>(number)).table->observe(encoder_, seat, row);
    }
    // Write a row of numbers for each item of a menu into rows of zeros.
    void write_menu(int number, int seat, float* rows, int size) {
        slots_.at(static_cast<std::size_t>(number)).table->write_menu(encoder_, seat, rows, size);
    }
    void places(int number, std::int8_t* places) const {
        slots_.at(static_cast<std::size_t>(number)).table->places(places);
    }

    // Begin a new series of matches: match m at table t is dealt from the seed SHA-256("<name>/t/m").
    void name_series(std::string name) {
        series_ = std::move(name);
        for (Slot& slot : slots_) slot.matches = 0;
    }
    void step(const LearningStep& out) {
        for (std::size_t at = 0; at < slots_.size(); ++at) {
            Slot& slot = slots_[at];
            out.rewards[at] = 0;
            out.excused[at] = 0;
            if (!out.actions || slot.seat < 0 || slot.sizes[static_cast<std::size_t>(slot.seat)] == 0) {
                begin(slot, at);
            } else {
                const auto seat = static_cast<std::size_t>(slot.seat);
                const std::int64_t action = out.actions[at];
                out.excused[at] = action < 0 || action >= slot.sizes[seat];
                slot.items[seat] = out.excused[at] ? 0 : static_cast<std::int32_t>(action);
                slot.answered |= 1U << seat;
                go_on(slot);
            }
            show(slot, at, out);
        }
    }
    // Deal new matches where the last one is over, and write their first questions. The other arrays stay as they are.
    void deal_again(const LearningStep& out) {
        for (std::size_t at = 0; at < slots_.size(); ++at) {
            Slot& slot = slots_[at];
            if (slot.seat < 0 || slot.sizes[static_cast<std::size_t>(slot.seat)]) continue;
            begin(slot, at);
            show(slot, at, out);
            out.over[at] = 1;
        }
    }

  private:
    struct Slot {
        std::unique_ptr<Table> table;
        Chance chance{std::uint64_t{0}};
        std::optional<Draw> policy;
        std::int64_t matches = 0;
        int learner = -1, seat = -1, shown_size = 0;
        unsigned answered = 0;  // bit s is set if seat s has chosen
        std::array<std::int32_t, MAX_SEATS> sizes{}, items{};
        std::vector<std::uint32_t> notes;  // columns of the last observation that are not 0
        int noted = 0;
    };
    std::unique_ptr<Table> bare_;
    Encoder encoder_;
    int longest_;
    Opponents opponents_;
    std::string series_;
    std::vector<std::uint32_t> notes_;  // for observations of which no notes are kept
    std::vector<Slot> slots_;

    void deal(Slot& slot, const Seed& seed) {
        slot.table = bare_->copy();
        slot.chance = Chance(seed);
        slot.table->deal_unrecorded(slot.chance);
        ask(slot);
    }
    void ask(Slot& slot) {
        slot.answered = 0;
        slot.table->ask(slot.chance, slot.sizes.data());
        for (const auto size : slot.sizes)
            if (size > longest_) throw Error("a menu of " + std::to_string(size) + " items, longer than the longest menu");
    }
    void answer(Slot& slot) {
        slot.table->answer(slot.items.data(), slot.chance);
        ask(slot);
    }

    // Deal the next match in which the learner has a choice.
    void begin(Slot& slot, std::size_t number) {
        for (int tries = 0; tries < 1000; ++tries) {
            const Seed seed = seed_of(series_ + '/' + std::to_string(number) + '/' + std::to_string(slot.matches++));
            slot.policy = Draw(seed, "policy");
            if (opponents_ != Opponents::none)
                slot.learner = static_cast<int>(Draw(seed, "learner").below(static_cast<std::uint64_t>(seats())));
            deal(slot, seed);
            go_on(slot);
            if (slot.sizes[static_cast<std::size_t>(slot.seat)]) return;
        }
        fail("no match has a choice for the learner");
    }
    // Let the opponents choose until the learner must; without opponents, move to the next seat that has not chosen.
    void go_on(Slot& slot) {
        for (;;) {
            bool asked = false, waits = false;
            for (int seat = 0; seat < seats(); ++seat) {
                if (!slot.sizes[static_cast<std::size_t>(seat)] || slot.answered >> seat & 1) continue;
                asked = true;
                if (opponents_ == Opponents::none || seat == slot.learner) {
                    if (!waits) slot.seat = seat;
                    waits = true;
                } else {
                    slot.items[static_cast<std::size_t>(seat)] = choose(slot, seat);
                    slot.answered |= 1U << seat;
                }
            }
            if (waits) return;
            if (!asked && !slot.answered) {  // the match is over
                if (slot.seat < 0 || opponents_ != Opponents::none) slot.seat = std::max(0, slot.learner);
                return;
            }
            answer(slot);
        }
    }
    int choose(Slot& slot, int seat) {
        const auto size = slot.sizes[static_cast<std::size_t>(seat)];
        if (size == 1) return 0;
        if (opponents_ == Opponents::quick) return slot.table->quick(seat, *slot.policy);
        return static_cast<int>(slot.policy->below(static_cast<std::uint64_t>(size)));
    }

    void show(Slot& slot, std::size_t at, const LearningStep& out) const {
        const auto seats = static_cast<std::size_t>(bare_->seats());
        const int size = slot.sizes[static_cast<std::size_t>(slot.seat)];
        float* columns = out.observations + at * static_cast<std::size_t>(encoder_.view.size());
        for (int note = 0; note < slot.noted; ++note) columns[slot.notes[static_cast<std::size_t>(note)]] = 0;
        ColumnRow row(columns, slot.notes.data());
        slot.noted = 0;
        slot.table->observe(encoder_, slot.seat, row);
        slot.noted = row.noted();
        std::int8_t* mask = out.masks + at * static_cast<std::size_t>(longest_);
        for (int item = std::min(size, slot.shown_size); item < std::max(size, slot.shown_size); ++item)
            mask[item] = item < size;
        slot.shown_size = size;
        out.seats[at] = slot.seat;
        out.sizes[at] = size;
        out.over[at] = size == 0;
        if (size) return;
        std::array<std::int8_t, MAX_SEATS> places{};
        slot.table->places(places.data());
        for (std::size_t seat = 0; seat < seats; ++seat)
            out.shares[at * seats + seat] =
                share_left_behind(places.data(), static_cast<int>(seats), static_cast<int>(seat));
        out.rewards[at] = out.shares[at * seats + static_cast<std::size_t>(slot.seat)];
    }
};

}  // namespace ftk
