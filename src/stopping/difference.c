#include "stopping/difference.h"

#include <math.h>

const struct difference_ions difference_ions[DIFFERENCE_ION_CLASSES] = {{1, 1}, {2, 2}, {3, 10}, {11, 36}, {37, 92}};
const double difference_energies[DIFFERENCE_ENERGY_RANGES + 1] = {0.01, 1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6};
/* recomputed by tests/unit/stopping/test_stopping_zbl.c */
const struct difference difference_zbl_srim13[DIFFERENCE_ION_CLASSES][DIFFERENCE_ENERGY_RANGES] = {
    {{21.9, 58.7}, {8.5, 27.7}, {6.0, 20.3}, {3.1, 11.3}, {1.7, 5.1}, {1.0, 2.3}, {0.6, 1.3}},
    {{32.7, 44.0}, {16.5, 35.9}, {4.8, 18.8}, {1.7, 6.4}, {1.6, 4.5}, {0.8, 2.0}, {0.5, 1.1}},
    {{21.0, 76.5}, {17.2, 59.8}, {10.0, 31.7}, {4.8, 12.5}, {2.5, 6.9}, {1.3, 3.7}, {1.9, 4.2}},
    {{29.1, 103.1}, {23.0, 79.4}, {11.3, 34.4}, {4.7, 14.8}, {2.4, 6.6}, {2.1, 4.1}, {2.2, 3.4}},
    {{23.4, 83.1}, {18.5, 68.1}, {16.4, 39.4}, {6.7, 21.5}, {4.0, 8.9}, {2.6, 6.1}, {2.4, 5.9}},
};

static const struct {
	const char *name, *origin;
} sources[] = {
    [STOPPING_ZBL] = {"zbl", "Ziegler, Biersack and Littmark 1985"},
    [STOPPING_SRIM13] = {"srim13", "table of SRIM-2013, not for commercial use"},
    [STOPPING_DPASS21] = {"dpass21", "table of DPASS 21.06, terms of use unknown"},
    [STOPPING_LINDHARD] = {"lindhard", "Lindhard and Scharff 1961"},
    [STOPPING_NONE] = {"none", "no electronic loss"},
};

const char *stopping_source_name(enum stopping_source source)
{
	return sources[source].name;
}

/* "100 to 1000 keV/u", "1 to 10 MeV/u" */
static void append_energies(struct text *text, int range)
{
	double low = difference_energies[range], high = difference_energies[range + 1];

	if (range == 0)
		text_append(text, "below %g keV/u", high);
	else if (low < 1e3)
		text_append(text, "%g to %g keV/u", low, high);
	else
		text_append(text, "%g to %g MeV/u", 1e-3 * low, 1e-3 * high);
}

static void append_differences(struct text *text, int z1, double first, double last)
{
	int kind = 0, low = 0, high;

	while (z1 > difference_ions[kind].last)
		++kind;
	while (low < DIFFERENCE_ENERGY_RANGES - 1 && first >= difference_energies[low + 1])
		++low;
	for (high = low; high < DIFFERENCE_ENERGY_RANGES - 1 && last > difference_energies[high + 1];)
		++high;
	text_append(text,
		    "; differs from SRIM-2013's for such ions, median of all elements and bound of nine in ten, by");
	for (int range = low; range <= high; ++range) {
		const struct difference *difference = &difference_zbl_srim13[kind][range];
		text_append(text, "%s %.0f and %.0f %% ", range > low ? "," : "", ceil(difference->median),
			    ceil(difference->most));
		append_energies(text, range);
	}
}

void stopping_append_source(struct text *text, enum stopping_source source, int z1, double first, double last)
{
	text_append(text, "%s (%s)", sources[source].name, sources[source].origin);
	if (source == STOPPING_ZBL && z1 >= 1 && z1 <= difference_ions[DIFFERENCE_ION_CLASSES - 1].last)
		append_differences(text, z1, first, last);
}
