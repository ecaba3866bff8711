// SHA-256 (FIPS 180-4), for draws by label and for the hashes of a log.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "sha256_instructions.hpp"

namespace ftk {

class Sha256 {
  public:
    void update(const void* data, std::size_t size) {
        const auto* bytes = static_cast<const std::uint8_t*>(data);
        total_ += size;
        if (used_) {
            const std::size_t part = size < 64 - used_ ? size : 64 - used_;
            std::memcpy(block_ + used_, bytes, part);
            used_ += part, bytes += part, size -= part;
            if (used_ < 64) return;
            compress(block_);
            used_ = 0;
        }
        for (; size >= 64; size -= 64, bytes += 64) compress(bytes);
        if (size) std::memcpy(block_, bytes, size);
        used_ = size;
    }

    std::array<std::uint32_t, 8> finish() {
        const std::uint64_t bits = total_ * 8;
        block_[used_++] = 0x80;
        if (used_ > 56) {
            std::memset(block_ + used_, 0, 64 - used_);
            compress(block_);
            used_ = 0;
        }
        std::memset(block_ + used_, 0, 56 - used_);
        for (int at = 0; at < 8; ++at) block_[56 + at] = static_cast<std::uint8_t>(bits >> (56 - 8 * at));
        compress(block_);
        return state_;
    }

  private:
    std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                           0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::uint8_t block_[64];
    std::size_t used_ = 0;
    std::uint64_t total_ = 0;

    static constexpr std::uint32_t constants[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

    void compress(const std::uint8_t* block) {
#ifdef FTK_SHA_INSTRUCTIONS
        if (has_sha_instructions()) return compress_by_instructions(state_.data(), block, constants);
#endif
        std::uint32_t words[64];
        for (int at = 0; at < 16; ++at)
            words[at] = std::uint32_t(block[4 * at]) << 24 | std::uint32_t(block[4 * at + 1]) << 16 |
                        std::uint32_t(block[4 * at + 2]) << 8 | block[4 * at + 3];
        for (int at = 16; at < 64; ++at) {
            const std::uint32_t early = words[at - 15], late = words[at - 2];
            words[at] = words[at - 16] + words[at - 7] +
                        (std::rotr(early, 7) ^ std::rotr(early, 18) ^ (early >> 3)) +
                        (std::rotr(late, 17) ^ std::rotr(late, 19) ^ (late >> 10));
        }
        auto [a, b, c, d, e, f, g, h] = state_;
        for (int at = 0; at < 64; ++at) {
            const std::uint32_t one = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                      ((e & f) ^ (~e & g)) + constants[at] + words[at];
            const std::uint32_t two =
                (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
            h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two;
        }
        const std::uint32_t sums[8] = {a, b, c, d, e, f, g, h};
        for (int at = 0; at < 8; ++at) state_[at] += sums[at];
    }
};

}  // namespace ftk
