/* Measured curves: headers of several programs, and files that are refused. */
#include "unit/support.h"

#include "io/tables/curve_file.h"

static const char *write_file(const char *text)
{
	return test_write_text("curve.dat", text);
}

static void check_axis(const char *text, enum curve_axis axis)
{
	struct curve_file curve;

	assert_status(SONDE_OK, curve_file_read(write_file(text), 2, &curve));
	assert_int_equal(curve.axis, axis);
	assert_int_equal(curve.count, 2);
	assert_true(curve.x[0] == 0.5 && curve.x[1] == 1.25 && curve.y[0] == 100 && curve.y[1] == -2);
	curve_file_free(&curve);
	assert_null(curve.x);
}

#define ROWS "0.5 100\n1.25 -2\n"

static void test_headers(void **unused)
{
	(void)unused;
	check_axis(ROWS, CURVE_AXIS_UNKNOWN);
	check_axis("\xef\xbb\xbf# poni1 = 0.5\n#    2th_deg     I\n" ROWS, CURVE_AXIS_TWO_THETA);
	check_axis("# q_nm^-1 I sigma\n" ROWS, CURVE_AXIS_Q_NM);
	check_axis("# q_A^-1 I\n" ROWS, CURVE_AXIS_Q);
	check_axis("# q [1/Angstrom]  I [electron^2]\n" ROWS, CURVE_AXIS_Q);
	check_axis("# Q (1/nm) I\r\n0.5\t100\r\n1.25\t-2\r\n", CURVE_AXIS_Q_NM);
	check_axis("q,I\n0.5,100\n1.25,-2\n", CURVE_AXIS_Q);
	check_axis("two_theta;counts\n0.5;100\n1.25;-2\n", CURVE_AXIS_TWO_THETA);
	check_axis("% quartz, at 300 K\n" ROWS "# the end\n\n", CURVE_AXIS_UNKNOWN);
	/* Fit2D */
	check_axis("a.tif: 1-D\n2-Theta Angle (Degrees)\nIntensity\n           2\n" ROWS, CURVE_AXIS_TWO_THETA);
	check_axis("sample.tif\nQ-Space (inverse nm)\nIntensity\n  2\n" ROWS, CURVE_AXIS_Q_NM);
	check_axis("sample.tif\nRadial Distance (mm)\nIntensity\n  2\n" ROWS, CURVE_AXIS_OTHER);
	check_axis("20240131 sample.tif\nQ (nm^-1)\nIntensity\n  2\n" ROWS, CURVE_AXIS_Q_NM);
	/* pyFAI, and units with blanks */
	check_axis("#r_mm           I\n" ROWS, CURVE_AXIS_OTHER);
	check_axis("# q (1 / nm)  I (1 / cm)\n" ROWS, CURVE_AXIS_Q_NM);
	check_axis("# q (1 / Angstrom)  I (1 / nm)\n" ROWS, CURVE_AXIS_Q);
	/* PDFgetX2, whose header has tables */
	check_axis(
	    "####### Get_XPDF #######\n#L a b c\n 1 2 3\n0 1 0 3.5 1.0\n 9 8\n##### start data\n#F x\n#L Q S\n" ROWS,
	    CURVE_AXIS_Q);
	/* Mantid, whose number of the spectrum is not that of the rows */
	check_axis("# X , Y\n7\n0.5,100\n1.25,-2\n", CURVE_AXIS_UNKNOWN);
	check_axis("Angle,Intensity\n0.5,100\n1.25,-2\n", CURVE_AXIS_TWO_THETA);
	check_axis("# Angle dispersive data\n" ROWS, CURVE_AXIS_UNKNOWN);
	check_axis("# r  G(r)\n" ROWS, CURVE_AXIS_R);
	/* diffpy */
	check_axis("[DEFAULT]\n\nwavelength = 0.2\n#### start data\n#S 1\n#L Q($\\AA^{-1}$)  S\n" ROWS, CURVE_AXIS_Q);
}

static void test_columns(void **unused)
{
	struct curve_file curve;

	(void)unused;
	assert_status(SONDE_OK, curve_file_read(write_file("0.5 7 0.25\n0.75 8 0.5\n"), 2, &curve));
	assert_true(curve.sigma[0] == 0.25 && curve.sigma[1] == 0.5);
	curve_file_free(&curve);
	/* standard deviations of x or others: not known */
	assert_status(SONDE_OK, curve_file_read(write_file("0.5 7 0 0.25\n"), 2, &curve));
	assert_true(curve.sigma == NULL && curve.columns == 4 && curve.y[0] == 7);
	curve_file_free(&curve);
	/* an error of x at the end */
	assert_status(SONDE_OK,
		      curve_file_read(write_file("# X , Y , E , DX\n1\n0.5,7,0.25,0\n0.75,8,0.5,0\n"), 2, &curve));
	assert_true(curve.sigma[1] == 0.5 && curve.fourth == NULL && curve.count == 2);
	curve_file_free(&curve);
	/* no standard deviations are known, or all are */
	assert_status(SONDE_OK, curve_file_read(write_file("0.5 7 0\n0.75 8 0\n"), 2, &curve));
	assert_true(curve.sigma == NULL && curve.columns == 3);
	curve_file_free(&curve);
	assert_invalid("curve.dat:2: ", curve_file_read(write_file("0.5 7 0\n0.75 8 1\n"), 2, &curve));
	assert_invalid("curve.dat:2: ", curve_file_read(write_file("0.5 7 1\n0.75 8 0\n"), 2, &curve));
	/* radians become degrees */
	assert_status(SONDE_OK, curve_file_read(write_file("#2th_rad I\n0.5 7\n1 8\n"), 2, &curve));
	assert_close(curve.x[1], 57.29577951308232, 1e-15, "degrees");
	assert_int_equal(curve.axis, CURVE_AXIS_TWO_THETA);
	curve_file_free(&curve);
	assert_status(SONDE_OK, curve_file_read(write_file("# points\n0\n0.5\n3\n"), 1, &curve));
	assert_true(curve.count == 3 && curve.x[2] == 3 && curve.y == NULL);
	curve_file_free(&curve);
}

static void test_parts(void **unused)
{
	struct curve_file curve;

	(void)unused;
	assert_status(SONDE_OK, curve_file_read(write_file("1 5 1\n2 6 2\n3 7 3\n4 8 4\n"), 2, &curve));
	curve_file_crop(1.5, 3.0, &curve);
	assert_true(curve.count == 2 && curve.x[0] == 2 && curve.y[1] == 7 && curve.sigma[1] == 3);
	curve_file_crop(2.2, 2.8, &curve);
	assert_int_equal(curve.count, 0);
	curve_file_free(&curve);
}

static void check_refused(const char *text, int needed, const char *message)
{
	struct curve_file curve;

	assert_status(SONDE_INVALID, curve_file_read(write_file(text), needed, &curve));
	if (strstr(sonde_status_message(), message) == NULL)
		fail_msg("'%s' lacks '%s'", sonde_status_message(), message);
	assert_true(curve.count == 0 && curve.x == NULL && curve.y == NULL && curve.sigma == NULL);
}

static void test_bad_files_are_refused(void **unused)
{
	(void)unused;
	check_refused("", 1, "curve.dat: has no rows of numbers");
	check_refused("# q I\n", 1, "has no rows of numbers");
	check_refused("1\n2\n", 2, "has a single column");
	check_refused("1 5\n2 6\n3\n", 2, "curve.dat:3: has 1 column, the rows before it have 2");
	check_refused("1 5\n2 nan\n", 2, "curve.dat:2: y = 'nan' is not a finite number");
	check_refused("nan 5\n2 6\n", 2, "curve.dat:1: x = 'nan' is not a finite number");
	check_refused("1 5\n2 1e999\n", 2, "curve.dat:2: y = '1e999'");
	check_refused("1 5\nend of data\n", 2, "curve.dat:2: has 3 columns");
	check_refused("1 5\n2 x\n", 2, "curve.dat:2: y = 'x'");
	check_refused("1 5\n1 6\n", 2, "curve.dat:2: x = 1 is given twice");
	check_refused("1 5\n2 6\n1.5 6\n", 2, "curve.dat:3: x = 1.5 follows 2: rows must be sorted");
	check_refused("1 5 1\n2 6 0\n", 2, "curve.dat:2: a standard deviation of 0 is not above 0");
	check_refused("1,5 3,2\n", 2, "decimals have a point");
	check_refused("t\n2-theta\ny\n3\n1 5\n2 6\n", 2, "has 2 rows, and 3 according to its header");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_headers),
	    cmocka_unit_test(test_columns),
	    cmocka_unit_test(test_parts),
	    cmocka_unit_test(test_bad_files_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
