#include "fdtd/sheet.h"

#include <math.h>

static sonde_status check(const struct fields *fields, const struct sheet *sheet)
{
	const double *along = sheet->polarisation;
	double square = along[0] * along[0] + along[1] * along[1] + along[2] * along[2];

	CHECK(source_plane_check(&fields->grid, &sheet->plane));
	if (!(square > 0.0 && isfinite(square)) || fabs(along[sheet->plane.axis]) > 1e-9 * sqrt(square))
		return status_fail(SONDE_INVALID, "the polarisation of a sheet of current across %c is not across %c",
				   "xyz"[sheet->plane.axis], "xyz"[sheet->plane.axis]);
	if (!isfinite(sheet->amplitude) || !(sheet->index > 0.0))
		return status_fail(SONDE_INVALID,
				   "amplitude or index of a sheet of current is not a number: %.6g, %.6g",
				   sheet->amplitude, sheet->index);
	return SONDE_OK;
}

/* cos(k Delta/2) of the grid's wave along the axis: n sin(omega/2) = S sin(k Delta/2). */
static sonde_status cosine_of(const struct fields *fields, const struct sheet *sheet, double *cosine)
{
	double sine = sheet->index * sin(0.5 * sheet->omega) / fields->grid.courant[sheet->plane.axis];

	if (!(sheet->omega >= 0.0 && sine < 0.99))
		return status_fail(SONDE_INVALID,
				   "the grid is too coarse for a sheet of current with %.6g radians a step",
				   sheet->omega);
	*cosine = sqrt(1.0 - sine * sine);
	return SONDE_OK;
}

/* J of the edges along an axis, M beside them. */
static sonde_status add_terms(const struct fields *fields, const struct sheet *sheet, int along, double j, double m,
			      struct plane_source *source)
{
	int begin[3], end[3], node[3];
	bool forward = sheet->kind != SHEET_BACKWARD;

	source_plane_range(&fields->grid, &sheet->plane, along, begin, end);
	for (node[0] = begin[0]; node[0] < end[0]; ++node[0])
		for (node[1] = begin[1]; node[1] < end[1]; ++node[1])
			for (node[2] = begin[2]; node[2] < end[2]; ++node[2]) {
				if (j != 0.0)
					CHECK(injection_add(&source->terms[FIELD_E],
							    source_plane_edge(fields, along, node), 0, j));
				if (m != 0.0)
					CHECK(injection_add(
					    &source->terms[FIELD_H],
					    source_plane_face(fields, &sheet->plane, along, forward, node), 0, m));
			}
	return SONDE_OK;
}

/* J of E along `along`, and the factor of M of it: J = -S n E forward, whichever the direction; M on faces whose normal is the third axis
 * is -S E times the sign of that axis in a x along, and the direction. */
static sonde_status add_polarisation(const struct fields *fields, const struct sheet *sheet, int along, double e,
				     double cosine, struct plane_source *source)
{
	double courant = fields->grid.courant[sheet->plane.axis],
	       turn = (sheet->plane.axis + 1) % 3 == along ? 1.0 : -1.0;

	switch (sheet->kind) {
	case SHEET_ELECTRIC:
		return add_terms(fields, sheet, along, -2.0 * courant * sheet->index * cosine * e, 0.0, source);
	case SHEET_MAGNETIC:
		return add_terms(fields, sheet, along, 0.0, -2.0 * courant * turn * cosine * e, source);
	case SHEET_FORWARD:
		return add_terms(fields, sheet, along, -courant * sheet->index * e, -courant * turn * e, source);
	default:
		return add_terms(fields, sheet, along, -courant * sheet->index * e, courant * turn * e, source);
	}
}

sonde_status sheet_make(const struct fields *fields, const struct sheet *sheet, struct plane_source *source)
{
	const double *along = sheet->polarisation;
	double cosine;

	*source = (struct plane_source){.signals = 1};
	CHECK(check(fields, sheet));
	CHECK(cosine_of(fields, sheet, &cosine));
	double length = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
	for (int k = 1; k < 3; ++k) {
		int a = (sheet->plane.axis + k) % 3;
		double e = sheet->amplitude * along[a] / length;
		if (e != 0.0)
			CHECK(add_polarisation(fields, sheet, a, e, cosine, source));
	}
	/* H is needed where light is half a cell earlier */
	if (sheet->kind == SHEET_FORWARD || sheet->kind == SHEET_BACKWARD)
		source->delays[FIELD_E] = -0.5 * sheet->index / fields->grid.courant[sheet->plane.axis];
	source->power = 0.5 * sheet->index * sheet->amplitude * sheet->amplitude * cosine * cos(0.5 * sheet->omega);
	return SONDE_OK;
}
