#include "io/containers/seal.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"

#define WORD sizeof(uint64_t)
#define WORDS_OF_GAP 2
#define MOST_GAPS 4096
/* "sonde: s" and "um  end\n" as words with the lowest byte first: two, so that damage to one of them does not hide a seal */
#define FIRST_MARK 0x73203a65646e6f73u
#define LAST_MARK 0x0a646e6520206d75u

/* The last words of a sealed file; gaps come before them. All are written with the lowest byte first. */
enum { FIRST, SIZE, GAPS, SUM, OWN_SUM, LAST, WORDS };
_Static_assert(WORDS *WORD == SEAL_SIZE, "the size of a seal");

static void put_word(unsigned char *bytes, uint64_t word)
{
	for (size_t b = 0; b < WORD; ++b)
		bytes[b] = (unsigned char)(word >> (8 * b));
}

static uint64_t get_word(const unsigned char *bytes)
{
	uint64_t word = 0;

	for (size_t b = 0; b < WORD; ++b)
		word |= (uint64_t)bytes[b] << (8 * b);
	return word;
}

/* Checksum of the words of a seal before its own checksum. */
static uint64_t own_sum(const unsigned char *gaps, uint64_t count, const unsigned char *words)
{
	struct checksum sum = {0};

	checksum_add(&sum, gaps, (size_t)count * WORDS_OF_GAP * WORD);
	checksum_add(&sum, words, OWN_SUM * WORD);
	return checksum_end(&sum);
}

static void fill(uint64_t size, uint64_t sum, const unsigned char *gaps, uint64_t count,
		 unsigned char words[SEAL_SIZE])
{
	put_word(words + FIRST * WORD, FIRST_MARK);
	put_word(words + SIZE * WORD, size);
	put_word(words + GAPS * WORD, count);
	put_word(words + SUM * WORD, sum);
	put_word(words + OWN_SUM * WORD, own_sum(gaps, count, words));
	put_word(words + LAST * WORD, LAST_MARK);
}

void seal_make(const struct checksum *checksum, unsigned char bytes[SEAL_SIZE])
{
	fill(checksum->size, checksum_end(checksum), NULL, 0, bytes);
}

static sonde_status cannot_read(const char *path)
{
	return status_fail_file(SONDE_RESOURCE, path, "cannot be read: %s", strerror(errno));
}

/* Checksum of the bytes before `size` outside gaps. */
static sonde_status sum_of(FILE *file, const char *path, uint64_t size, const unsigned char *gaps, uint64_t count,
			   uint64_t *sum)
{
	struct checksum checksum = {0};
	uint64_t at = 0;

	for (uint64_t k = 0; k <= count; ++k) {
		const unsigned char *gap = gaps + k * WORDS_OF_GAP * WORD;
		const uint64_t until = k < count ? get_word(gap) : size;
		if (fseeko(file, (off_t)at, SEEK_SET) != 0)
			return cannot_read(path);
		CHECK(checksum_add_file(&checksum, file, path, until - at));
		at = k < count ? until + get_word(gap + WORD) : size;
	}
	*sum = checksum_end(&checksum);
	return SONDE_OK;
}

/* Whether the gaps lie within the file, in order and without overlap. */
static bool are_gaps(uint64_t size, const unsigned char *gaps, uint64_t count)
{
	uint64_t at = 0;

	for (uint64_t k = 0; k < count; ++k) {
		const uint64_t offset = get_word(gaps + k * WORDS_OF_GAP * WORD),
			       length = get_word(gaps + k * WORDS_OF_GAP * WORD + WORD);
		if (offset < at || offset > size || length > size - offset)
			return false;
		at = offset + length;
	}
	return true;
}

static sonde_status append(FILE *file, const char *path, const unsigned char *gaps, size_t count)
{
	unsigned char words[SEAL_SIZE];
	struct stat properties;
	uint64_t sum;

	if (fstat(fileno(file), &properties) != 0)
		return cannot_read(path);
	const uint64_t size = (uint64_t)properties.st_size;
	if (!are_gaps(size, gaps, count))
		return status_fail_file(SONDE_INTERNAL, path, "a seal with gaps that are not in the file");
	CHECK(sum_of(file, path, size, gaps, count, &sum));
	fill(size, sum, gaps, count, words);
	const size_t bytes = count * WORDS_OF_GAP * WORD;
	if (fseeko(file, 0, SEEK_END) != 0 || fwrite(gaps, 1, bytes, file) != bytes ||
	    fwrite(words, 1, sizeof words, file) != sizeof words || fflush(file) != 0)
		return status_fail_file(SONDE_RESOURCE, path, "cannot be written: %s", strerror(errno));
	return SONDE_OK;
}

sonde_status seal_file(const char *path, const struct seal_gap *gaps, size_t count)
{
	unsigned char *bytes;
	FILE *file;

	if (count > MOST_GAPS)
		return status_fail_file(SONDE_INTERNAL, path, "a seal with %zu gaps", count);
	CHECK(memory_allocate(&bytes, count, WORDS_OF_GAP * WORD, "a checksum"));
	for (size_t k = 0; k < count; ++k) {
		put_word(bytes + k * WORDS_OF_GAP * WORD, gaps[k].offset);
		put_word(bytes + k * WORDS_OF_GAP * WORD + WORD, gaps[k].size);
	}
	file = fopen(path, "r+be");
	sonde_status status = file != NULL ? append(file, path, bytes, count) : cannot_read(path);
	if (file != NULL && fclose(file) != 0 && status == SONDE_OK)
		status = status_fail_file(SONDE_RESOURCE, path, "cannot be written: %s", strerror(errno));
	free(bytes);
	return status;
}

/* The words of a seal are at the end of the file; checks that they are intact and that the sealed bytes match. */
static sonde_status compare(FILE *file, const char *path, uint64_t size, const unsigned char *words, bool *same)
{
	const uint64_t sealed = get_word(words + SIZE * WORD), count = get_word(words + GAPS * WORD);
	const uint64_t bytes = count * WORDS_OF_GAP * WORD;
	unsigned char *gaps;
	uint64_t sum;

	*same = false;
	if (get_word(words + FIRST * WORD) != FIRST_MARK || get_word(words + LAST * WORD) != LAST_MARK ||
	    count > MOST_GAPS || sealed > size || size - sealed != bytes + SEAL_SIZE)
		return SONDE_OK;
	CHECK(memory_allocate(&gaps, (size_t)bytes, 1, "a checksum"));
	sonde_status status = SONDE_OK;
	if (fseeko(file, (off_t)sealed, SEEK_SET) != 0 || fread(gaps, 1, (size_t)bytes, file) != bytes)
		status = cannot_read(path);
	else if (own_sum(gaps, count, words) == get_word(words + OWN_SUM * WORD) && are_gaps(sealed, gaps, count)) {
		status = sum_of(file, path, sealed, gaps, count, &sum);
		*same = status == SONDE_OK && sum == get_word(words + SUM * WORD);
	}
	free(gaps);
	return status;
}

sonde_status seal_check(FILE *file, const char *path, enum seal *seal, uint64_t *size)
{
	unsigned char words[SEAL_SIZE];
	struct stat properties;
	bool same;

	*seal = SEAL_NONE;
	*size = 0;
	if (fstat(fileno(file), &properties) != 0)
		return cannot_read(path);
	if (!S_ISREG(properties.st_mode) || properties.st_size < SEAL_SIZE)
		return SONDE_OK;
	if (fseeko(file, -(off_t)sizeof words, SEEK_END) != 0 || fread(words, sizeof words, 1, file) != 1)
		return cannot_read(path);
	if (get_word(words + FIRST * WORD) != FIRST_MARK && get_word(words + LAST * WORD) != LAST_MARK)
		return SONDE_OK;
	CHECK(compare(file, path, (uint64_t)properties.st_size, words, &same));
	*seal = same ? SEAL_SOUND : SEAL_BROKEN;
	*size = get_word(words + SIZE * WORD);
	return SONDE_OK;
}

sonde_status seal_refuse(const char *path)
{
	return status_fail_file(SONDE_INVALID, path,
				"is damaged: it does not match its checksum, or another program has changed it");
}
