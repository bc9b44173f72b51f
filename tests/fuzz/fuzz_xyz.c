/* Atoms from XYZ files, plain and gzip. The first byte chooses the frame, and whether the rest is compressed before
 * it is read; bytes that are gzip data by themselves are read as such. */
#include "fuzz/fuzz.h"

#include <math.h>
#include <zlib.h>

#include "sonde/atoms.h"

static size_t compress_bytes(const uint8_t *data, size_t size, uint8_t *packed, size_t room)
{
	z_stream stream = {0};

	REQUIRE(deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
	stream.next_in = (Bytef *)data;
	stream.avail_in = (uInt)size;
	stream.next_out = packed;
	stream.avail_out = (uInt)room;
	REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
	size_t used = room - stream.avail_out;
	deflateEnd(&stream);
	return used;
}

static void check_atoms(const sonde_atoms *atoms)
{
	int64_t sum = 0, count = sonde_atoms_count(atoms);

	for (int64_t k = 0; k < 3 * count; ++k)
		REQUIRE(fabs(sonde_atoms_positions(atoms)[k]) <= 1e7);
	for (int64_t k = 0; k < count; ++k)
		REQUIRE(sonde_atoms_species(atoms)[k] < sonde_atoms_species_count(atoms));
	for (int s = 0; s < sonde_atoms_species_count(atoms); ++s) {
		size_t length = strlen(sonde_atoms_species_label(atoms, s));
		REQUIRE(length > 0 && length < SONDE_LABEL_SIZE);
		REQUIRE(sonde_atoms_species_atoms(atoms, s) > 0);
		sum += sonde_atoms_species_atoms(atoms, s);
	}
	REQUIRE(sum == count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t packed[1 << 20];
	sonde_atoms *atoms = NULL;
	int64_t frame;

	if (size == 0 || size > sizeof packed / 2)
		return 0;
	frame = data[0] % 4;
	if (data[0] >= 128) {
		size = compress_bytes(data + 1, size - 1, packed, sizeof packed);
		data = packed;
	} else {
		++data;
		--size;
	}
	sonde_status status = sonde_atoms_read(NULL, memory_file(data, size), frame, &atoms);
	REQUIRE((status == SONDE_OK) == (atoms != NULL));
	if (status == SONDE_OK) {
		check_atoms(atoms);
	} else {
		REQUIRE(status == SONDE_INVALID);
		REQUIRE_MESSAGE();
	}
	sonde_atoms_free(&atoms);
	return 0;
}
