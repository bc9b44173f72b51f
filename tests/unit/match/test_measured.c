/* Measured curves of several programs, and curves on other points. */
#include <hdf5.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit/support.h"
#include "io/containers/hdf5.h"
#include "match/measured.h"
#include "match/resample.h"

static void test_pair_distributions_of_pdfgetx(void **unused)
{
	struct measured measured;

	(void)unused;
	/* as PDFgetX3 writes it */
	assert_status(
	    SONDE_OK,
	    measured_read(test_write_text("a.gr",
					  "[DEFAULT]\n\nversion = pdfgetx3-2.1.1\n\n# input\ninputfile = a.chi\n"
					  "wavelength = 0.2128\nqmaxinst = 26.0\nqmax = 24\n\n#### start data\n#S 1\n"
					  "#L r($\\AA$)  G($\\AA^{-2}$)\n0.01 -0.5\n0.02 -0.25\n0.03 1e-2\n"),
			  -1, MEASURED_AXIS_AUTO, 0.0, &measured));
	assert_int_equal(measured.count, 3);
	assert_true(measured.of_r && measured.curve == LIBRARY_G && measured.sigma == NULL);
	assert_true(measured.x[2] == 0.03 && measured.y[1] == -0.25 && measured.wavelength == 0.2128 &&
		    measured.qmax == 24.0);
	measured_free(&measured);
	/* as PDFgui does, with errors of r and G */
	const char *gui = "History written: now\ninitially read from x\n##### stype=X stype, qmax=30.0 qdamp=0.05 "
			  "scat=X\n##### start data\n"
			  "#L r(A) G(r) d_r d_Gr\n1 2 0 0.5\n2 3 0 0.25\n";
	assert_status(SONDE_OK, measured_read(test_write_text("b.gr", gui), -1, MEASURED_AXIS_AUTO, 0.0, &measured));
	assert_true(measured.qdamp == 0.05 && measured.qmax == 30.0 && measured.sigma != NULL &&
		    measured.sigma[1] == 0.25);
	measured_free(&measured);
	/* errors that are not known, and a negative one */
	assert_status(SONDE_OK, measured_read(test_write_text("c.gr", "1 2 0 0\n2 3 0 0\n"), -1, MEASURED_AXIS_AUTO,
					      0.0, &measured));
	assert_null(measured.sigma);
	measured_free(&measured);
	assert_invalid("standard deviation of -1", measured_read(test_write_text("d.gr", "1 2 0 1\n2 3 0 -1\n"), -1,
								 MEASURED_AXIS_AUTO, 0.0, &measured));
	assert_null(measured.x);
}

static void test_axes_are_converted(void **unused)
{
	struct measured measured;

	(void)unused;
	assert_status(SONDE_OK,
		      measured_read(test_write_text("a.xy", "# wavelength: 1.5\n# 2theta I\n30 1 2\n60 2 3\n"), -1,
				    MEASURED_AXIS_AUTO, 0.0, &measured));
	assert_close(measured.x[1], 4.0 * 3.141592653589793 / 1.5 * 0.5, 1e-14, "q");
	assert_true(measured.sigma[0] == 2.0 && !measured.of_r && measured.curve < 0);
	measured_free(&measured);
	assert_status(SONDE_OK, measured_read(test_path("a.xy"), -1, MEASURED_AXIS_AUTO, 3.0, &measured));
	assert_close(measured.x[1], 4.0 * 3.141592653589793 / 3.0 * 0.5, 1e-14, "q");
	measured_free(&measured);
	assert_status(SONDE_OK,
		      measured_read(test_write_text("b.sq", "10 1\n20 2\n"), -1, MEASURED_AXIS_Q_NM, 0.0, &measured));
	assert_true(measured.x[1] == 2.0 && measured.curve == LIBRARY_S);
	measured_free(&measured);
	assert_invalid("need wavelength",
		       measured_read(test_path("b.sq"), -1, MEASURED_AXIS_TWO_THETA, 0.0, &measured));
	assert_invalid("beyond 0 to 180", measured_read(test_write_text("c.xy", "10 1\n200 2\n"), -1,
							MEASURED_AXIS_TWO_THETA, 1.0, &measured));
}

static double wavelength_of(const char *text)
{
	struct measured measured;

	assert_status(SONDE_OK, measured_read(test_write_text("w.xy", text), -1, MEASURED_AXIS_AUTO, 0.0, &measured));
	const double wavelength = measured.wavelength;
	measured_free(&measured);
	return wavelength;
}

/* The form of PANalytical's files; the lines of the tube are not resolved, unless only the first one was used. */
#define CONDITIONS                                                                                      \
	"[Measurement conditions]\nSample identification,\"quartz, "                                    \
	"ground\",\nComment,\"Configuration=Reflection\"\n"                                             \
	"Comment,\"Goniometer=Theta/Theta; Minimum step size 2Theta:0.0001\"\n"                         \
	"Measurement date / time,\"2/11/2011 9:52:00 AM\"\nScan axis,\"Gonio\"\nScan range,5.0,5.06\n"  \
	"Anode material,\"Cu\"\n%sK-Alpha1 wavelength,\"1.540598\"\nK-Alpha2 wavelength,\"1.544426\"\n" \
	"Ratio K-Alpha2/K-Alpha1,\"0.5\"\nTime per step,\"48.195\"\n\n[Scan points]\n"

static void check_panalytical(const char *used, const char *rows, double wavelength)
{
	const double half = 5.0217 * 3.14159265358979323846 / 360.0;
	struct measured measured;
	char text[1024];

	snprintf(text, sizeof text, CONDITIONS "%s", used, rows);
	assert_status(SONDE_OK, measured_read(test_write_text("panalytical.csv", text), -1, MEASURED_AXIS_AUTO, 0.0,
					      &measured));
	assert_int_equal(measured.count, 3);
	assert_within(measured.wavelength, wavelength, 1e-9, "wavelength");
	assert_within(measured.x[1], 4.0 * 3.14159265358979323846 / wavelength * sin(half), 1e-12, "q");
	assert_true(measured.y[0] == 1225.0 && measured.y[1] == 1296.0 && measured.y[2] == 1369.0);
	assert_int_equal(measured.radiation, LIBRARY_XRAY);
	measured_free(&measured);
}

static void test_files_of_panalytical(void **unused)
{
	const double mean = (1.540598 + 0.5 * 1.544426) / 1.5;
	struct measured measured;

	(void)unused;
	check_panalytical("", "Angle,Intensity\n5.0050,1225\n5.0217,1296\n5.0384,1369\n", mean);
	check_panalytical("Used wavelength,\"K-Alpha 1\"\n",
			  "Angle,TimePerStep,Intensity,ESD\n5.0050,48.195,1225,35\n5.0217,48.195,1296,36\n"
			  "5.0384,48.195,1369,37\n",
			  1.540598);
	check_panalytical("Used wavelength,\"K-Alpha\"\n",
			  "Angle,TimePerStep,Intensity\r\n5.0050,48.195,1225\r\n5.0217,48.195,1296\r\n"
			  "5.0384,48.195,1369\r\n",
			  mean);
	/* counts in different times become those in the mean time, 20 */
	const char *counts = "Angle,TimePerStep,Intensity,ESD\n5,10,400,20\n6,20,900,30\n7,30,1600,40\n",
		   *rates = "Angle,TimePerStep,Intensity,ESD\n5,10,800,40\n6,20,900,30\n7,30,1066.667,26.667\n";
	for (int k = 0; k < 2; ++k) {
		assert_status(SONDE_OK, measured_read(test_write_text("times.csv", k == 0 ? counts : rates), -1,
						      MEASURED_AXIS_AUTO, 1.5, &measured));
		assert_within(measured.y[0], 800.0, 1e-9, "intensity");
		assert_within(measured.y[2], 1066.667, 1e-3, "intensity");
		assert_within(measured.sigma[2], 26.667, 1e-3, "standard deviation");
		assert_within(measured.sigma[0], 40.0, 1e-9, "standard deviation");
		measured_free(&measured);
	}
	assert_invalid("times.csv: has a TimePerStep from 10 to 20 and no column ESD",
		       measured_read(test_write_text("times.csv", "Angle,TimePerStep,Intensity\n5,10,4\n6,20,9\n"),
				     -1, MEASURED_AXIS_AUTO, 1.5, &measured));
	assert_invalid(
	    "times.csv:3: has 3 columns, the rows before it have 4",
	    measured_read(test_write_text("times.csv", "Angle,TimePerStep,Intensity,ESD\n5,10,4,2\n6,10.5,9\n"), -1,
			  MEASURED_AXIS_AUTO, 1.5, &measured));
	assert_invalid("times.csv:2: a time per step of 0 is not above 0",
		       measured_read(test_write_text("times.csv", "Angle,TimePerStep,Intensity,ESD\n5,0,4,2\n"), -1,
				     MEASURED_AXIS_AUTO, 1.5, &measured));
}

static void test_headers_state_wavelength_and_radiation(void **unused)
{
	const struct {
		const char *header;
		int radiation;
	} cases[] = {{"mode = neutron\n", LIBRARY_NEUTRON},
		     {"mode = xray\n", LIBRARY_XRAY},
		     {"##### stype=N stype, scat=N\n", LIBRARY_NEUTRON},
		     {"# radiation = electron, q\n", LIBRARY_ELECTRON},
		     {"mode = fast\n", -1},
		     {"# model = neutron\n", -1}};
	struct measured measured;
	char text[128];

	(void)unused;
	/* pyFAI gives it in m */
	assert_close(wavelength_of("# {\n#     \"wavelength\": 1.665e-11\n# }\n#q_A^-1 I\n1 2\n"), 0.1665, 1e-14,
		     "m");
	assert_close(wavelength_of("# Wavelength: 1.665e-11 m\n1 2\n"), 0.1665, 1e-14, "m");
	assert_close(wavelength_of("# wavelength: 0.0154 nm\n1 2\n"), 0.154, 1e-14, "nm");
	assert_close(wavelength_of("# Wavelength (A) = 0.7, 1\n1 2\n"), 0.7, 1e-14, "Angstrom");
	assert_close(wavelength_of("# Wavelength of the beam: 0.7\n1 2\n"), 0.0, 1e-14, "a sentence");
	for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
		snprintf(text, sizeof text, "%s1 2\n2 3\n", cases[k].header);
		assert_status(SONDE_OK,
			      measured_read(test_write_text("h.xy", text), -1, MEASURED_AXIS_AUTO, 0.0, &measured));
		assert_int_equal(measured.radiation, cases[k].radiation);
		assert_int_equal(measured.guessed, cases[k].header[0] != '\0');
		measured_free(&measured);
	}
	assert_status(SONDE_OK,
		      measured_read(test_write_text("n.xy", "1 2\n"), -1, MEASURED_AXIS_AUTO, 0.0, &measured));
	assert_true(!measured.guessed);
	measured_free(&measured);
	assert_invalid("'r_mm', which is not q", measured_read(test_write_text("r.xy", "#r_mm I\n1 2\n"), -1,
							       MEASURED_AXIS_AUTO, 0.0, &measured));
	assert_status(SONDE_OK, measured_read(test_path("r.xy"), -1, MEASURED_AXIS_Q, 0.0, &measured));
	measured_free(&measured);
}

/* As h5py writes them: texts of variable length. */
static void write_variable_text(hid_t place, const char *name, const char *text, bool attribute)
{
	hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);

	H5Tset_size(type, H5T_VARIABLE);
	hid_t made = attribute ? H5Acreate2(place, name, type, space, H5P_DEFAULT, H5P_DEFAULT)
			       : H5Dcreate2(place, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	assert_true(made >= 0);
	if (attribute)
		H5Awrite(made, type, &text);
	else
		H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &text);
	attribute ? H5Aclose(made) : H5Dclose(made);
	H5Sclose(space);
	H5Tclose(type);
}

static void write_numbers(hid_t group, const char *name, const double *values, hsize_t count, const char *units,
			  const char *unit)
{
	hid_t space = count > 0 ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR),
	      made = H5Dcreate2(group, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

	assert_true(made >= 0);
	H5Dwrite(made, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
	if (units != NULL)
		write_variable_text(made, units, unit, true);
	H5Dclose(made);
	H5Sclose(space);
}

/* A file in the form of pyFAI: an axis with a unit, data, errors, the wavelength, and the kind of radiation. */
static const char *write_pyfai(const char *axis, const char *units, const char *unit, const char *probe)
{
	const double x[] = {10, 20, 40}, y[] = {5, 6, 7}, errors[] = {1, 2, 3}, wavelength = 0.5;
	const char *path = test_path("pyfai.h5");
	hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
	      results = H5Gcreate2(file, "results", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
	      source = H5Gcreate2(file, "source", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

	write_numbers(results, axis, x, 3, units, unit);
	write_numbers(results, "data", y, 3, NULL, NULL);
	write_numbers(results, "errors", errors, 3, NULL, NULL);
	write_numbers(source, "wavelength", &wavelength, 0, "units", "angstrom");
	write_variable_text(source, "probe", probe, false);
	H5Gclose(results);
	H5Gclose(source);
	H5Fclose(file);
	return path;
}

static void test_files_of_pyfai(void **unused)
{
	const struct {
		const char *axis, *units, *unit;
		double second;
	} cases[] = {{"Q", "units", "1/nm", 2.0},
		     {"Q", "units", "1/angstrom", 20.0},
		     {"polar_angle", "units", "q_nm^-1", 2.0},
		     {"polar_angle", "units", "2th_deg", 4.0 * 3.141592653589793 / 0.5 * 0.17364817766693036},
		     {"radial", "unit", "nm^{-1}", 2.0}};
	struct measured measured;

	(void)unused;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
		const char *path =
		    write_pyfai(cases[k].axis, cases[k].units, cases[k].unit, k % 2 == 0 ? "neutron" : "x-ray");
		assert_status(SONDE_OK, measured_read(path, -1, MEASURED_AXIS_AUTO, 0.0, &measured));
		assert_int_equal(measured.count, 3);
		assert_close(measured.x[1], cases[k].second, 1e-14, "q");
		assert_true(measured.y[2] == 7.0 && measured.sigma[1] == 2.0 && !measured.of_r);
		assert_int_equal(measured.radiation, k % 2 == 0 ? LIBRARY_NEUTRON : LIBRARY_XRAY);
		measured_free(&measured);
	}
}

static const char *write_hdf5(const char *name, const double *q, const double *intensity, const double *errors,
			      int64_t count, const char *unit)
{
	const char *path = test_path(name);
	struct hdf5_writer *writer;

	assert_status(SONDE_OK, hdf5_writer_create(&writer));
	hdf5_writer_group(writer, "/sasentry", "NXentry");
	hdf5_writer_group(writer, "/sasentry/sasdata", "NXdata");
	hdf5_writer_reals(writer, "/sasentry/sasdata/Q", q, &count, 1, unit, NULL);
	hdf5_writer_reals(writer, "/sasentry/sasdata/I", intensity, &count, 1, "1/cm", NULL);
	if (errors != NULL)
		hdf5_writer_reals(writer, "/sasentry/sasdata/Idev", errors, &count, 1, "1/cm", NULL);
	assert_status(SONDE_OK, hdf5_writer_finish(&writer, path, true));
	return path;
}

static void test_nxcansas(void **unused)
{
	const double q[] = {1, 2, 4}, intensity[] = {5, 6, 7}, errors[] = {1, 2, 3}, twice[] = {1, 2, 2},
		     bad[] = {1, -2, 3}, infinite[] = {1, INFINITY, 1};
	struct measured measured;

	(void)unused;
	assert_status(SONDE_OK, measured_read(write_hdf5("a.h5", q, intensity, errors, 3, "1/nm"), -1,
					      MEASURED_AXIS_AUTO, 0.0, &measured));
	assert_int_equal(measured.count, 3);
	assert_true(measured.x[2] == 0.4 && measured.y[2] == 7.0 && measured.sigma[1] == 2.0);
	measured_free(&measured);
	assert_invalid("is given twice", measured_read(write_hdf5("b.h5", twice, intensity, NULL, 3, "1/angstrom"),
						       -1, MEASURED_AXIS_AUTO, 0.0, &measured));
	assert_invalid("an error that is not above 0",
		       measured_read(write_hdf5("c.h5", q, intensity, bad, 3, "1/angstrom"), -1, MEASURED_AXIS_AUTO,
				     0.0, &measured));
	assert_invalid("is not finite", measured_read(write_hdf5("d.h5", q, infinite, NULL, 3, "1/angstrom"), -1,
						      MEASURED_AXIS_AUTO, 0.0, &measured));
	struct hdf5_writer *writer;
	assert_status(SONDE_OK, hdf5_writer_create(&writer));
	hdf5_writer_group(writer, "/entry", "NXentry");
	assert_status(SONDE_OK, hdf5_writer_finish(&writer, test_path("e.h5"), true));
	assert_invalid("no group with a known curve",
		       measured_read(test_path("e.h5"), -1, MEASURED_AXIS_AUTO, 0.0, &measured));
}

#define FROM 400
#define TO 150

static double width(double x, double deviation)
{
	return exp(-0.5 * pow((x - 5.0) / deviation, 2.0)) / deviation;
}

/* A Gaussian convolved with one is a Gaussian; products with transposed vectors are those with curves. */
static void test_curves_are_interpolated_and_convolved(void **unused)
{
	const double deviations[] = {0.0, 0.04, 0.3};
	double axis[FROM], x[TO], to[TO], v[TO], transposed[FROM];
	float curve[FROM];

	(void)unused;
	for (int k = 0; k < FROM; ++k) {
		axis[k] = 0.025 * k + 0.002 * sin(k);
		curve[k] = (float)width(axis[k], 0.4);
	}
	for (int n = 0; n < 3; ++n) {
		struct resampling resampling;
		double product = 0.0, other = 0.0;
		for (int k = 0; k < TO; ++k) {
			x[k] = 2.0 + 0.041 * k;
			v[k] = cos(k);
		}
		assert_status(SONDE_OK, resampling_make(axis, FROM, x, TO, deviations[n], &resampling));
		resample(&resampling, curve, to);
		resampling_transpose(&resampling, v, transposed);
		for (int k = 0; k < TO; ++k) {
			/* the profile ends at four standard deviations */
			assert_within(to[k], width(x[k], hypot(0.4, deviations[n])), n == 0 ? 1e-6 : 1.5e-4, "curve");
			product += v[k] * to[k];
		}
		for (int k = 0; k < FROM; ++k)
			other += transposed[k] * (double)curve[k];
		assert_within(product, other, 1e-12, "product");
		assert_true(resampling_error(&resampling, curve) < 1e-4);
		resampling_free(&resampling);
	}
	struct resampling same;
	assert_status(SONDE_OK, resampling_make(axis, FROM, axis + 7, TO, 0.0, &same));
	assert_true(same.same && same.first[0] == 7);
	resample(&same, curve, to);
	assert_true(to[3] == (double)curve[10]);
	resampling_free(&same);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_pair_distributions_of_pdfgetx),
	    cmocka_unit_test(test_axes_are_converted),
	    cmocka_unit_test(test_files_of_panalytical),
	    cmocka_unit_test(test_headers_state_wavelength_and_radiation),
	    cmocka_unit_test(test_files_of_pyfai),
	    cmocka_unit_test(test_nxcansas),
	    cmocka_unit_test(test_curves_are_interpolated_and_convolved),
	};

	return cmocka_run_group_tests_name("measured curves", tests, NULL, NULL);
}
