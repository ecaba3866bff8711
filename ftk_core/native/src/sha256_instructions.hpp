// SHA-256 by the SHA instructions of x86 processors, which compute four rounds in a few cycles. Other processors and
// compilers use the portable form in sha256.hpp; the digests are the same.
#pragma once
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)
#define FTK_SHA_INSTRUCTIONS 1
#include <cpuid.h>
#include <immintrin.h>

namespace ftk {

inline bool has_sha_instructions() {
    static const bool has = [] {
        unsigned a = 0, b = 0, c = 0, d = 0;
        const bool has_sse41 = __get_cpuid(1, &a, &b, &c, &d) && c & bit_SSE4_1;
        return has_sse41 && __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_SHA;
    }();
    return has;
}

// The processor keeps the eight words of the state in two registers, in the orders ABEF and CDGH.
__attribute__((target("sha,sse4.1"))) inline void compress_by_instructions(std::uint32_t* state,
                                                                           const std::uint8_t* block,
                                                                           const std::uint32_t* constants) {
    const auto load = [](const void* from) __attribute__((target("sha,sse4.1"))) {
        return _mm_loadu_si128(static_cast<const __m128i*>(from));
    };
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const __m128i badc = _mm_shuffle_epi32(load(state), 0xb1), hgfe = _mm_shuffle_epi32(load(state + 4), 0x1b);
    const __m128i abef = _mm_alignr_epi8(badc, hgfe, 8), cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);
    __m128i one = abef, two = cdgh, words[4];
    for (int four = 0; four < 16; ++four) {
        __m128i& now = words[four % 4];
        if (four < 4) {
            now = _mm_shuffle_epi8(load(block + 16 * four), big_endian);
        } else {
            const __m128i before = words[(four + 3) % 4];
            const __m128i seventh = _mm_alignr_epi8(before, words[(four + 2) % 4], 4);
            now = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(now, words[(four + 1) % 4]), seventh), before);
        }
        const __m128i sums = _mm_add_epi32(now, load(constants + 4 * four));
        two = _mm_sha256rnds2_epu32(two, one, sums);
        one = _mm_sha256rnds2_epu32(one, two, _mm_shuffle_epi32(sums, 0x0e));
    }
    one = _mm_add_epi32(one, abef);
    two = _mm_add_epi32(two, cdgh);
    const __m128i feba = _mm_shuffle_epi32(one, 0x1b), dchg = _mm_shuffle_epi32(two, 0xb1);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(state), _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

}  // namespace ftk
#endif
