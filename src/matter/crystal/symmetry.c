#include "matter/crystal/symmetry.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/text.h"

#define SAME_TRANSLATION 1e-3 /* files give 1/3 as 0.3333 */
#define SAME_METRIC 0.01

/* A number with an optional denominator, "1", "0.5", "1/2"; 1 if there is none. */
static bool take_number(const char **at, double *number)
{
	const char *start = *at, *end = start + strspn(start, "0123456789.");
	double denominator = 1.0;

	*number = 1.0;
	if (end == start)
		return true;
	if (!text_parse_real(start, end, number))
		return false;
	if (*end == '/') {
		start = end + 1;
		end = start + strspn(start, "0123456789");
		if (!text_parse_real(start, end, &denominator) || denominator < 1.0)
			return false;
	}
	*number /= denominator;
	*at = end;
	return true;
}

static bool take_axis(const char **at, int *axis)
{
	const char *found = **at != '\0' ? strchr("xyz", tolower((unsigned char)**at)) : NULL;

	*axis = found != NULL ? (int)(found - "xyz") : -1;
	*at += found != NULL;
	return found != NULL;
}

/* A sum of terms, up to a comma or the end. */
static bool take_component(const char **at, double row[3], double *translation)
{
	int terms = 0, axis;
	double number;

	for (; **at != ',' && **at != '\0'; ++terms) {
		double sign = **at == '-' ? -1.0 : 1.0;
		bool is_signed = **at == '-' || **at == '+';
		*at += is_signed;
		const char *start = *at;
		if ((terms > 0 && !is_signed) || !take_number(at, &number))
			return false;
		bool has_number = *at != start;
		*at += has_number && **at == '*';
		if (take_axis(at, &axis))
			row[axis] += sign * number;
		else if (has_number)
			*translation += sign * number;
		else
			return false;
	}
	return terms > 0;
}

/* Multiples of 1/24, which all space groups have, are exact. */
static double exact_translation(double t)
{
	double nearest = round(24.0 * t) / 24.0;

	t = fabs(t - nearest) < SAME_TRANSLATION ? nearest : t;
	return t - floor(t);
}

sonde_status symmetry_parse(const char *text, struct symmetry_operation *operation)
{
	char compact[128] = "";
	size_t length = 0;
	const char *at = compact;

	for (const char *c = text; *c != '\0' && length < sizeof compact - 1; ++c)
		if (!isspace((unsigned char)*c))
			compact[length++] = *c;
	compact[length] = '\0';
	*operation = (struct symmetry_operation){0};
	for (int k = 0; k < 3; ++k) {
		if (!take_component(&at, operation->rotation[k], &operation->translation[k]) ||
		    *at != (k < 2 ? ',' : '\0'))
			return status_fail(SONDE_INVALID,
					   "'%.60s' is not a symmetry operation such as '-y,x-y,z+1/3'", text);
		at += k < 2;
		operation->translation[k] = exact_translation(operation->translation[k]);
	}
	return SONDE_OK;
}

void symmetry_apply(const struct symmetry_operation *operation, const double x[3], double image[3])
{
	for (int i = 0; i < 3; ++i) {
		image[i] = operation->translation[i];
		for (int j = 0; j < 3; ++j)
			image[i] += operation->rotation[i][j] * x[j];
	}
}

void symmetry_rotate(const struct symmetry_operation *operation, const double q[3][3], double rotated[3][3])
{
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j) {
			rotated[i][j] = 0.0;
			for (int k = 0; k < 3; ++k)
				for (int l = 0; l < 3; ++l)
					rotated[i][j] +=
					    operation->rotation[i][k] * q[k][l] * operation->rotation[j][l];
		}
}

static double determinant(const double m[3][3])
{
	return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
	       m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* Integers of a determinant +-1: it maps the lattice onto itself. */
static bool maps_lattice(const struct symmetry_operation *operation)
{
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			if (fabs(operation->rotation[i][j]) > 2.0 ||
			    operation->rotation[i][j] != round(operation->rotation[i][j]))
				return false;
	return fabs(determinant(operation->rotation)) == 1.0;
}

static bool are_same(const struct symmetry_operation *a, const struct symmetry_operation *b)
{
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			if (a->rotation[i][j] != b->rotation[i][j])
				return false;
	for (int k = 0; k < 3; ++k) {
		double difference = a->translation[k] - b->translation[k];
		if (fabs(difference - round(difference)) > 2.0 * SAME_TRANSLATION)
			return false;
	}
	return true;
}

static void multiply(const struct symmetry_operation *a, const struct symmetry_operation *b,
		     struct symmetry_operation *product)
{
	symmetry_apply(a, b->translation, product->translation);
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j) {
			product->rotation[i][j] = 0.0;
			for (int k = 0; k < 3; ++k)
				product->rotation[i][j] += a->rotation[i][k] * b->rotation[k][j];
		}
}

static bool contains(const struct symmetry_operation *operations, int count, const struct symmetry_operation *wanted)
{
	for (int k = 0; k < count; ++k)
		if (are_same(&operations[k], wanted))
			return true;
	return false;
}

sonde_status symmetry_check(const struct symmetry_operation *operations, int count)
{
	struct symmetry_operation product;

	for (int a = 0; a < count; ++a)
		if (!maps_lattice(&operations[a]))
			return status_fail(SONDE_INVALID,
					   "symmetry operation %d does not map the lattice onto itself", a + 1);
	for (int a = 0; a < count; ++a)
		for (int b = 0; b < count; ++b) {
			multiply(&operations[a], &operations[b], &product);
			if (!contains(operations, count, &product))
				return status_fail(SONDE_INVALID,
						   "the %d symmetry operations are not a group: the product of %d "
						   "and %d is missing",
						   count, a + 1, b + 1);
		}
	return SONDE_OK;
}

static void metric(const double vectors[3][3], double g[3][3])
{
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			g[i][j] = vectors[i][0] * vectors[j][0] + vectors[i][1] * vectors[j][1] +
				  vectors[i][2] * vectors[j][2];
}

sonde_status symmetry_check_cell(const struct symmetry_operation *operations, int count, const double vectors[3][3])
{
	double g[3][3], image[3][3];

	metric(vectors, g);
	for (int k = 0; k < count; ++k) {
		struct symmetry_operation transposed = {{{0.0}}, {0.0}};
		for (int i = 0; i < 3; ++i)
			for (int j = 0; j < 3; ++j)
				transposed.rotation[i][j] = operations[k].rotation[j][i];
		symmetry_rotate(&transposed, g, image);
		for (int i = 0; i < 3; ++i)
			for (int j = 0; j < 3; ++j)
				if (!(fabs(image[i][j] - g[i][j]) <= SAME_METRIC * sqrt(g[i][i] * g[j][j])))
					return status_fail(SONDE_INVALID,
							   "the cell does not have the symmetry of the space group: "
							   "operation %d changes its lengths or angles",
							   k + 1);
	}
	return SONDE_OK;
}
