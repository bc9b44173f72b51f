/* Short calls for tests of descriptions of samples, given as texts. */
#ifndef TESTS_UNIT_DESCRIBED_H
#define TESTS_UNIT_DESCRIBED_H

#include "sonde/sample.h"
#include "unit/builder.h"

static inline sonde_sample *read(const char *text)
{
	sonde_sample *sample;

	assert_status(SONDE_OK, sonde_sample_read(test_write_text("sample.yaml", text), &sample));
	return sample;
}

static inline sonde_atoms *build_text(const char *text)
{
	sonde_sample *sample = read(text);
	sonde_atoms *atoms;

	assert_status(SONDE_OK, sonde_sample_build(build_context, sample, &atoms));
	sonde_sample_free(&sample);
	return atoms;
}

static inline int64_t count_of(const sonde_atoms *atoms, const char *label)
{
	for (int s = 0; s < sonde_atoms_species_count(atoms); ++s)
		if (strcmp(sonde_atoms_species_label(atoms, s), label) == 0)
			return sonde_atoms_species_atoms(atoms, s);
	return 0;
}

#endif
