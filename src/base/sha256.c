#include "base/sha256.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

static const uint32_t round_constant[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

/* FIPS 180-4, 6.2.2, with the eight working variables rotating in place. */
static void add_block_plainly(uint32_t state[8], const unsigned char *block)
{
	uint32_t w[64], v[8];

	for (int t = 0; t < 16; ++t)
		w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
		       (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
	for (int t = 16; t < 64; ++t) {
		uint32_t s0 = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ w[t - 15] >> 3;
		uint32_t s1 = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ w[t - 2] >> 10;
		w[t] = w[t - 16] + s0 + w[t - 7] + s1;
	}
	memcpy(v, state, sizeof v);
	for (int t = 0; t < 64; t += 8) {
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC unroll 8
#endif
		for (int u = 0; u < 8; ++u) {
			const uint32_t a = v[(8 - u) % 8], b = v[(9 - u) % 8], c = v[(10 - u) % 8],
				       e = v[(12 - u) % 8], f = v[(13 - u) % 8], g = v[(14 - u) % 8],
				       h = v[(15 - u) % 8];
			const uint32_t s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
			const uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + round_constant[t + u] + w[t + u];
			const uint32_t s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
			v[(11 - u) % 8] += t1;
			v[(15 - u) % 8] = t1 + s0 + ((a & b) ^ (a & c) ^ (b & c));
		}
	}
	for (int i = 0; i < 8; ++i)
		state[i] += v[i];
}

#if defined(__x86_64__)

/* The same with SHA instructions of the processor (Intel's manual, volume 2, SHA256RNDS2 and following), which keep
 * the working variables as ABEF and CDGH: ten times faster. */
static __attribute__((target("sha,sse4.1"))) void add_block_by_processor(uint32_t state[8],
									 const unsigned char *block)
{
	const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
	const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xB1);
	const __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1B);
	__m128i abef = _mm_alignr_epi8(badc, hgfe, 8), cdgh = _mm_blend_epi16(hgfe, badc, 0xF0), w[4] = {0};
	const __m128i abef_before = abef, cdgh_before = cdgh;

	for (int t = 0; t < 16; ++t) {
		if (t < 4)
			w[t] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(block + 16 * t)), swap);
		else
			w[t % 4] =
			    _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(w[t % 4], w[(t + 1) % 4]),
							       _mm_alignr_epi8(w[(t + 3) % 4], w[(t + 2) % 4], 4)),
						 w[(t + 3) % 4]);
		const __m128i wk =
		    _mm_add_epi32(w[t % 4], _mm_loadu_si128((const __m128i *)(round_constant + 4 * t)));
		cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk);
		abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(wk, 0x0E));
	}
	abef = _mm_add_epi32(abef, abef_before);
	cdgh = _mm_add_epi32(cdgh, cdgh_before);
	const __m128i feba = _mm_shuffle_epi32(abef, 0x1B), dchg = _mm_shuffle_epi32(cdgh, 0xB1);
	_mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xF0));
	_mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

static bool ask_processor(void)
{
	unsigned a, b, c, d;
	bool sse41 = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_SSE4_1) != 0;

	return sse41 && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & (1u << 29)) != 0;
}

/* Asked once: in a virtual machine the answer is that of its host, which takes tens of microseconds. */
static bool processor_can(void)
{
	static atomic_int known; /* 1: it cannot, 2: it can */
	int answer = atomic_load_explicit(&known, memory_order_relaxed);

	if (answer == 0) {
		answer = ask_processor() ? 2 : 1;
		atomic_store_explicit(&known, answer, memory_order_relaxed);
	}
	return answer == 2;
}

#endif

static void add_blocks(struct sha256 *hash, const unsigned char *blocks, size_t count)
{
	for (size_t k = 0; k < count; ++k) {
#if defined(__x86_64__)
		if (hash->by_processor) {
			add_block_by_processor(hash->state, blocks + 64 * k);
			continue;
		}
#endif
		add_block_plainly(hash->state, blocks + 64 * k);
	}
}

void sha256_begin(struct sha256 *hash)
{
	static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
					  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

	memcpy(hash->state, start, sizeof start);
	hash->size = 0;
	hash->by_processor = false;
#if defined(__x86_64__)
	hash->by_processor = processor_can();
#endif
}

void sha256_add(struct sha256 *hash, const void *bytes, size_t size)
{
	const unsigned char *input = bytes;
	size_t filled = hash->size % 64;

	hash->size += size;
	while (size > 0) {
		if (filled == 0 && size >= 64) {
			add_blocks(hash, input, size / 64);
			input += size / 64 * 64;
			size %= 64;
			continue;
		}
		size_t take = 64 - filled < size ? 64 - filled : size;
		memcpy(hash->block + filled, input, take);
		input += take;
		size -= take;
		filled += take;
		if (filled == 64) {
			add_blocks(hash, hash->block, 1);
			filled = 0;
		}
	}
}

void sha256_end(struct sha256 *hash, char digest[65])
{
	uint64_t bits = hash->size * 8;
	unsigned char length[8];

	for (int i = 0; i < 8; ++i)
		length[i] = (unsigned char)(bits >> (56 - 8 * i));
	sha256_add(hash, "\x80", 1);
	while (hash->size % 64 != 56)
		sha256_add(hash, "", 1);
	sha256_add(hash, length, 8);
	for (int i = 0; i < 8; ++i)
		snprintf(digest + 8 * i, 9, "%08x", (unsigned)hash->state[i]);
}
