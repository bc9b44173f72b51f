/* Pictures of ions in matter: profiles or maps, and trajectories. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/plot/axes.h"
#include "cli/plot/drawings.h"
#include "ions/tallies/profile.h"

#define MOST_PIXELS 800      /* along an edge; more cells are drawn together */
#define MOST_VERTICES 200000 /* of trajectories */
#define PANEL 430            /* pixels high */

/* The unit of depths. */
struct scale {
	double factor; /* per Angstrom */
	const char *unit;
};

static struct scale choose_scale(const sonde_ions_result *result)
{
	double depth = result->origin[0] + (double)result->size[0] * result->cell_width[0];

	return depth >= 2e5   ? (struct scale){1e-4, "µm"}
	       : depth >= 2e4 ? (struct scale){0.1, "nm"}
			      : (struct scale){1.0, "Å"};
}

/* "100 keV He, SiO2/Si: range 1200 Å, straggling 300 Å" */
static sonde_status set_title(struct figure *figure, const sonde_ions_result *result, struct scale scale)
{
	const double energy = result->energy;
	struct text title = {0};

	text_append(&title, energy >= 1e6 ? "%.4g MeV " : "%.4g keV ", energy >= 1e6 ? energy / 1e6 : energy / 1e3);
	text_append(&title, "%s, ", result->species_count > 1 ? "on average" : result->ion);
	for (int k = 0; k < result->layer_count && k < 8; ++k)
		text_append(&title, "%s%s", k > 0 ? "/" : "", result->layers[k].name);
	if (result->implanted > 0 && isfinite(result->range.value))
		text_append(
		    &title, ": range %.5g %s, straggling %.4g %s", result->range.value * scale.factor, scale.unit,
		    isfinite(result->straggling.value) ? result->straggling.value * scale.factor : 0.0, scale.unit);
	const sonde_status status = text_status(&title);
	if (status == SONDE_OK)
		figure_title(figure, "%s", title.bytes);
	text_free(&title);
	return status;
}

/* Lines at the boundaries of layers. Bodies, and the materials of voxels, follow the layers in the list and have no
 * such boundaries. */
static void add_layers(struct figure *figure, const sonde_ions_result *result, struct scale scale)
{
	for (int k = 1; k < result->layer_count && result->layers[k].begin == result->layers[k - 1].end; ++k)
		figure_vertical(figure, (struct figure_style){.color = 0x999999, .width = 1.2, .dash = FIGURE_DASHED},
				result->layers[k].begin * scale.factor);
}

/* Profiles --------------------------------------------------------------------------------- */

enum column { IMPLANTED, IONIZATION, PHONONS, VACANCIES, COLUMNS };

static const struct {
	const char *name;
	enum column column;
} parts[] = {{"implanted ions", IMPLANTED},
	     {"ionization by ions", IONIZATION},
	     {"ionization by recoils", IONIZATION},
	     {"phonons by ions", PHONONS},
	     {"phonons by recoils", PHONONS}};

/* The column of a tally; COLUMNS if none. */
static enum column column_of(const sonde_ions_result *result, const char *name)
{
	const char *vacancies[2];

	ions_vacancy_names(result, vacancies);
	for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k)
		if (strcmp(parts[k].name, name) == 0)
			return parts[k].column;
	return strcmp(vacancies[0], name) == 0 || strcmp(vacancies[1], name) == 0 ? VACANCIES : COLUMNS;
}

static double largest(const double *values, int64_t count)
{
	double most = 0.0;

	for (int64_t i = 0; i < count; ++i)
		most = fmax(most, values[i]);
	return most;
}

/* The centers of the cells. */
static void fill_depths(const sonde_ions_result *result, struct scale scale, double *depths)
{
	for (int64_t i = 0; i < result->size[0]; ++i)
		depths[i] = (result->origin[0] + ((double)i + 0.5) * result->cell_width[0]) * scale.factor;
}

/* From the first cell; logarithmic axes from its center. */
static void set_depth_axis(struct figure *figure, const sonde_ions_result *result, struct scale scale, int axes)
{
	const double begin = result->origin[0] * scale.factor, width = result->cell_width[0] * scale.factor;

	figure_range(figure, FIGURE_X, plot_axes_log_x(axes) && !(begin > 0.0) ? 0.5 * width : begin,
		     begin + (double)result->size[0] * width);
	figure_label(figure, FIGURE_X, "depth (%s)", scale.unit);
}

/* Line of a profile; a point, if that is one cell. */
static struct figure_style style_of(const sonde_ions_result *result, uint32_t color)
{
	return (struct figure_style){.color = color, .width = 1.8, .marker = result->size[0] > 1 ? 0.0 : 8.0};
}

/* Displacements per atom of the target at the fluence, against depth. */
static sonde_status add_dose(struct figure *figure, const sonde_ions_result *result, struct scale scale, int axes)
{
	static const struct {
		enum ions_dose_column column;
		const char *title;
		uint32_t color;
	} curves[] = {
	    {DOSE_VACANCIES, "vacancies", 0x7a3fa0}, {DOSE_NRT, "NRT", 0xc8642d}, {DOSE_ARC, "arc-dpa", 0x3a8f5c}};
	const int64_t n = result->size[0];
	double *dose, *depths, most = 0.0;
	char fluence[FIGURE_NUMBER];

	CHECK(memory_allocate(&depths, (size_t)n, sizeof *depths, "the picture"));
	const sonde_status status = ions_dose(result, &dose);
	if (status != SONDE_OK) {
		free(depths);
		return status;
	}
	fill_depths(result, scale, depths);
	figure_panel(figure);
	add_layers(figure, result, scale);
	for (size_t c = 0; c < sizeof curves / sizeof *curves; ++c) {
		const double *values = dose + 2 * curves[c].column * n;
		most = fmax(most, largest(values, n));
		figure_curve(figure, style_of(result, curves[c].color), curves[c].title, depths, values, n);
	}
	free(dose);
	free(depths);
	set_depth_axis(figure, result, scale, axes);
	plot_axes_set(figure, axes, false, most > 0.0, true);
	figure_label(figure, FIGURE_Y, "displacements per atom (%s ions/cm²)",
		     figure_number(result->options->fluence, fluence));
	return SONDE_OK;
}

/* The stopped ions. */
static void add_stopped(struct figure *figure, const sonde_ions_result *result, struct scale scale, int axes,
			const double *depths, double *stopped)
{
	const int64_t n = result->size[0];
	const double fluence = result->options->fluence > 0.0 ? result->options->fluence : 1.0; /* ions/cm^2 */
	char number[FIGURE_NUMBER];

	for (int64_t i = 0; i < n; ++i)
		stopped[i] *= 1e8 * fluence;
	add_layers(figure, result, scale);
	set_depth_axis(figure, result, scale, axes);
	plot_axes_set(figure, axes, false, largest(stopped, n) > 0.0, true);
	figure_label(figure, FIGURE_Y, "stopped ions (cm⁻³ at %s cm⁻²)", figure_number(fluence, number));
	if (n > 1)
		figure_steps(figure, style_of(result, 0x1f4e9a), NULL, depths, stopped, n);
	else
		figure_curve(figure, style_of(result, 0x1f4e9a), NULL, depths, stopped, n);
}

/* Energies on the left and vacancies on the right. */
static void add_energies(struct figure *figure, const sonde_ions_result *result, struct scale scale, int axes,
			 const double *depths, const double *columns)
{
	const int64_t n = result->size[0];
	struct figure_style vacancies = style_of(result, 0x7a3fa0);

	figure_panel(figure);
	add_layers(figure, result, scale);
	set_depth_axis(figure, result, scale, axes);
	plot_axes_set(figure, axes, false, largest(columns + IONIZATION * n, 2 * n) > 0.0, true);
	figure_label(figure, FIGURE_Y, "energy (eV/Å, per ion)");
	figure_curve(figure, style_of(result, 0xc8642d), "ionization", depths, columns + IONIZATION * n, n);
	figure_curve(figure, style_of(result, 0x3a8f5c), "phonons", depths, columns + PHONONS * n, n);
	if (!(largest(columns + VACANCIES * n, n) > 0.0))
		return;
	vacancies.right = true;
	figure_label(figure, FIGURE_Y2, "vacancies (Å⁻¹, per ion)");
	if (plot_axes_log_y(axes, false, true))
		figure_logarithmic(figure, FIGURE_Y2);
	else
		figure_range(figure, FIGURE_Y2, 0.0, NAN);
	figure_curve(figure, vacancies, "vacancies", depths, columns + VACANCIES * n, n);
}

static sonde_status add_depths(struct figure *figure, const sonde_ions_result *result, struct scale scale, int axes)
{
	const int64_t n = result->size[0];
	double *columns;

	CHECK(memory_allocate(&columns, (size_t)n * (COLUMNS + 1), sizeof *columns, "the picture"));
	double *depths = columns + COLUMNS * n;
	fill_depths(result, scale, depths);
	for (int t = 0; t < result->tally_count; ++t) {
		const sonde_ions_tally *tally = &result->tallies[t];
		enum column column = column_of(result, tally->name);
		if (column != COLUMNS)
			ions_profile_add(result, tally->name, tally->of, columns + column * n, NULL);
	}
	figure_panel(figure);
	const sonde_status status = set_title(figure, result, scale);
	add_stopped(figure, result, scale, axes, depths, columns + IMPLANTED * n);
	add_energies(figure, result, scale, axes, depths, columns);
	free(columns);
	return status;
}

/* Maps ------------------------------------------------------------------------------------- */

/* A projection of the cells: along x, and along y, or z if there is one cell in y. */
struct projection {
	int up;
	int64_t each[2], count[2]; /* cells that are drawn together, and the number of such groups */
	double *values;
};

static void project(const sonde_ions_result *result, enum column column, struct projection *projection)
{
	const int64_t *size = result->size;

	memset(projection->values, 0, (size_t)(projection->count[0] * projection->count[1]) * sizeof(double));
	for (int t = 0; t < result->tally_count; ++t) {
		const sonde_ions_tally *tally = &result->tallies[t];
		if (column_of(result, tally->name) != column)
			continue;
		for (int64_t cell = 0; cell < size[0] * size[1] * size[2]; ++cell) {
			int64_t row = cell / size[0], across = projection->up == 1 ? row % size[1] : row / size[1];
			projection->values[across / projection->each[1] * projection->count[0] +
					   cell % size[0] / projection->each[0]] += tally->values[cell];
		}
	}
}

/* Whether both axes can have the same scale, so that spheres are round. */
static bool is_near_square(const sonde_ions_result *result, int up)
{
	double depth = (double)result->size[0] * result->cell_width[0],
	       width = (double)result->size[up] * result->cell_width[up];

	return width < 4.0 * depth && depth < 8.0 * width;
}

static void add_map(struct figure *figure, const sonde_ions_result *result, struct scale scale,
		    const struct projection *projection, const char *label)
{
	const int directions[2] = {0, projection->up};
	const int64_t pixels = projection->count[0] * projection->count[1];
	struct figure_map map = {
	    .values = projection->values, .columns = projection->count[0], .rows = projection->count[1]};

	for (int k = 0; k < 2; ++k) {
		map.step[k] = (double)projection->each[k] * result->cell_width[directions[k]] * scale.factor;
		map.first[k] = result->origin[directions[k]] * scale.factor + 0.5 * map.step[k];
	}
	figure_map(figure, &map);
	add_layers(figure, result, scale);
	const double most = largest(projection->values, pixels);
	figure_range(figure, FIGURE_COLORS, 0.0, most > 0.0 ? most : 1.0);
	figure_label(figure, FIGURE_COLORS, "%s", label);
	figure_label(figure, FIGURE_X, "depth (%s)", scale.unit);
	figure_label(figure, FIGURE_Y, "%c (%s)", projection->up == 1 ? 'y' : 'z', scale.unit);
	figure_grid(figure, false);
	if (is_near_square(result, projection->up))
		figure_equal_units(figure, 1.0);
}

static sonde_status add_maps(struct figure *figure, const sonde_ions_result *result, struct scale scale)
{
	struct projection projection = {.up = result->size[1] > 1 ? 1 : 2};

	for (int k = 0; k < 2; ++k) {
		int64_t cells = result->size[k == 0 ? 0 : projection.up];
		projection.each[k] = (cells + MOST_PIXELS - 1) / MOST_PIXELS;
		projection.count[k] = (cells + projection.each[k] - 1) / projection.each[k];
	}
	CHECK(memory_allocate(&projection.values, (size_t)(projection.count[0] * projection.count[1]),
			      sizeof *projection.values, "the picture"));
	figure_panel(figure);
	const sonde_status status = set_title(figure, result, scale);
	project(result, IMPLANTED, &projection);
	add_map(figure, result, scale, &projection, "stopped ions, per ion");
	figure_panel(figure);
	project(result, VACANCIES, &projection);
	const bool vacancies = largest(projection.values, projection.count[0] * projection.count[1]) > 0.0;
	if (!vacancies)
		project(result, IONIZATION, &projection);
	add_map(figure, result, scale, &projection, vacancies ? "vacancies, per ion" : "ionization (eV), per ion");
	free(projection.values);
	return status;
}

/* Paths ------------------------------------------------------------------------------------ */

/* Trajectories of the ions, or of the recoils; one ends where the atom changes. */
static sonde_status add_paths_of(struct figure *figure, const sonde_ions_result *result, struct scale scale,
				 bool ions)
{
	const int64_t most = result->vertex_count < MOST_VERTICES ? result->vertex_count : MOST_VERTICES;
	const sonde_ions_vertex *before = NULL;
	double *x;
	int64_t count = 0;

	/* between two trajectories there is a place that is not a number */
	CHECK(memory_allocate(&x, 4 * (size_t)most, sizeof *x, "the picture"));
	double *y = x + 2 * most;
	for (int64_t k = 0; k < most; ++k) {
		const sonde_ions_vertex *vertex = &result->vertices[k];
		if ((vertex->kind == 0) != ions)
			continue;
		if (before != NULL && (before->ion != vertex->ion || before->atom != vertex->atom)) {
			x[count] = NAN;
			y[count++] = NAN;
		}
		x[count] = vertex->position[0] * scale.factor;
		y[count++] = vertex->position[1] * scale.factor;
		before = vertex;
	}
	if (count > 0)
		figure_curve(figure,
			     (struct figure_style){.color = ions ? 0x1f4e9a : 0xe0a080, .width = ions ? 1.1 : 0.8},
			     ions ? "ions" : "recoils", x, y, count);
	free(x);
	return SONDE_OK;
}

static sonde_status add_paths(struct figure *figure, const sonde_ions_result *result, struct scale scale)
{
	/* those that escape through vacuum do not determine the width */
	const double depth = (result->origin[0] + (double)result->size[0] * result->cell_width[0]) * scale.factor,
		     width = (double)result->size[1] * result->cell_width[1] * scale.factor * (result->size[1] > 1),
		     wide = 0.5 * fmax(width, depth);

	figure_panel(figure);
	figure_range(figure, FIGURE_X, -0.05 * depth, depth);
	figure_range(figure, FIGURE_Y, -wide, wide);
	figure_label(figure, FIGURE_X, "depth (%s)", scale.unit);
	figure_label(figure, FIGURE_Y, "y (%s)", scale.unit);
	add_layers(figure, result, scale);
	CHECK(add_paths_of(figure, result, scale, false));
	return add_paths_of(figure, result, scale, true);
}

sonde_status plot_ions(sonde_context *context, const sonde_ions_result *result, const sonde_program_options *program)
{
	const struct scale scale = choose_scale(result);
	const bool paths = result->vertex_count > 0, dose = result->options->fluence > 0.0;
	const int panels = 2 + paths + dose;
	struct figure *figure = figure_create(1100, panels * PANEL, panels, 1);
	sonde_status status = SONDE_OK;

	if (figure != NULL) {
		status = ions_is_map(result) ? add_maps(figure, result, scale)
					     : add_depths(figure, result, scale, program->plot_axes);
		if (dose && status == SONDE_OK)
			status = add_dose(figure, result, scale, program->plot_axes);
		if (paths && status == SONDE_OK)
			status = add_paths(figure, result, scale);
	}
	return plot_finish(context, status, &figure, program->plot, program->force != 0);
}
