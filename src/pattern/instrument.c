/* NeXus, NXinstrument, NXbeam, NXdetector (manual.nexusformat.org/classes/base_classes), with lengths in m; the geometry of pyFAI
 * is in a collection of its own, under the names of .poni files. */
#include "pattern/instrument.h"

#include "base/constants.h"
#include "matter/scattering/probe.h"
#include "pattern/detector/geometry.h"
#include "pattern/nexus_names.h"

#define BEAM "/pattern/instrument/beam"
#define DETECTOR "/pattern/instrument/detector"
#define PONI DETECTOR "/poni"

static void write_beam(struct hdf5_writer *writer, const sonde_pattern_result *result)
{
	hdf5_writer_group(writer, BEAM, "NXbeam");
	hdf5_writer_real(writer, BEAM "/incident_wavelength", result->wavelength, "angstrom");
	if (result->options->radiation == SONDE_PATTERN_RADIATION_XRAY)
		hdf5_writer_real(writer, BEAM "/incident_energy", 1e-3 * EV_ANGSTROM / result->wavelength, "keV");
}

static void write_poni(struct hdf5_writer *writer, const struct poni *poni)
{
	const int64_t orientation = poni->orientation;
	const struct {
		const char *path;
		double value;
		const char *unit;
	} all[] = {{PONI "/distance", poni->distance, "m"},    {PONI "/poni1", poni->poni[0], "m"},
		   {PONI "/poni2", poni->poni[1], "m"},        {PONI "/rot1", poni->rotation[0], "rad"},
		   {PONI "/rot2", poni->rotation[1], "rad"},   {PONI "/rot3", poni->rotation[2], "rad"},
		   {PONI "/wavelength", poni->wavelength, "m"}};

	hdf5_writer_group(writer, PONI, "NXcollection");
	hdf5_writer_text_attribute(
	    writer, PONI, "description",
	    "geometry of pyFAI: the point of normal incidence from the corner of the detector, and "
	    "rotations about the sample");
	for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
		hdf5_writer_real(writer, all[k].path, all[k].value, all[k].unit);
	hdf5_writer_integers(writer, PONI "/orientation", &orientation, 1);
}

/* Where the beam meets the detector, if it does, in pixels as option `beam_center`. */
static void write_center(struct hdf5_writer *writer, const struct detector_geometry *detector)
{
	static const char *const paths[2] = {DETECTOR "/beam_center_x", DETECTOR "/beam_center_y"};
	double at[2];

	if (!detector_meets_beam(detector->axes, detector->distance, at))
		return;
	for (int k = 0; k < 2; ++k) {
		hdf5_writer_real(writer, paths[k],
				 detector->normal[k] + detector->sign[k] * at[k] / detector->pixel[k], "pixel");
		hdf5_writer_text_attribute(writer, paths[k], "long_name", "from the middle of the first pixel");
	}
}

sonde_status instrument_write(struct hdf5_writer *writer, const sonde_pattern_result *result)
{
	struct detector_geometry detector;
	struct poni poni;

	CHECK(detector_make(result->options, &detector));
	CHECK(detector_find_poni(result->options, result->wavelength, &poni));
	hdf5_writer_group(writer, "/pattern/instrument", "NXinstrument");
	write_beam(writer, result);
	hdf5_writer_group(writer, DETECTOR, "NXdetector");
	hdf5_writer_link(writer, DETECTOR "/data", "/pattern/data/I");
	if (result->counts != NULL)
		hdf5_writer_link(writer, DETECTOR "/counts", COUNTS);
	if (result->masked != NULL)
		hdf5_writer_link(writer, DETECTOR "/pixel_mask", PIXEL_MASK);
	hdf5_writer_real(writer, DETECTOR "/distance", poni.distance, "m");
	hdf5_writer_real(writer, DETECTOR "/x_pixel_size", poni.pixel[1], "m");
	hdf5_writer_real(writer, DETECTOR "/y_pixel_size", poni.pixel[0], "m");
	write_center(writer, &detector);
	write_poni(writer, &poni);
	return SONDE_OK;
}
