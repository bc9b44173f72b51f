/* sonde info */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/file_names.h"
#include "base/status.h"
#include "base/text.h"
#include "cli/figure/figure.h"
#include "cli/plot/structure.h"
#include "cli/program/arguments.h"
#include "cli/program/help.h"
#include "cli/info/campaign.h"
#include "cli/info/library.h"
#include "cli/info/match.h"
#include "cli/info/refine.h"
#include "cli/info/structure.h"
#include "cli/info/table.h"
#include "cli/info/volume.h"
#include "job/engines.h"
#include "cli/program/program.h"
#include "cli/program/spelling.h"
#include "cli/program/standard_streams.h"
#include "io/containers/hdf5.h"
#include "matter/atoms/placed_atoms.h"
#include "matter/files/compact_file.h"
#include "matter/atoms/atoms.h"
#include "matter/files/atoms_hdf5.h"
#include "matter/files/structure_files.h"
#include "matter/sample/describe.h"
#include "run/engine_calls.h"
#include "run/report.h"
#include "run/result_file.h"

static bool is_hdf5(const char *path)
{
	static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
	unsigned char start[8] = {0};
	FILE *file;

	file = fopen(path, "rbe");
	bool same = file != NULL && fread(start, 1, 8, file) == 8 && memcmp(start, signature, 8) == 0;
	if (file != NULL)
		fclose(file);
	return same;
}

/* The engine whose group a result file contains. */
static const struct engine *find_engine(struct hdf5_reader *reader)
{
	char path[128];

	for (int k = 0; engine_at(k) != NULL; ++k) {
		snprintf(path, sizeof path, "/%.64s/process/version", engine_at(k)->name);
		if (engine_has_files(engine_at(k)) && hdf5_reader_has(reader, path))
			return engine_at(k);
	}
	return NULL;
}

#define LARGEST_CHECKED ((uint64_t)1 << 30) /* bytes of a dataset: larger ones take seconds */

static sonde_status describe_engine(const struct engine *engine, struct hdf5_reader *reader, struct report *report)
{
	char path[128];

	report_text(report, "engine", engine->name);
	result_file_origin(reader, report, engine->name);
	CHECK(engine_describe(engine, reader, report));
	snprintf(path, sizeof path, "/%.64s/process/definitions", engine->name);
	result_file_text(reader, report, "definitions", path);
	return hdf5_reader_has_read(reader); /* optional parts are absent */
}

/* A checkpoint, the table of a campaign, or a volume of `sonde convert`. */
static sonde_status describe_other(struct hdf5_reader *reader, const char *path, struct report *report)
{
	for (int k = 0; engine_at(k) != NULL; ++k)
		if (engine_at(k)->is_checkpoint != NULL && engine_at(k)->is_checkpoint(reader))
			return engine_at(k)->describe_checkpoint(reader, path, report);
	if (info_is_campaign(reader))
		return info_describe_campaign(reader, report);
	if (info_is_library(reader))
		return info_describe_library(path, report);
	if (info_is_match(reader))
		return info_describe_match(reader, report);
	if (info_is_refine(reader))
		return info_describe_refine(reader, report);
	if (hdf5_reader_has(reader, "/volume/data/steps"))
		return info_describe_volume(path, report);
	return status_fail_file(SONDE_INVALID, path, "an HDF5 file, but not a result of sonde");
}

static sonde_status describe_hdf5(const char *path, struct report *report)
{
	struct hdf5_reader *reader;
	int64_t left_out;

	CHECK(hdf5_reader_open(&reader, path));
	/* before anything is printed: unreadable parts would otherwise look like absent ones */
	const sonde_status sound = hdf5_reader_check(reader, LARGEST_CHECKED, &left_out);
	if (sound != SONDE_OK) {
		hdf5_reader_close(&reader);
		return sound;
	}
	if (left_out > 0)
		report_line(report, "checksums", "not compared for datasets of more than 1 GiB");
	report_boolean(report, "all_checksums_compared", left_out == 0);
	const struct engine *engine = find_engine(reader);
	const sonde_status status =
	    engine != NULL ? describe_engine(engine, reader, report) : describe_other(reader, path, report);
	hdf5_reader_close(&reader);
	return status;
}

static void report_extent(const sonde_atoms *atoms, struct report *report)
{
	const double *positions = sonde_atoms_positions(atoms);

	for (int k = 0; k < 3; ++k) {
		double low = INFINITY, high = -INFINITY;
		for (int64_t i = 0; i < sonde_atoms_count(atoms); ++i) {
			const double x = positions[3 * i + k];
			low = x < low ? x : low;
			high = x > high ? x : high;
		}
		const char *name = k == 0 ? "x" : k == 1 ? "y" : "z";
		report_line(report, name, "%g to %g Angstrom", low, high);
		report_open_object(report, name);
		report_number(report, "first", low);
		report_number(report, "last", high);
		report_text(report, "unit", "angstrom");
		report_close(report);
	}
}

static void report_occupancies(const sonde_atoms *atoms, struct report *report)
{
	const double *occupancies = sonde_atoms_occupancies(atoms);
	int64_t partial = 0;
	double present = 0.0;

	for (int64_t i = 0; occupancies != NULL && i < sonde_atoms_count(atoms); ++i) {
		partial += occupancies[i] < 1.0;
		present += occupancies[i];
	}
	if (occupancies == NULL)
		return;
	report_line(report, "occupancies", "below 1 at %lld sites, %.10g atoms on average", (long long)partial,
		    present);
	report_integer(report, "partial_sites", partial);
	report_number(report, "mean_atoms", present);
}

static void report_cell(const sonde_atoms *atoms, struct report *report)
{
	static const char *const words[] = {"not known", "no", "yes"};
	const double *cell = sonde_atoms_cell(atoms);

	for (int k = 0; k < 3 && cell != NULL; ++k)
		report_line(report, k == 0 ? "cell" : "", "%g %g %g Angstrom%s", cell[3 * k], cell[3 * k + 1],
			    cell[3 * k + 2], k == 2 ? "" : ",");
	if (cell != NULL) {
		report_open_list(report, "cell_angstrom");
		for (int k = 0; k < 3; ++k)
			report_numbers(report, NULL, cell + 3 * k, 3);
		report_close(report);
	}
	report_open_list(report, "periodic");
	for (int k = 0; k < 3; ++k)
		report_text(report, NULL, words[1 + sonde_atoms_periodic(atoms, k)]);
	report_close(report);
	if (cell != NULL || sonde_atoms_periodic(atoms, 0) != 0 || sonde_atoms_periodic(atoms, 1) != 0 ||
	    sonde_atoms_periodic(atoms, 2) != 0)
		report_line(report, "periodic", "%s, %s, %s", words[1 + sonde_atoms_periodic(atoms, 0)],
			    words[1 + sonde_atoms_periodic(atoms, 1)], words[1 + sonde_atoms_periodic(atoms, 2)]);
}

static void report_copies(const sonde_atoms *atoms, struct report *report)
{
	report_open_list(report, "copies");
	for (int k = 0; k < atoms->group_count; ++k) {
		report_line(report, k == 0 ? "copies" : "", "%lld of %lld atoms", (long long)atoms->groups[k].copies,
			    (long long)atoms->groups[k].atoms);
		report_open_object(report, NULL);
		report_integer(report, "copies", atoms->groups[k].copies);
		report_integer(report, "atoms", atoms->groups[k].atoms);
		report_close(report);
	}
	report_close(report);
}

static sonde_status draw_sample(sonde_context *context, const sonde_atoms *atoms,
				const sonde_program_options *program, struct report *report)
{
	int64_t stride;

	if (program->plot[0] == '\0')
		return SONDE_OK;
	CHECK(plot_structure(context, atoms, program, &stride));
	report_line(report, "picture", "%s", program->plot);
	if (stride > 1)
		report_note(report, "the picture has one of every %lld atoms", (long long)stride);
	return SONDE_OK;
}

static sonde_status describe_sample(sonde_context *context, const char *path, const sonde_program_options *program,
				    struct report *report)
{
	sonde_atoms *atoms;

	CHECK(atoms_read_compact(context, path, program->frame, &atoms));
	const int64_t stored = atoms->placements != NULL ? sonde_atoms_count(atoms) : 0;
	const sonde_status expanded = atoms_expand(context, &atoms);
	if (expanded != SONDE_OK) {
		sonde_atoms_free(&atoms);
		return expanded;
	}
	report_text(report, "what", "sample");
	report_line(report, "sample", "%s", file_names_get(path));
	report_line(report, "atoms", "%lld", (long long)sonde_atoms_count(atoms));
	report_integer(report, "atoms", sonde_atoms_count(atoms));
	report_open_object(report, "species");
	for (int s = 0; s < sonde_atoms_species_count(atoms); ++s) {
		report_line(report, s == 0 ? "species" : "", "%lld %s",
			    (long long)sonde_atoms_species_atoms(atoms, s), sonde_atoms_species_label(atoms, s));
		report_integer(report, sonde_atoms_species_label(atoms, s), sonde_atoms_species_atoms(atoms, s));
	}
	report_close(report);
	if (sonde_atoms_count(atoms) > 0)
		report_extent(atoms, report);
	report_occupancies(atoms, report);
	report_cell(atoms, report);
	if (atoms->group_count > 0)
		report_copies(atoms, report);
	if (stored > 0) {
		report_line(report, "compact", "%lld atoms are stored, and the places of the copies",
			    (long long)stored);
		report_integer(report, "stored_atoms", stored);
	}
	sonde_status status = info_describe_structure(context, atoms, report);
	if (status == SONDE_OK)
		status = draw_sample(context, atoms, program, report);
	sonde_atoms_free(&atoms);
	return status;
}

/* Files with unknown endings are taken for XYZ, which begins with a number of atoms, or compressed. */
static sonde_status check_sample(const char *path)
{
	static const char *const suffixes[] = {".xyz", ".extxyz", ".pdb", ".ent",  ".pqr",
					       ".cif", ".gz",     ".h5",  ".hdf5", ".nxs"};
	unsigned char start[64] = {0};

	for (size_t k = 0; k < sizeof suffixes / sizeof *suffixes; ++k)
		if (file_has_suffix(path, suffixes[k]))
			return SONDE_OK;
	if (structure_reader_of(path) != NULL)
		return SONDE_OK;
	FILE *file = fopen(path, "rbe");
	size_t size = file != NULL ? fread(start, 1, sizeof start - 1, file) : 0, at = 0;
	if (file != NULL)
		fclose(file);
	if (size > 2 && memcmp(start, "\xef\xbb\xbf", 3) == 0)
		at = 3;
	at += strspn((const char *)start + at, " \t+");
	size_t digits = strspn((const char *)start + at, "0123456789");
	bool number = digits > 0 && strchr(" \t\r\n", start[at + digits]) != NULL;
	/* empty or unreadable files are reported by the reader */
	if (size == 0 || number || (start[0] == 0x1f && start[1] == 0x8b))
		return SONDE_OK;
	return status_fail_file(
	    SONDE_INVALID, path,
	    "is not a kind of file that info describes: results, checkpoints and volumes of sonde (HDF5), "
	    "tables of sonde, volumes (OpenDX, cube, MRC, VTK), samples (XYZ, PDB, PQR, CIF, POSCAR, LAMMPS)");
}

/* The engine of a checkpoint that is not HDF5. */
static const struct engine *find_checkpoint(const char *path)
{
	for (int k = 0; engine_at(k) != NULL; ++k)
		if (engine_is_checkpoint_file(engine_at(k), path))
			return engine_at(k);
	return NULL;
}

/* Whether an HDF5 file is a sample; errors are reported by its description. */
static bool is_structure(const char *path)
{
	struct hdf5_reader *reader;

	if (!atoms_hdf5_has_ending(path) || hdf5_reader_open(&reader, path) != SONDE_OK)
		return false;
	const bool structure = atoms_hdf5_is_structure(reader);
	hdf5_reader_close(&reader);
	return structure;
}

/* Describes a file that is not a sample; false if it may be one. */
static bool find_description(const char *path, struct report *report, sonde_status *status)
{
	const struct engine *engine;

	if (is_hdf5(path)) {
		if (is_structure(path))
			return false;
		*status = describe_hdf5(path, report);
	} else if ((engine = find_checkpoint(path)) != NULL) {
		*status = engine_describe_checkpoint_file(engine, path, report);
	} else if (info_is_volume(path)) {
		*status = info_describe_volume(path, report);
	} else if (info_is_table(path)) {
		*status = info_describe_table(path, report);
	} else {
		return false;
	}
	return true;
}

/* A description of a sample for all probes. */
static sonde_status describe_description(sonde_context *context, const char *path, struct report *report,
					 struct text *warnings)
{
	sonde_sample *sample;

	CHECK(sonde_sample_read(path, &sample));
	const sonde_status status = sample_describe(context, sample, report);
	text_append(warnings, "%s", sonde_sample_notes(sample));
	sonde_sample_free(&sample);
	return status;
}

static sonde_status describe(const struct arguments *arguments, const struct command *command, int argc, char **argv,
			     struct report *report, struct text *warnings)
{
	const char *path = arguments->positional;
	sonde_context *context = NULL;
	sonde_status status;

	report_text(report, "file", standard_stream_is_input(path) ? "-" : path);
	CHECK(file_check_input(path)); /* it is read several times to identify it */
	if (arguments->program.plot[0] != '\0')
		CHECK(figure_check(arguments->program.plot, arguments->program.force != 0));
	if (arguments->description != NULL) {
		/* one of its own, without progress */
		CHECK(sonde_context_create(&context));
		status = describe_description(context, path, report, warnings);
		sonde_context_free(&context);
		return status;
	}
	if (find_description(path, report, &status))
		return status == SONDE_OK && arguments->program.plot[0] != '\0'
			   ? status_fail_option(SONDE_INVALID, "plot", "info draws samples only, not %s", path)
			   : status;
	CHECK(check_sample(path));
	CHECK(program_context(&arguments->program, command, argc, argv, &context));
	status = describe_sample(context, path, &arguments->program, report);
	spelling_append(context_notes(context), warnings);
	program_context_free(&context);
	return status;
}

sonde_status command_info(int argc, char **argv)
{
	const struct command *command = command_find(argv[0]);
	struct arguments arguments = {0};
	struct report report;
	struct text warnings = {0};

	CHECK(arguments_read(command, argc, argv, NULL, NULL, 0, &arguments));
	if (arguments.help)
		return help_answer(command, &arguments);
	if (arguments.positional == NULL)
		return status_fail(SONDE_INVALID, "name a file: sonde info FILE");
	report_begin(&report, command->name, arguments.program.json != 0);
	report.spell = spelling_of_program;
	sonde_status status = describe(&arguments, command, argc, argv, &report, &warnings);
	if (status == SONDE_OK)
		status = report_end(&report, warnings.bytes);
	if (status == SONDE_OK && report.text.bytes != NULL)
		fputs(report.text.bytes, stdout);
	text_free(&warnings);
	report_free(&report);
	return status;
}
