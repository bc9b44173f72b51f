#include "pattern/fast/amplitudes.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

#define TOLERANCE 1e-13
#define LEAST_POINTS 20000 /* with fewer, tables take longer */
#define ROOM 1e-9          /* of a range, for the rounding of q */

static double real_of(const void *of, double q)
{
	const double none[3] = {0.0, 0.0, 0.0};
	double real, imaginary;

	(void)pattern_class_amplitude(of, none, q, &real, &imaginary);
	return real;
}

static double imaginary_of(const void *of, double q)
{
	const double none[3] = {0.0, 0.0, 0.0};
	double real, imaginary;

	(void)pattern_class_amplitude(of, none, q, &real, &imaginary);
	return imaginary;
}

static sonde_status make(const struct pattern_plan *plan, struct amplitude_tables *tables)
{
	const double room = ROOM * plan->pixels.largest, low = fmax(0.0, plan->pixels.smallest - room),
		     high = plan->pixels.largest + room;
	bool is_complex = false;

	CHECK(memory_allocate(&tables->real, (size_t)tables->count, sizeof *tables->real, "the amplitudes"));
	if (plan->pixels.count < LEAST_POINTS)
		return SONDE_OK;
	for (int c = 0; c < tables->count; ++c)
		is_complex = is_complex || imaginary_of(&tables->classes[c], high) != 0.0;
	if (is_complex)
		CHECK(memory_allocate(&tables->imaginary, (size_t)tables->count, sizeof *tables->imaginary,
				      "the amplitudes"));
	for (int c = 0; c < tables->count; ++c) {
		const struct pattern_class *class = &tables->classes[c];
		if (class->anisotropic)
			continue;
		CHECK(piecewise_make(real_of, class, low, high, TOLERANCE, &tables->real[c]));
		if (tables->real[c].parts > 0 && is_complex)
			CHECK(piecewise_make(imaginary_of, class, low, high, TOLERANCE, &tables->imaginary[c]));
		if (is_complex && tables->imaginary[c].parts == 0)
			piecewise_free(&tables->real[c]);
	}
	return SONDE_OK;
}

sonde_status amplitude_tables_make(const struct pattern_plan *plan, struct amplitude_tables *tables)
{
	*tables = (struct amplitude_tables){.classes = plan->sample.classes, .count = plan->sample.class_count};
	const sonde_status status = make(plan, tables);
	if (status != SONDE_OK)
		amplitude_tables_free(tables);
	return status;
}

void amplitude_tables_free(struct amplitude_tables *tables)
{
	for (int c = 0; c < tables->count; ++c) {
		if (tables->real != NULL)
			piecewise_free(&tables->real[c]);
		if (tables->imaginary != NULL)
			piecewise_free(&tables->imaginary[c]);
	}
	free(tables->real);
	free(tables->imaginary);
	*tables = (struct amplitude_tables){.count = 0};
}
