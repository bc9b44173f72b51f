#include "matter/ensemble.h"

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/threads.h"
#include "io/lines.h"
#include "io/words.h"
#include "matter/atoms.h"
#include "matter/keyed_random.h"
#include "run/context.h"

#define MOST_COLUMNS 8
#define LARGEST_PLACE 1e7 /* Angstrom */
#define MOST_ATOMS 4e9

void ensemble_free(struct ensemble *ensemble)
{
	free(ensemble->placements);
	*ensemble = (struct ensemble){0};
}

/* Rotations --------------------------------------------------------------------------------- */

static void multiply(const double a[3][3], const double b[3][3], double product[3][3])
{
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			product[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
}

static void rotation_about_z(double degrees, double rotation[3][3])
{
	const double c = cos(degrees * (PI / 180.0)), s = sin(degrees * (PI / 180.0));
	const double matrix[3][3] = {{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}};

	memcpy(rotation, matrix, sizeof matrix);
}

void rotation_of_euler_angles(const double degrees[3], double rotation[3][3])
{
	const double c = cos(degrees[1] * (PI / 180.0)), s = sin(degrees[1] * (PI / 180.0));
	const double about_x[3][3] = {{1.0, 0.0, 0.0}, {0.0, c, -s}, {0.0, s, c}};
	double first[3][3], last[3][3], both[3][3];

	rotation_about_z(degrees[2], first);
	rotation_about_z(degrees[0], last);
	multiply(about_x, (const double(*)[3])first, both);
	multiply((const double(*)[3])last, (const double(*)[3])both, rotation);
}

sonde_status rotation_of_quaternion(const double quaternion[4], double rotation[3][3])
{
	double norm = 0.0, largest = 0.0, q[4];

	for (int k = 0; k < 4; ++k)
		largest = fmax(largest, fabs(quaternion[k]));
	for (int k = 0; k < 4; ++k) {
		q[k] = quaternion[k] / largest;
		norm += q[k] * q[k];
	}
	/* neither 0 nor infinite, and no NaN among them */
	if (!(norm >= 1.0))
		return status_fail(SONDE_INVALID,
				   "the quaternion %g %g %g %g has no direction: its length must be above 0",
				   quaternion[0], quaternion[1], quaternion[2], quaternion[3]);
	for (int k = 0; k < 4; ++k)
		q[k] /= sqrt(norm);
	const double w = q[0], x = q[1], y = q[2], z = q[3];
	const double matrix[3][3] = {{1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)},
				     {2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)},
				     {2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)}};
	memcpy(rotation, matrix, sizeof matrix);
	return SONDE_OK;
}

static const double unturned[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

/* Three numbers in (0, 1). */
static void draw(uint64_t seed, enum random_purpose purpose, int64_t copy, uint32_t trial, double numbers[3])
{
	const struct random_key key = {(int64_t)seed, (uint32_t)purpose};
	double last[2];

	keyed_uniforms(key, copy, 2 * trial, numbers);
	keyed_uniforms(key, copy, 2 * trial + 1, last);
	numbers[2] = last[0];
}

/* Shoemake's uniform quaternions (Graphics Gems III, 1992, p. 124). */
void ensemble_turn(uint64_t seed, struct ensemble *ensemble)
{
	for (int64_t n = 0; n < ensemble->count; ++n) {
		double u[3];
		draw(seed, RANDOM_ORIENTATION, n, 0, u);
		const double a = sqrt(1.0 - u[0]), b = sqrt(u[0]);
		const double quaternion[4] = {b * cos(2.0 * PI * u[2]), a * sin(2.0 * PI * u[1]),
					      a * cos(2.0 * PI * u[1]), b * sin(2.0 * PI * u[2])};
		(void)rotation_of_quaternion(quaternion, ensemble->placements[n].rotation);
	}
}

/* Places ------------------------------------------------------------------------------------ */

static sonde_status begin(int64_t count, struct ensemble *ensemble)
{
	*ensemble = (struct ensemble){0};
	if (count < 1 || count > ENSEMBLE_MOST_COPIES)
		return status_fail(SONDE_INVALID, "%lld copies: must be 1 to %lld", (long long)count,
				   (long long)ENSEMBLE_MOST_COPIES);
	CHECK(memory_allocate(&ensemble->placements, (size_t)count, sizeof *ensemble->placements,
			      "the places of the copies"));
	ensemble->count = count;
	for (int64_t n = 0; n < count; ++n)
		memcpy(ensemble->placements[n].rotation, unturned, sizeof unturned);
	return SONDE_OK;
}

/* Position, and Euler angles or quaternion, if the line has them. */
static sonde_status read_placement(const struct line_reader *reader, const struct word *words, int columns,
				   struct placement *placement)
{
	static const char *const names[2][7] = {{"x", "y", "z", "phi", "theta", "psi"},
						{"x", "y", "z", "w", "x", "y", "z"}};
	double numbers[7] = {0.0};

	for (int k = 0; k < columns; ++k) {
		CHECK(word_real(reader, &words[k], names[columns == 7][k], &numbers[k]));
		if (k < 3 && !(fabs(numbers[k]) <= LARGEST_PLACE))
			return line_fail(reader, "%s = %g is not within +-%g Angstrom", names[0][k], numbers[k],
					 LARGEST_PLACE);
		if (k >= 3 && !isfinite(numbers[k]))
			return line_fail(reader, "%s = %g is not a number", names[columns == 7][k], numbers[k]);
	}
	memcpy(placement->position, numbers, sizeof placement->position);
	memcpy(placement->rotation, unturned, sizeof unturned);
	if (columns == 6)
		rotation_of_euler_angles(numbers + 3, placement->rotation);
	if (columns == 7 && rotation_of_quaternion(numbers + 3, placement->rotation) != SONDE_OK)
		return line_fail(reader, "the quaternion has no direction: its length must be above 0");
	return SONDE_OK;
}

static sonde_status read_line(const struct line_reader *reader, const char *line, int *columns, size_t *capacity,
			      struct ensemble *ensemble)
{
	struct word words[MOST_COLUMNS];
	const int count = words_split(line, words, MOST_COLUMNS);

	if (count == 0 || *words[0].start == '#')
		return SONDE_OK;
	if (count != 3 && count != 6 && count != 7)
		return line_fail(
		    reader,
		    "%d columns; a place has x y z, or x y z phi theta psi (Euler angles), or x y z w x y z "
		    "(a quaternion)",
		    count);
	if (*columns != 0 && count != *columns)
		return line_fail(reader, "%d columns, but %d before; all places must have the same", count, *columns);
	*columns = count;
	if (ensemble->count == ENSEMBLE_MOST_COPIES)
		return line_fail(reader, "more than %lld places", (long long)ENSEMBLE_MOST_COPIES);
	CHECK(memory_grow(&ensemble->placements, capacity, (size_t)ensemble->count + 1, sizeof *ensemble->placements,
			  "the places of the copies"));
	CHECK(read_placement(reader, words, count, &ensemble->placements[ensemble->count]));
	++ensemble->count;
	return SONDE_OK;
}

sonde_status ensemble_read(sonde_context *context, const char *path, struct ensemble *ensemble)
{
	struct line_reader *reader;
	size_t capacity = 0;
	int columns = 0;
	sonde_status status;
	char *line;

	*ensemble = (struct ensemble){0};
	CHECK(line_reader_open(&reader, path));
	for (;;) {
		CHECK_GOTO(status, line_reader_next(reader, &line), done);
		if (line == NULL)
			break;
		CHECK_GOTO(status, read_line(reader, line, &columns, &capacity, ensemble), done);
		if (ensemble->count % 65536 == 65535 && context_cancelled(context)) {
			status = status_fail(SONDE_CANCELLED, "stopped on request while reading %s", path);
			goto done;
		}
	}
	if (ensemble->count == 0)
		status = status_fail_file(SONDE_INVALID, path, "no place of a copy: lines of x y z are expected");
done:
	line_reader_close(&reader);
	if (status != SONDE_OK)
		ensemble_free(ensemble);
	return status;
}

sonde_status ensemble_grid(int64_t count, double spacing, struct ensemble *ensemble)
{
	int64_t rows = 1;

	CHECK(begin(count, ensemble));
	while (rows * rows * rows < count)
		++rows;
	for (int64_t n = 0; n < count; ++n) {
		const int64_t place[3] = {n / (rows * rows), n / rows % rows, n % rows};
		for (int k = 0; k < 3; ++k)
			ensemble->placements[n].position[k] = spacing * ((double)place[k] - 0.5 * (double)(rows - 1));
	}
	for (int k = 0; k < 3; ++k)
		ensemble->edges[k] = spacing * (double)rows;
	return SONDE_OK;
}

/* Random places: cells as wide as a sphere, so that neighbors are in the 27 around ----------- */

struct cells {
	int64_t rows;
	double width, reach;   /* of a cell; the centers are within +-reach */
	int64_t *first, *next; /* first copy of a cell and next one in it, plus 1; 0: none */
};

static int64_t row_of(const struct cells *cells, double x)
{
	const int64_t row = (int64_t)((x + cells->reach) / cells->width);

	return row < 0 ? 0 : row >= cells->rows ? cells->rows - 1 : row;
}

/* Whether another center is closer than a diameter. */
static bool is_taken(const struct cells *cells, const struct ensemble *ensemble, const double place[3],
		     double diameter)
{
	int64_t low[3], high[3];

	for (int k = 0; k < 3; ++k) {
		const int64_t row = row_of(cells, place[k]);
		low[k] = row > 0 ? row - 1 : 0;
		high[k] = row < cells->rows - 1 ? row + 1 : row;
	}
	for (int64_t i = low[0]; i <= high[0]; ++i)
		for (int64_t j = low[1]; j <= high[1]; ++j)
			for (int64_t k = low[2]; k <= high[2]; ++k)
				for (int64_t n = cells->first[(i * cells->rows + j) * cells->rows + k]; n > 0;
				     n = cells->next[n - 1]) {
					const double *other = ensemble->placements[n - 1].position;
					const double d[3] = {place[0] - other[0], place[1] - other[1],
							     place[2] - other[2]};
					if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < diameter * diameter)
						return true;
				}
	return false;
}

static void add_to_cell(struct cells *cells, const double place[3], int64_t n)
{
	int64_t *first =
	    &cells->first[(row_of(cells, place[0]) * cells->rows + row_of(cells, place[1])) * cells->rows +
			  row_of(cells, place[2])];

	cells->next[n] = *first;
	*first = n + 1;
}

/* The first of the trials at a free place. */
static sonde_status find_place(const struct cells *cells, uint64_t seed, int64_t n, double radius, double density,
			       struct ensemble *ensemble)
{
	double *place = ensemble->placements[n].position, u[3];

	for (uint32_t trial = 0; trial < ENSEMBLE_TRIES; ++trial) {
		draw(seed, RANDOM_PLACE, n, trial, u);
		for (int k = 0; k < 3; ++k)
			place[k] = cells->reach * (2.0 * u[k] - 1.0);
		if (!is_taken(cells, ensemble, place, 2.0 * radius))
			return SONDE_OK;
	}
	return status_fail(
	    SONDE_INVALID,
	    "no room for copy %lld of %lld: after %d tries the copies' spheres of radius %g Angstrom fill "
	    "%.3g of the box instead of %.3g; a lower density is needed",
	    (long long)n + 1, (long long)ensemble->count, ENSEMBLE_TRIES, radius,
	    density * (double)n / (double)ensemble->count, density);
}

static sonde_status make_cells(int64_t count, double reach, double diameter, struct cells *cells)
{
	const double most = cbrt(4.0 * (double)count) + 1.0; /* no more cells than a few for each copy */

	*cells = (struct cells){.reach = reach};
	cells->rows = (int64_t)fmax(1.0, fmin(most, floor(2.0 * reach / diameter)));
	cells->width = 2.0 * reach / (double)cells->rows;
	CHECK(memory_allocate(&cells->first, (size_t)(cells->rows * cells->rows * cells->rows), sizeof *cells->first,
			      "the cells of the copies"));
	return memory_allocate(&cells->next, (size_t)count, sizeof *cells->next, "the cells of the copies");
}

static sonde_status fill_box(sonde_context *context, double radius, double density, uint64_t seed,
			     struct cells *cells, struct ensemble *ensemble)
{
	struct stage stage;

	stage_begin(&stage, context, "places", "copies", (double)ensemble->count);
	for (int64_t n = 0; n < ensemble->count; ++n) {
		CHECK(find_place(cells, seed, n, radius, density, ensemble));
		add_to_cell(cells, ensemble->placements[n].position, n);
		if (n % 1024 == 1023 || n + 1 == ensemble->count)
			CHECK(stage_advance(&stage, (double)(n + 1)));
	}
	return SONDE_OK;
}

sonde_status ensemble_random(sonde_context *context, int64_t count, double radius, double density, uint64_t seed,
			     struct ensemble *ensemble)
{
	const double edge = cbrt((double)count * 4.0 / 3.0 * PI / density) * radius;
	struct cells cells = {0};

	*ensemble = (struct ensemble){0};
	if (!(radius > 0.0 && density > 0.0 && density < 1.0))
		return status_fail(
		    SONDE_INVALID,
		    "spheres of radius %g that fill %g of a box: the radius must be above 0, the density "
		    "between 0 and 1",
		    radius, density);
	if (!(edge <= LARGEST_PLACE))
		return status_fail(SONDE_INVALID, "the box of the copies would be %g Angstrom wide; at most %g", edge,
				   LARGEST_PLACE);
	if (edge < 2.0 * radius)
		return status_fail(
		    SONDE_INVALID,
		    "a box of %g Angstrom, as this density requires, has no room for a sphere of radius %g; "
		    "a lower density is needed",
		    edge, radius);
	CHECK(begin(count, ensemble));
	for (int k = 0; k < 3; ++k)
		ensemble->edges[k] = edge;
	sonde_status status = make_cells(count, fmax(0.5 * edge - radius, 1e-9 * radius), 2.0 * radius, &cells);
	if (status == SONDE_OK)
		status = fill_box(context, radius, density, seed, &cells, ensemble);
	free(cells.first);
	free(cells.next);
	if (status != SONDE_OK)
		ensemble_free(ensemble);
	return status;
}

/* Copies ------------------------------------------------------------------------------------ */

double ensemble_radius(const sonde_atoms *structure)
{
	double largest = 0.0;

	for (int64_t i = 0; i < structure->count; ++i) {
		const double *r = structure->positions + 3 * i;
		largest = fmax(largest, r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
	}
	return sqrt(largest);
}

struct copying {
	const sonde_atoms *structure;
	const struct ensemble *ensemble;
	sonde_atoms *atoms;
	atomic_bool beyond; /* set: an atom is beyond the limits of coordinates */
};

static void place_copies(void *state, int64_t first, int64_t end, int worker)
{
	struct copying *copying = state;
	const sonde_atoms *structure = copying->structure;
	bool beyond = false;
	(void)worker;

	for (int64_t n = first; n < end; ++n) {
		const struct placement *placement = &copying->ensemble->placements[n];
		const int64_t begins = n * structure->count;
		memcpy(copying->atoms->species_of + begins, structure->species_of,
		       (size_t)structure->count * sizeof *structure->species_of);
		for (int64_t i = 0; i < structure->count; ++i) {
			const double *r = structure->positions + 3 * i;
			for (int k = 0; k < 3; ++k) {
				const double *row = placement->rotation[k];
				const double x =
				    placement->position[k] + (row[0] * r[0] + row[1] * r[1] + row[2] * r[2]);
				copying->atoms->positions[3 * (begins + i) + k] = x;
				beyond = beyond || !(fabs(x) <= LARGEST_PLACE);
			}
		}
	}
	if (beyond)
		atomic_store(&copying->beyond, true);
}

/* Repeats numbers of the structure's atoms for each copy. */
static sonde_status repeat(const double *numbers, int64_t count, int64_t copies, const char *what, double **repeated)
{
	*repeated = NULL;
	if (numbers == NULL)
		return SONDE_OK;
	CHECK(memory_allocate(repeated, (size_t)(count * copies), sizeof **repeated, what));
	for (int64_t n = 0; n < copies; ++n)
		memcpy(*repeated + n * count, numbers, (size_t)count * sizeof *numbers);
	return SONDE_OK;
}

/* Displacements turn with their copies. */
static sonde_status repeat_displacements(const sonde_atoms *structure, const struct ensemble *ensemble,
					 sonde_atoms *atoms)
{
	int each;
	const double *u = sonde_atoms_displacements(structure, &each);
	double *turned;

	if (u == NULL)
		return SONDE_OK;
	CHECK(memory_allocate(&turned, (size_t)atoms->count * (size_t)each, sizeof *turned, "the displacements"));
	for (int64_t n = 0; n < atoms->count; ++n) {
		const double *from = u + n % structure->count * each;
		if (each == 1)
			turned[n] = from[0];
		else
			displacement_rotate((const double(*)[3])ensemble->placements[n / structure->count].rotation,
					    from, turned + n * each);
	}
	const sonde_status status = sonde_atoms_set_displacements(atoms, turned, each);
	free(turned);
	return status;
}

static sonde_status repeat_numbers(const sonde_atoms *structure, const struct ensemble *ensemble, sonde_atoms *atoms)
{
	const int64_t copies = ensemble->count;
	double *numbers;
	sonde_status status;

	CHECK(repeat_displacements(structure, ensemble, atoms));
	CHECK(repeat(sonde_atoms_occupancies(structure), structure->count, copies, "the occupancies", &numbers));
	status = numbers != NULL ? sonde_atoms_set_occupancies(atoms, numbers) : SONDE_OK;
	free(numbers);
	for (int s = 0; status == SONDE_OK && s < sonde_atoms_charge_sets(structure); ++s) {
		CHECK(repeat(sonde_atoms_charges(structure) + s * structure->count, structure->count, copies,
			     "the charges", &numbers));
		status = s == 0 ? sonde_atoms_set_charges(atoms, numbers) : sonde_atoms_add_charges(atoms, numbers);
		free(numbers);
	}
	return status;
}

static sonde_status make_copies(sonde_context *context, const sonde_atoms *structure, const struct ensemble *ensemble,
				sonde_atoms *atoms)
{
	const int64_t count = structure->count * ensemble->count;
	struct copying copying = {.structure = structure, .ensemble = ensemble, .atoms = atoms};
	uint16_t index;

	CHECK(atoms_reserve(atoms, count));
	for (int s = 0; s < structure->species_count; ++s) {
		CHECK(atoms_species_index(atoms, structure->species[s].label, &index));
		atoms->species[index].atoms = structure->species[s].atoms * ensemble->count;
	}
	atoms->count = count;
	threads_for(context_threads(context), ensemble->count,
		    threads_grain(context_threads(context), ensemble->count), place_copies, &copying);
	for (int64_t i = 0; atomic_load(&copying.beyond) && i < 3 * count; ++i)
		if (!(fabs(atoms->positions[i]) <= LARGEST_PLACE))
			return status_fail(SONDE_INVALID, "atom %lld of copy %lld is not within +-%g Angstrom",
					   (long long)(i / 3 % structure->count) + 1,
					   (long long)(i / 3 / structure->count) + 1, LARGEST_PLACE);
	atoms->copies = ensemble->count;
	return repeat_numbers(structure, ensemble, atoms);
}

sonde_status ensemble_place(sonde_context *context, const sonde_atoms *structure, const struct ensemble *ensemble,
			    sonde_atoms **result)
{
	const double count = (double)structure->count * (double)ensemble->count;
	sonde_atoms *atoms;

	*result = NULL;
	if (count > MOST_ATOMS)
		return status_fail(SONDE_INVALID, "%lld copies of %lld atoms are %.2g atoms; the limit is %.0g",
				   (long long)ensemble->count, (long long)structure->count, count, MOST_ATOMS);
	if (count * 26.0 > (double)context_memory(context))
		return status_fail(SONDE_INVALID,
				   "not enough memory: %.2g atoms need %.1f GB and %.1f GB are allowed", count,
				   26e-9 * count, 1e-9 * (double)context_memory(context));
	CHECK(sonde_atoms_create(&atoms));
	const sonde_status status = make_copies(context, structure, ensemble, atoms);
	if (status != SONDE_OK)
		sonde_atoms_free(&atoms);
	else
		*result = atoms;
	return status;
}

/* Options of build ---------------------------------------------------------------------------- */

static sonde_status check_build(const sonde_build_options *options)
{
	const bool from_file = options->copy_file[0] != '\0', spaced = options->copy_spacing != 0.0,
		   dense = options->copy_density != 0.0;

	if (from_file && (options->copies != 0 || spaced || dense))
		return status_fail_option(SONDE_INVALID,
					  options->copies != 0 ? "copies"
					  : spaced             ? "copy_spacing"
							       : "copy_density",
					  "not with `copy_file`, which contains all places");
	if (from_file)
		return SONDE_OK;
	if (options->copies == 0)
		return spaced || dense || options->copy_orientations != SONDE_BUILD_COPY_ORIENTATIONS_FIXED
			   ? status_fail_option(SONDE_INVALID, "copies",
						"not given; an ensemble needs the number of copies, or `copy_file`")
			   : SONDE_OK;
	if (spaced == dense)
		return status_fail_option(
		    SONDE_INVALID, "copies",
		    "an ensemble needs `copy_spacing`, for a grid, or `copy_density`, for random places%s",
		    spaced ? ", but not both" : "");
	return SONDE_OK;
}

static sonde_status make_ensemble(sonde_context *context, const sonde_build_options *options,
				  const sonde_atoms *structure, struct ensemble *ensemble)
{
	if (options->copy_file[0] != '\0')
		CHECK(ensemble_read(context, options->copy_file, ensemble));
	else if (options->copy_spacing != 0.0)
		CHECK(ensemble_grid(options->copies, options->copy_spacing, ensemble));
	else
		CHECK(ensemble_random(context, options->copies,
				      ensemble_radius(structure) + 0.5 * ENSEMBLE_SPHERE_MARGIN,
				      options->copy_density, (uint64_t)options->seed, ensemble));
	if (options->copy_orientations == SONDE_BUILD_COPY_ORIENTATIONS_RANDOM)
		ensemble_turn((uint64_t)options->seed, ensemble);
	return SONDE_OK;
}

sonde_status ensemble_build(sonde_context *context, const sonde_build_options *options, const sonde_atoms *structure,
			    sonde_atoms **atoms)
{
	struct ensemble ensemble = {0};
	sonde_status status;

	*atoms = NULL;
	CHECK(check_build(options));
	if (options->copies == 0 && options->copy_file[0] == '\0')
		return SONDE_OK;
	status = make_ensemble(context, options, structure, &ensemble);
	if (status == SONDE_OK)
		status = ensemble_place(context, structure, &ensemble, atoms);
	ensemble_free(&ensemble);
	return status;
}
