#include "matter/generate/defects.h"

#include <math.h>
#include <string.h>

#include "base/vectors.h"
#include "matter/elements/assignments.h"
#include "matter/generate/keyed_random.h"

#define LARGEST_SIGMA 10.0 /* Angstrom */
#define LARGEST_STRAIN 10.0

sonde_status defects_apply(const sonde_build_options *options, sonde_atoms *atoms)
{
	if (options->fault[0] != '\0')
		CHECK(defects_fault(options->fault, atoms));
	if (options->relax[0] != '\0')
		CHECK(defects_relax(options->relax, atoms));
	if (options->strain[0] != '\0')
		CHECK(defects_strain(options->strain, atoms));
	if (options->substitute[0] != '\0')
		CHECK(defects_substitute(options->substitute, options->seed, atoms));
	if (options->vacancies[0] != '\0')
		CHECK(defects_remove(options->vacancies, options->seed, atoms));
	if (options->displace[0] != '\0')
		CHECK(defects_displace(options->displace, options->seed, atoms));
	return SONDE_OK;
}

sonde_status defects_relax(const char *text, sonde_atoms *atoms)
{
	double numbers[ASSIGNMENT_MOST_NUMBERS], outermost = 0.0;
	int count;

	CHECK(assignment_numbers("relax", text, text + strlen(text), numbers, &count));
	if (count != 2 || !(fabs(numbers[0]) < 1.0) || !(numbers[1] > 0.0))
		return status_fail_option(SONDE_INVALID, "relax",
					  "'%.40s' is not A,D with A between -1 and 1 and D above 0, as -0.02,3",
					  text);
	if (atoms->has_lattice)
		return status_fail_option(SONDE_INVALID, "relax",
					  "a sample with a cell has no surface around a center; cut a shape");
	for (int64_t i = 0; i < atoms->count; ++i)
		outermost = fmax(outermost, vector_length(atoms->positions + 3 * i));
	for (int64_t i = 0; i < atoms->count; ++i) {
		double *r = atoms->positions + 3 * i;
		const double stretch = 1.0 + numbers[0] * exp(-(outermost - vector_length(r)) / numbers[1]);
		for (int k = 0; k < 3; ++k)
			r[k] *= stretch;
	}
	return SONDE_OK;
}

/* The matrix 1 + e; Voigt's numbers are xx, yy, zz, yz, xz, xy, with twice the tensor's shears. */
static sonde_status read_strain(const char *text, double matrix[3][3])
{
	static const int places[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
	double numbers[ASSIGNMENT_MOST_NUMBERS];
	int count;

	CHECK(assignment_numbers("strain", text, text + strlen(text), numbers, &count));
	if (count != 1 && count != 6 && count != 9)
		return status_fail_option(SONDE_INVALID, "strain", "give 1, 6 or 9 numbers, not %d", count);
	for (int k = 0; k < count; ++k)
		if (!(fabs(numbers[k]) <= LARGEST_STRAIN))
			return status_fail_option(SONDE_INVALID, "strain", "%g is not within +-%g", numbers[k],
						  LARGEST_STRAIN);
	for (int k = 0; k < 9; ++k)
		matrix[k / 3][k % 3] = (k % 4 == 0 ? 1.0 : 0.0) + (count == 9 ? numbers[k] : 0.0);
	for (int k = 0; k < 3 && count == 1; ++k)
		matrix[k][k] += numbers[0];
	for (int k = 0; k < 6 && count == 6; ++k) {
		const int *place = places[k];
		matrix[place[0]][place[1]] += k < 3 ? numbers[k] : 0.5 * numbers[k];
		if (k >= 3)
			matrix[place[1]][place[0]] += 0.5 * numbers[k];
	}
	return SONDE_OK;
}

static double determinant(double m[3][3])
{
	return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
	       m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

static void transform(double matrix[3][3], double *r)
{
	const double from[3] = {r[0], r[1], r[2]};

	for (int k = 0; k < 3; ++k)
		r[k] = matrix[k][0] * from[0] + matrix[k][1] * from[1] + matrix[k][2] * from[2];
}

sonde_status defects_strain(const char *text, sonde_atoms *atoms)
{
	double matrix[3][3];

	CHECK(read_strain(text, matrix));
	if (!(determinant(matrix) > 1e-6))
		return status_fail_option(SONDE_INVALID, "strain",
					  "the volume would become %.3g of the present one; it must stay above 0",
					  determinant(matrix));
	for (int64_t i = 0; i < atoms->count; ++i)
		transform(matrix, atoms->positions + 3 * i);
	for (int k = 0; k < 3 && atoms->has_lattice; ++k)
		transform(matrix, atoms->lattice + 3 * k);
	return SONDE_OK;
}

static void displace_species(int species, double sigma, int64_t seed, sonde_atoms *atoms)
{
	const struct random_key key = {seed, RANDOM_DISPLACEMENT};

	for (int64_t i = 0; i < atoms->count; ++i) {
		double normal[3];
		if (atoms->species_of[i] != species)
			continue;
		keyed_normals(key, i, normal);
		for (int k = 0; k < 3; ++k)
			atoms->positions[3 * i + k] += sigma * normal[k];
	}
}

sonde_status defects_displace(const char *text, int64_t seed, sonde_atoms *atoms)
{
	while (*text != '\0') {
		struct assignment item;
		bool found = false;
		CHECK(assignment_take("displace", &text, 0.0, LARGEST_SIGMA, &item));
		for (int s = 0; s < atoms->species_count; ++s) {
			if (item.first[0] != '\0' && strcmp(item.first, atoms->species[s].label) != 0)
				continue;
			displace_species(s, item.value, seed, atoms);
			found = true;
		}
		if (!found || item.second[0] != '\0')
			return status_fail_option(SONDE_INVALID, "displace", "the sample has no atoms '%s%s%s'",
						  item.first, item.second[0] != '\0' ? ":" : "", item.second);
	}
	return SONDE_OK;
}
