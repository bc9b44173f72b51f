/* An option table with every type, for the tests of options. */
#ifndef TESTS_UNIT_SAMPLE_OPTIONS_H
#define TESTS_UNIT_SAMPLE_OPTIONS_H

#include "sonde/types.h"

struct sample_options {
	double bin_width;
	int64_t frame;
	int force;
	int method;
	sonde_grid q;
	sonde_vector box;
	uint64_t memory;
	char output[4096];
};

#define OPTION_STRUCT struct sample_options
#include "base/option_table.h"

static const struct option_row sample_rows[] = {
    OPTION(REAL, bin_width, "Angstrom", "0.5", 0.125, 8, "", "", "A length.")
	OPTION(INTEGER, frame, "", "1", -3, 1e15, "", "", "A number.")
	    OPTION(BOOLEAN, force, "", "false", 0, 1, "", "", "A switch.")
		OPTION(CHOICE, method, "", "exact", 0, 0, "auto|exact|histogram", "", "A word.")
		    OPTION(GRID, q, "1/Angstrom", "0.1:20:996", 0, 1000, "", "", "A grid.")
			OPTION(VECTOR, box, "", "0,0,0", -5, 5, "", "", "Three numbers.")
			    OPTION(SIZE, memory, "bytes", "2K", 0, 1e18, "", "", "A size.")
				OPTION(TEXT, output, "", "none", 0, 0, "", "verbatim", "A text.")};

static const struct option_table sample_table = {"sample", sample_rows, sizeof sample_rows / sizeof *sample_rows,
						 sizeof(struct sample_options), false};

#endif
