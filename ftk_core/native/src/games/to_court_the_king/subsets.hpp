// All non-empty subsets of dice in the order of a menu. Twelve dice have up to 728, so they are counted, not stored.
#pragma once
#include "facts.hpp"

namespace ftk::to_court {

constexpr Face raise_of(Character card) {
    return card == Character::noblewoman ? 1 : card == Character::nobleman ? 2 : 0;
}

// By size, the number of subsets of the dice that show a face or a higher one. The numbers of up to seven dice lie in
// one byte each of a polynomial, whose factors are the faces; a subset and the rest of the dice are equally many.
class SizeCounts {
  public:
    explicit SizeCounts(Dice dice) {
        for (int face = MAX_FACE; face >= 1; --face) {
            dice_[at(face)] = dice_[at(face + 1)] + dice[face];
            subsets_[at(face)] = subsets_[at(face + 1)] * ONES[std::min(dice[face], 7)];
        }
    }
    int heaviest(int face) const { return dice_[at(face)]; }
    int operator()(int face, int size) const {
        const int fewer = std::min(size, dice_[at(face)] - size);
        return fewer < 0 ? 0 : static_cast<int>(subsets_[at(face)] >> 8 * fewer & 0xff);
    }

  private:
    static constexpr std::uint64_t ONES[] = {0x1,          0x101,          0x10101,          0x1010101,
                                             0x101010101,  0x10101010101,  0x1010101010101,  0x101010101010101};
    std::array<int, MAX_FACE + 1> dice_{};
    std::array<std::uint64_t, MAX_FACE + 1> subsets_{0, 0, 0, 0, 0, 0, 1};
    static constexpr std::size_t at(int face) { return static_cast<std::size_t>(face - 1); }
};

// The same by weight, if each die weighs its raised face.
class WeightCounts {
  public:
    WeightCounts(Dice dice, int raise) {
        ways_[MAX_FACE][0] = 1;
        for (int face = MAX_FACE; face >= 1; --face) count_ways(face, face + raise, dice[face]);
    }
    int heaviest(int face) const { return heaviest_[at(face)]; }
    int operator()(int face, int weight) const {
        return weight < 0 || weight > heaviest(face) ? 0 : ways_[at(face)][static_cast<std::size_t>(weight)];
    }

  private:
    static constexpr int MAX_WEIGHT = DICE * MAX_FACE;
    std::array<int, MAX_FACE + 1> heaviest_{};
    std::array<std::array<std::uint16_t, MAX_WEIGHT + 1>, MAX_FACE + 1> ways_{};
    static constexpr std::size_t at(int face) { return static_cast<std::size_t>(face - 1); }

    void count_ways(int face, int each, int count) {
        const int all = each * count;
        heaviest_[at(face)] = heaviest(face + 1) + all;
        for (int weight = 0; weight <= heaviest(face); ++weight) {
            const int with_one_less = (*this)(face, weight - each);
            ways_[at(face)][static_cast<std::size_t>(weight)] = static_cast<std::uint16_t>(
                with_one_less + (*this)(face + 1, weight) - (*this)(face + 1, weight - all - each));
        }
    }
};

// Subsets of dice, the heaviest first, then in the order of their faces; equal faces are interchangeable. A die that is
// raised weighs its new face, any other die weighs 1.
class Subsets {
  public:
    void clear() { size_ = 0; }
    // List the subsets of the dice that can be raised by `raise` pips (T9).
    void list(Dice dice, int raise) {
        raise_ = raise;
        dice_ = {};
        size_ = 1;
        for (int face = 1; face + raise <= MAX_FACE; ++face) {
            dice_ += Dice(dice[face], face);
            size_ *= 1 + dice[face];
        }
        --size_;  // without the empty one, which would be the last
    }

    int size() const { return size_; }
    Dice operator[](int at) const {
        if (at < 0 || at >= size_) fail("index out of range");
        return raise_ ? find(WeightCounts(dice_, raise_), at) : find(SizeCounts(dice_), at);
    }
    // Index of some dice, negative if they are not a subset.
    int index_of(Dice some) const {
        if (!dice_.contain(some) || some.empty()) return -1;
        return raise_ ? index_of(WeightCounts(dice_, raise_), some) : index_of(SizeCounts(dice_), some);
    }
    // The dice after they are raised; empty if they are only chosen.
    Dice raised(Dice some) const {
        Dice after;
        for (int face = 1; raise_ && face + raise_ <= MAX_FACE; ++face) after += Dice(some[face], face + raise_);
        return after;
    }

  private:
    Dice dice_;
    int raise_ = 0, size_ = 0;

    int weight_of(int face) const { return raise_ ? face + raise_ : 1; }
    template <class Ways>
    Dice find(const Ways& ways, int at) const {
        int weight = ways.heaviest(1);
        for (int some; at >= (some = ways(1, weight)); --weight) at -= some;
        Dice found, others = dice_;
        while (weight > 0 && !others.empty()) {
            const int face = others.lowest();
            int taken = dice_[face];  // more dice of the smaller face come first
            for (int rest; taken > 0 && at >= (rest = ways(face + 1, weight - taken * weight_of(face))); --taken)
                at -= rest;
            weight -= taken * weight_of(face);
            found += Dice(taken, face);
            others -= Dice(dice_[face], face);
        }
        return found;
    }
    template <class Ways>
    int index_of(const Ways& ways, Dice some) const {
        int weight = 0, at = 0;
        for (int face = 1; face <= MAX_FACE; ++face) weight += some[face] * weight_of(face);
        for (int heavier = ways.heaviest(1); heavier > weight; --heavier) at += ways(1, heavier);
        for (int face = 1; face <= MAX_FACE; ++face) {
            for (int more = dice_[face]; more > some[face]; --more)
                at += ways(face + 1, weight - more * weight_of(face));
            weight -= some[face] * weight_of(face);
        }
        return at;
    }
};

}  // namespace ftk::to_court
