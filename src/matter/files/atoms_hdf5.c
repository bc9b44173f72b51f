/* Positions are float64, 24 bytes: rounded to float32, those of a sample of 1000 Angstrom would be off by 6e-5 Angstrom, which
 * changes sin(q r)/(q r) in the fourth digit at q = 20/Angstrom, and a sample that was read back would not be the same. */
#include "matter/files/atoms_hdf5.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "matter/atoms/atoms_copies.h"
#include "matter/atoms/placed_atoms.h"
#include "run/context.h"
#include "run/provenance.h"

#define ENTRY "structure"
#define GROUP "/" ENTRY "/atoms"
#define PROCESS "/" ENTRY "/process"
#define BYTES_OF_ATOM 26
#define BYTES_OF_READING 8 /* more for each atom, at most */
#define LARGEST_COORDINATE 1e7
#define PLACEMENT_NUMBERS 12
#define MOST_COPIES INT64_C(100000000)
#define LEAST_ORTHOGONAL 1e-6 /* of a rotation */

bool atoms_hdf5_has_ending(const char *path)
{
	return file_has_suffix(path, ".h5") || file_has_suffix(path, ".hdf5") || file_has_suffix(path, ".nxs");
}

bool atoms_hdf5_is_structure(struct hdf5_reader *reader)
{
	return hdf5_reader_has(reader, GROUP "/labels");
}

/* Writing ---------------------------------------------------------------------------------- */

static void write_cell(const sonde_atoms *atoms, struct hdf5_writer *writer)
{
	const int64_t sizes[2] = {3, 3},
		      periodic[3] = {sonde_atoms_periodic(atoms, 0), sonde_atoms_periodic(atoms, 1),
				     sonde_atoms_periodic(atoms, 2)};

	hdf5_writer_integers(writer, GROUP "/periodic", periodic, 3);
	hdf5_writer_text_attribute(writer, GROUP "/periodic", "long_name",
				   "whether the sample repeats along a, b, c: 1 yes, 0 no, -1 unknown");
	if (atoms->has_lattice)
		hdf5_writer_reals(writer, GROUP "/cell", atoms->lattice, sizes, 2, "angstrom",
				  "edges a, b, c by rows");
}

static void write_copies(const sonde_atoms *atoms, struct hdf5_writer *writer)
{
	int64_t numbers[2 * ATOMS_MOST_STRUCTURES];

	for (int k = 0; k < atoms->group_count; ++k) {
		numbers[2 * k] = atoms->groups[k].copies;
		numbers[2 * k + 1] = atoms->groups[k].atoms;
	}
	if (atoms->group_count == 0)
		return;
	hdf5_writer_integers(writer, GROUP "/copies", numbers, 2 * (int64_t)atoms->group_count);
	hdf5_writer_text_attribute(
	    writer, GROUP "/copies", "long_name",
	    "of each structure the number of its copies, which follow one another, and the atoms of a copy");
}

/* Of a compact ensemble. */
static void write_placements(const sonde_atoms *atoms, struct hdf5_writer *writer)
{
	const int64_t sizes[2] = {atoms_copy_count(atoms), PLACEMENT_NUMBERS};

	_Static_assert(sizeof *atoms->placements == PLACEMENT_NUMBERS * sizeof(double),
		       "placements are written as they are");
	if (atoms->placements != NULL)
		hdf5_writer_reals(
		    writer, GROUP "/placements", atoms->placements[0].position, sizes, 2, NULL,
		    "of each copy x, y, z in angstrom, and the rows of R: the atoms are those of one copy of "
		    "each structure, and an atom at r is at R r + (x, y, z) in a copy");
}

static void write_arrays(const sonde_atoms *atoms, struct hdf5_writer *writer)
{
	const int64_t count = atoms->count, positions[2] = {count, 3},
		      charges[2] = {sonde_atoms_charge_sets(atoms), count};

	if (count == 0)
		return;
	hdf5_writer_reals(writer, GROUP "/positions", atoms->positions, positions, 2, "angstrom",
			  "x, y, z of each atom");
	hdf5_writer_indices(writer, GROUP "/species", atoms->species_of, count);
	hdf5_writer_text_attribute(writer, GROUP "/species", "long_name", "number of the label of each atom, from 0");
	if (sonde_atoms_occupancies(atoms) != NULL)
		hdf5_writer_reals(writer, GROUP "/occupancies", atoms->occupancies, &count, 1, NULL, "occupancies");
	int each;
	const double *u = sonde_atoms_displacements(atoms, &each);
	const int64_t displacements[2] = {count, each};
	if (u != NULL)
		hdf5_writer_reals(writer, GROUP "/displacements", u, displacements, each > 1 ? 2 : 1, "angstrom^2",
				  each > 1 ? "mean square displacements xx, yy, zz, yz, xz, xy" : "U_iso");
	if (charges[0] > 0)
		hdf5_writer_reals(writer, GROUP "/charges", atoms->charges, charges, 2, "e", "charges, by sets");
}

static void write_process(const struct provenance *provenance, struct hdf5_writer *writer)
{
	hdf5_writer_group(writer, PROCESS, "NXprocess");
	hdf5_writer_text(writer, PROCESS "/program", "sonde");
	hdf5_writer_text(writer, PROCESS "/version", sonde_version());
	hdf5_writer_text(writer, PROCESS "/date", provenance->started);
	hdf5_writer_text(writer, PROCESS "/command", provenance->command);
	hdf5_writer_text(writer, PROCESS "/source", provenance->sample);
	hdf5_writer_text(writer, PROCESS "/sha256", provenance->sha256);
}

static sonde_status write_all(sonde_context *context, const sonde_atoms *atoms, const char *labels,
			      struct hdf5_writer *writer)
{
	struct provenance provenance = {0};
	const sonde_status status = provenance_begin(context, atoms->source.bytes, atoms->sha256, &provenance);

	if (status == SONDE_OK) {
		provenance_write_entry(writer, &provenance, ENTRY, "Atoms", "atoms");
		hdf5_writer_group(writer, GROUP, "NXcollection");
		hdf5_writer_texts(writer, GROUP "/labels", labels,
				  atoms->species_count > 0 ? atoms->species_count : 1, SONDE_LABEL_SIZE);
		write_arrays(atoms, writer);
		write_cell(atoms, writer);
		write_copies(atoms, writer);
		write_placements(atoms, writer);
		write_process(&provenance, writer);
	}
	provenance_free(&provenance);
	return status;
}

static sonde_status open_file(const char *path, bool overwrite, struct file_output *file, struct hdf5_writer **writer)
{
	CHECK(file_output_open(file, path, overwrite));
	sonde_status status = hdf5_writer_create_at(writer, file->temporary);
	if (status != SONDE_OK && file->nameless) {
		CHECK(file_output_give_name(file));
		status = hdf5_writer_create_at(writer, file->temporary);
	}
	return status;
}

static sonde_status close_file(struct file_output *file, struct hdf5_writer **writer, sonde_status status)
{
	if (status != SONDE_OK) {
		hdf5_writer_discard(writer);
		return status;
	}
	errno = 0;
	status = hdf5_writer_close(writer, file->path);
	if (status != SONDE_OK && errno != 0) /* the library reports that writing failed, but not the cause */
		return file_output_fail(file);
	return status == SONDE_OK ? file_output_commit(file) : status;
}

/* The labels one after the other; to be freed. */
static sonde_status copy_labels(const sonde_atoms *atoms, char **labels)
{
	CHECK(memory_allocate(labels, (size_t)atoms->species_count + 1, SONDE_LABEL_SIZE, "the labels"));
	for (int s = 0; s < atoms->species_count; ++s)
		memcpy(*labels + (size_t)s * SONDE_LABEL_SIZE, atoms->species[s].label, SONDE_LABEL_SIZE);
	return SONDE_OK;
}

sonde_status atoms_hdf5_write(sonde_context *context, const sonde_atoms *atoms, const char *path, bool overwrite)
{
	struct file_output file = {0};
	struct hdf5_writer *writer = NULL;
	char *labels;

	if (context_cancelled(context))
		return status_fail(SONDE_CANCELLED, "stopped while writing %s", path);
	CHECK(copy_labels(atoms, &labels));
	sonde_status status = open_file(path, overwrite, &file, &writer);
	if (status == SONDE_OK)
		status = close_file(&file, &writer, write_all(context, atoms, labels, writer));
	file_output_discard(&file);
	free(labels);
	return status;
}

/* Reading ---------------------------------------------------------------------------------- */

static sonde_status read_labels(struct hdf5_reader *reader, const char *path, sonde_atoms *atoms)
{
	char *labels, label[SONDE_LABEL_SIZE + 1];
	int64_t count;
	size_t size;
	sonde_status status = SONDE_OK;

	CHECK(hdf5_reader_texts(reader, GROUP "/labels", &labels, &count, &size));
	for (int64_t s = 0; s < count && status == SONDE_OK; ++s) {
		uint16_t index = 0;
		const size_t length = size < SONDE_LABEL_SIZE ? size : SONDE_LABEL_SIZE;
		memcpy(label, labels + (size_t)s * size, length);
		label[length] = '\0';
		if (label[0] == '\0' && count == 1)
			break; /* no atoms */
		status = atoms_species_index(atoms, label, &index);
		if (status == SONDE_OK && index != s)
			status = status_fail_file(SONDE_INVALID, path, "%s: the label '%s' is given twice",
						  GROUP "/labels", label);
	}
	free(labels);
	return status;
}

static sonde_status check_atoms(const char *path, sonde_atoms *atoms)
{
	for (int64_t i = 0; i < atoms->count; ++i) {
		const double *position = atoms->positions + 3 * i;
		if (atoms->species_of[i] >= atoms->species_count)
			return status_fail_file(SONDE_INVALID, path,
						"atom %lld has species %d, but there are %d labels", (long long)i + 1,
						atoms->species_of[i], atoms->species_count);
		for (int k = 0; k < 3; ++k)
			if (!(fabs(position[k]) <= LARGEST_COORDINATE))
				return status_fail_file(SONDE_INVALID, path,
							"atom %lld: coordinate %g is not within +-%g Angstrom",
							(long long)i + 1, position[k], LARGEST_COORDINATE);
		++atoms->species[atoms->species_of[i]].atoms;
	}
	return SONDE_OK;
}

static sonde_status check_memory(const sonde_context *context, int64_t count)
{
	const double needed = (double)count * (BYTES_OF_ATOM + BYTES_OF_READING);

	if (context == NULL || needed <= (double)context_memory(context))
		return SONDE_OK;
	return status_fail(
	    SONDE_INVALID,
	    "not enough memory for %lld atoms: %.3g GB; allow more by `host_memory`, or use fewer atoms",
	    (long long)count, needed * 1e-9);
}

static sonde_status read_places(sonde_context *context, struct hdf5_reader *reader, const char *path,
				sonde_atoms *atoms)
{
	int64_t sizes[2];
	int rank = 0;

	CHECK(hdf5_reader_sizes(reader, GROUP "/positions", 2, sizes, &rank));
	if (rank != 2 || sizes[1] != 3)
		return status_fail_file(SONDE_INVALID, path, "%s is not an array of x, y, z", GROUP "/positions");
	CHECK(check_memory(context, sizes[0]));
	CHECK(atoms_reserve(atoms, sizes[0]));
	CHECK(hdf5_reader_exact_reals(reader, GROUP "/positions", sizes, 2, atoms->positions));
	CHECK(hdf5_reader_indices(reader, GROUP "/species", sizes[0], atoms->species_of));
	atoms->count = sizes[0];
	return check_atoms(path, atoms);
}

/* Numbers for each atom in one or several sets, to be freed. */
static sonde_status read_values(struct hdf5_reader *reader, const char *path, const char *name,
				const sonde_atoms *atoms, double **values, int64_t *sets)
{
	int64_t count;

	CHECK(hdf5_reader_reals(reader, name, values, &count));
	*sets = count / atoms->count;
	if (count > 0 && count % atoms->count == 0 && *sets <= INT16_MAX)
		return SONDE_OK;
	free(*values);
	*values = NULL;
	return status_fail_file(SONDE_INVALID, path, "%s has %lld numbers for %lld atoms", name, (long long)count,
				(long long)atoms->count);
}

static sonde_status read_charges(struct hdf5_reader *reader, const char *path, sonde_atoms *atoms)
{
	double *charges;
	int64_t sets;
	sonde_status status = SONDE_OK;

	if (!hdf5_reader_has(reader, GROUP "/charges"))
		return SONDE_OK;
	CHECK(read_values(reader, path, GROUP "/charges", atoms, &charges, &sets));
	for (int64_t s = 0; s < sets && status == SONDE_OK; ++s)
		status = sonde_atoms_add_charges(atoms, charges + s * atoms->count);
	free(charges);
	return status;
}

static sonde_status read_occupancies(struct hdf5_reader *reader, const char *path, sonde_atoms *atoms)
{
	double *occupancies;
	int64_t sets;

	if (!hdf5_reader_has(reader, GROUP "/occupancies"))
		return SONDE_OK;
	CHECK(read_values(reader, path, GROUP "/occupancies", atoms, &occupancies, &sets));
	const sonde_status status = sonde_atoms_set_occupancies(atoms, occupancies);
	free(occupancies);
	return status;
}

static sonde_status read_displacements(struct hdf5_reader *reader, const char *path, sonde_atoms *atoms)
{
	double *u;
	int64_t each;

	if (!hdf5_reader_has(reader, GROUP "/displacements"))
		return SONDE_OK;
	CHECK(read_values(reader, path, GROUP "/displacements", atoms, &u, &each));
	const sonde_status status = sonde_atoms_set_displacements(atoms, u, (int)each);
	free(u);
	return status;
}

static sonde_status read_cell(struct hdf5_reader *reader, sonde_atoms *atoms)
{
	const int64_t sizes[2] = {3, 3};
	int64_t periodic[3] = {0};

	if (hdf5_reader_has(reader, GROUP "/periodic"))
		CHECK(hdf5_reader_exact_integers(reader, GROUP "/periodic", 3, periodic));
	if (hdf5_reader_has(reader, GROUP "/cell")) {
		double edges[9];
		CHECK(hdf5_reader_exact_reals(reader, GROUP "/cell", sizes, 2, edges));
		CHECK(sonde_atoms_set_cell(atoms, edges, (int[3]){0, 0, 0}));
	}
	atoms->maybe_periodic = periodic[0] < 0;
	for (int k = 0; k < 3; ++k)
		atoms->periodic[k] = periodic[k] > 0;
	return SONDE_OK;
}

static bool is_rotation(const double r[3][3])
{
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j) {
			const double product = r[i][0] * r[j][0] + r[i][1] * r[j][1] + r[i][2] * r[j][2];
			if (!(fabs(product - (i == j)) <= LEAST_ORTHOGONAL))
				return false;
		}
	return true;
}

static sonde_status check_placements(const char *path, const struct placement *placements, int64_t count)
{
	for (int64_t n = 0; n < count; ++n) {
		for (int k = 0; k < 3; ++k)
			if (!(fabs(placements[n].position[k]) <= LARGEST_COORDINATE))
				return status_fail_file(
				    SONDE_INVALID, path, "copy %lld: coordinate %g is not within +-%g Angstrom",
				    (long long)n + 1, placements[n].position[k], LARGEST_COORDINATE);
		if (!is_rotation(placements[n].rotation))
			return status_fail_file(SONDE_INVALID, path, "copy %lld: its matrix is not a rotation",
						(long long)n + 1);
	}
	return SONDE_OK;
}

/* The placements of a compact ensemble, of this many copies. */
static sonde_status read_placements(const sonde_context *context, struct hdf5_reader *reader, const char *path,
				    int64_t copies, struct placement **placements)
{
	int64_t sizes[2];
	int rank = 0;

	CHECK(hdf5_reader_sizes(reader, GROUP "/placements", 2, sizes, &rank));
	if (rank != 2 || sizes[1] != PLACEMENT_NUMBERS || sizes[0] != copies || copies < 1)
		return status_fail_file(SONDE_INVALID, path,
					"%s is not an array of %d numbers for each of %lld copies",
					GROUP "/placements", PLACEMENT_NUMBERS, (long long)copies);
	if (context != NULL && (double)copies * sizeof **placements > (double)context_memory(context))
		return status_fail(SONDE_INVALID, "not enough memory for %lld copies: %.3g GB", (long long)copies,
				   1e-9 * (double)copies * sizeof **placements);
	CHECK(memory_allocate(placements, (size_t)copies, sizeof **placements, "the places of the copies"));
	CHECK(hdf5_reader_exact_reals(reader, GROUP "/placements", sizes, 2, (*placements)[0].position));
	return check_placements(path, *placements, copies);
}

static sonde_status set_copies(const sonde_context *context, struct hdf5_reader *reader, const char *path,
			       const struct copy_group *groups, int count, sonde_atoms *atoms)
{
	struct placement *placements = NULL;
	int64_t copies = 0;

	if (!hdf5_reader_has(reader, GROUP "/placements"))
		return atoms_set_copies(atoms, groups, count);
	for (int k = 0; k < count; ++k)
		copies += groups[k].copies > 0 && groups[k].copies < MOST_COPIES ? groups[k].copies : MOST_COPIES;
	const sonde_status status = read_placements(context, reader, path, copies, &placements);
	if (status == SONDE_OK)
		return atoms_set_placements(atoms, groups, count, placements);
	free(placements);
	return status;
}

static sonde_status read_copies(const sonde_context *context, struct hdf5_reader *reader, const char *path,
				sonde_atoms *atoms)
{
	struct copy_group groups[ATOMS_MOST_STRUCTURES];
	int64_t *numbers, count;

	if (!hdf5_reader_has(reader, GROUP "/copies"))
		return !hdf5_reader_has(reader, GROUP "/placements")
			   ? SONDE_OK
			   : status_fail_file(SONDE_INVALID, path, "has placements, but no %s", GROUP "/copies");
	CHECK(hdf5_reader_integers(reader, GROUP "/copies", &numbers, &count));
	for (int64_t k = 0; k < count / 2 && k < ATOMS_MOST_STRUCTURES; ++k)
		groups[k] = (struct copy_group){numbers[2 * k], numbers[2 * k + 1]};
	free(numbers);
	const sonde_status status = count % 2 == 0 && count <= 2 * ATOMS_MOST_STRUCTURES
					? set_copies(context, reader, path, groups, (int)(count / 2), atoms)
					: status_fail(SONDE_INVALID, "is not a list of pairs");
	return status == SONDE_INVALID && strstr(status_message(), path) == NULL
		   ? status_prefix(status, "%s: %s", path, GROUP "/copies")
		   : status;
}

static sonde_status read_all(sonde_context *context, struct hdf5_reader *reader, const char *path, sonde_atoms *atoms)
{
	if (!atoms_hdf5_is_structure(reader))
		return status_fail_file(SONDE_INVALID, path,
					"contains no atoms: a sample has them in the group " GROUP
					", as 'sonde build' writes");
	CHECK(read_labels(reader, path, atoms));
	if (hdf5_reader_has(reader, GROUP "/positions")) {
		CHECK(read_places(context, reader, path, atoms));
		CHECK(read_charges(reader, path, atoms));
		CHECK(read_occupancies(reader, path, atoms));
		CHECK(read_copies(context, reader, path, atoms));
		CHECK(read_displacements(reader, path, atoms));
	}
	return read_cell(reader, atoms);
}

sonde_status atoms_hdf5_read(sonde_context *context, const char *path, sonde_atoms *atoms)
{
	struct hdf5_reader *reader;

	CHECK(hdf5_reader_open(&reader, path));
	const sonde_status status = read_all(context, reader, path, atoms);
	hdf5_reader_close(&reader);
	return status;
}
