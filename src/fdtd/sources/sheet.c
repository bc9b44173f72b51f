#include "fdtd/sources/sheet.h"

#include <math.h>

static sonde_status check(const struct fields *fields, const struct sheet *sheet)
{
	const double *along = sheet->polarization;
	double square = along[0] * along[0] + along[1] * along[1] + along[2] * along[2];

	CHECK(source_plane_check(&fields->grid, &sheet->plane));
	if (!(square > 0.0 && isfinite(square)) || fabs(along[sheet->plane.axis]) > 1e-9 * sqrt(square))
		return status_fail(SONDE_INVALID, "the polarization of a sheet of current across %c is not across %c",
				   "xyz"[sheet->plane.axis], "xyz"[sheet->plane.axis]);
	if (!isfinite(sheet->amplitude) || !(sheet->index > 0.0))
		return status_fail(SONDE_INVALID,
				   "amplitude or index of a sheet of current is not a number: %.6g, %.6g",
				   sheet->amplitude, sheet->index);
	return SONDE_OK;
}

/* The wave of a sheet on the grid: with W = sin(omega/2), K_a = S_a sin(k_a Delta_a/2), and n^2 W^2 = sum of K_a^2. */
struct sheet_wave {
	double cosine; /* cos(k Delta/2) along the plane's axis */
	double slant;  /* cosine of the angle to that axis: K/(n W) */
	double across
	    [2]; /* direction of the wavevector's transverse component, along the next axis and the one after it */
	double admittance[2]; /* H over E, both along the plane: E along `across` (p), and E across it (s) */
};

/* K_a along the next axis and the one after it; returns the sum of their squares. */
static double square_across(const struct fdtd_grid *grid, int axis, double across[2])
{
	for (int k = 0; k < 2; ++k) {
		int a = (axis + 1 + k) % 3;
		across[k] = grid->courant[a] * sin(0.5 * grid->phase[a] / grid->cells[a]);
	}
	return across[0] * across[0] + across[1] * across[1];
}

double sheet_cutoff(const struct fdtd_grid *grid, int axis, double index)
{
	double across[2];

	return 2.0 * asin(fmin(1.0, sqrt(square_across(grid, axis, across)) / index));
}

static sonde_status find_wave(const struct fields *fields, const struct sheet *sheet, struct sheet_wave *wave)
{
	const struct fdtd_grid *grid = &fields->grid;
	double light = sheet->index * sin(0.5 * sheet->omega);

	*wave = (struct sheet_wave){.slant = 1.0, .admittance = {sheet->index, sheet->index}};
	double square = square_across(grid, sheet->plane.axis, wave->across);
	if (sheet->omega > 0.0 && square >= light * light)
		return status_fail(SONDE_INVALID,
				   "with these phases waves of %.6g radians per step are evanescent at a sheet of "
				   "current: only those above %.6g leave it",
				   sheet->omega, sheet_cutoff(grid, sheet->plane.axis, sheet->index));
	double length = sqrt(square);
	for (int k = 0; k < 2 && length > 0.0; ++k)
		wave->across[k] /= length;
	if (length == 0.0)
		wave->across[0] = 1.0;
	if (sheet->omega > 0.0)
		wave->slant = sqrt(1.0 - square / (light * light));
	wave->admittance[0] /= wave->slant;
	wave->admittance[1] *= wave->slant;
	double sine = wave->slant * light / grid->courant[sheet->plane.axis];
	if (!(sheet->omega >= 0.0 && sine < 0.99))
		return status_fail(SONDE_INVALID,
				   "the grid is too coarse for a sheet of current at %.6g radians per step",
				   sheet->omega);
	wave->cosine = sqrt(1.0 - sine * sine);
	return SONDE_OK;
}

/* E along the plane, and the corresponding H, as vectors. */
static void find_fields(const struct sheet *sheet, const struct sheet_wave *wave, double e[2], double h[2])
{
	const double *along = sheet->polarization, *p = wave->across;
	double length = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);

	for (int k = 0; k < 2; ++k)
		e[k] = sheet->amplitude * along[(sheet->plane.axis + 1 + k) % 3] / length;
	double of_p = e[0] * p[0] + e[1] * p[1], of_s = e[1] * p[0] - e[0] * p[1];
	h[0] = wave->admittance[0] * of_p * p[0] - wave->admittance[1] * of_s * p[1];
	h[1] = wave->admittance[0] * of_p * p[1] + wave->admittance[1] * of_s * p[0];
}

/* J of the edges along an axis, M next to them. */
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

/* J for E along `along` and the corresponding H, and the factor of M for E: J = -S H forward, in either direction; M
 * on faces whose normal is the third axis is -S E times the sign of that axis in a x along, and the direction. */
static sonde_status add_polarization(const struct fields *fields, const struct sheet *sheet, int along, double e,
				     double h, double cosine, struct plane_source *source)
{
	double courant = fields->grid.courant[sheet->plane.axis],
	       turn = (sheet->plane.axis + 1) % 3 == along ? 1.0 : -1.0;

	switch (sheet->kind) {
	case SHEET_ELECTRIC:
		return add_terms(fields, sheet, along, -2.0 * courant * cosine * h, 0.0, source);
	case SHEET_MAGNETIC:
		return add_terms(fields, sheet, along, 0.0, -2.0 * courant * turn * cosine * e, source);
	case SHEET_FORWARD:
		return add_terms(fields, sheet, along, -courant * h, -courant * turn * e, source);
	default:
		return add_terms(fields, sheet, along, -courant * h, courant * turn * e, source);
	}
}

sonde_status sheet_make(const struct fields *fields, const struct sheet *sheet, struct plane_source *source)
{
	struct sheet_wave wave;
	double e[2], h[2];

	*source = (struct plane_source){.signals = 1, .turns = true, .axis = sheet->plane.axis};
	CHECK(check(fields, sheet));
	CHECK(find_wave(fields, sheet, &wave));
	find_fields(sheet, &wave, e, h);
	for (int k = 0; k < 2; ++k)
		if (e[k] != 0.0 || h[k] != 0.0)
			CHECK(add_polarization(fields, sheet, (sheet->plane.axis + 1 + k) % 3, e[k], h[k],
					       wave.cosine, source));
	/* H is needed half a cell earlier */
	if (sheet->kind == SHEET_FORWARD || sheet->kind == SHEET_BACKWARD)
		source->delays[FIELD_E] = -0.5 * sheet->index * wave.slant / fields->grid.courant[sheet->plane.axis];
	source->power = 0.5 * (e[0] * h[0] + e[1] * h[1]) * wave.cosine * cos(0.5 * sheet->omega);
	return SONDE_OK;
}
