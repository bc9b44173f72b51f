#include "matter/shape/orientation.h"

#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "matter/shape/numbers.h"
#include "matter/crystal/crystal.h"

#define MOST_INDEX 1000

static sonde_status fail(const char *text)
{
	return status_fail_option(
	    SONDE_INVALID, "orient",
	    "'%.60s' is not an orientation; give e.g. z-x-z:30,45,0 (axes and degrees), hkl:1,1,1 "
	    "or hkl:1,1,1/uvw:1,-1,0",
	    text);
}

/* Cosine and sine of degrees; multiples of 90 are exact. */
static void turn(double degrees, double *cosine, double *sine)
{
	const double quarters = degrees / 90.0;

	*cosine = cos(degrees * (PI / 180.0));
	*sine = sin(degrees * (PI / 180.0));
	if (quarters == floor(quarters)) {
		const int quarter = (int)(quarters - 4.0 * floor(quarters / 4.0));
		*cosine = quarter == 0 ? 1.0 : quarter == 2 ? -1.0 : 0.0;
		*sine = quarter == 1 ? 1.0 : quarter == 3 ? -1.0 : 0.0;
	}
}

/* rotation = rotation * (the rotation by these degrees about an axis). */
static void append_turn(double rotation[3][3], int axis, double degrees)
{
	const int i = (axis + 1) % 3, j = (axis + 2) % 3;
	double cosine, sine;

	turn(degrees, &cosine, &sine);
	for (int m = 0; m < 3; ++m) {
		const double a = rotation[m][i], b = rotation[m][j];
		rotation[m][i] = a * cosine + b * sine;
		rotation[m][j] = b * cosine - a * sine;
	}
}

static sonde_status parse_angles(const char *text, double rotation[3][3])
{
	double degrees[3];

	for (int k = 0; k < 3; ++k)
		if (text[2 * k] < 'x' || text[2 * k] > 'z' || text[2 * k + 1] != (k < 2 ? '-' : ':'))
			return fail(text);
	if (!numbers_real(text + 6, text + strlen(text), 3, degrees))
		return fail(text);
	for (int k = 0; k < 3; ++k)
		if (!(fabs(degrees[k]) <= 360.0))
			return status_fail_option(SONDE_INVALID, "orient",
						  "an angle of %g degrees is not within +-360", degrees[k]);
	memset(rotation, 0, 9 * sizeof(double));
	rotation[0][0] = rotation[1][1] = rotation[2][2] = 1.0;
	for (int k = 0; k < 3; ++k)
		append_turn(rotation, text[2 * k] - 'x', degrees[k]);
	return SONDE_OK;
}

static sonde_status parse_indices(const char *text, const char *start, const char *end, int64_t indices[3])
{
	if (!numbers_integer(start, end, 3, indices))
		return fail(text);
	for (int k = 0; k < 3; ++k)
		if (indices[k] < -MOST_INDEX || indices[k] > MOST_INDEX)
			return status_fail_option(SONDE_INVALID, "orient", "index %lld is not within +-%d",
						  (long long)indices[k], MOST_INDEX);
	if (indices[0] == 0 && indices[1] == 0 && indices[2] == 0)
		return status_fail_option(SONDE_INVALID, "orient", "0,0,0 is not a direction");
	return SONDE_OK;
}

/* The sum of three vectors times these numbers, with length 1. */
static void unit_sum(const int64_t numbers[3], const double vectors[3][3], double sum[3])
{
	double length = 0.0;

	for (int m = 0; m < 3; ++m) {
		sum[m] = 0.0;
		for (int k = 0; k < 3; ++k)
			sum[m] += (double)numbers[k] * vectors[k][m];
		length += sum[m] * sum[m];
	}
	for (int m = 0; m < 3; ++m)
		sum[m] /= sqrt(length);
}

/* The shortest rotation of a unit vector to z: about its cross product with z, by O. Rodrigues' formula
 * R = 1 + K + K^2 / (1 + cos), where K is the matrix of that product. */
static void rotate_to_z(const double n[3], double rotation[3][3])
{
	const double x = n[0], y = n[1], z = n[2], factor = 1.0 / (1.0 + z);

	if (z < -1.0 + 1e-12) { /* opposite: half a turn about x */
		const double half_turn[3][3] = {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
		memcpy(rotation, half_turn, sizeof half_turn);
		return;
	}
	const double shortest[3][3] = {
	    {1.0 - x * x * factor, -x * y * factor, -x}, {-x * y * factor, 1.0 - y * y * factor, -y}, {x, y, z}};
	memcpy(rotation, shortest, sizeof shortest);
}

static sonde_status parse_lattice_directions(const char *text, const double vectors[3][3], double rotation[3][3])
{
	const char *end = text + strlen(text), *slash = strchr(text, '/');
	double reciprocal[3][3], normal[3], along[3];
	int64_t hkl[3], uvw[3];

	CHECK(parse_indices(text, text + 4, slash != NULL ? slash : end, hkl));
	crystal_reciprocal(vectors, reciprocal);
	unit_sum(hkl, reciprocal, normal);
	if (slash == NULL) {
		rotate_to_z(normal, rotation);
		return SONDE_OK;
	}
	if (strncmp(slash, "/uvw:", 5) != 0)
		return fail(text);
	CHECK(parse_indices(text, slash + 5, end, uvw));
	if (hkl[0] * uvw[0] + hkl[1] * uvw[1] + hkl[2] * uvw[2] != 0)
		return status_fail_option(
		    SONDE_INVALID, "orient",
		    "[%lld %lld %lld] does not lie in the planes (%lld %lld %lld), and cannot be "
		    "along x; h u + k v + l w must be 0",
		    (long long)uvw[0], (long long)uvw[1], (long long)uvw[2], (long long)hkl[0], (long long)hkl[1],
		    (long long)hkl[2]);
	unit_sum(uvw, vectors, along);
	for (int m = 0; m < 3; ++m) {
		const int i = (m + 1) % 3, j = (m + 2) % 3;
		rotation[0][m] = along[m];
		rotation[1][m] = normal[i] * along[j] - normal[j] * along[i];
		rotation[2][m] = normal[m];
	}
	return SONDE_OK;
}

sonde_status orientation_parse(const char *text, const double vectors[3][3], double rotation[3][3])
{
	return strncmp(text, "hkl:", 4) == 0 ? parse_lattice_directions(text, vectors, rotation)
					     : parse_angles(text, rotation);
}
