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
#include "base/units.h"
#include "cli/program/arguments.h"
#include "cli/info/facts.h"
#include "cli/program/help.h"
#include "cli/info/checkpoint.h"
#include "cli/info/fdtd.h"
#include "cli/info/table.h"
#include "cli/info/volume.h"
#include "cli/program/program.h"
#include "cli/program/standard_streams.h"
#include "fdtd/checkpoint.h"
#include "io/hdf5.h"

/* Files are looked at several times to find out what they are; opening a pipe could wait for ever. Readers complain about folders and
 * about files that are not there. */
static sonde_status check_regular(const char *path)
{
	struct stat properties;

	if (stat(path, &properties) != 0 || S_ISREG(properties.st_mode) || S_ISDIR(properties.st_mode))
		return SONDE_OK;
	return status_fail_file(SONDE_INVALID, path, "is a pipe or device, not a file; save it into one first");
}

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

/* A line "name: text" and a member, if there is a text at `path`. */
static void print_text(struct hdf5_reader *reader, const char *name, const char *path)
{
	char *text;

	if (hdf5_reader_has(reader, path) && hdf5_reader_text(reader, path, &text) == SONDE_OK) {
		if (text[0] != '\0') {
			facts_line(name, "%s", text);
			facts_text(name, text);
		}
		free(text);
	}
}

/* The same of a text of several lines. */
static void print_lines(struct hdf5_reader *reader, const char *name, const char *path)
{
	char *text;

	if (!hdf5_reader_has(reader, path) || hdf5_reader_text(reader, path, &text) != SONDE_OK)
		return;
	for (const char *line = text; *line != '\0';) {
		size_t length = strcspn(line, "\n");
		facts_line(line == text ? name : "", "%.*s", (int)length, line);
		line += length + (line[length] == '\n');
	}
	facts_lines(name, text);
	free(text);
}

static double read_number(struct hdf5_reader *reader, const char *path)
{
	double *values, value = NAN;
	int64_t count;

	if (hdf5_reader_has(reader, path) && hdf5_reader_reals(reader, path, &values, &count) == SONDE_OK) {
		if (count == 1)
			value = values[0];
		free(values);
	}
	return value;
}

/* A result: the entry is named after its engine. */
struct result_file {
	struct hdf5_reader *reader;
	const char *engine;
	char path[512];
};

/* ENGINE/name; valid until the next call. */
static const char *in(struct result_file *file, const char *name)
{
	snprintf(file->path, sizeof file->path, "/%s/%.400s", file->engine, name);
	return file->path;
}

static sonde_status print_option(void *user, const char *name)
{
	struct result_file *file = user;
	char option[300], *value;

	if (strlen(name) > 256)
		return SONDE_OK;
	snprintf(option, sizeof option, "process/options/%s", name);
	if (hdf5_reader_text(file->reader, in(file, option), &value) != SONDE_OK)
		return SONDE_OK;
	facts_print("             %s = %s\n", name, value);
	facts_value(name, value);
	free(value);
	return SONDE_OK;
}

static sonde_status print_options(struct result_file *file)
{
	facts_print("options\n");
	facts_open_object("options");
	CHECK(hdf5_reader_members(file->reader, in(file, "process/options"), print_option, file));
	facts_close();
	return SONDE_OK;
}

static void print_curve(struct hdf5_reader *reader, const char *name, const char *path, const char *unit)
{
	double *values;
	int64_t count;

	if (!hdf5_reader_has(reader, path) || hdf5_reader_reals(reader, path, &values, &count) != SONDE_OK)
		return;
	if (count > 0) {
		facts_line(name, "%lld points, %g to %g %s", (long long)count, values[0], values[count - 1], unit);
		facts_open_object(name);
		facts_integer("points", count);
		facts_number("first", values[0]);
		facts_number("last", values[count - 1]);
		facts_text("unit", unit);
		facts_close();
	}
	free(values);
}

static void print_species(struct hdf5_reader *reader)
{
	char *labels = NULL;
	const double atoms = read_number(reader, "/debye/sample/atoms");

	const bool known = hdf5_reader_text(reader, "/debye/sample/composition", &labels) == SONDE_OK;
	facts_line("atoms", "%.0f%s%s", atoms, known ? ": " : "", known ? labels : "");
	facts_number("atoms", atoms);
	if (known)
		facts_text("composition", labels);
	free(labels);
}

static bool find_engine(struct result_file *file)
{
	static const char *const engines[] = {"debye", "coulomb", "ions", "fdtd"};

	for (size_t k = 0; k < sizeof engines / sizeof *engines; ++k) {
		file->engine = engines[k];
		if (hdf5_reader_has(file->reader, in(file, "process/version")))
			return true;
	}
	return false;
}

static void print_origin(struct result_file *file)
{
	static const char *const lines[][2] = {{"what", "title"},         {"version", "process/version"},
					       {"date", "process/date"},  {"command", "process/command"},
					       {"sample", "sample/name"}, {"sha256", "sample/sha256"}};

	for (size_t k = 0; k < sizeof lines / sizeof *lines; ++k)
		print_text(file->reader, lines[k][0], in(file, lines[k][1]));
}

static void print_time(struct result_file *file)
{
	double seconds = read_number(file->reader, in(file, "process/seconds"));

	double earlier = read_number(file->reader, in(file, "process/resumed_seconds"));

	const double memory = read_number(file->reader, in(file, "process/peak_memory"));

	facts_print("%-12s %.3g s", "took", seconds);
	if (earlier > 0.0)
		facts_print(" after %.3g s of earlier runs", earlier);
	facts_print(", at most %.0f MB of memory\n", memory * 1e-6);
	facts_number("seconds", seconds);
	if (earlier > 0.0)
		facts_number("earlier_seconds", earlier);
	facts_number("peak_memory_bytes", memory);
}

static sonde_status describe_debye(struct result_file *file)
{
	struct hdf5_reader *reader = file->reader;

	print_species(reader);
	print_text(reader, "amplitudes", "/debye/process/amplitudes");
	print_text(reader, "device", "/debye/process/device");
	print_curve(reader, "q", "/debye/intensity/q", "1/Angstrom");
	print_curve(reader, "r", "/debye/pair_distribution/r", "Angstrom");
	CHECK(print_options(file));
	double width = read_number(reader, "/debye/process/bin_width");
	if (width > 0) {
		facts_line("bins", "%g Angstrom wide", width);
		facts_number("bin_width_angstrom", width);
	}
	print_time(file);
	const double error = read_number(reader, "/debye/process/largest_error"),
		     bound = read_number(reader, "/debye/process/largest_bound"),
		     checked = read_number(reader, "/debye/process/checked_points");
	facts_line("error", "estimate %.2g, bound %.2g (<f^2> + I/N); %.0f points of q checked by a better method",
		   text_round_up(error, 2), text_round_up(bound, 2), checked);
	facts_number("largest_error", error);
	facts_number("largest_bound", bound);
	facts_number("checked_points", checked);
	return SONDE_OK;
}

static sonde_status describe_coulomb(struct result_file *file)
{
	struct hdf5_reader *reader = file->reader;
	double sets = read_number(reader, "/coulomb/sample/charge_sets");

	const double charges = read_number(reader, "/coulomb/sample/charges"),
		     total = read_number(reader, "/coulomb/sample/total_charge");
	facts_print("%-12s %.0f, together %.10g e", "charges", charges, total);
	if (sets > 1.0)
		facts_print(" in the first of %.0f sets", sets);
	facts_print("\n");
	facts_number("charges", charges);
	facts_number("total_charge_e", total);
	facts_number("charge_sets", isnan(sets) ? 1.0 : sets);
	print_text(reader, "device", "/coulomb/process/device");
	print_curve(reader, "x", "/coulomb/potential/x", "Angstrom");
	print_curve(reader, "y", "/coulomb/potential/y", "Angstrom");
	print_curve(reader, "z", "/coulomb/potential/z", "Angstrom");
	CHECK(print_options(file));
	print_time(file);
	const double relative = read_number(reader, "/coulomb/process/relative_error"),
		     largest = read_number(reader, "/coulomb/process/largest_error"),
		     field = read_number(reader, "/coulomb/process/field_error"),
		     largest_field = read_number(reader, "/coulomb/process/largest_field_error"),
		     checked = read_number(reader, "/coulomb/process/checked_points");
	facts_print("%-12s potential %.2g relative, %.2g in its unit at the largest", "error",
		    text_round_up(relative, 2), text_round_up(largest, 2));
	if (!isnan(field))
		facts_print("; field %.2g relative, %.2g in its unit at the largest", text_round_up(field, 2),
			    text_round_up(largest_field, 2));
	facts_print("; from %.0f points computed again\n", checked);
	facts_number("relative_error", relative);
	facts_number("largest_error", largest);
	facts_number("field_error", field);
	facts_number("largest_field_error", largest_field);
	facts_number("checked_points", checked);
	return SONDE_OK;
}

/* "range        403.4 +- 2.8 Angstrom"; lengths, without a unit, with the prefix that suits them */
static void print_estimate(struct hdf5_reader *reader, const char *name, const char *unit)
{
	char path[96];

	snprintf(path, sizeof path, "/ions/summary/%s", name);
	double value = read_number(reader, path);
	facts_open_object(name);
	facts_number("value", value);
	if (isnan(value)) {
		facts_line(name, "none");
		facts_close();
		return;
	}
	snprintf(path, sizeof path, "/ions/summary/%s_errors", name);
	double error = read_number(reader, path);
	char length[16];
	facts_number("error", error);
	facts_text("unit", unit == NULL ? "angstrom" : "an ion");
	facts_close();
	if (unit == NULL) {
		struct unit_scale scale = unit_scale_length(value);
		value *= scale.factor;
		error *= scale.factor;
		snprintf(length, sizeof length, " %s", scale.ascii);
		unit = length;
	}
	if (isnan(error))
		facts_line(name, "%.7g%s", value, unit);
	else
		facts_line(name, "%.7g +- %.2g%s", value, error, unit);
}

static sonde_status describe_ions(struct result_file *file)
{
	struct hdf5_reader *reader = file->reader;

	static const char *const names[] = {"ions", "implanted", "backscattered", "transmitted"};
	double counts[4];

	for (int k = 0; k < 4; ++k) {
		char path[96];
		snprintf(path, sizeof path, "/ions/summary/%s", names[k]);
		counts[k] = read_number(reader, path);
		facts_number(names[k], counts[k]);
	}
	facts_line("ions", "%.0f: %.0f implanted, %.0f backscattered, %.0f transmitted", counts[0], counts[1],
		   counts[2], counts[3]);
	print_lines(reader, "beam", "/ions/beam/description");
	print_estimate(reader, "range", NULL);
	print_estimate(reader, "straggling", NULL);
	print_estimate(reader, "vacancies", " an ion");
	print_estimate(reader, "sputtered", " an ion");
	print_lines(reader, "leaving", "/ions/leaving/summary");
	print_lines(reader, "target", "/ions/process/target");
	print_text(reader, "device", "/ions/process/device");
	CHECK(print_options(file));
	print_time(file);
	return SONDE_OK;
}

static sonde_status describe_fdtd(struct result_file *file)
{
	CHECK(info_describe_fdtd(file->reader));
	print_text(file->reader, "device", "/fdtd/process/device");
	CHECK(print_options(file));
	print_time(file);
	return SONDE_OK;
}

static sonde_status describe_engine(struct result_file *file)
{
	if (strcmp(file->engine, "fdtd") == 0)
		return describe_fdtd(file);
	if (strcmp(file->engine, "debye") == 0)
		return describe_debye(file);
	return strcmp(file->engine, "ions") == 0 ? describe_ions(file) : describe_coulomb(file);
}

#define LARGEST_CHECKED ((uint64_t)1 << 30) /* bytes of a dataset: more takes seconds */

static sonde_status describe_result(const char *path)
{
	struct result_file file = {0};
	int64_t left_out;

	CHECK(hdf5_reader_open(&file.reader, path));
	/* before anything is printed: what cannot be read would otherwise look like what is not there */
	const sonde_status sound = hdf5_reader_check(file.reader, LARGEST_CHECKED, &left_out);
	if (sound != SONDE_OK) {
		hdf5_reader_close(&file.reader);
		return sound;
	}
	if (left_out > 0)
		facts_line("checksums", "not compared for datasets of more than 1 GiB");
	facts_boolean("all_checksums_compared", left_out == 0);
	if (!find_engine(&file)) {
		bool volume = hdf5_reader_has(file.reader, "/volume/data/steps");
		sonde_status other =
		    info_is_ions_checkpoint(file.reader) ? info_describe_ions_checkpoint(file.reader, path)
		    : volume                             ? SONDE_OK
			     : status_fail_file(SONDE_INVALID, path, "an HDF5 file, but no result of sonde");
		hdf5_reader_close(&file.reader);
		return volume ? info_describe_volume(path) : other;
	}
	facts_text("engine", file.engine);
	print_origin(&file);
	sonde_status status = describe_engine(&file);
	print_text(file.reader, "definitions", in(&file, "process/definitions"));
	if (status == SONDE_OK)
		status = hdf5_reader_has_read(file.reader); /* what is left out is not there */
	hdf5_reader_close(&file.reader);
	return status;
}

static void print_extent(const sonde_atoms *atoms)
{
	const double *positions = sonde_atoms_positions(atoms);

	for (int k = 0; k < 3; ++k) {
		double low = INFINITY, high = -INFINITY;
		for (int64_t i = 0; i < sonde_atoms_count(atoms); ++i) {
			low = fmin(low, positions[3 * i + k]);
			high = fmax(high, positions[3 * i + k]);
		}
		const char *name = k == 0 ? "x" : k == 1 ? "y" : "z";
		facts_line(name, "%g to %g Angstrom", low, high);
		facts_open_object(name);
		facts_number("first", low);
		facts_number("last", high);
		facts_text("unit", "angstrom");
		facts_close();
	}
}

static void print_occupancies(const sonde_atoms *atoms)
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
	facts_line("occupancies", "below 1 at %lld sites, which makes %.10g atoms on average", (long long)partial,
		   present);
	facts_integer("partial_sites", partial);
	facts_number("mean_atoms", present);
}

static void print_cell(const sonde_atoms *atoms)
{
	static const char *const words[] = {"not known", "no", "yes"};
	const double *cell = sonde_atoms_cell(atoms);

	for (int k = 0; k < 3 && cell != NULL; ++k)
		facts_line(k == 0 ? "cell" : "", "%g %g %g Angstrom%s", cell[3 * k], cell[3 * k + 1], cell[3 * k + 2],
			   k == 2 ? "" : ",");
	if (cell != NULL) {
		facts_open_list("cell_angstrom");
		for (int k = 0; k < 3; ++k)
			facts_numbers(NULL, cell + 3 * k, 3);
		facts_close();
	}
	facts_open_list("periodic");
	for (int k = 0; k < 3; ++k)
		facts_text(NULL, words[1 + sonde_atoms_periodic(atoms, k)]);
	facts_close();
	if (cell != NULL || sonde_atoms_periodic(atoms, 0) != 0 || sonde_atoms_periodic(atoms, 1) != 0 ||
	    sonde_atoms_periodic(atoms, 2) != 0)
		facts_line("periodic", "%s, %s, %s", words[1 + sonde_atoms_periodic(atoms, 0)],
			   words[1 + sonde_atoms_periodic(atoms, 1)], words[1 + sonde_atoms_periodic(atoms, 2)]);
}

static sonde_status describe_sample(sonde_context *context, const char *path, int64_t frame)
{
	sonde_atoms *atoms;

	CHECK(sonde_atoms_read(context, path, frame, &atoms));
	facts_text("what", "sample");
	facts_line("sample", "%s", file_names_get(path));
	facts_line("atoms", "%lld", (long long)sonde_atoms_count(atoms));
	facts_integer("atoms", sonde_atoms_count(atoms));
	facts_open_object("species");
	for (int s = 0; s < sonde_atoms_species_count(atoms); ++s) {
		facts_line(s == 0 ? "species" : "", "%lld %s", (long long)sonde_atoms_species_atoms(atoms, s),
			   sonde_atoms_species_label(atoms, s));
		facts_integer(sonde_atoms_species_label(atoms, s), sonde_atoms_species_atoms(atoms, s));
	}
	facts_close();
	if (sonde_atoms_count(atoms) > 0)
		print_extent(atoms);
	print_occupancies(atoms);
	print_cell(atoms);
	sonde_atoms_free(&atoms);
	return SONDE_OK;
}

/* Files whose names say nothing are taken for XYZ, which begins with a number of atoms, or compressed. */
static sonde_status check_sample(const char *path)
{
	static const char *const suffixes[] = {".xyz", ".extxyz", ".pdb", ".ent", ".pqr", ".gz"};
	unsigned char start[64] = {0};

	for (size_t k = 0; k < sizeof suffixes / sizeof *suffixes; ++k)
		if (file_has_suffix(path, suffixes[k]))
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
	/* what is empty, or cannot be read, is reported by the reader */
	if (size == 0 || number || (start[0] == 0x1f && start[1] == 0x8b))
		return SONDE_OK;
	return status_fail_file(
	    SONDE_INVALID, path,
	    "is none of the kinds that info knows: results, checkpoints and volumes of sonde (HDF5), "
	    "its tables, volumes (OpenDX, cube, MRC, VTK), samples (XYZ, PDB, PQR)");
}

/* Describes what is no sample; false if it may be one. */
static bool find_description(const char *path, sonde_status *status)
{
	if (is_hdf5(path)) {
		*status = describe_result(path);
	} else if (checkpoint_is_one(path)) {
		*status = info_describe_fdtd_checkpoint(path);
	} else if (info_is_volume(path)) {
		*status = info_describe_volume(path);
	} else if (info_is_table(path)) {
		*status = info_describe_table(path);
	} else {
		return false;
	}
	return true;
}

sonde_status command_info(int argc, char **argv)
{
	const struct command *command = command_find("info");
	struct arguments arguments = {0};
	sonde_context *context = NULL;
	sonde_status status;

	CHECK(arguments_read(command, argc, argv, NULL, NULL, 0, &arguments));
	if (arguments.help)
		return help_answer(command, &arguments);
	if (arguments.positional == NULL)
		return status_fail(SONDE_INVALID, "name a file: sonde info FILE");
	facts_begin(command->name, arguments.program.json != 0);
	facts_text("file", standard_stream_is_input(arguments.positional) ? "-" : arguments.positional);
	CHECK(check_regular(arguments.positional));
	if (find_description(arguments.positional, &status)) {
		CHECK(status);
		return facts_end();
	}
	CHECK(check_sample(arguments.positional));
	CHECK(program_context(&arguments.program, command, argc, argv, &context));
	status = describe_sample(context, arguments.positional, arguments.program.frame);
	if (status == SONDE_OK)
		facts_warnings(sonde_context_notes(context));
	program_context_free(&context);
	CHECK(status);
	return facts_end();
}
