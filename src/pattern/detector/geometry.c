#include "pattern/detector/geometry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/constants.h"
#include "matter/elements/assignments.h"

#define MOST_OF_AXIS 1000000
#define LEAST_COSINE 1e-9 /* of the beam and the normal, where they meet */
#define FARTHEST 1e9      /* pixels, of the point of normal incidence */
#define MM_OF_M 1e3
#define ANGSTROM_OF_M 1e10

/* Two numbers separated by a comma. */
static sonde_status read_pair(const char *option, const char *text, const char *form, double pair[2])
{
	double numbers[ASSIGNMENT_MOST_NUMBERS];
	int count;

	CHECK(assignment_numbers(option, text, text + strlen(text), numbers, &count));
	if (count != 2)
		return status_fail_option(SONDE_INVALID, option, "'%.40s' is not %s, two numbers", text, form);
	for (int k = 0; k < 2; ++k) {
		pair[k] = numbers[k];
		if (!(fabs(pair[k]) <= FARTHEST))
			return status_fail_option(SONDE_INVALID, option, "%g is beyond %g", pair[k], FARTHEST);
	}
	return SONDE_OK;
}

static void turn_axes(const sonde_vector *degrees, double axes[9])
{
	const double angle[3] = {degrees->x * DEGREE, degrees->y * DEGREE, degrees->z * DEGREE};
	double c[3], s[3];

	for (int k = 0; k < 3; ++k)
		c[k] = cos(angle[k]), s[k] = sin(angle[k]);
	/* columns of R3 R2 R1 */
	const double t[3][3] = {{c[2] * c[1], s[2] * c[1], s[1]},
				{-s[2] * c[0] + c[2] * s[1] * s[0], c[2] * c[0] + s[2] * s[1] * s[0], -c[1] * s[0]},
				{-s[2] * s[0] - c[2] * s[1] * c[0], c[2] * s[0] - s[2] * s[1] * c[0], c[1] * c[0]}};
	const int of_axis[3] = {1, 0, 2};
	for (int k = 0; k < 3; ++k) {
		axes[3 * k] = t[of_axis[k]][1];
		axes[3 * k + 1] = t[of_axis[k]][0];
		axes[3 * k + 2] = 0.0 - t[of_axis[k]][2]; /* without a negative zero */
	}
}

void detector_place(const double axes[9], double distance, double x, double y, double place[3])
{
	for (int c = 0; c < 3; ++c)
		place[c] = x * axes[c] + y * axes[3 + c] + distance * axes[6 + c];
}

bool detector_meets_beam(const double axes[9], double distance, double at[2])
{
	const double cosine = -axes[8]; /* of the beam (0, 0, -1) and the normal */

	if (cosine < LEAST_COSINE)
		return false;
	at[0] = -axes[2] * distance / cosine;
	at[1] = -axes[5] * distance / cosine;
	return true;
}

double detector_coordinate(const struct detector_geometry *detector, int axis, int64_t k)
{
	/* without a negative zero */
	return 0.0 + detector->sign[axis] * ((double)k - detector->normal[axis]) * detector->pixel[axis];
}

static sonde_status read_size(const sonde_pattern_options *options, struct detector_geometry *detector)
{
	double counts[2];

	CHECK(read_pair("detector", options->detector, "COLUMNS,ROWS", counts));
	for (int k = 0; k < 2; ++k) {
		if (!(counts[k] >= 1.0 && counts[k] <= MOST_OF_AXIS && counts[k] == floor(counts[k])))
			return status_fail_option(SONDE_INVALID, "detector",
						  "%g is not a number of pixels from 1 to %d", counts[k],
						  MOST_OF_AXIS);
		detector->size[k] = (int64_t)counts[k];
	}
	return SONDE_OK;
}

/* The point of normal incidence, given, or from that of the beam. */
static sonde_status read_center(const sonde_pattern_options *options, struct detector_geometry *detector)
{
	double at[2];

	if (options->normal_incidence[0] != '\0') {
		if (options->beam_center[0] != '\0')
			return status_fail_option(SONDE_INVALID, "normal_incidence",
						  "`beam_center` determines this point as well; give one of them");
		return read_pair("normal_incidence", options->normal_incidence, "COLUMN,ROW", detector->normal);
	}
	for (int k = 0; k < 2; ++k)
		detector->normal[k] = 0.5 * ((double)detector->size[k] - 1.0);
	if (options->beam_center[0] != '\0')
		CHECK(read_pair("beam_center", options->beam_center, "COLUMN,ROW", detector->normal));
	if (!detector_meets_beam(detector->axes, detector->distance, at))
		return status_fail_option(SONDE_INVALID, "detector_rotation",
					  "the beam does not meet the detector; give `normal_incidence`");
	for (int k = 0; k < 2; ++k)
		detector->normal[k] -= detector->sign[k] * at[k] / detector->pixel[k];
	return SONDE_OK;
}

sonde_status detector_make(const sonde_pattern_options *options, struct detector_geometry *detector)
{
	const int64_t orientation = options->detector_orientation;

	*detector = (struct detector_geometry){
	    .pixel = {options->pixel_size, options->pixel_height > 0.0 ? options->pixel_height : options->pixel_size},
	    .sign = {orientation == 1 || orientation == 4 ? -1.0 : 1.0, orientation <= 2 ? -1.0 : 1.0},
	    .distance = options->distance};
	CHECK(read_size(options, detector));
	turn_axes(&options->detector_rotation, detector->axes);
	if (!(options->distance > 0.0))
		return status_fail_option(SONDE_INVALID, "distance",
					  "give that of the detector from the sample, above 0");
	return read_center(options, detector);
}

/* Files of pyFAI --------------------------------------------------------------------------------------------- */

/* An option that the file determines and that is not at its default. */
static const char *given_twice(const sonde_pattern_options *options)
{
	sonde_pattern_options defaults;

	sonde_pattern_options_init_sized(&defaults, sizeof defaults);
	return options->distance != defaults.distance           ? "distance"
	       : options->pixel_size != defaults.pixel_size     ? "pixel_size"
	       : options->pixel_height != defaults.pixel_height ? "pixel_height"
	       : options->beam_center[0] != '\0'                ? "beam_center"
	       : options->normal_incidence[0] != '\0'           ? "normal_incidence"
	       : options->detector_rotation.x != 0.0 || options->detector_rotation.y != 0.0 ||
		       options->detector_rotation.z != 0.0
		   ? "detector_rotation"
	       : options->detector_orientation != defaults.detector_orientation ? "detector_orientation"
										: NULL;
}

static sonde_status use_shape(const struct poni *poni, sonde_pattern_options *options)
{
	struct detector_geometry given;

	if (poni->shape[0] == 0 && options->detector[0] == '\0')
		return status_fail_option(SONDE_INVALID, "detector",
					  "%s does not contain the numbers of pixels; give COLUMNS,ROWS",
					  options->poni);
	if (options->detector[0] != '\0') {
		CHECK(read_size(options, &given));
		return poni->shape[0] == 0 || (poni->shape[0] == given.size[1] && poni->shape[1] == given.size[0])
			   ? SONDE_OK
			   : status_fail_option(SONDE_INVALID, "detector", "%s has %lld columns and %lld rows",
						options->poni, (long long)poni->shape[1], (long long)poni->shape[0]);
	}
	snprintf(options->detector, sizeof options->detector, "%lld,%lld", (long long)poni->shape[1],
		 (long long)poni->shape[0]);
	return SONDE_OK;
}

/* The ends of a pixel are at whole multiples of its size, counted from the corner at the lower left for the sample, whichever pixel is
 * the first one of the picture. */
static double from_corner(double column, int64_t size, double sign)
{
	return (sign > 0.0 ? column : (double)size - 1.0 - column) + 0.5;
}

static sonde_status use_point(const struct poni *poni, sonde_pattern_options *options)
{
	struct detector_geometry detector;
	double normal[2];

	CHECK(read_size(options, &detector));
	const double sign[2] = {options->detector_orientation == 1 || options->detector_orientation == 4 ? -1.0 : 1.0,
				options->detector_orientation <= 2 ? -1.0 : 1.0};
	for (int k = 0; k < 2; ++k) {
		const double offset = poni->poni[1 - k] / poni->pixel[1 - k] - 0.5;
		normal[k] = sign[k] > 0.0 ? offset : (double)detector.size[k] - 1.0 - offset;
	}
	snprintf(options->normal_incidence, sizeof options->normal_incidence, "%.17g,%.17g", normal[0], normal[1]);
	return SONDE_OK;
}

static double degrees_of(double radians)
{
	return fmod(radians / DEGREE, 360.0);
}

static sonde_status check_ranges(const struct poni *poni, const sonde_pattern_options *options)
{
	const double mm[3] = {options->distance, options->pixel_size, options->pixel_height};

	for (int k = 0; k < 3; ++k)
		if (!(mm[k] >= (k == 0 ? 0.0 : 1e-6) && mm[k] <= (k == 0 ? 1e6 : 1e3)))
			return status_fail_file(SONDE_INVALID, options->poni, "%s: %g m is out of range",
						k == 0 ? "Distance" : "pixel1, pixel2", mm[k] / MM_OF_M);
	return poni->wavelength * ANGSTROM_OF_M <= 1000.0
		   ? SONDE_OK
		   : status_fail_file(SONDE_INVALID, options->poni, "Wavelength: %g m is out of range",
				      poni->wavelength);
}

sonde_status detector_read_poni(sonde_pattern_options *options)
{
	const char *twice = given_twice(options);
	struct poni poni;

	if (options->poni[0] == '\0')
		return SONDE_OK;
	if (twice != NULL)
		return status_fail_option(SONDE_INVALID, twice, "`poni` determines it as well; give one of them");
	CHECK(poni_read(options->poni, &poni));
	options->distance = poni.distance * MM_OF_M;
	options->pixel_size = poni.pixel[1] * MM_OF_M;
	options->pixel_height = poni.pixel[0] * MM_OF_M;
	options->detector_orientation = poni.orientation;
	options->detector_rotation =
	    (sonde_vector){degrees_of(poni.rotation[0]), degrees_of(poni.rotation[1]), degrees_of(poni.rotation[2])};
	CHECK(check_ranges(&poni, options));
	if (options->wavelength == 0.0 && options->energy[0] == '\0')
		options->wavelength = poni.wavelength * ANGSTROM_OF_M;
	CHECK(use_shape(&poni, options));
	return use_point(&poni, options);
}

sonde_status detector_find_poni(const sonde_pattern_options *options, double wavelength, struct poni *poni)
{
	struct detector_geometry detector;
	const sonde_vector *rotation = &options->detector_rotation;

	CHECK(detector_make(options, &detector));
	*poni = (struct poni){.distance = detector.distance / MM_OF_M,
			      .rotation = {rotation->x * DEGREE, rotation->y * DEGREE, rotation->z * DEGREE},
			      .orientation = (int)options->detector_orientation,
			      .wavelength = wavelength / ANGSTROM_OF_M};
	for (int k = 0; k < 2; ++k) {
		poni->pixel[1 - k] = detector.pixel[k] / MM_OF_M;
		poni->shape[1 - k] = detector.size[k];
		poni->poni[1 - k] =
		    from_corner(detector.normal[k], detector.size[k], detector.sign[k]) * detector.pixel[k] / MM_OF_M;
	}
	return SONDE_OK;
}

sonde_status detector_write_poni(const sonde_pattern_options *options, double wavelength, const char *path,
				 bool overwrite)
{
	struct poni poni;

	CHECK(detector_find_poni(options, wavelength, &poni));
	return poni_write(&poni, path, overwrite);
}
