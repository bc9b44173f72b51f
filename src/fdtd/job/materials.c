/* Materials of a job as media of the grid: relative to the background, with frequencies multiplied by the time step. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/option_items.h"
#include "base/options.h"
#include "base/text.h"
#include "base/units.h"
#include "matter/sample/sample.h"
#include "matter/materials/material_list.h"
#include "matter/materials/optical_library.h"
#include "matter/shape/body.h"
#include "fdtd/job/space.h"

/* A number of a list "a,b;c,d": in `unit` with prefixes, or plain if that is "". Moves past it. */
static bool next_number(const char **text, const char *unit, double *value)
{
	const char *start = *text, *end = start + strcspn(start, ",;");

	while (start < end && *start == ' ')
		++start;
	while (end > start && end[-1] == ' ')
		--end;
	*text = start + strcspn(start, ",;");
	return unit[0] != '\0' ? unit_parse_real(unit, start, end, value) : text_parse_real(start, end, value);
}

/* An angular frequency, from a number in Hz or in rad/s. */
static bool next_frequency(const char **text, double *angular)
{
	const char *start = *text;

	if (next_number(text, "Hz", angular)) {
		*angular *= 2.0 * M_PI;
		return true;
	}
	*text = start;
	return next_number(text, "rad/s", angular);
}

static bool next_is(const char **text, char separator)
{
	if (**text != separator)
		return false;
	++*text;
	return true;
}

/* A pole in the library's form. */
static bool next_pole(enum optical_pole_kind kind, const char **text, struct optical_pole *pole)
{
	double tau;

	*pole = (struct optical_pole){.kind = kind, .strength = 1.0};
	if (kind == OPTICAL_DRUDE)
		return next_frequency(text, &pole->resonance) && next_is(text, ',') &&
		       next_frequency(text, &pole->damping);
	if (!next_number(text, "", &pole->strength) || !next_is(text, ','))
		return false;
	if (kind == OPTICAL_LORENTZ)
		return next_frequency(text, &pole->resonance) && next_is(text, ',') &&
		       next_frequency(text, &pole->damping);
	if (!next_number(text, "s", &tau) || !(tau > 0.0))
		return false;
	pole->damping = 1.0 / tau;
	return true;
}

static sonde_status add_poles(enum optical_pole_kind kind, const char *key, const char *text,
			      struct optical_material *material)
{
	while (*text != '\0') {
		struct optical_pole pole;
		if (!next_pole(kind, &text, &pole) || (*text != '\0' && !next_is(&text, ';')))
			return status_fail_option(SONDE_INVALID, key,
						  "write a list of poles, as in %s: numbers with Hz, rad/s or s",
						  kind == OPTICAL_LORENTZ ? "[[2.1, 600 THz, 50 THz]]"
						  : kind == OPTICAL_DRUDE ? "[[2000 THz, 20 THz]]"
									  : "[[70, 8 ps]]");
		if (!(pole.strength >= 0.0) || !(pole.resonance >= 0.0) || !(pole.damping >= 0.0) ||
		    (kind == OPTICAL_LORENTZ && pole.resonance == 0.0) || !isfinite(pole.strength))
			return status_fail_option(SONDE_INVALID, key,
						  "strengths, frequencies and dampings must not be negative, nor "
						  "resonance frequencies 0: such a medium creates energy");
		if (material->count == OPTICAL_MOST_POLES)
			return status_fail_option(SONDE_INVALID, key, "more than %d poles", OPTICAL_MOST_POLES);
		material->pole[material->count++] = pole;
	}
	return SONDE_OK;
}

static struct medium_pole pole_of(const struct job_space *space, const struct optical_pole *pole)
{
	double dt = space->frame.time_step, background = space->frame.index * space->frame.index;

	switch (pole->kind) {
	case OPTICAL_LORENTZ:
		return medium_pole_lorentz(pole->strength / background, pole->resonance * dt, pole->damping * dt);
	case OPTICAL_DRUDE:
		return medium_pole_drude(sqrt(pole->strength / background) * pole->resonance * dt,
					 pole->damping * dt);
	case OPTICAL_DEBYE:
		break;
	}
	return medium_pole_debye(pole->strength / background, 1.0 / (pole->damping * dt));
}

#define FASTEST_RESONANCE 1.99 /* omega_0 dt; from 2 on a pole's recursion is unstable */

/* Resonances must be slow compared with the time step. */
static sonde_status check_poles(const struct job_space *space, const struct optical_material *poles)
{
	for (int p = 0; p < poles->count && !space->choosing; ++p)
		if (poles->pole[p].kind == OPTICAL_LORENTZ &&
		    poles->pole[p].resonance * space->frame.time_step >= FASTEST_RESONANCE)
			return status_fail(
			    SONDE_INVALID,
			    "the resonance at %.4g THz is too fast for steps of %.3g fs; choose smaller cells",
			    1e-12 * poles->pole[p].resonance / (2.0 * M_PI), 1e15 * space->frame.time_step);
	return SONDE_OK;
}

static void set_poles(const struct job_space *space, const struct optical_material *poles, struct medium *medium)
{
	medium->poles = poles->count;
	for (int p = 0; p < poles->count; ++p)
		medium->pole[p] = pole_of(space, &poles->pole[p]);
}

/* The first fields to grow are those that change sign with every step. Losses have no effect there, and Yee's scheme
 * is stable if the permittivity at that frequency, poles by their recursions included, times the permeability is
 * above the sum of the Courant numbers' squares: for vacuum Taflove and Hagness (2005), 4.54. `shorter`: fraction of
 * the time step. */
static bool is_stable(const struct job_space *space, const struct optical_material *poles,
		      const struct medium *medium, double shorter)
{
	struct job_space then = *space;
	struct medium here = *medium;

	then.frame.time_step *= shorter;
	for (int p = 0; p < poles->count; ++p)
		if (poles->pole[p].kind == OPTICAL_LORENTZ &&
		    poles->pole[p].resonance * then.frame.time_step >= FASTEST_RESONANCE)
			return false;
	set_poles(&then, poles, &here);
	const double squares = grid_courant_squares(&space->grid) * shorter * shorter;
	double permittivity = here.permittivity + creal(medium_susceptibility(&here, M_PI));
	return squares <= permittivity * here.permeability * (1.0 + 1e-6);
}

/* The largest fraction of the time step, at most 1, for which fields in a medium do not grow. */
static double stable_part(const struct job_space *space, const struct optical_material *poles,
			  const struct medium *medium)
{
	double stable = 0.0, not_stable = 1.0;

	if (medium->conductor || is_stable(space, poles, medium, 1.0))
		return 1.0;
	for (int turn = 0; turn < 30; ++turn) {
		double middle = 0.5 * (stable + not_stable);
		if (is_stable(space, poles, medium, middle))
			stable = middle;
		else
			not_stable = middle;
	}
	return stable;
}

static sonde_status check_stable(const struct job_space *space, const struct job_material *material)
{
	if (material->stable >= 1.0 || space->choosing)
		return SONDE_OK;
	return status_fail(SONDE_INVALID,
			   "fields in it would grow without bound, since waves on the grid are too fast there%s: "
			   "courant must be at most %.4f with these cells",
			   material->along[0].poles > 0 ? " with its poles" : "",
			   floor(1e4 * space->courant * material->stable) * 1e-4);
}

static sonde_status finish(const struct job_space *space, const struct optical_material *poles,
			   struct job_material *material)
{
	CHECK(check_poles(space, poles));
	material->magnetic = false;
	material->stable = 1.0;
	for (int a = 0; a < 3; ++a) {
		struct medium *medium = &material->along[a];
		set_poles(space, poles, medium);
		material->stable = fmin(material->stable, stable_part(space, poles, medium));
		material->magnetic |= medium->permeability != 1.0 || medium->magnetic_conductivity != 0.0;
	}
	return check_stable(space, material);
}

/* A material of the library, still in units of vacuum. */
static sonde_status from_library(const struct job_space *space, const char *name, struct optical_material *found)
{
	struct nearest_word nearest = {.word = name};
	char hint[128];

	if (name[0] == '\0')
		return status_fail_option(SONDE_INVALID, "material",
					  "required, one of the job's materials, of the library, or vacuum");
	sonde_status status = optical_library_find(name, found);
	if (status == SONDE_OK)
		return status;
	for (int64_t n = 0; n < space->job->materials.count; ++n)
		nearest_word_offer(&nearest, space->job->materials.items[n].name);
	return status_prefix(status, "'%.64s' is not one of the job's materials%s", name,
			     nearest_word_hint(&nearest, hint, sizeof hint));
}

static sonde_status make_library_material(const struct job_space *space, const char *name,
					  struct job_material *material)
{
	struct optical_material found;
	double background = space->frame.index * space->frame.index;

	CHECK(from_library(space, name, &found));
	for (int a = 0; a < 3; ++a)
		material->along[a] = (struct medium){.permittivity = found.eps_inf / background,
						     .permeability = 1.0,
						     .conductivity = found.conductivity * space->frame.time_step /
								     (VACUUM_PERMITTIVITY * background)};
	return finish(space, &found, material);
}

/* Whether it has any other option than these. */
static bool has_optics(const sonde_material_options *given)
{
	return option_item_check(&material_item_table, given, "matter",
				 (const char *const[OPTION_ITEM_KEYS]){
				     " name composition density ", " cell species a c u cell_file distance ",
				     " displacement lattice surface_binding "}) != SONDE_OK;
}

static sonde_status check_given(const sonde_fdtd_material_options *given)
{
	bool has_index = given->index > 0.0, has_permittivity = given->permittivity.x != 1.0 ||
								given->permittivity.y != 1.0 ||
								given->permittivity.z != 1.0;

	if (strlen(given->name) >= JOB_NAME_SIZE)
		return status_fail_option(SONDE_INVALID, "name", "'%.20s...' has %zu bytes, at most %d are possible",
					  given->name, strlen(given->name), JOB_NAME_SIZE - 1);
	if (has_index + has_permittivity + (given->library[0] != '\0') > 1)
		return status_fail(SONDE_INVALID, "only one of permittivity, index and library can be given");
	if (given->composition[0] != '\0' && !has_optics(given))
		return status_fail(SONDE_INVALID,
				   "has a composition, but no optical constants: give library, index, permittivity, "
				   "poles, or conductor");
	return SONDE_OK;
}

static sonde_status make_material(const struct job_space *space, const sonde_fdtd_material_options *given,
				  struct job_material *material)
{
	const double dt = space->frame.time_step, background = space->frame.index * space->frame.index;
	struct optical_material poles = {.eps_inf = 1.0};

	CHECK(check_given(given));
	if (given->library[0] != '\0')
		CHECK(from_library(space, given->library, &poles));
	CHECK(add_poles(OPTICAL_LORENTZ, "lorentz", given->lorentz, &poles));
	CHECK(add_poles(OPTICAL_DRUDE, "drude", given->drude, &poles));
	CHECK(add_poles(OPTICAL_DEBYE, "debye", given->debye, &poles));
	for (int a = 0; a < 3; ++a) {
		int u = frame_job_axis(&space->frame, a);
		double permittivity = given->index > 0.0          ? given->index * given->index
				      : given->library[0] != '\0' ? poles.eps_inf
								  : vector_part(given->permittivity, u);
		double conductivity = poles.conductivity + vector_part(given->conductivity, u);
		material->along[a] =
		    (struct medium){.permittivity = permittivity / background,
				    .permeability = vector_part(given->permeability, u),
				    .conductivity = conductivity * dt / (VACUUM_PERMITTIVITY * background),
				    .magnetic_conductivity = vector_part(given->magnetic_conductivity, u) * dt *
							     VACUUM_PERMITTIVITY * SPEED_OF_LIGHT * SPEED_OF_LIGHT,
				    .conductor = given->conductor};
	}
	return finish(space, &poles, material);
}

sonde_status job_find_material(const struct job_space *space, const char *name, struct job_material *material)
{
	const sonde_fdtd_job *job = space->job;

	memset(material, 0, sizeof *material);
	for (int64_t n = 0; n < job->materials.count; ++n)
		if (strcmp(job->materials.items[n].name, name) == 0)
			return job_prefix(job, make_material(space, &job->materials.items[n], material), "materials",
					  job->materials.lines, n);
	return make_library_material(space, name, material);
}

static void take_part(const struct job_space *space, const char *material, const char *kept, double *part,
		      const char **name)
{
	struct job_material found;

	if (job_find_material(space, material, &found) != SONDE_OK || found.stable >= *part)
		return;
	*part = found.stable;
	*name = kept;
}

double job_stable_part(const struct job_space *space, const char **name)
{
	const sonde_fdtd_job *job = space->job;
	struct job_space choosing = *space;
	double part = 1.0;
	char one[OPTION_TEXT_SIZE];

	choosing.choosing = true;
	*name = NULL;
	for (int64_t n = 0; n < job->materials.count; ++n)
		take_part(&choosing, job->materials.items[n].name, job->materials.items[n].name, &part, name);
	for (int64_t n = 0; n < job->bodies.count; ++n) {
		const sonde_body_options *body = &job->bodies.items[n];
		if (body->material[0] != '\0')
			take_part(&choosing, body->material, body->material, &part, name);
		for (int k = 0; body_list_name(body->materials, k, one, sizeof one); ++k)
			take_part(&choosing, one, body->materials, &part, name);
	}
	return part;
}

/* Also checks materials without bodies. */
sonde_status job_check_materials(const struct job_space *space)
{
	const sonde_fdtd_job *job = space->job;
	const sonde_sample *sample = job->joined;
	const struct material_list list = {job->materials.count,
					   job->materials.items,
					   job->file,
					   job->materials.lines,
					   sample != NULL ? sample->materials.count : 0,
					   sample != NULL ? sample->path : NULL,
					   sample != NULL ? sample->materials.lines : NULL};
	struct job_material unused;

	CHECK(material_list_check(&list));
	for (int64_t n = 0; n < job->materials.count; ++n) {
		CHECK(job_prefix(job, make_material(space, &job->materials.items[n], &unused), "materials",
				 job->materials.lines, n));
	}
	return SONDE_OK;
}
