/* Numbers in the byte order of XDR (RFC 4506), the most significant byte first. */
#ifndef SONDE_IO_TRAJECTORY_BIG_ENDIAN_H
#define SONDE_IO_TRAJECTORY_BIG_ENDIAN_H

#include <stdint.h>
#include <string.h>

static inline uint32_t big_endian_word(const unsigned char *bytes)
{
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static inline uint64_t big_endian_long(const unsigned char *bytes)
{
	return (uint64_t)big_endian_word(bytes) << 32 | big_endian_word(bytes + 4);
}

static inline int32_t big_endian_integer(const unsigned char *bytes)
{
	return (int32_t)big_endian_word(bytes);
}

static inline float big_endian_float(const unsigned char *bytes)
{
	const uint32_t word = big_endian_word(bytes);
	float value;

	memcpy(&value, &word, sizeof value);
	return value;
}

static inline double big_endian_double(const unsigned char *bytes)
{
	const uint64_t word = big_endian_long(bytes);
	double value;

	memcpy(&value, &word, sizeof value);
	return value;
}

#endif
