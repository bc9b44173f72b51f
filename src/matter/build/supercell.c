#include "matter/build/supercell.h"

#include <math.h>
#include <string.h>

#include "matter/shape/numbers.h"
#include "matter/build/room.h"

#define MOST_ENTRY 10000
#define ON_FACE 1e-7 /* atoms this close to the far face, in units of 1/det, are on the near one */

static void find_adjugate(int64_t m[3][3], int64_t adjugate[3][3])
{
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j) {
			const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
			adjugate[i][j] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
		}
}

static int64_t determinant(int64_t m[3][3])
{
	int64_t adjugate[3][3];

	find_adjugate(m, adjugate);
	return m[0][0] * adjugate[0][0] + m[0][1] * adjugate[1][0] + m[0][2] * adjugate[2][0];
}

sonde_status supercell_parse(const char *text, int64_t matrix[3][3])
{
	if (!numbers_integer(text, text + strlen(text), 9, &matrix[0][0]))
		return status_fail_option(
		    SONDE_INVALID, "supercell_matrix",
		    "'%.60s' is not nine integers, the rows of a matrix, e.g. 1,1,0,-1,1,0,0,0,2", text);
	for (int k = 0; k < 9; ++k)
		if (matrix[k / 3][k % 3] < -MOST_ENTRY || matrix[k / 3][k % 3] > MOST_ENTRY)
			return status_fail_option(SONDE_INVALID, "supercell_matrix", "%lld is not within +-%d",
						  (long long)matrix[k / 3][k % 3], MOST_ENTRY);
	if (determinant(matrix) == 0)
		return status_fail_option(SONDE_INVALID, "supercell_matrix",
					  "the determinant is 0: the rows lie in a plane and do not make a cell");
	return SONDE_OK;
}

/* The diagonal of Hermite's normal form: row operations of determinant +-1 make the matrix triangular, one column after
 * the other. Its rows generate the same lattice of supercells, so that the points n with 0 <= n_k < diagonal_k are one
 * of each class (H. Cohen, A Course in Computational Algebraic Number Theory, section 2.4). */
static void find_diagonal(int64_t given[3][3], int64_t diagonal[3])
{
	int64_t m[3][3];

	memcpy(m, given, sizeof m);
	for (int column = 0; column < 3; ++column) {
		for (int row = column + 1; row < 3; ++row)
			while (m[row][column] != 0) {
				const int64_t quotient = m[column][column] / m[row][column];
				for (int k = 0; k < 3; ++k) {
					const int64_t rest = m[column][k] - quotient * m[row][k];
					m[column][k] = m[row][k];
					m[row][k] = rest;
				}
			}
		diagonal[column] = m[column][column] < 0 ? -m[column][column] : m[column][column];
	}
}

struct supercell {
	int64_t adjugate[3][3]; /* times the determinant's sign */
	int64_t determinant;    /* above 0 */
	double edges[3][3];
};

/* Fractions of the supercell of lattice point n plus a site: n M^-1 = n adj(M) / det(M), whose remainder is exact. */
static void find_fractions(const struct supercell *cell, const int64_t n[3], const double site[3],
			   double fractions[3])
{
	const double size = (double)cell->determinant;

	for (int k = 0; k < 3; ++k) {
		int64_t remainder = 0;
		double offset = 0.0;
		for (int j = 0; j < 3; ++j) {
			const int64_t factor = cell->adjugate[j][k] % cell->determinant;
			/* below 4e9 times 2e8 */
			remainder = (remainder + n[j] % cell->determinant * factor) % cell->determinant;
			offset += site[j] * (double)cell->adjugate[j][k];
		}
		const double whole = (double)remainder + offset;
		fractions[k] = fmax(0.0, whole - size * floor((whole + ON_FACE) / size)) / size;
	}
}

static void append_cell(const struct supercell *cell, const struct crystal *crystal, const int64_t n[3],
			const uint16_t *species, sonde_atoms *atoms)
{
	for (int s = 0; s < crystal->site_count; ++s) {
		double fractions[3], position[3];
		find_fractions(cell, n, crystal->site[s], fractions);
		for (int m = 0; m < 3; ++m)
			position[m] = fractions[0] * cell->edges[0][m] + fractions[1] * cell->edges[1][m] +
				      fractions[2] * cell->edges[2][m];
		atoms_append(atoms, species[crystal->site_species[s]], position);
	}
}

static void make_supercell(const struct crystal *crystal, int64_t matrix[3][3], struct supercell *cell)
{
	const int64_t size = determinant(matrix);

	cell->determinant = size < 0 ? -size : size;
	find_adjugate(matrix, cell->adjugate);
	for (int k = 0; k < 3; ++k)
		for (int m = 0; m < 3; ++m) {
			cell->adjugate[k][m] *= size < 0 ? -1 : 1;
			cell->edges[k][m] = 0.0;
			for (int j = 0; j < 3; ++j)
				cell->edges[k][m] += (double)matrix[k][j] * crystal->vectors[j][m];
		}
}

sonde_status supercell_fill(sonde_context *context, const struct crystal *crystal, int64_t matrix[3][3],
			    const uint16_t *species, sonde_atoms *atoms)
{
	struct supercell cell;
	int64_t diagonal[3], n[3];
	struct stage stage;

	make_supercell(crystal, matrix, &cell);
	CHECK(room_check_limit((double)cell.determinant * crystal->site_count));
	CHECK(room_reserve(context, cell.determinant * crystal->site_count, atoms));
	find_diagonal(matrix, diagonal);
	stage_begin(&stage, context, "build", "cells", (double)cell.determinant);
	for (n[0] = 0; n[0] < diagonal[0]; ++n[0])
		for (n[1] = 0; n[1] < diagonal[1]; ++n[1])
			for (n[2] = 0; n[2] < diagonal[2]; ++n[2]) {
				append_cell(&cell, crystal, n, species, atoms);
				const int64_t filled = atoms->count / crystal->site_count;
				if (n[2] % 1024 == 0)
					CHECK(stage_advance(&stage, (double)filled));
			}
	return SONDE_OK;
}
