/* Pictures of ions in matter: profiles or maps, and trajectories. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/plot/gnuplot.h"
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
static void append_title(const sonde_ions_result *result, struct scale scale, struct text *script)
{
	double energy = result->energy;

	text_append(script, "set title '");
	if (energy >= 1e6)
		text_append(script, "%.4g MeV ", energy / 1e6);
	else
		text_append(script, "%.4g keV ", energy / 1e3);
	gnuplot_append_label(script, result->species_count > 1 ? "on average" : result->ion);
	text_append(script, ", ");
	for (int k = 0; k < result->layer_count && k < 8; ++k) {
		gnuplot_append_label(script, k > 0 ? "/" : "");
		gnuplot_append_label(script, result->layers[k].name);
	}
	if (result->implanted > 0 && isfinite(result->range.value))
		text_append(
		    script, ": range %.5g %s, straggling %.4g %s", result->range.value * scale.factor, scale.unit,
		    isfinite(result->straggling.value) ? result->straggling.value * scale.factor : 0.0, scale.unit);
	text_append(script, "' noenhanced\n");
}

/* Lines at the boundaries of layers. Bodies, and the materials of voxels, follow the layers in the list and have no
 * such boundaries. */
static void append_layers(const sonde_ions_result *result, struct scale scale, struct text *script)
{
	for (int k = 1; k < result->layer_count && result->layers[k].begin == result->layers[k - 1].end; ++k)
		text_append(script,
			    "set arrow %d from %.8g, graph 0 to %.8g, graph 1 nohead lc rgb '#999999' dt 2 front\n",
			    k, result->layers[k].begin * scale.factor, result->layers[k].begin * scale.factor);
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

static void append_profiles(const sonde_ions_result *result, struct scale scale, const double *columns,
			    struct text *script)
{
	int64_t n = result->size[0];

	text_append(script, "$profiles << EOD\n");
	for (int64_t i = 0; i < n; ++i) {
		text_append(script, "%.8g",
			    (result->origin[0] + ((double)i + 0.5) * result->cell_width[0]) * scale.factor);
		for (int c = 0; c < COLUMNS; ++c)
			text_append(script, " %.6g", columns[c * n + i]);
		text_append(script, "\n");
	}
	text_append(script, "EOD\n");
}

static double largest(const double *values, int64_t count)
{
	double most = 0.0;

	for (int64_t i = 0; i < count; ++i)
		most = fmax(most, values[i]);
	return most;
}

/* From the first cell; logarithmic axes from its center. */
static void append_depth_axis(const sonde_ions_result *result, struct scale scale, int axes, struct text *script)
{
	double begin = result->origin[0] * scale.factor, width = result->cell_width[0] * scale.factor;
	bool logarithmic = axes == SONDE_PROGRAM_PLOT_AXES_LOG || axes == SONDE_PROGRAM_PLOT_AXES_LOG_X;

	text_append(script, "set xrange [%.8g:%.8g]\nset xlabel 'depth (%s)'\n",
		    logarithmic && !(begin > 0.0) ? 0.5 * width : begin, begin + (double)result->size[0] * width,
		    scale.unit);
}

/* Displacements per atom of the target at the fluence, against depth. */
static sonde_status append_dose(const sonde_ions_result *result, struct scale scale, int axes, struct text *script)
{
	static const struct {
		enum ions_dose_column column;
		const char *title, *color;
	} curves[] = {
	    {DOSE_VACANCIES, "vacancies", "#7a3fa0"}, {DOSE_NRT, "NRT", "#c8642d"}, {DOSE_ARC, "arc-dpa", "#3a8f5c"}};
	int64_t n = result->size[0];
	double *dose, most = 0.0;

	CHECK(ions_dose(result, &dose));
	text_append(script, "$dose << EOD\n");
	for (int64_t i = 0; i < n; ++i) {
		text_append(script, "%.8g",
			    (result->origin[0] + ((double)i + 0.5) * result->cell_width[0]) * scale.factor);
		for (size_t c = 0; c < sizeof curves / sizeof *curves; ++c) {
			double value = dose[2 * curves[c].column * n + i];
			text_append(script, " %.6g", value);
			most = fmax(most, value);
		}
		text_append(script, "\n");
	}
	free(dose);
	text_append(script, "EOD\nunset title\nset autoscale\n");
	append_layers(result, scale, script);
	append_depth_axis(result, scale, axes, script);
	gnuplot_append_axes(script, axes, false, most > 0.0, "[0:*]");
	text_append(
	    script,
	    "set ylabel 'displacements per atom (%.4g ions/cm^2)'\nset key outside top center horizontal\nplot ",
	    result->options->fluence);
	for (size_t c = 0; c < sizeof curves / sizeof *curves; ++c)
		text_append(script, "%s using 1:%zu with %s lc rgb '%s' lw 1.6 title '%s'", c > 0 ? ", ''" : "$dose",
			    c + 2, n > 1 ? "lines" : "points pt 7", curves[c].color, curves[c].title);
	text_append(script, "\nunset key\nunset logscale\nset format y '%%.6g'\nset autoscale\n");
	return SONDE_OK;
}

/* A panel with the stopped ions, and one with energies on the left and vacancies on the right. */
static void append_curves(const sonde_ions_result *result, struct scale scale, int axes, const double *columns,
			  struct text *script)
{
	int64_t n = result->size[0];
	const char *curve = result->size[0] > 1 ? "lines" : "points pt 7";
	bool vacancies = largest(columns + VACANCIES * result->size[0], result->size[0]) > 0.0;
	double fluence = result->options->fluence > 0.0 ? result->options->fluence : 1.0; /* ions/cm^2 */

	append_profiles(result, scale, columns, script);
	append_title(result, scale, script);
	append_layers(result, scale, script);
	append_depth_axis(result, scale, axes, script);
	gnuplot_append_axes(script, axes, false, largest(columns, n) > 0.0, "[0:*]");
	text_append(script,
		    "set ylabel 'stopped ions (atoms/cm^3 for %.4g/cm^2)'\n"
		    "plot $profiles using 1:($2*%.9e) with %s lc rgb '#1f4e9a' lw 1.6 notitle\n"
		    "unset title\nset ylabel 'energy (eV/Å, per ion)'\nset key outside top center horizontal\n",
		    fluence, 1e8 * fluence, n > 1 ? "histeps" : "points pt 7");
	gnuplot_append_axes(script, axes, false, largest(columns + IONIZATION * n, 2 * n) > 0.0, "[0:*]");
	if (vacancies)
		text_append(script, "set y2label 'vacancies (1/Å, per ion)'\nset y2tics\nset ytics nomirror\n"
				    "set y2range [0:*]\n");
	if (vacancies && (axes == SONDE_PROGRAM_PLOT_AXES_LOG || axes == SONDE_PROGRAM_PLOT_AXES_LOG_Y))
		text_append(script, "set logscale y2\nset y2range [*:*]\n");
	text_append(script,
		    "plot $profiles using 1:3 with %s lc rgb '#c8642d' lw 1.6 title 'ionization', "
		    "'' using 1:4 with %s lc rgb '#3a8f5c' lw 1.6 title 'phonons'",
		    curve, curve);
	if (vacancies)
		text_append(script, ", '' using 1:5 axes x1y2 with %s lc rgb '#7a3fa0' lw 1.6 title 'vacancies'",
			    curve);
	text_append(
	    script,
	    "\nunset key\nunset y2label\nunset y2tics\nunset logscale\nset format y '%%.6g'\nset ytics mirror\n"
	    "set yrange [*:*]\n");
}

static sonde_status append_depths(const sonde_ions_result *result, struct scale scale, int axes, struct text *script)
{
	int64_t n = result->size[0];
	double *columns;

	CHECK(memory_allocate(&columns, (size_t)n * COLUMNS, sizeof *columns, "the picture"));
	for (int t = 0; t < result->tally_count; ++t) {
		const sonde_ions_tally *tally = &result->tallies[t];
		enum column column = column_of(result, tally->name);
		if (column != COLUMNS)
			ions_profile_add(result, tally->name, tally->of, columns + column * n, NULL);
	}
	append_curves(result, scale, axes, columns, script);
	free(columns);
	return SONDE_OK;
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

static void append_map(const sonde_ions_result *result, struct scale scale, const struct projection *projection,
		       const char *name, const char *label, struct text *script)
{
	double steps[2], origins[2];
	const int directions[2] = {0, projection->up};
	int64_t pixels = projection->count[0] * projection->count[1];

	text_append(script, "$%s << EOD\n", name);
	for (int64_t i = 0; i < pixels; ++i)
		text_append(script, "%.5g%c", projection->values[i],
			    (i + 1) % projection->count[0] == 0 ? '\n' : ' ');
	for (int k = 0; k < 2; ++k) {
		steps[k] = (double)projection->each[k] * result->cell_width[directions[k]] * scale.factor;
		origins[k] = result->origin[directions[k]] * scale.factor + 0.5 * steps[k];
	}
	text_append(script, "EOD\n");
	append_layers(result, scale, script);
	double most = largest(projection->values, pixels);
	text_append(script,
		    "set autoscale fix\nset cbrange [0:%.6g]\nset cblabel '%s'\nset xlabel 'depth (%s)'\n"
		    "set ylabel '%c (%s)'\n"
		    "%splot $%s matrix using (%.10g+$1*%.10g):(%.10g+$2*%.10g):3 with image notitle\nunset title\n",
		    most > 0.0 ? most : 1.0, label, scale.unit, projection->up == 1 ? 'y' : 'z', scale.unit,
		    is_near_square(result, projection->up) ? "set size ratio -1\n" : "", name, origins[0], steps[0],
		    origins[1], steps[1]);
}

static sonde_status append_maps(const sonde_ions_result *result, struct scale scale, struct text *script)
{
	struct projection projection = {.up = result->size[1] > 1 ? 1 : 2};

	for (int k = 0; k < 2; ++k) {
		int64_t cells = result->size[k == 0 ? 0 : projection.up];
		projection.each[k] = (cells + MOST_PIXELS - 1) / MOST_PIXELS;
		projection.count[k] = (cells + projection.each[k] - 1) / projection.each[k];
	}
	CHECK(memory_allocate(&projection.values, (size_t)(projection.count[0] * projection.count[1]),
			      sizeof *projection.values, "the picture"));
	gnuplot_append_sequential(script);
	text_append(script, "set tics out\n");
	append_title(result, scale, script);
	project(result, IMPLANTED, &projection);
	append_map(result, scale, &projection, "implanted", "stopped ions, per ion", script);
	project(result, VACANCIES, &projection);
	bool vacancies = largest(projection.values, projection.count[0] * projection.count[1]) > 0.0;
	if (!vacancies)
		project(result, IONIZATION, &projection);
	append_map(result, scale, &projection, "done", vacancies ? "vacancies, per ion" : "ionization (eV), per ion",
		   script);
	text_append(script, "set size noratio\n");
	free(projection.values);
	return SONDE_OK;
}

/* Paths ------------------------------------------------------------------------------------ */

/* Vertices of the ions, or of the recoils; a trajectory ends where the atom changes. */
static bool append_vertices(const sonde_ions_result *result, struct scale scale, bool ions, struct text *script)
{
	const sonde_ions_vertex *before = NULL;
	bool any = false;

	text_append(script, "$%s << EOD\n", ions ? "ions" : "recoils");
	for (int64_t k = 0; k < result->vertex_count && k < MOST_VERTICES; ++k) {
		const sonde_ions_vertex *vertex = &result->vertices[k];
		if ((vertex->kind == 0) != ions)
			continue;
		if (before != NULL && (before->ion != vertex->ion || before->atom != vertex->atom))
			text_append(script, "\n");
		text_append(script, "%.7g %.7g\n", vertex->position[0] * scale.factor,
			    vertex->position[1] * scale.factor);
		before = vertex;
		any = true;
	}
	text_append(script, "EOD\n");
	return any;
}

static void append_paths(const sonde_ions_result *result, struct scale scale, struct text *script)
{
	bool ions = append_vertices(result, scale, true, script),
	     recoils = append_vertices(result, scale, false, script);

	append_layers(result, scale, script);
	/* those that escape through vacuum do not determine the width */
	double depth = (result->origin[0] + (double)result->size[0] * result->cell_width[0]) * scale.factor,
	       wide =
		   0.5 * fmax((double)result->size[1] * result->cell_width[1] * scale.factor * (result->size[1] > 1),
			      depth);
	text_append(script,
		    "unset title\nset autoscale\nset xrange [%.8g:%.8g]\nset yrange [%.8g:%.8g]\n"
		    "set xlabel 'depth (%s)'\nset ylabel 'y (%s)'\n",
		    -0.05 * depth, depth, -wide, wide, scale.unit, scale.unit);
	if (ions || recoils)
		text_append(
		    script, "plot %s%s%s\n", recoils ? "$recoils with lines lc rgb '#e0a080' lw 0.7 notitle" : "",
		    ions && recoils ? ", " : "", ions ? "$ions with lines lc rgb '#1f4e9a' lw 1 notitle" : "");
}

sonde_status plot_ions(sonde_context *context, const sonde_ions_result *result, const sonde_program_options *program)
{
	struct scale scale = choose_scale(result);
	struct text script = {0};
	bool paths = result->vertex_count > 0, dose = result->options->fluence > 0.0;
	int panels = 2 + paths + dose;
	sonde_status status;

	text_append(&script,
		    "set terminal pngcairo size 1100,%d font 'Sans,13'\nset encoding utf8\n"
		    "set multiplot layout %d,1\nset lmargin 12\nset rmargin 14\n"
		    "set grid lc rgb '#dddddd'\nset border lc rgb '#444444'\nunset key\n"
		    "set format y '%%.6g'\nset format y2 '%%.6g'\n",
		    panels * PANEL, panels);
	status = ions_is_map(result) ? append_maps(result, scale, &script)
				     : append_depths(result, scale, program->plot_axes, &script);
	if (dose && status == SONDE_OK)
		status = append_dose(result, scale, program->plot_axes, &script);
	if (paths)
		append_paths(result, scale, &script);
	text_append(&script, "unset multiplot\nset output\nexit\n");
	if (status == SONDE_OK)
		status = text_status(&script);
	if (status == SONDE_OK)
		status = gnuplot_draw(context, &script, program->plot, program->force != 0);
	text_free(&script);
	return status;
}
