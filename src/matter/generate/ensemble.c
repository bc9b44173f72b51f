#include "matter/generate/ensemble.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"

void ensemble_free(struct ensemble *ensemble)
{
	free(ensemble->placements);
	free(ensemble->structure_of);
	*ensemble = (struct ensemble){0};
}

/* Rotations --------------------------------------------------------------------------------- */

void rotation_multiply(const double a[3][3], const double b[3][3], double product[3][3])
{
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			product[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
}

static void rotation_about_z(double degrees, double rotation[3][3])
{
	const double c = cos(degrees * (PI / 180.0)), s = sin(degrees * (PI / 180.0));
	const double matrix[3][3] = {{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}};

	memcpy(rotation, matrix, sizeof matrix);
}

void rotation_of_euler_angles(const double degrees[3], double rotation[3][3])
{
	const double c = cos(degrees[1] * (PI / 180.0)), s = sin(degrees[1] * (PI / 180.0));
	const double about_x[3][3] = {{1.0, 0.0, 0.0}, {0.0, c, -s}, {0.0, s, c}};
	double first[3][3], last[3][3], both[3][3];

	rotation_about_z(degrees[2], first);
	rotation_about_z(degrees[0], last);
	rotation_multiply(about_x, (const double(*)[3])first, both);
	rotation_multiply((const double(*)[3])last, (const double(*)[3])both, rotation);
}

sonde_status rotation_of_quaternion(const double quaternion[4], double rotation[3][3])
{
	double norm = 0.0, largest = 0.0, q[4];

	for (int k = 0; k < 4; ++k)
		largest = fmax(largest, fabs(quaternion[k]));
	for (int k = 0; k < 4; ++k) {
		q[k] = quaternion[k] / largest;
		norm += q[k] * q[k];
	}
	/* neither 0 nor infinite, and no NaN among them */
	if (!(norm >= 1.0))
		return status_fail(SONDE_INVALID,
				   "the quaternion %g %g %g %g has no direction: its length must be above 0",
				   quaternion[0], quaternion[1], quaternion[2], quaternion[3]);
	for (int k = 0; k < 4; ++k)
		q[k] /= sqrt(norm);
	const double w = q[0], x = q[1], y = q[2], z = q[3];
	const double matrix[3][3] = {{1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)},
				     {2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)},
				     {2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)}};
	memcpy(rotation, matrix, sizeof matrix);
	return SONDE_OK;
}

void rotation_of_uniforms(const double uniform[3], double rotation[3][3])
{
	const double a = sqrt(1.0 - uniform[0]), b = sqrt(uniform[0]), s = 2.0 * PI * uniform[1],
		     t = 2.0 * PI * uniform[2];
	const double quaternion[4] = {b * cos(t), a * sin(s), a * cos(s), b * sin(t)};

	(void)rotation_of_quaternion(quaternion, rotation); /* of length 1 */
}

static const double unturned[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

/* Places ------------------------------------------------------------------------------------ */

sonde_status ensemble_begin(int64_t count, struct ensemble *ensemble)
{
	*ensemble = (struct ensemble){0};
	if (count < 1 || count > ENSEMBLE_MOST_COPIES)
		return status_fail(SONDE_INVALID, "%lld copies: must be 1 to %lld", (long long)count,
				   (long long)ENSEMBLE_MOST_COPIES);
	CHECK(memory_allocate(&ensemble->placements, (size_t)count, sizeof *ensemble->placements,
			      "the places of the copies"));
	ensemble->count = count;
	for (int64_t n = 0; n < count; ++n)
		memcpy(ensemble->placements[n].rotation, unturned, sizeof unturned);
	return SONDE_OK;
}

sonde_status ensemble_grid(int64_t count, double spacing, struct ensemble *ensemble)
{
	int64_t rows = 1;

	CHECK(ensemble_begin(count, ensemble));
	while (rows * rows * rows < count)
		++rows;
	for (int64_t n = 0; n < count; ++n) {
		const int64_t place[3] = {n / (rows * rows), n / rows % rows, n % rows};
		for (int k = 0; k < 3; ++k)
			ensemble->placements[n].position[k] = spacing * ((double)place[k] - 0.5 * (double)(rows - 1));
	}
	for (int k = 0; k < 3; ++k)
		ensemble->edges[k] = spacing * (double)rows;
	return SONDE_OK;
}
