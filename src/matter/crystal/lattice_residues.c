#include "matter/crystal/lattice_residues.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

#define SLABS 128 /* along an axis */
#define CELLS 16  /* along an edge */
/* degrees of the polynomials: along one axis, for planes of atoms that are rounded alike, and of each factor of a product */
#define MOST_DEGREE 20
#define DEGREE_OF_CELLS 6
#define FACTORS (DEGREE_OF_CELLS + 1)
#define CELLS_OF_BOX (CELLS * CELLS * CELLS)

sonde_status lattice_residues_make(int sites, const double low[3], const double high[3],
				   struct lattice_residues *residues)
{
	*residues = (struct lattice_residues){.sites = sites};
	for (int k = 0; k < 3; ++k) {
		residues->low[k] = low[k];
		residues->scale[k] = high[k] > low[k] ? 1.0 / (high[k] - low[k]) : 0.0;
	}
	CHECK(memory_allocate(&residues->slabs, (size_t)sites * 3 * SLABS, sizeof *residues->slabs, "the lattice"));
	CHECK(
	    memory_allocate(&residues->cells, (size_t)sites * CELLS_OF_BOX, sizeof *residues->cells, "the lattice"));
	return memory_allocate(&residues->counts, (size_t)sites, sizeof *residues->counts, "the lattice");
}

void lattice_residues_free(struct lattice_residues *residues)
{
	free(residues->slabs);
	free(residues->cells);
	free(residues->counts);
	*residues = (struct lattice_residues){0};
}

static size_t part_of(double place, size_t parts)
{
	const double part = place * (double)parts;

	return part < 0.0 ? 0 : part < (double)(parts - 1) ? (size_t)part : parts - 1;
}

static void add_to(double sum[3], const double deviation[3])
{
	for (int k = 0; k < 3; ++k)
		sum[k] += deviation[k];
}

void lattice_residues_add(struct lattice_residues *residues, int site, const double r[3], const double deviation[3])
{
	size_t cell = (size_t)site;

	for (int k = 0; k < 3; ++k) {
		const double place = (r[k] - residues->low[k]) * residues->scale[k];
		cell = cell * CELLS + part_of(place, CELLS);
		add_to(residues->slabs[((size_t)site * 3 + (size_t)k) * SLABS + part_of(place, SLABS)], deviation);
		residues->squares += deviation[k] * deviation[k];
	}
	add_to(residues->cells[cell], deviation);
	++residues->counts[site];
}

void lattice_residues_join(struct lattice_residues *residues, const struct lattice_residues *more)
{
	const size_t sites = (size_t)residues->sites;

	for (size_t n = 0; n < sites * 3 * SLABS; ++n)
		add_to(residues->slabs[n], more->slabs[n]);
	for (size_t n = 0; n < sites * CELLS_OF_BOX; ++n)
		add_to(residues->cells[n], more->cells[n]);
	for (size_t s = 0; s < sites; ++s)
		residues->counts[s] += more->counts[s];
	residues->squares += more->squares;
}

static double all_atoms(const struct lattice_residues *residues)
{
	double atoms = 0.0;

	for (int s = 0; s < residues->sites; ++s)
		atoms += (double)residues->counts[s];
	return atoms;
}

double lattice_residues_spread(const struct lattice_residues *residues)
{
	const double atoms = all_atoms(residues);

	return atoms > 0.0 ? sqrt(residues->squares / (3.0 * atoms)) : 0.0;
}

/* sqrt(2n + 1) P_n(x), by the recurrence n P_n = (2n - 1) x P_(n-1) - (n - 1) P_(n-2). */
static void find_polynomials(double x, int most, double *values)
{
	double last = 0.0, now = 1.0;

	for (int n = 0; n <= most; ++n) {
		values[n] = sqrt(2.0 * n + 1.0) * now;
		const double next = ((2.0 * n + 1.0) * x * now - n * last) / (n + 1.0);
		last = now;
		now = next;
	}
}

static double length_of(const double v[3])
{
	return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* The largest sum of the slabs of one axis times a polynomial. */
static double largest_of_slabs(const double (*slabs)[3])
{
	double sums[MOST_DEGREE + 1][3] = {{0.0}}, largest = 0.0;

	for (int slab = 0; slab < SLABS; ++slab) {
		double values[MOST_DEGREE + 1];
		find_polynomials((2.0 * slab + 1.0) / SLABS - 1.0, MOST_DEGREE, values);
		for (int n = 0; n <= MOST_DEGREE; ++n)
			for (int k = 0; k < 3; ++k)
				sums[n][k] += values[n] * slabs[slab][k];
	}
	for (int n = 0; n <= MOST_DEGREE; ++n)
		largest = fmax(largest, length_of(sums[n]));
	return largest;
}

/* Sums over the last of three axes: out[m][n] = sum_z in[m][z] P_n(z), n being the first index afterwards, so that three
 * times this sums over all. */
static void sum_over_last(const double *in, size_t others, double (*values)[FACTORS], double *out)
{
	for (size_t m = 0; m < others; ++m)
		for (size_t n = 0; n < FACTORS; ++n) {
			double sum = 0.0;
			for (size_t z = 0; z < CELLS; ++z)
				sum += in[m * CELLS + z] * values[z][n];
			out[n * others + m] = sum;
		}
}

/* The largest sum of the cells times a product of three polynomials. */
static double largest_of_cells(const double (*cells)[3])
{
	double values[CELLS][FACTORS], one[CELLS_OF_BOX], two[FACTORS * CELLS * CELLS],
	    squares[FACTORS * FACTORS * FACTORS] = {0.0}, largest = 0.0;

	for (int cell = 0; cell < CELLS; ++cell)
		find_polynomials((2.0 * cell + 1.0) / CELLS - 1.0, DEGREE_OF_CELLS, values[cell]);
	for (int k = 0; k < 3; ++k) {
		for (size_t cell = 0; cell < CELLS_OF_BOX; ++cell)
			one[cell] = cells[cell][k];
		sum_over_last(one, (size_t)CELLS * CELLS, values, two);
		sum_over_last(two, (size_t)FACTORS * CELLS, values, one);
		sum_over_last(one, (size_t)FACTORS * FACTORS, values, two);
		for (size_t n = 0; n < sizeof squares / sizeof *squares; ++n)
			squares[n] += two[n] * two[n];
	}
	for (size_t n = 0; n < sizeof squares / sizeof *squares; ++n)
		largest = fmax(largest, sqrt(squares[n]));
	return largest;
}

double lattice_residues_slow(const struct lattice_residues *residues)
{
	const double atoms = all_atoms(residues);
	double sum = 0.0;

	for (size_t s = 0; s < (size_t)residues->sites; ++s) {
		double largest = largest_of_cells((const double(*)[3])residues->cells + s * CELLS_OF_BOX);
		for (size_t axis = 0; axis < 3; ++axis)
			largest = fmax(
			    largest, largest_of_slabs((const double(*)[3])residues->slabs + (s * 3 + axis) * SLABS));
		sum += largest;
	}
	return atoms > 0.0 ? sum / atoms : 0.0;
}
