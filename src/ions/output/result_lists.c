/* Lists of a result in its HDF5 file: one dataset per member, in groups of /ions. */
#include "ions/output/result_lists.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "ions/output/result.h"

enum { PATH = 128 };

/* A list of structs as one dataset per member: texts, doubles or integers, `count` of them from `first` on. */
struct list {
	struct hdf5_writer *writer;
	const char *group;
	const void *first;
	size_t stride;
	int64_t count;
};

static sonde_status list_texts(const struct list *list, const char *name, size_t offset, size_t size)
{
	char path[PATH], *texts;

	CHECK(memory_allocate(&texts, (size_t)list->count, size, "names"));
	for (int64_t k = 0; k < list->count; ++k) {
		const char *text = (const char *)list->first + (size_t)k * list->stride + offset;
		memcpy(texts + (size_t)k * size, text, strnlen(text, size));
	}
	snprintf(path, sizeof path, "%s/%s", list->group, name);
	hdf5_writer_texts(list->writer, path, texts, list->count, (int64_t)size);
	free(texts);
	return SONDE_OK;
}

/* `width` doubles of each. */
static sonde_status list_reals(const struct list *list, const char *name, size_t offset, int width, const char *unit,
			       const char *meaning)
{
	const int64_t shape[] = {list->count, width};
	char path[PATH];
	double *values;

	CHECK(memory_allocate(&values, (size_t)list->count * (size_t)width, sizeof *values, "a list"));
	for (int64_t k = 0; k < list->count; ++k)
		memcpy(values + k * width, (const char *)list->first + (size_t)k * list->stride + offset,
		       (size_t)width * sizeof *values);
	snprintf(path, sizeof path, "%s/%s", list->group, name);
	hdf5_writer_reals(list->writer, path, values, shape, width > 1 ? 2 : 1, unit, meaning);
	free(values);
	return SONDE_OK;
}

/* Integers of `size` bytes. */
static sonde_status list_integers(const struct list *list, const char *name, size_t offset, size_t size,
				  const char *meaning)
{
	char path[PATH];
	int64_t *values;

	CHECK(memory_allocate(&values, (size_t)list->count, sizeof *values, "a list"));
	for (int64_t k = 0; k < list->count; ++k) {
		const char *from = (const char *)list->first + (size_t)k * list->stride + offset;
		int small;
		if (size == sizeof *values) {
			memcpy(&values[k], from, sizeof values[k]);
		} else {
			memcpy(&small, from, sizeof small);
			values[k] = small;
		}
	}
	snprintf(path, sizeof path, "%s/%s", list->group, name);
	hdf5_writer_integers(list->writer, path, values, list->count);
	hdf5_writer_text_attribute(list->writer, path, "long_name", meaning);
	free(values);
	return SONDE_OK;
}

#define TEXTS(type, member) CHECK(list_texts(&list, #member, offsetof(type, member), sizeof((type *)0)->member))
#define REALS(type, member, width, unit, meaning) \
	CHECK(list_reals(&list, #member, offsetof(type, member), width, unit, meaning))
#define INTEGERS(type, member, meaning) \
	CHECK(list_integers(&list, #member, offsetof(type, member), sizeof((type *)0)->member, meaning))

#define ORIGINS "source; 0: table of elements, 1: default, 2: option"

static sonde_status write_layers(const sonde_ions_result *result, struct hdf5_writer *writer)
{
	struct list list = {writer, "/ions/layers", result->layers, sizeof *result->layers, result->layer_count};

	hdf5_writer_group(writer, list.group, "NXcollection");
	TEXTS(sonde_ions_layer, name);
	REALS(sonde_ions_layer, begin, 1, "angstrom", "depth where it begins");
	REALS(sonde_ions_layer, end, 1, "angstrom", "depth where it ends; infinite if it has no end");
	REALS(sonde_ions_layer, density, 1, "g/cm^3", "density");
	REALS(sonde_ions_layer, atoms, 1, "1/angstrom^3", "atoms per volume");
	TEXTS(sonde_ions_layer, state);
	INTEGERS(sonde_ions_layer, density_given, "1: density given by option target");
	return SONDE_OK;
}

static sonde_status write_kinds(const sonde_ions_result *result, struct hdf5_writer *writer)
{
	struct list list = {writer, "/ions/kinds", result->kinds, sizeof *result->kinds, result->kind_count};

	hdf5_writer_group(writer, list.group, "NXcollection");
	TEXTS(sonde_ions_kind, label);
	INTEGERS(sonde_ions_kind, atomic_number, "atomic number");
	INTEGERS(sonde_ions_kind, layer, "layer, from 0; -1: the ion");
	REALS(sonde_ions_kind, mass, 1, "u", "mass");
	REALS(sonde_ions_kind, fraction, 1, "1", "fraction of the layer's atoms");
	REALS(sonde_ions_kind, displacement, 1, "eV", "displacement energy");
	REALS(sonde_ions_kind, lattice, 1, "eV", "lattice binding energy");
	REALS(sonde_ions_kind, surface_binding, 1, "eV", "surface binding energy");
	INTEGERS(sonde_ions_kind, displacement_from, ORIGINS);
	INTEGERS(sonde_ions_kind, lattice_from, ORIGINS);
	INTEGERS(sonde_ions_kind, surface_binding_from, ORIGINS);
	return SONDE_OK;
}

static sonde_status write_exits(const sonde_ions_result *result, struct hdf5_writer *writer)
{
	struct list list = {writer, "/ions/exits", result->exits, sizeof *result->exits, result->exit_count};

	hdf5_writer_group(writer, list.group, "NXcollection");
	hdf5_writer_integers(writer, "/ions/exits/count", &result->exit_count, 1);
	hdf5_writer_text_attribute(writer, "/ions/exits/count", "long_name", "atoms that left and are listed");
	hdf5_writer_integers(writer, "/ions/exits/left_out", &result->exits_left_out, 1);
	hdf5_writer_text_attribute(writer, "/ions/exits/left_out", "long_name", "atoms that left and are not listed");
	if (list.count == 0)
		return SONDE_OK;
	INTEGERS(sonde_ions_exit, ion, "history, from 0");
	INTEGERS(sonde_ions_exit, kind, "kind of atom");
	INTEGERS(sonde_ions_exit, fate, "1: left through x = 0, 2: at the other end");
	REALS(sonde_ions_exit, energy, 1, "eV", "energy");
	REALS(sonde_ions_exit, position, 3, "angstrom", "x, y, z");
	REALS(sonde_ions_exit, direction, 3, "1", "cosines of the direction with x, y, z");
	return SONDE_OK;
}

/* Rows are kinds and sides; columns of spectra are bins. */
static sonde_status write_leaving_bins(const struct list *list, const sonde_ions_result *result, const char *name,
				       int64_t count, size_t offset, const char *meaning)
{
	const int64_t shape[2] = {list->count, count};
	char path[PATH];
	double *values;

	CHECK(memory_allocate(&values, (size_t)(list->count * count), sizeof *values, "a list"));
	for (int64_t k = 0; k < list->count; ++k) {
		double *row;
		memcpy(&row, (const char *)&result->leaving[k] + offset, sizeof row);
		memcpy(values + k * count, row, (size_t)count * sizeof *values);
	}
	snprintf(path, sizeof path, "%s/%s", list->group, name);
	hdf5_writer_reals(list->writer, path, values, shape, 2, "1", meaning);
	free(values);
	return SONDE_OK;
}

static sonde_status write_leaving(const sonde_ions_result *result, struct hdf5_writer *writer)
{
	struct list list = {writer, "/ions/leaving", result->leaving, sizeof *result->leaving, result->leaving_count};
	static const struct {
		const char *name, *unit, *meaning;
		size_t offset;
	} columns[] = {{"number", "1", "leaving atoms per ion", offsetof(sonde_ions_leaving, number)},
		       {"energy", "eV", "energy taken out by them, per ion", offsetof(sonde_ions_leaving, energy)},
		       {"mean_energy", "eV", "mean energy of one", offsetof(sonde_ions_leaving, mean_energy)},
		       {"mean_cosine", "1", "mean cosine of the angle with the normal",
			offsetof(sonde_ions_leaving, mean_cosine)}};
	const int64_t edges = result->spectrum_count + 1;
	struct text text = {0};

	if (list.count == 0)
		return SONDE_OK;
	hdf5_writer_group(writer, list.group, "NXcollection");
	INTEGERS(sonde_ions_leaving, kind, "kind of atom, of /ions/kinds");
	INTEGERS(sonde_ions_leaving, fate, "1: through x = 0, 2: at the other end");
	INTEGERS(sonde_ions_leaving, count, "atoms that left, of all ions");
	for (size_t k = 0; k < sizeof columns / sizeof *columns; ++k) {
		char errors[32];
		snprintf(errors, sizeof errors, "%s_errors", columns[k].name);
		CHECK(list_reals(&list, columns[k].name, columns[k].offset + offsetof(sonde_estimate, value), 1,
				 columns[k].unit, columns[k].meaning));
		CHECK(list_reals(&list, errors, columns[k].offset + offsetof(sonde_estimate, error), 1,
				 columns[k].unit, "standard error"));
	}
	hdf5_writer_reals(writer, "/ions/leaving/energy_edges", result->spectrum_edges, &edges, 1, "eV",
			  "edges of the bins of energy");
	CHECK(write_leaving_bins(&list, result, "energies", result->spectrum_count,
				 offsetof(sonde_ions_leaving, energies), "atoms per bin of energy, per ion"));
	CHECK(write_leaving_bins(&list, result, "energies_errors", result->spectrum_count,
				 offsetof(sonde_ions_leaving, energies_errors), "standard error"));
	CHECK(write_leaving_bins(
	    &list, result, "cosines", result->cosine_count, offsetof(sonde_ions_leaving, cosines),
	    "atoms per bin of the cosine of the angle with the normal, from 0 to 1 in equal widths, "
	    "per ion"));
	CHECK(write_leaving_bins(&list, result, "cosines_errors", result->cosine_count,
				 offsetof(sonde_ions_leaving, cosines_errors), "standard error"));
	ions_append_leaving(result, "", &text);
	sonde_status status = text_status(&text);
	if (status == SONDE_OK)
		hdf5_writer_text(writer, "/ions/leaving/summary", text.bytes != NULL ? text.bytes : "");
	text_free(&text);
	return status;
}

static sonde_status write_vertices(const sonde_ions_result *result, struct hdf5_writer *writer)
{
	struct list list = {writer, "/ions/trajectories", result->vertices, sizeof *result->vertices,
			    result->vertex_count};

	if (list.count == 0)
		return SONDE_OK;
	hdf5_writer_group(writer, list.group, "NXcollection");
	INTEGERS(sonde_ions_vertex, ion, "history that it belongs to, from 0");
	INTEGERS(sonde_ions_vertex, atom, "atom of the history, 0: the ion");
	INTEGERS(sonde_ions_vertex, kind, "kind of atom");
	REALS(sonde_ions_vertex, energy, 1, "eV", "energy");
	REALS(sonde_ions_vertex, position, 3, "angstrom", "x, y, z");
	return SONDE_OK;
}

static sonde_status write_totals(const sonde_ions_result *result, struct hdf5_writer *writer)
{
	struct list list = {writer, "/ions/totals", result->tallies, sizeof *result->tallies, result->tally_count};
	static const struct {
		const char *name, *meaning;
		size_t offset;
	} columns[] = {
	    {"total", "per ion, everywhere; in the unit of its row", offsetof(sonde_ions_tally, total.value)},
	    {"total_errors", "standard error", offsetof(sonde_ions_tally, total.error)},
	    {"inside", "per ion, in the cells; in the unit of its row", offsetof(sonde_ions_tally, inside.value)},
	    {"inside_errors", "standard error", offsetof(sonde_ions_tally, inside.error)},
	};

	if (list.count == 0)
		return SONDE_OK;
	hdf5_writer_group(writer, list.group, "NXcollection");
	TEXTS(sonde_ions_tally, name);
	TEXTS(sonde_ions_tally, of);
	TEXTS(sonde_ions_tally, unit);
	for (size_t k = 0; k < sizeof columns / sizeof *columns; ++k)
		CHECK(list_reals(&list, columns[k].name, columns[k].offset, 1, NULL, columns[k].meaning));
	return SONDE_OK;
}

static sonde_status write_spectra(const sonde_ions_result *result, struct hdf5_writer *writer)
{
	static const char *const axes[] = {"kind", "energy"};
	const int64_t n = result->spectrum_count, edges = n + 1, shape[] = {result->kind_count - 1, n};
	double *middles;

	if (n == 0 || result->kind_count < 2)
		return SONDE_OK;
	struct list list = {writer, "/ions/spectra", result->kinds + 1, sizeof *result->kinds,
			    result->kind_count - 1};
	CHECK(memory_allocate(&middles, (size_t)n, sizeof *middles, "an axis"));
	for (int64_t k = 0; k < n; ++k)
		middles[k] = 0.5 * (result->spectrum_edges[k] + result->spectrum_edges[k + 1]);
	hdf5_writer_group(writer, list.group, "NXdata");
	hdf5_writer_text_attribute(writer, list.group, "signal", "recoils");
	hdf5_writer_texts_attribute(writer, list.group, "axes", axes, 2);
	hdf5_writer_reals(writer, "/ions/spectra/energy", middles, &n, 1, "eV",
			  "energy of primary recoils, middle of the bin (eV)");
	free(middles);
	hdf5_writer_reals(writer, "/ions/spectra/edges", result->spectrum_edges, &edges, 1, "eV",
			  "edges of the bins");
	hdf5_writer_reals(writer, "/ions/spectra/recoils", result->spectra, shape, 2, "1",
			  "primary recoils per bin, per ion");
	if (result->spectra_errors != NULL)
		hdf5_writer_reals(writer, "/ions/spectra/recoils_errors", result->spectra_errors, shape, 2, "1",
				  "standard error of primary recoils per bin, per ion");
	return list_texts(&list, "kind", offsetof(sonde_ions_kind, label), sizeof result->kinds->label);
}

sonde_status ions_write_lists(const sonde_ions_result *result, struct hdf5_writer *writer)
{
	CHECK(write_totals(result, writer));
	CHECK(write_kinds(result, writer));
	CHECK(write_layers(result, writer));
	CHECK(write_spectra(result, writer));
	CHECK(write_leaving(result, writer));
	CHECK(write_exits(result, writer));
	return write_vertices(result, writer);
}
