#include "physics/physics.h"

#include "matter/scattering/scatterer.h"

/* --- random numbers: a hash of seed and counter, so that a sample does not depend on the order of its making --- */

/* The finalizer of splitmix64 (Steele, Lea & Flood 2014). */
static uint64_t hash(uint64_t x)
{
	x += UINT64_C(0x9E3779B97F4A7C15);
	x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
	return x ^ x >> 31;
}

double uniform_number(uint64_t seed, uint64_t k)
{
	return (double)(hash(hash(seed) ^ k) >> 11) * 0x1p-53;
}

double normal_number(uint64_t seed, uint64_t k)
{
	double radius = sqrt(-2.0 * log(1.0 - uniform_number(seed, 2 * k)));

	return radius * cos(2.0 * PI * uniform_number(seed, 2 * k + 1));
}

/* --- samples --- */

static void need(sonde_status status, const char *what)
{
	if (status != SONDE_OK)
		fail_msg("%s: status %d: %s", what, (int)status, sonde_status_message());
}

const char *physics_device(void)
{
	/* scripts/check_gpu.sh runs these tests on every device; elsewhere the CPU is meant */
	const char *device = getenv("SONDE_TEST_DEVICE");

	return device != NULL ? device : "cpu";
}

sonde_context *make_context(int64_t threads)
{
	sonde_context *context;

	need(sonde_context_create(&context), "context");
	need(sonde_context_set_threads(context, threads), "threads");
	need(sonde_context_set_device(context, physics_device()), "device");
	return context;
}

sonde_atoms *read_sample(const char *file)
{
	sonde_atoms *atoms;
	char path[512];

	snprintf(path, sizeof path, "%s/%s", TEST_DATA, file);
	need(sonde_atoms_read(NULL, path, 0, &atoms), file);
	return atoms;
}

sonde_atoms *empty_sample(void)
{
	sonde_atoms *atoms;

	need(sonde_atoms_create(&atoms), "atoms");
	return atoms;
}

void add_atom(sonde_atoms *atoms, const char *label, double x, double y, double z)
{
	const double position[3] = {x, y, z};

	need(sonde_atoms_add(atoms, label, position), label);
}

sonde_atoms *build_sample(const sonde_build_options *options)
{
	sonde_context *context = make_context(1);
	sonde_atoms *atoms;

	need(sonde_build_run(context, options, &atoms), "build");
	sonde_context_free(&context);
	return atoms;
}

static sonde_build_options build_options(int cell, const char *species, double a)
{
	sonde_build_options options;

	sonde_build_options_init(&options);
	options.cell = cell;
	snprintf(options.species, sizeof options.species, "%s", species);
	options.a = a;
	return options;
}

sonde_atoms *build_sphere(int cell, const char *species, double a, double radius)
{
	sonde_build_options options = build_options(cell, species, a);

	options.sphere = radius;
	return build_sample(&options);
}

sonde_atoms *build_cells(int cell, const char *species, double a, int cells)
{
	sonde_build_options options = build_options(cell, species, a);

	options.supercell = (sonde_vector){cells, cells, cells};
	return build_sample(&options);
}

static const char *label_of(const sonde_atoms *atoms, int64_t i)
{
	return sonde_atoms_species_label(atoms, sonde_atoms_species(atoms)[i]);
}

sonde_atoms *displace(const sonde_atoms *atoms, double sigma, uint64_t seed)
{
	const double *r = sonde_atoms_positions(atoms);
	sonde_atoms *moved = empty_sample();

	for (int64_t i = 0; i < sonde_atoms_count(atoms); ++i) {
		uint64_t k = 3 * (uint64_t)i;
		add_atom(moved, label_of(atoms, i), r[k] + sigma * normal_number(seed, k),
			 r[k + 1] + sigma * normal_number(seed, k + 1),
			 r[k + 2] + sigma * normal_number(seed, k + 2));
	}
	return moved;
}

sonde_atoms *move(const sonde_atoms *atoms, const double matrix[3][3], const double shift[3])
{
	sonde_atoms *moved = empty_sample();

	for (int64_t i = 0; i < sonde_atoms_count(atoms); ++i) {
		const double *r = sonde_atoms_positions(atoms) + 3 * i;
		double to[3];
		for (int k = 0; k < 3; ++k)
			to[k] = matrix[k][0] * r[0] + matrix[k][1] * r[1] + matrix[k][2] * r[2] + shift[k];
		add_atom(moved, label_of(atoms, i), to[0], to[1], to[2]);
	}
	return moved;
}

void append(sonde_atoms *atoms, const sonde_atoms *from, double x, double y, double z)
{
	const double *r = sonde_atoms_positions(from);

	for (int64_t i = 0; i < sonde_atoms_count(from); ++i)
		add_atom(atoms, label_of(from, i), r[3 * i] + x, r[3 * i + 1] + y, r[3 * i + 2] + z);
}

void check_count(const sonde_atoms *atoms, int64_t count)
{
	if (sonde_atoms_count(atoms) != count)
		fail_msg("the sample has %lld atoms instead of %lld", (long long)sonde_atoms_count(atoms),
			 (long long)count);
}

/* --- runs --- */

sonde_debye_options options_of(int method, int factors, double first, double last, int64_t points)
{
	sonde_debye_options options;

	sonde_debye_options_init(&options);
	options.method = method;
	options.factors = factors;
	options.q = (sonde_grid){first, last, points};
	options.r = (sonde_grid){1.0, 10.0, 10};
	return options;
}

sonde_debye_result *run_on(int64_t threads, const sonde_atoms *atoms, const sonde_debye_options *options)
{
	sonde_context *context = make_context(threads);
	sonde_debye_result *result;

	need(sonde_debye_run(context, atoms, options, &result), "debye");
	sonde_context_free(&context);
	return result;
}

sonde_debye_result *run(const sonde_atoms *atoms, const sonde_debye_options *options)
{
	return run_on(1, atoms, options);
}

sonde_debye_result *run_simply(const sonde_atoms *atoms, int method, int factors, double first, double last,
			       int64_t points)
{
	sonde_debye_options options = options_of(method, factors, first, last, points);

	return run(atoms, &options);
}

/* --- tables --- */

struct table read_table(const char *file)
{
	struct table table = {0};
	int64_t room = 4096;
	char path[512], line[512];
	FILE *stream;

	snprintf(path, sizeof path, "%s/%s", TEST_DATA, file);
	stream = fopen(path, "r");
	assert_non_null(stream);
	table.cells = malloc((size_t)room * 6 * sizeof *table.cells);
	assert_non_null(table.cells);
	while (fgets(line, sizeof line, stream) != NULL) {
		double row[6];
		if (line[0] == '#')
			continue;
		for (char *c = line; *c != '\0'; ++c)
			*c = *c == ',' ? ' ' : *c;
		int columns =
		    sscanf(line, "%lf %lf %lf %lf %lf %lf", row, row + 1, row + 2, row + 3, row + 4, row + 5);
		assert_true(columns >= 2 && table.rows < room && (table.rows == 0 || columns == table.columns));
		table.columns = columns;
		memcpy(table.cells + table.rows++ * columns, row, (size_t)columns * sizeof *row);
	}
	fclose(stream);
	assert_true(table.rows > 0);
	return table;
}

void free_table(struct table *table)
{
	free(table->cells);
	*table = (struct table){0};
}

double table_cell(const struct table *table, int64_t row, int column)
{
	assert_true(row >= 0 && row < table->rows && column < table->columns);
	return table->cells[row * table->columns + column];
}

/* --- comparison --- */

double largest_error(const sonde_debye_result *result, const double *truth)
{
	double largest = 0.0;

	for (int64_t k = 0; k < result->q_count; ++k) {
		double scale = result->mean_square_amplitude[k] + fabs(truth[k]);
		double error = fabs(result->intensity_per_atom[k] - truth[k]) / scale;
		if (!(error <= largest))
			largest = error; /* a NaN too */
	}
	return largest;
}

void check_intensity(const char *what, const sonde_debye_result *result, const double *truth, double tolerance,
		     double absurd)
{
	double worst = 0.0, worst_ratio = 0.0, at = 0.0;
	int64_t above = 0, beyond = 0;

	for (int64_t k = 0; k < result->q_count; ++k) {
		double error = fabs(result->intensity_per_atom[k] - truth[k]);
		double ratio = error == 0.0 ? 0.0 : error / result->error_estimate[k];
		double relative = error / (result->mean_square_amplitude[k] + fabs(truth[k]));
		if (!(relative <= worst)) {
			worst = relative;
			at = result->q[k];
		}
		if (!(ratio <= worst_ratio))
			worst_ratio = ratio;
		above += !(ratio <= 1.0);
		beyond += !(error <= result->error_bound[k]) || result->error_bound[k] < result->error_estimate[k];
	}
	print_message(
	    "%-44s N %7lld  %5lld q  error %.1e at q %.3g  estimate %.1e  bound %.1e  error/estimate %.2g\n", what,
	    (long long)result->atom_count, (long long)result->q_count, worst, at, result->largest_error,
	    result->largest_bound, worst_ratio);
	if (!(worst <= tolerance))
		fail_msg("%s: error %.3g above %.3g", what, worst, tolerance);
	if (above > 0)
		fail_msg("%s: the error is above its estimate at %lld of %lld q, by a factor of %.3g", what,
			 (long long)above, (long long)result->q_count, worst_ratio);
	if (beyond > 0)
		fail_msg("%s: the bound is broken at %lld of %lld q", what, (long long)beyond,
			 (long long)result->q_count);
	if (!(result->largest_error <= absurd))
		fail_msg("%s: the estimate %.3g is absurd, above %.3g", what, result->largest_error, absurd);
}

void check_against(const char *what, const sonde_debye_result *result, const sonde_debye_result *truth,
		   double tolerance, double absurd)
{
	assert_int_equal(result->q_count, truth->q_count);
	assert_memory_equal(result->q, truth->q, (size_t)truth->q_count * sizeof *truth->q);
	check_intensity(what, result, truth->intensity_per_atom, tolerance, absurd);
}

static int same(const double *a, const double *b, int64_t count)
{
	return count == 0 || memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

int same_bits(const sonde_debye_result *a, const sonde_debye_result *b)
{
	int64_t q = a->q_count, pairs = a->pair_count;

	return q == b->q_count && pairs == b->pair_count && a->r_count == b->r_count && same(a->q, b->q, q) &&
	       same(a->intensity, b->intensity, q) && same(a->intensity_per_atom, b->intensity_per_atom, q) &&
	       same(a->structure_factor, b->structure_factor, q) && same(a->error_estimate, b->error_estimate, q) &&
	       same(a->pair_distribution, b->pair_distribution, a->r_count) &&
	       same(a->partial_intensity, b->partial_intensity, pairs * q) &&
	       same(a->partial_structure_factor, b->partial_structure_factor, pairs * q);
}

/* --- pairs on a lattice --- */

static struct scatterer scatterer_of(const sonde_debye_result *result, const char *label)
{
	static const enum scattering_table tables[] = {SCATTERING_WAASMAIER_KIRFEL, SCATTERING_WAASMAIER_KIRFEL,
						       SCATTERING_IT1992,           SCATTERING_SEARS1992,
						       SCATTERING_RAUCH2003,        SCATTERING_UNIT};
	struct scatterer scatterer;

	need(scatterer_find(tables[result->options->factors], label, &scatterer), "scatterer");
	return scatterer;
}

/* Integer coordinates of the atoms; *largest becomes the largest squared distance that two may have. */
static int32_t *lattice_points(const sonde_atoms *atoms, double unit, int64_t *largest)
{
	int64_t count = sonde_atoms_count(atoms), low[3] = {INT32_MAX, INT32_MAX, INT32_MAX};
	int64_t high[3] = {INT32_MIN, INT32_MIN, INT32_MIN};
	const double *r = sonde_atoms_positions(atoms);
	int32_t *points = malloc((size_t)count * 3 * sizeof *points);

	assert_non_null(points);
	for (int64_t i = 0; i < 3 * count; ++i) {
		points[i] = (int32_t)lround(r[i] / unit);
		assert_within(r[i], points[i] * unit, 1e-9, "r");
		low[i % 3] = points[i] < low[i % 3] ? points[i] : low[i % 3];
		high[i % 3] = points[i] > high[i % 3] ? points[i] : high[i % 3];
	}
	*largest = 0;
	for (int k = 0; k < 3; ++k)
		*largest += (high[k] - low[k]) * (high[k] - low[k]);
	return points;
}

double *lattice_intensity(const sonde_atoms *atoms, double unit, const sonde_debye_result *result)
{
	int64_t count = sonde_atoms_count(atoms), largest;
	int32_t *points = lattice_points(atoms, unit, &largest);
	const uint16_t *species = sonde_atoms_species(atoms);
	int kinds = result->species_count;
	size_t row = (size_t)largest + 1;
	uint64_t *pairs = calloc((size_t)(kinds * kinds) * row, sizeof *pairs);
	double *intensity = calloc((size_t)result->q_count, sizeof *intensity);

	assert_true(pairs != NULL && intensity != NULL);
	for (int64_t i = 0; i < count; ++i) {
		const int32_t *p = points + 3 * i;
		for (int64_t j = i + 1; j < count; ++j) {
			int32_t dx = points[3 * j] - p[0], dy = points[3 * j + 1] - p[1],
				dz = points[3 * j + 2] - p[2];
			++pairs[(size_t)(species[i] * kinds + species[j]) * row +
				(size_t)(dx * dx + dy * dy + dz * dz)];
		}
	}
	for (int64_t k = 0; k < result->q_count; ++k)
		intensity[k] = result->mean_square_amplitude[k];
	for (int p = 0; p < kinds * kinds; ++p) {
		struct scatterer a = scatterer_of(result, sonde_atoms_species_label(atoms, p / kinds));
		struct scatterer b = scatterer_of(result, sonde_atoms_species_label(atoms, p % kinds));
		for (int64_t k = 0; k < result->q_count; ++k) {
			double fa, fb, ga, gb, q = result->q[k];
			long double sum = 0.0L;
			scatterer_amplitude(&a, q, &fa, &ga);
			scatterer_amplitude(&b, q, &fb, &gb);
			for (size_t n = 0; n < row; ++n) {
				double x = q * unit * sqrt((double)n);
				if (pairs[(size_t)p * row + n] != 0)
					sum +=
					    (long double)pairs[(size_t)p * row + n] * (x == 0.0 ? 1.0 : sin(x) / x);
			}
			intensity[k] += 2.0 * (fa * fb + ga * gb) * (double)sum / (double)count;
		}
	}
	free(pairs);
	free(points);
	return intensity;
}

void check_lattice(const char *what, const sonde_atoms *atoms, double unit, int factors, int64_t exact_points)
{
	sonde_debye_result *result =
	    run_simply(atoms, SONDE_DEBYE_METHOD_HISTOGRAM, factors, 0.1, 20.0, is_thorough() ? 996 : 200);
	double *truth = lattice_intensity(atoms, unit, result);
	char line[96];

	snprintf(line, sizeof line, "%s, histogram", what);
	check_intensity(line, result, truth, 1e-6, 1e-6);
	free(truth);
	sonde_debye_result_free(&result);
	if (exact_points == 0)
		return;
	result = run_simply(atoms, SONDE_DEBYE_METHOD_EXACT, factors, 0.1, 20.0, exact_points);
	truth = lattice_intensity(atoms, unit, result);
	snprintf(line, sizeof line, "%s, exact", what);
	check_intensity(line, result, truth, 1e-11, 1e-9);
	free(truth);
	sonde_debye_result_free(&result);
}

#if defined(SONDE_SANITIZED)
/* PoCL, the OpenCL driver for processors, keeps what its compiler made until the process ends. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libpocl\nleak:libLLVM";
}
#endif

sonde_debye_result *run_on_device(const char *devices, const sonde_atoms *atoms, const sonde_debye_options *options)
{
	sonde_context *context;
	sonde_debye_result *result = NULL;

	assert_int_equal(sonde_context_create(&context), SONDE_OK);
	assert_int_equal(sonde_context_set_device(context, devices), SONDE_OK);
	assert_int_equal(sonde_context_set_kernel_cache(context, "off"), SONDE_OK);
	const sonde_status status = sonde_debye_run(context, atoms, options, &result);
	if (status != SONDE_OK && status != SONDE_RESOURCE)
		fail_msg("%s: %s", devices, sonde_status_message());
	sonde_context_free(&context);
	return result;
}

void set_periodic_cell(sonde_atoms *atoms, const double edges[9])
{
	static const int periodic[3] = {1, 1, 1};

	assert_int_equal(sonde_atoms_set_cell(atoms, edges, periodic), SONDE_OK);
}

struct sonde_debye_mean *begin_mean(sonde_context *context, const sonde_debye_options *options, int kind,
				    int64_t samples)
{
	struct sonde_debye_mean *mean;

	if (sonde_debye_mean_begin(context, options, kind, samples, &mean) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	return mean;
}

void add_to_mean(struct sonde_debye_mean *mean, const sonde_atoms *atoms, double weight)
{
	if (sonde_debye_mean_add(mean, atoms, weight) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
}

sonde_debye_result *finish_mean(struct sonde_debye_mean **mean)
{
	sonde_debye_result *result;

	if (sonde_debye_mean_finish(*mean, &result) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	sonde_debye_mean_free(mean);
	assert_null(*mean);
	return result;
}
