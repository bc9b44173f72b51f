#include "matter/shape/wulff.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "base/text.h"
#include "base/vectors.h"
#include "matter/shape/polyhedron.h"
#include "matter/crystal/crystal.h"

#define MOST_INDEX 99

/* One family in the text: "hkl" or "hkil" and an energy. */
struct family {
	const char *text;
	int length; /* of its indices in the text */
	int64_t indices[3];
	double energy;
};

static sonde_status fail(const struct family *family, const char *reason)
{
	return status_fail_option(SONDE_INVALID, "wulff",
				  "'%.*s': %s; e.g. 111:1.0,100:1.15 or, hexagonal, 0001:1,10-10:1.2",
				  (int)strcspn(family->text, ","), family->text, reason);
}

/* The next index: a digit with a sign, or, where indices are separated by blanks, an integer. */
static bool next_index(const char **c, const char *end, bool blanks, int64_t *index)
{
	const char *start = *c;

	while (start < end && *start == ' ')
		++start;
	const char *stop = start < end && *start == '-' ? start + 1 : start;
	do
		++stop;
	while (blanks && stop < end && isdigit((unsigned char)*stop));
	if (stop > end || !text_parse_integer(start, stop, index))
		return false;
	*c = stop;
	return *index >= -MOST_INDEX && *index <= MOST_INDEX;
}

static sonde_status parse_indices(struct family *family, const char *end, bool hexagonal)
{
	const bool blanks = memchr(family->text, ' ', (size_t)(end - family->text)) != NULL;
	const char *c = family->text;
	int64_t indices[4];
	int count = 0;

	for (; c < end; ++count)
		if (count == 4 || !next_index(&c, end, blanks, &indices[count]))
			return fail(family, "its indices are not three or four integers");
	if (count != 3 && !(count == 4 && hexagonal))
		return fail(family, hexagonal ? "a family has three or four indices" : "a family has three indices");
	if (count == 4 && indices[0] + indices[1] + indices[2] != 0)
		return fail(family, "the first three of four indices must add up to 0");
	family->indices[0] = indices[0];
	family->indices[1] = indices[1];
	family->indices[2] = indices[count - 1];
	if (indices[0] == 0 && indices[1] == 0 && indices[count - 1] == 0)
		return fail(family, "not all indices may be 0");
	return SONDE_OK;
}

static sonde_status parse_family(struct family *family, bool hexagonal)
{
	const char *end = family->text + strcspn(family->text, ","),
		   *colon = memchr(family->text, ':', (size_t)(end - family->text));

	if (colon == NULL)
		return fail(family, "the energy is missing");
	if (!text_parse_real(colon + 1, end, &family->energy) || !(family->energy >= 1e-6 && family->energy <= 1e6))
		return fail(family, "the energy must be a number from 1e-6 to 1e6");
	return parse_indices(family, colon, hexagonal);
}

/* Member `number` of a family: all permutations and signs of cubic indices, 48; of hexagonal ones permutations of h, k,
 * i = -h - k, their common sign, and that of l, 24 (the groups m-3m and 6/mmm). */
static void find_member(const int64_t indices[3], bool hexagonal, int number, int64_t member[3])
{
	static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};
	const int *permuted = order[number % 6], signs = number / 6;
	const int64_t in_plane[3] = {indices[0], indices[1], -indices[0] - indices[1]};

	for (int k = 0; k < 3; ++k)
		member[k] = (signs >> k & 1 ? -1 : 1) * indices[permuted[k]];
	if (!hexagonal)
		return;
	for (int k = 0; k < 2; ++k)
		member[k] = (signs & 1 ? -1 : 1) * in_plane[permuted[k]];
	member[2] = (signs & 2 ? -1 : 1) * indices[2];
}

static sonde_status add_family(const struct family *family, bool hexagonal, const double reciprocal[3][3],
			       struct polyhedron *polyhedron)
{
	int64_t members[48][3];
	int count = 0;

	for (int number = 0; number < (hexagonal ? 24 : 48); ++number) {
		bool known = false;
		find_member(family->indices, hexagonal, number, members[count]);
		for (int n = 0; n < count && !known; ++n)
			known = memcmp(members[n], members[count], sizeof members[n]) == 0;
		count += !known;
	}
	for (int n = 0; n < count; ++n) {
		double normal[3] = {0.0, 0.0, 0.0};
		for (int m = 0; m < 3; ++m)
			for (int k = 0; k < 3; ++k)
				normal[m] += (double)members[n][k] * reciprocal[k][m];
		if (!polyhedron_add(polyhedron, normal, family->energy))
			return status_fail_option(SONDE_INVALID, "wulff", "more than %d faces; give fewer families",
						  POLYHEDRON_FACES);
	}
	return SONDE_OK;
}

/* The metric of the cell: cubic, or hexagonal with 120 degrees between a and b. */
static sonde_status find_system(const double vectors[3][3], bool *hexagonal)
{
	double product[3][3];
	bool cubic = true;

	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			product[i][j] = vectors[i][0] * vectors[j][0] + vectors[i][1] * vectors[j][1] +
					vectors[i][2] * vectors[j][2];
	const double square = product[0][0], small = 1e-6 * square;
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			cubic = cubic && fabs(product[i][j] - (i == j ? square : 0.0)) < small;
	*hexagonal = fabs(product[1][1] - square) < small && fabs(product[0][1] + 0.5 * square) < small &&
		     fabs(product[0][2]) < small && fabs(product[1][2]) < small;
	if (!cubic && !*hexagonal)
		return status_fail_option(SONDE_INVALID, "wulff", "the cell is neither cubic nor hexagonal");
	return SONDE_OK;
}

sonde_status wulff_make(const char *text, double radius, const double vectors[3][3], struct polyhedron *polyhedron)
{
	double reciprocal[3][3];
	bool hexagonal;

	if (!(radius > 0.0))
		return status_fail_option(SONDE_INVALID, "wulff_radius",
					  "required with `wulff`, the radius of a sphere of the same volume");
	CHECK(find_system(vectors, &hexagonal));
	crystal_reciprocal(vectors, reciprocal);
	for (const char *c = text;; ++c) {
		struct family family = {.text = c};
		while (*family.text == ' ')
			++family.text;
		CHECK(parse_family(&family, hexagonal));
		CHECK(add_family(&family, hexagonal, reciprocal, polyhedron));
		c += strcspn(c, ",");
		if (*c == '\0')
			break;
	}
	const double volume = polyhedron_measure(polyhedron, NULL, NULL);
	if (!isfinite(volume))
		return status_fail_option(
		    SONDE_INVALID, "wulff",
		    "the faces do not enclose a volume; add a family, e.g. 100 or, hexagonal, 0001 "
		    "and 10-10");
	const double scale = radius / cbrt(volume * 0.75 / PI);
	polyhedron_reduce(polyhedron);
	for (int n = 0; n < polyhedron->count; ++n)
		polyhedron->planes[n].distance *= scale;
	return SONDE_OK;
}

sonde_status wulff_c_over_a(const double vectors[3][3], double *c_over_a)
{
	const double a = vector_length(vectors[0]), c = vector_length(vectors[2]);
	bool hexagonal;

	*c_over_a = 0.0;
	CHECK(find_system(vectors, &hexagonal));
	if (!(vectors[0][0] > (1.0 - 1e-6) * a && vectors[2][2] > (1.0 - 1e-6) * c))
		return status_fail_option(SONDE_INVALID, "wulff",
					  "the cell's edge a is not along x, or c not along z");
	*c_over_a = hexagonal ? c / a : 0.0;
	return SONDE_OK;
}
