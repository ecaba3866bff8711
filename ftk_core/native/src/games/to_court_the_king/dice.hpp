// Dice counted by face, and the characters that they pay for.
#pragma once
#include "../../game.hpp"
#include "box.hpp"

namespace ftk::to_court {

using Face = std::int8_t;
// Faces in the order in which they fell, or sorted.
using Faces = Vec<Face, DICE>;
// Count and value of a set of equal dice; more dice are better, then the higher value (T22).
using BestSet = std::pair<std::int8_t, std::int8_t>;

// Number of dice that show each face, in five bits each: twelve dice leave the highest bit free for comparisons.
class Dice {
  public:
    constexpr Dice() = default;
    explicit constexpr Dice(const Faces& faces) {
        for (const Face face : faces) bits_ += Dice(1, face).bits_;
    }
    constexpr Dice(int count, int face) {
        if (face < 1 || face > MAX_FACE || count < 0 || count > DICE) fail("there are no such dice");
        bits_ = static_cast<std::uint32_t>(count) << shift(face);
    }
    constexpr int operator[](int face) const { return static_cast<int>(bits_ >> shift(face) & 0b1111); }
    constexpr int size() const { return static_cast<int>(bits_ * ONE_OF_EACH >> shift(MAX_FACE) & 0b11111); }
    constexpr bool empty() const { return bits_ == 0; }
    // Of at least one die.
    constexpr int lowest() const { return 1 + std::countr_zero(bits_) / 5; }
    constexpr int highest() const { return 1 + (std::bit_width(bits_) - 1) / 5; }
    // True if all of some dice are among these.
    constexpr bool contain(Dice some) const { return (((bits_ | BORROWS) - some.bits_) & BORROWS) == BORROWS; }
    constexpr Dice& operator+=(Dice more) {
        if (size() + more.size() > DICE) fail("more dice than the rules allow");
        bits_ += more.bits_;
        return *this;
    }
    constexpr Dice& operator-=(Dice some) {
        if (!contain(some)) fail("a die to remove is missing");
        bits_ -= some.bits_;
        return *this;
    }
    constexpr bool operator==(const Dice&) const = default;

    constexpr Faces list() const {
        Faces faces;
        for (int face = 1; face <= MAX_FACE; ++face)
            for (int die = 0; die < (*this)[face]; ++die) faces.push(static_cast<Face>(face));
        return faces;
    }

  private:
    static constexpr std::uint32_t ONE_OF_EACH = 0b00001'00001'00001'00001'00001'00001, BORROWS = ONE_OF_EACH << 4;
    std::uint32_t bits_ = 0;
    static constexpr int shift(int face) { return 5 * (face - 1); }
};

inline BestSet best_set(Dice dice) {
    BestSet best{0, 0};
    for (int face = 1; face <= MAX_FACE; ++face)
        if (dice[face] && dice[face] >= best.first) best = BestSet(dice[face], face);
    return best;
}

// By the number of equal dice: the number of groups of each size that they make, in eight bits each.
constexpr auto GROUPS = [] {
    std::array<std::uint64_t, DICE + 1> groups{};
    for (std::uint64_t count = 1; count <= DICE; ++count)
        for (std::uint64_t size = 1; size < 8; ++size) groups[count] |= count / size << 8 * size;
    return groups;
}();

// Characters that a dice result pays for. Superfluous dice are ignored, and a large group counts as several.
class Purse {
  public:
    explicit Purse(Dice dice) {
        for (int face = 1, run = 0; face <= MAX_FACE; ++face) {
            const int count = dice[face];
            groups_ += GROUPS[static_cast<std::size_t>(count)];
            pairs_ += count >= 2;
            pips_ += count * face;
            (face % 2 ? odd_ : even_) += count;
            run = count ? run + 1 : 0;
            straight_ = std::max(straight_, run);
        }
    }
    bool pays(const Cost& cost) const {
        switch (cost.kind) {
            case CostKind::groups: return groups(cost.group_size) >= cost.number;
            case CostKind::pips: return pips_ >= cost.number;
            case CostKind::odd: return even_ == 0;
            case CostKind::even: return odd_ == 0;
            case CostKind::full_house: return groups(5) >= 1 || (groups(3) >= 1 && pairs_ >= 2);
            case CostKind::straight: return straight_ >= cost.number;
            case CostKind::none: break;
        }
        return false;
    }

  private:
    std::uint64_t groups_ = 0;
    int pairs_ = 0;  // of different faces
    int pips_ = 0, odd_ = 0, even_ = 0, straight_ = 0;

    int groups(int size) const { return static_cast<int>(groups_ >> 8 * size & 0xff); }
};

}  // namespace ftk::to_court
