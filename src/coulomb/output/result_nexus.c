/* Results as HDF5 files in NeXus form, with all quantities. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "coulomb/option_table.h"
#include "coulomb/output/delivery.h"
#include "coulomb/output/result.h"
#include "coulomb/output/units.h"
#include "io/volume/grid_axes.h"
#include "run/provenance.h"

static sonde_status write_grid(const sonde_coulomb_result *result, struct hdf5_writer *writer)
{
	static const char group[] = "/coulomb/potential";
	const int64_t three = 3, steps[2] = {3, 3};
	struct volume volume;

	coulomb_describe_volume(result, &volume);
	const char *const *names = grid_axis_names(&volume.grid);
	const char *const axes[] = {".", names[2], names[1], names[0], "."};
	const int one = result->charge_sets == 1 ? 1 : 0;
	/* one for each dimension of the signal, except that of components */
	hdf5_writer_texts_attribute(writer, group, "axes", axes + one,
				    (coulomb_shows_potential(result) ? 4 : 5) - one);
	CHECK(grid_axes_write(writer, group, &volume.grid));
	hdf5_writer_reals(writer, "/coulomb/potential/origin", result->origin, &three, 1, "angstrom",
			  "first point of the grid");
	hdf5_writer_reals(writer, "/coulomb/potential/steps", result->steps[0], steps, 2, "angstrom",
			  "steps of the grid, one for each axis");
	return SONDE_OK;
}

/* Writes an array of the result, or reserves space for it in the file, at offset *at. */
static void write_array(struct hdf5_writer *writer, const char *path, const double *values, const int64_t *shape,
			int rank, const char *unit, const char *name, int64_t *at)
{
	if (at == NULL)
		hdf5_writer_reals(writer, path, values, shape, rank, unit, name);
	else
		*at = hdf5_writer_room(writer, path, shape, rank, unit, name);
}

static const char potential_path[] = "/coulomb/potential/potential", field_path[] = "/coulomb/potential/field";

void nexus_filled(struct hdf5_writer *writer, const struct nexus_places *places, uint64_t potential, uint64_t field)
{
	if (places->potential > 0)
		hdf5_writer_room_filled(writer, potential_path, potential);
	if (places->field > 0)
		hdf5_writer_room_filled(writer, field_path, field);
}

static sonde_status write_values(const sonde_coulomb_result *result, struct hdf5_writer *writer,
				 struct nexus_places *places)
{
	bool field = result->options->quantity != SONDE_COULOMB_QUANTITY_POTENTIAL;
	char field_unit[64];
	/* the last index of a dataset is the fastest: (set of charges,) z, y, x (, component) */
	const int64_t sizes[5] = {result->charge_sets, result->size[2], result->size[1], result->size[0], 3};
	const int64_t list[3] = {result->charge_sets, result->point_count, 3};
	bool grid = result->is_grid != 0;
	int one = result->charge_sets == 1 ? 1 : 0, dimensions = (grid ? 4 : 2) - one;
	const int64_t *shape = (grid ? sizes : list) + one;

	snprintf(field_unit, sizeof field_unit, "%s/angstrom", sonde_coulomb_unit(result));
	hdf5_writer_group(writer, "/coulomb/potential", "NXdata");
	hdf5_writer_text_attribute(writer, "/coulomb/potential", "signal",
				   coulomb_shows_potential(result) ? "potential" : "field");
	if (grid) {
		CHECK(write_grid(result, writer));
	} else {
		hdf5_writer_reals(writer, "/coulomb/potential/points", result->points, list + 1, 2, "angstrom",
				  "points");
	}
	if (coulomb_shows_potential(result))
		write_array(writer, potential_path, result->potential, shape, dimensions, sonde_coulomb_unit(result),
			    "electrostatic potential", places != NULL ? &places->potential : NULL);
	if (field)
		write_array(writer, field_path, result->field, shape, dimensions + 1, field_unit, "electric field",
			    places != NULL ? &places->field : NULL);
	return SONDE_OK;
}

static sonde_status write_forces(const sonde_coulomb_result *result, struct hdf5_writer *writer)
{
	int64_t n = result->charge_count, sets = result->charge_sets, rows[2] = {n, 3 + sets},
		sizes[3] = {sets, n, 3};
	int one = sets == 1 ? 1 : 0;
	char unit[64];

	snprintf(unit, sizeof unit, "%s/angstrom", coulomb_energy_unit(result));
	hdf5_writer_group(writer, "/coulomb/charges", "NXcollection");
	if (one)
		hdf5_writer_real(writer, "/coulomb/charges/energy", result->energy, coulomb_energy_unit(result));
	else
		hdf5_writer_reals(writer, "/coulomb/charges/energy", result->energies, &sets, 1,
				  coulomb_energy_unit(result), NULL);
	hdf5_writer_reals(writer, "/coulomb/charges/charges", result->charges, rows, 2, NULL,
			  "x, y, z (Angstrom) and charge (e) in each set");
	hdf5_writer_reals(writer, "/coulomb/charges/forces", result->forces, sizes + one, 3 - one, unit,
			  "force on each");
	return SONDE_OK;
}

sonde_status nexus_begin(const sonde_coulomb_result *result, struct hdf5_writer *writer, struct nexus_places *places)
{
	provenance_write_entry(writer, &result->provenance->run, "coulomb",
			       "Electrostatic potential of point charges", "potential");
	return write_values(result, writer, places);
}

sonde_status nexus_end(const sonde_coulomb_result *result, struct hdf5_writer *writer)
{
	const struct provenance *provenance = &result->provenance->run;
	int64_t checked = result->checked_points, sets = result->charge_sets;

	if (result->forces != NULL)
		CHECK(write_forces(result, writer));
	provenance_write_sample(writer, provenance, "/coulomb/sample");
	hdf5_writer_integers(writer, "/coulomb/sample/charges", &result->charge_count, 1);
	hdf5_writer_integers(writer, "/coulomb/sample/charge_sets", &sets, 1);
	hdf5_writer_real(writer, "/coulomb/sample/total_charge", result->total_charge, "e");
	hdf5_writer_reals(writer, "/coulomb/sample/total_charges", result->total_charges, &sets, 1, "e",
			  "of each set of charges");
	CHECK(provenance_write_process(writer, provenance, &coulomb_option_table, result->options, result->seconds));
	hdf5_writer_integers(writer, "/coulomb/process/coincident", &result->coincident, 1);
	hdf5_writer_integers(writer, "/coulomb/process/checked_points", &checked, 1);
	hdf5_writer_real(writer, "/coulomb/process/relative_error", result->relative_error, "1");
	hdf5_writer_real(writer, "/coulomb/process/largest_error", result->largest_error, sonde_coulomb_unit(result));
	if (result->options->quantity != SONDE_COULOMB_QUANTITY_POTENTIAL) {
		char unit[64];
		snprintf(unit, sizeof unit, "%s/angstrom", sonde_coulomb_unit(result));
		hdf5_writer_real(writer, "/coulomb/process/field_error", result->field_error, "1");
		hdf5_writer_real(writer, "/coulomb/process/largest_field_error", result->largest_field_error, unit);
	}
	hdf5_writer_text(writer, "/coulomb/process/definitions", COULOMB_DEFINITIONS);
	return SONDE_OK;
}

sonde_status coulomb_contents(const void *of, struct hdf5_writer *writer)
{
	const sonde_coulomb_result *result = of;
	const int64_t numbers = result->charge_sets * result->point_count * (int64_t)sizeof(double);

	hdf5_writer_lasts(writer, result->points, 3 * result->point_count * (int64_t)sizeof(double));
	hdf5_writer_lasts(writer, result->potential, numbers);
	hdf5_writer_lasts(writer, result->field, 3 * numbers);
	CHECK(nexus_begin(result, writer, NULL));
	return nexus_end(result, writer);
}

sonde_status coulomb_write_nexus(const sonde_coulomb_result *result, const char *path, bool overwrite)
{
	struct hdf5_writer *writer;

	CHECK(hdf5_writer_create(&writer));
	const sonde_status status = coulomb_contents(result, writer);
	if (status != SONDE_OK) {
		hdf5_writer_discard(&writer);
		return status;
	}
	return hdf5_writer_finish(&writer, path, overwrite);
}
