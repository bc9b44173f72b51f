/* Results as HDF5 files in NeXus form, with all data; result_read.c reads them. */
#include <math.h>

#include "run/provenance.h"
#include "run/result_file.h"
#include "stopping/run.h"

static void write_integer(struct hdf5_writer *writer, const char *path, int64_t value)
{
	hdf5_writer_integers(writer, path, &value, 1);
}

static void write_table(struct hdf5_writer *writer, const sonde_stopping_result *result)
{
	const struct {
		const char *path, *unit, *name;
		const double *values;
	} columns[] = {
	    {"/stopping/table/energy", "eV", "energy", result->energies},
	    {"/stopping/table/electronic", "eV/Angstrom", "electronic stopping", result->electronic},
	    {"/stopping/table/nuclear", "eV/Angstrom", "nuclear stopping", result->nuclear},
	    {"/stopping/table/straggling", "eV^2/Angstrom", "variance of the electronic loss per length",
	     result->straggling},
	    {"/stopping/table/range", "Angstrom", "mean depth at rest", result->range},
	    {"/stopping/table/range_straggling", "Angstrom", "standard deviation of the depth",
	     result->range_straggling},
	    {"/stopping/table/lateral_straggling", "Angstrom", "root mean square displacement along a lateral axis",
	     result->lateral_straggling},
	    {"/stopping/table/path", "Angstrom", "mean length of the path", result->path},
	    {"/stopping/table/difference", "", "electronic stopping relative to that of `compare`, minus 1",
	     result->difference},
	};
	static const char *const axes[] = {"energy"};

	hdf5_writer_group(writer, "/stopping/table", "NXdata");
	hdf5_writer_text_attribute(writer, "/stopping/table", "signal", "electronic");
	hdf5_writer_texts_attribute(writer, "/stopping/table", "axes", axes, 1);
	for (size_t k = 0; k < sizeof columns / sizeof *columns; ++k)
		if (columns[k].values != NULL)
			hdf5_writer_reals(writer, columns[k].path, columns[k].values, &result->count, 1,
					  columns[k].unit, columns[k].name);
}

static void write_matter(struct hdf5_writer *writer, const sonde_stopping_result *result)
{
	const struct sonde_stopping_provenance *provenance = result->provenance;
	const int64_t count = result->element_count;
	int64_t elements[8];

	for (int64_t k = 0; k < count; ++k)
		elements[k] = result->elements[k];
	hdf5_writer_group(writer, "/stopping/ion", "NXcollection");
	hdf5_writer_text(writer, "/stopping/ion/symbol", provenance->symbol);
	write_integer(writer, "/stopping/ion/atomic_number", result->ion_number);
	hdf5_writer_real(writer, "/stopping/ion/mass", result->ion_mass, "amu");
	hdf5_writer_group(writer, "/stopping/target", "NXcollection");
	hdf5_writer_text(writer, "/stopping/target/material", provenance->material);
	hdf5_writer_text(writer, "/stopping/target/state", provenance->state);
	hdf5_writer_integers(writer, "/stopping/target/atomic_numbers", elements, count);
	hdf5_writer_reals(writer, "/stopping/target/masses", result->masses, &count, 1, "amu", "masses of atoms");
	hdf5_writer_reals(writer, "/stopping/target/fractions", result->fractions, &count, 1, "",
			  "atomic fractions of elements");
	hdf5_writer_real(writer, "/stopping/target/density", result->density, "g/cm^3");
	hdf5_writer_real(writer, "/stopping/target/atoms", result->atoms, "1/Angstrom^3");
	hdf5_writer_real(writer, "/stopping/target/stopping_factor", provenance->factor, "");
}

/* Relative, except for that of the difference. */
static void write_errors(struct hdf5_writer *writer, const sonde_stopping_result *result)
{
	const struct {
		const char *path;
		double error;
	} errors[] = {
	    {"/stopping/process/range_error", result->range_error},
	    {"/stopping/process/range_straggling_error", result->range_straggling_error},
	    {"/stopping/process/lateral_straggling_error", result->lateral_straggling_error},
	    {"/stopping/process/path_error", result->path_error},
	    {"/stopping/process/electronic_error", result->electronic_error},
	    {"/stopping/process/nuclear_error", result->nuclear_error},
	    {"/stopping/process/straggling_error", result->straggling_error},
	    {"/stopping/process/difference_error", result->difference != NULL ? result->difference_error : NAN},
	};

	for (size_t k = 0; k < sizeof errors / sizeof *errors; ++k)
		if (!isnan(errors[k].error))
			hdf5_writer_real(writer, errors[k].path, errors[k].error, "");
}

sonde_status stopping_contents(const void *of, struct hdf5_writer *writer)
{
	const sonde_stopping_result *result = of;
	const struct provenance *run = &result->provenance->run;

	provenance_write_entry(writer, run, "stopping", "Stopping and ranges of an ion in a material", "table");
	write_table(writer, result);
	write_matter(writer, result);
	CHECK(provenance_write_process(writer, run, &stopping_option_table, result->options, result->seconds));
	write_errors(writer, result);
	return SONDE_OK;
}

sonde_status stopping_write_nexus(const void *result, const char *path, bool overwrite)
{
	struct hdf5_writer *writer;

	CHECK(hdf5_writer_create(&writer));
	const sonde_status status = stopping_contents(result, writer);
	if (status != SONDE_OK) {
		hdf5_writer_discard(&writer);
		return status;
	}
	return hdf5_writer_finish(&writer, path, overwrite);
}

sonde_status stopping_describe(struct hdf5_reader *reader, struct report *report)
{
	const double mass = result_file_number(reader, "/stopping/ion/mass"),
		     density = result_file_number(reader, "/stopping/target/density"),
		     error = result_file_number(reader, "/stopping/process/range_error");

	result_file_text(reader, report, "ion", "/stopping/ion/symbol");
	report_number(report, "ion_mass", mass);
	report_line(report, "mass", "%.10g amu", mass);
	result_file_text(reader, report, "target", "/stopping/target/material");
	report_line(report, "density", "%.6g g/cm^3", density);
	report_number(report, "density", density);
	result_file_axis(reader, report, "energies", "/stopping/table/energy", "eV");
	CHECK(result_file_options(reader, report, "stopping"));
	result_file_time(reader, report, "stopping");
	report_line(report, "error", "at most about %.2g of the ranges", text_round_up(error, 2));
	report_number(report, "range_error", error);
	return SONDE_OK;
}
