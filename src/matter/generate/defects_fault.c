/* Stacking faults and twins: the atoms above a plane are shifted. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "matter/elements/assignments.h"
#include "matter/generate/defects.h"

struct fault {
	double normal[3]; /* of length 1 */
	double position;  /* of the plane along the normal, Angstrom */
	double shift[3];
	double spacing; /* at which the shift is repeated; 0: once */
};

/* "x", "y", "z", or three numbers. */
static sonde_status read_normal(const char *start, const char *end, double normal[3])
{
	double numbers[ASSIGNMENT_MOST_NUMBERS], length = 0.0;
	int count;

	if (end - start == 1 && *start >= 'x' && *start <= 'z') {
		for (int k = 0; k < 3; ++k)
			normal[k] = *start - 'x' == k ? 1.0 : 0.0;
		return SONDE_OK;
	}
	CHECK(assignment_numbers("fault", start, end, numbers, &count));
	for (int k = 0; k < count; ++k)
		length += numbers[k] * numbers[k];
	if (count != 3 || !(length > 0.0) || !(length < 1e30))
		return status_fail_option(SONDE_INVALID, "fault",
					  "'%.*s' is not a normal: x, y, z, or three numbers, as 1,1,1",
					  (int)(end - start), start);
	for (int k = 0; k < 3; ++k)
		normal[k] = numbers[k] / sqrt(length);
	return SONDE_OK;
}

static sonde_status invalid(const char *start, const char *end)
{
	return status_fail_option(SONDE_INVALID, "fault",
				  "'%.*s' is not NORMAL=POSITION:SHIFT or NORMAL=POSITION:SHIFT:SPACING, as "
				  "z=0:1.2,0.7,0",
				  (int)(end - start), start);
}

static sonde_status read_fault(const char *start, const char *end, struct fault *fault)
{
	const char *equals = memchr(start, '=', (size_t)(end - start));
	const char *colon = equals != NULL ? memchr(equals, ':', (size_t)(end - equals)) : NULL;
	double numbers[ASSIGNMENT_MOST_NUMBERS];
	int count;

	*fault = (struct fault){.spacing = 0.0};
	if (colon == NULL)
		return invalid(start, end);
	CHECK(read_normal(start, equals, fault->normal));
	const char *third = memchr(colon + 1, ':', (size_t)(end - colon - 1));
	if (!text_parse_real(equals + 1, colon, &fault->position) ||
	    (third != NULL && !(text_parse_real(third + 1, end, &fault->spacing) && fault->spacing > 1e-3)))
		return invalid(start, end);
	CHECK(assignment_numbers("fault", colon + 1, third != NULL ? third : end, numbers, &count));
	if (count != 3)
		return invalid(start, end);
	memcpy(fault->shift, numbers, sizeof fault->shift);
	for (int k = 0; k < 3; ++k)
		if (!(fabs(numbers[k]) <= 1e4))
			return status_fail_option(SONDE_INVALID, "fault", "%g is not within +-1e4 Angstrom",
						  numbers[k]);
	return SONDE_OK;
}

static void apply(const struct fault *fault, sonde_atoms *atoms)
{
	for (int64_t i = 0; i < atoms->count; ++i) {
		double *r = atoms->positions + 3 * i, above = -fault->position;
		for (int k = 0; k < 3; ++k)
			above += fault->normal[k] * r[k];
		if (!(above > 0.0))
			continue;
		const double times = fault->spacing > 0.0 ? 1.0 + floor(above / fault->spacing) : 1.0;
		for (int k = 0; k < 3; ++k)
			r[k] += times * fault->shift[k];
	}
}

sonde_status defects_fault(const char *text, sonde_atoms *atoms)
{
	for (const char *end;; text = end + 1) {
		struct fault fault;
		end = text + strcspn(text, "/");
		CHECK(read_fault(text, end, &fault));
		apply(&fault, atoms);
		if (*end == '\0')
			return SONDE_OK;
	}
}
