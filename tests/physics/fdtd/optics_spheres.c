/* The spheres of optics.h compared with published values, limits and identities. Values marked as of 250 digits were
 * computed with mpmath from sines and cosines by upward recurrences, which need this precision. */
#include <stdbool.h>

#include "physics/optics.h"

#include "physics/physics.h"

static struct mie_efficiencies efficiencies_of(bool conducts, double complex index, double size)
{
	struct mie_sphere sphere = conducts ? sphere_conducting(size) : sphere_of_index(index, size);
	struct mie_efficiencies q = sphere_efficiencies(&sphere);

	sphere_free(&sphere);
	return q;
}

/* BH appendix A: radius 0.525, wavelength 0.6328, index 1.55; at 0, 9, ... 180 degrees S11/S11(0), -S12/S11, S33/S11 and
 * S34/S11. */
static void test_sphere_of_bohren_and_huffman_comes_out(void **state)
{
	static const double table[21][4] = {
	    {1.00000, 0.0, 1.0, 0.0},
	    {0.785390, -0.00459811, 0.999400, 0.0343261},
	    {0.356897, -0.0458541, 0.986022, 0.160184},
	    {0.0766119, -0.364744, 0.843603, 0.394076},
	    {0.0355355, -0.534997, 0.686967, -0.491787},
	    {0.0701845, 0.00959953, 0.959825, -0.280434},
	    {0.0574313, 0.0477927, 0.985371, 0.163584},
	    {0.0219660, -0.440604, 0.648043, 0.621216},
	    {0.0125959, -0.831996, 0.203255, -0.516208},
	    {0.0173750, 0.0341670, 0.795354, -0.605182},
	    {0.0124601, 0.230462, 0.937497, 0.260742},
	    {0.00679093, -0.713472, -0.00717397, 0.700647},
	    {0.00954239, -0.756255, -0.0394748, -0.653085},
	    {0.00863419, -0.281215, 0.536251, -0.795835},
	    {0.00227421, -0.239612, 0.967602, 0.0795798},
	    {0.00543998, -0.850804, 0.187531, -0.490882},
	    {0.0160243, -0.706334, 0.495254, -0.505781},
	    {0.0188852, -0.891081, 0.453277, -0.0226817},
	    {0.0195254, -0.783319, -0.391613, 0.482752},
	    {0.0301676, -0.196194, -0.962069, 0.189556},
	    {0.0383189, 0.0, -1.0, 0.0},
	};
	struct mie_sphere sphere = sphere_of_index(1.55, 2.0 * PI * 0.525 / 0.6328);
	struct mie_efficiencies q = sphere_efficiencies(&sphere);
	double forward = 0.0, worst = 0.0;
	(void)state;

	check_number("BH's sphere: Q_sca", q.scattering, 3.10543, 2e-6);
	check_number("BH's sphere: Q_ext", q.extinction, 3.10543, 2e-6);
	check_number("BH's sphere: Q_back", q.back, 2.92534, 2e-6);
	check_number("BH's sphere: asymmetry", q.asymmetry, 0.63314, 6e-6);
	for (int i = 0; i < 21; ++i) {
		struct mie_amplitudes s = sphere_amplitudes(&sphere, PI * i / 20.0);
		double one = cabs(s.s1) * cabs(s.s1), two = cabs(s.s2) * cabs(s.s2), s11 = 0.5 * (one + two);
		double complex product = s.s2 * conj(s.s1);
		if (i == 0)
			forward = s11;
		worst = fmax(worst, fabs(s11 / forward / table[i][0] - 1.0));
		worst = fmax(worst, fabs(0.5 * (one - two) / s11 - table[i][1]));
		worst = fmax(worst, fabs(creal(product) / s11 - table[i][2]));
		worst = fmax(worst, fabs(cimag(product) / s11 - table[i][3]));
	}
	check_number("BH's sphere: worst of S11, S12, S33, S34 at 21 angles", worst, 0.0, 4e-6);
	sphere_free(&sphere);
}

/* W. J. Wiscombe, NCAR/TN-140+STR (1979), and the test cases of his MIEV0, in 7 digits (but for the conducting
 * sphere of 0.099, where he has a short series that is wrong by 5e-5): extinction, scattering, asymmetry. */
static void test_spheres_of_wiscombe_come_out(void **state)
{
	static const struct {
		double real, imaginary, size, extinction, scattering, asymmetry;
	} cases[] = {
	    {INFINITY, 0.0, 0.101, 3.477160e-4, 3.477160e-4, -0.397262},
	    {INFINITY, 0.0, 100.0, 2.008102, 2.008102, 0.500926},
	    {INFINITY, 0.0, 10000.0, 2.000289, 2.000289, 0.500070},
	    {0.75, 0.0, 0.099, 7.417859e-6, 7.417859e-6, 0.001448},
	    {0.75, 0.0, 0.101, 8.033542e-6, 8.033542e-6, 0.001507},
	    {0.75, 0.0, 10.0, 2.232265, 2.232265, 0.896473},
	    {0.75, 0.0, 1000.0, 1.997908, 1.997908, 0.844944},
	    {1.33, 1e-5, 1.0, 0.09395198, 0.09392330, 0.184517},
	    {1.33, 1e-5, 100.0, 2.101321, 2.096594, 0.868959},
	    {1.33, 1e-5, 10000.0, 2.004089, 1.723857, 0.907840},
	    {1.5, 1.0, 0.055, 0.1014910, 1.131687e-5, 0.000491},
	    {1.5, 1.0, 0.056, 0.1033467, 1.216311e-5, 0.000509},
	    {1.5, 1.0, 1.0, 2.336321, 0.6634538, 0.192136},
	    {1.5, 1.0, 100.0, 2.097502, 1.283697, 0.850252},
	    {1.5, 1.0, 10000.0, 2.004368, 1.236574, 0.846309},
	    {10.0, 10.0, 1.0, 2.532993, 2.049405, -0.110664},
	    {10.0, 10.0, 100.0, 2.071124, 1.836785, 0.556215},
	    {10.0, 10.0, 10000.0, 2.005914, 1.795393, 0.548194},
	    {1.5, 0.0, 10.0, 2.881999, 2.881999, 0.742913},
	    {1.5, 0.0, 1000.0, 2.013945, 2.013945, 0.827882},
	    {1.5, 0.0, 5000.0, 2.008650, 2.008650, 0.829592},
	    {1.5, 0.1, 10.0, 2.459791, 1.235144, 0.922350},
	    {1.5, 0.1, 5000.0, 2.006775, 1.099193, 0.950650},
	};
	/* m = 1.5 + i, x = 1: S1 and S2 at 0, 30, ... 180 degrees; conjugate in his convention */
	static const double angular[7][4] = {
	    {0.584080, 0.190515, 0.584080, 0.190515},   {0.565702, 0.187200, 0.500161, 0.145611},
	    {0.517525, 0.178443, 0.287964, 0.041054},   {0.456340, 0.167167, 0.0362285, -0.0618265},
	    {0.400212, 0.156643, -0.174875, -0.122959}, {0.362157, 0.149391, -0.305682, -0.143846},
	    {0.348844, 0.146829, -0.348844, -0.146829},
	};
	/* m = 1.5, x = 1000: (|S1|^2 + |S2|^2)/2 at 0, 45, 90, 135, 180 degrees */
	static const double large[5] = {0.253568e12, 0.766220e6, 0.248427e5, 0.109979e5, 0.257577e7};
	(void)state;

	for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
		double complex index = cases[k].real + I * cases[k].imaginary;
		struct mie_efficiencies q = efficiencies_of(isinf(cases[k].real), index, cases[k].size);
		const char *name =
		    name_check("Wiscombe, m = %g + %g i, x = %g", cases[k].real, cases[k].imaginary, cases[k].size);
		check_number(name, q.extinction, cases[k].extinction, 1e-6);
		check_number(name, q.scattering, cases[k].scattering, 1e-6);
		check_number(name, q.absorption - (cases[k].extinction - cases[k].scattering), 0.0, 2e-6);
		check_number(name, q.asymmetry - cases[k].asymmetry, 0.0, 1e-6);
	}
	struct mie_sphere sphere = sphere_of_index(1.5 + I, 1.0);
	double worst = 0.0;
	for (int i = 0; i < 7; ++i) {
		struct mie_amplitudes s = sphere_amplitudes(&sphere, PI * i / 6.0);
		worst = fmax(worst, cabs(conj(s.s1) - angular[i][0] - I * angular[i][1]));
		worst = fmax(worst, cabs(conj(s.s2) - angular[i][2] - I * angular[i][3]));
	}
	check_number("Wiscombe, m = 1.5 + i, x = 1: worst of S1, S2", worst, 0.0, 1e-6);
	sphere_free(&sphere);
	sphere = sphere_of_index(1.5, 1000.0);
	for (int i = 0; i < 5; ++i) {
		struct mie_amplitudes s = sphere_amplitudes(&sphere, 0.25 * PI * i);
		check_number(name_check("Wiscombe, m = 1.5, x = 1000: S11 at %d degrees", 45 * i),
			     0.5 * (cabs(s.s1) * cabs(s.s1) + cabs(s.s2) * cabs(s.s2)), large[i], 5e-6);
	}
	sphere_free(&sphere);
}

/* Of 250 digits: extinction, scattering, absorption, back, asymmetry. */
static const struct {
	double real, imaginary, size, efficiencies[5];
} long_spheres[] = {
    {1.5,
     0.0,
     0.001,
     {2.3068052378042251e-13, 2.3068052378042251e-13, 0.0, 3.4602062227196135e-13, 1.9833331756350949e-7}},
    {1.5,
     0.0,
     0.1,
     {2.3084093578520508e-5, 2.3084093578520508e-5, 0.0, 3.4462945679254596e-5, 0.0019817737649786971}},
    {1.5, 0.0, 1.0, {0.21509759604288531, 0.21509759604288531, 0.0, 0.18658631030033542, 0.19894249463608723}},
    {1.5, 0.0, 10.0, {2.8819989520758974, 2.8819989520758974, 0.0, 1.6950635834095237, 0.74291289856867805}},
    {1.5, 0.0, 100.0, {2.0943878146765429, 2.0943878146765429, 0.0, 1.7361930101173162, 0.81824643993866602}},
    {1.5, 0.0, 1000.0, {2.0139446471491822, 2.0139446471491822, 0.0, 10.303087152619669, 0.8278819606002375}},
    {1.33,
     1e-5,
     0.001,
     {2.2471701753709158e-8, 1.1098880962842094e-13, 2.247159076489953e-8, 1.6648314062074887e-13,
      1.8327782429780565e-7}},
    {1.33,
     1e-5,
     0.1,
     {1.3346225031837587e-5, 1.1090625289461312e-5, 2.2555997423762755e-6, 1.6562285490418337e-5,
      0.0018319588288066511}},
    {1.33,
     1e-5,
     1.0,
     {0.093951983749780023, 0.093923302727596244, 2.8681022183778798e-5, 0.08462444677535891, 0.18451734695272988}},
    {1.33,
     1e-5,
     10.0,
     {2.2065929401399642, 2.2061377751348574, 0.00045516500510678954, 0.56083289574423758, 0.71250414080470502}},
    {1.33,
     1e-5,
     100.0,
     {2.1013207058802704, 2.0965935063936088, 0.0047271994866616042, 2.1463265240579936, 0.86895927200235747}},
    {1.33,
     1e-5,
     1000.0,
     {2.016875432685451, 1.9833333402940488, 0.033542092391402217, 0.54425742276221085, 0.88577236845690634}},
    {0.2,
     3.4,
     0.001,
     {0.00017647111947143679, 4.5732488084765404e-12, 0.00017647111489818799, 6.8598764791459195e-12,
      -2.6978256143335007e-7}},
    {0.2,
     3.4,
     0.1,
     {0.018637257691697349, 0.0004651119378653261, 0.018172145753832023, 0.00070089865340039221,
      -0.002633366421844847}},
    {0.2,
     3.4,
     1.0,
     {4.3839378397000144, 4.1030421352785038, 0.28089570442151053, 5.9245696583173611, -0.012413846234786295}},
    {0.2,
     3.4,
     10.0,
     {2.8360818082455307, 2.6936528177314045, 0.1424289905141262, 1.0190515445346516, 0.5816744497434286}},
    {0.2,
     3.4,
     100.0,
     {2.2117866107328819, 2.1125614506495248, 0.099225160083357104, 1.5559685847605159, 0.54937273656708508}},
    {0.2,
     3.4,
     1000.0,
     {2.0263138217670019, 1.961456809280047, 0.064857012486954922, 0.93846194506136738, 0.52181406965531277}},
    {0.05,
     3.5,
     0.001,
     {3.9949238327576441e-5, 4.4544918884221055e-12, 3.9949233873084553e-5, 6.6817413354944388e-12,
      -2.9390626523493062e-7}},
    {0.05,
     3.5,
     0.1,
     {0.0045712738670120891, 0.00045293550992615308, 0.004118338357085936, 0.0006828657565409298,
      -0.0028673290258480707}},
    {0.05,
     3.5,
     1.0,
     {4.3469272419052635, 4.2782656275211339, 0.068661614384129566, 6.2813422933361886, -0.020709134347324416}},
    {0.05,
     3.5,
     10.0,
     {2.8354264306786824, 2.79959719136199, 0.035829239316692415, 0.91629730324340526, 0.57166231699322009}},
    {0.05,
     3.5,
     100.0,
     {2.2284874456277129, 2.1985449096270049, 0.029942536000707948, 2.8383529515024896, 0.53840412351325404}},
    {0.05,
     3.5,
     1000.0,
     {2.0264991707046058, 2.0105228861134926, 0.015976284591113235, 0.98502189457735695, 0.5097538420638544}},
    {10.0,
     10.0,
     0.001,
     {6.0020758074794601e-5, 2.6664698858517011e-12, 6.0020755408324715e-5, 3.999703629869667e-12,
      1.1654061862064819e-7}},
    {10.0,
     10.0,
     0.1,
     {0.032039090653970906, 0.00027098300392336974, 0.031768107650047537, 0.00041504713176567631,
      -0.0108874686423463}},
    {10.0,
     10.0,
     1.0,
     {2.5329930778963664, 2.049405006925481, 0.48358807097088536, 3.3089965250755423, -0.11066436104552768}},
    {10.0,
     10.0,
     10.0,
     {2.2120445754031285, 1.9388683783848764, 0.2731761970182521, 0.69639743764586196, 0.54861367493382803}},
    {10.0,
     10.0,
     100.0,
     {2.0711243267269476, 1.8367854043136621, 0.23433892241328552, 0.82012728695413048, 0.55621548411198212}},
    {10.0,
     10.0,
     1000.0,
     {2.0242604579074762, 1.8054658212584074, 0.21879463664906882, 0.81900477999512515, 0.55057558356100793}},
    {4.0,
     0.001,
     0.001,
     {2.9629954678530172e-7, 1.8518537000474031e-12, 2.9629769493160167e-7, 2.7777767405416518e-12,
      6.5142900425814873e-7}},
    {4.0,
     0.001,
     0.1,
     {0.00021801897242736706, 0.00018693065177356443, 3.1088320653802633e-5, 0.00027652955713971907,
      0.0065618530538545537}},
    {4.0,
     0.001,
     1.0,
     {6.0543710666918595, 6.0402271143578495, 0.014143952334009987, 9.1729075692966107, 0.0017991071233457412}},
    {4.0,
     0.001,
     10.0,
     {2.4827178144138685, 2.3867488835734902, 0.095968930840378315, 9.5702274758053929, 0.48320338221626264}},
    {4.0,
     0.001,
     100.0,
     {2.0723907824393061, 1.7812770677117174, 0.29111371472758869, 10.542041181204785, 0.60346272674779247}},
    {4.0,
     0.001,
     1000.0,
     {2.0195470032399015, 1.3876025040085297, 0.63194449923137187, 0.36197228988339305, 0.7356822575705567}},
    {100.0,
     100.0,
     0.001,
     {3.2666599741223172e-6, 2.6666710318468292e-12, 3.2666573074512854e-6, 4.0000155064605649e-12,
      -1.1531678864234715e-6}},
    {100.0,
     100.0,
     0.1,
     {0.027423839926452126, 0.00031750914805489333, 0.027106330778397233, 0.00081419315076480103,
      -0.3557595068761438}},
    {100.0,
     100.0,
     1.0,
     {2.0883359072375958, 2.0379406830133646, 0.050395224224231155, 3.6059173964768103, -0.1805456939594512}},
    {100.0,
     100.0,
     10.0,
     {2.0780428820953602, 2.0485764346263999, 0.029466447468960294, 0.90194668615951875, 0.49450699150631232}},
    {100.0,
     100.0,
     100.0,
     {2.0150399634297651, 1.9884128797394876, 0.02662708369027753, 0.97911841580627845, 0.50640846678753474}},
    {100.0,
     100.0,
     1000.0,
     {2.0045952914463131, 1.9783970876577697, 0.026198203788543428, 0.98019925379244906, 0.50511746639450368}},
    {INFINITY,
     0.0,
     0.001,
     {3.333334133333258e-12, 3.333334133333258e-12, 0.0, 8.9999983333337505e-12, -0.39999973066675874}},
    {INFINITY,
     0.0,
     0.1,
     {0.00033413224547528684, 0.00033413224547528684, 0.0, 0.00089833659715227067, -0.39731584525401017}},
    {INFINITY, 0.0, 0.5, {0.21714777583748354, 0.21714777583748354, 0.0, 0.52957627869631155, -0.33792668864233312}},
    {INFINITY, 0.0, 1.0, {2.0358642575812534, 2.0358642575812534, 0.0, 3.6375665428517032, -0.18840949954832795}},
    {INFINITY, 0.0, 2.0, {2.2098654137135724, 2.2098654137135724, 0.0, 1.0081430832473471, 0.2822161302238782}},
    {INFINITY, 0.0, 3.0, {2.1725173033217629, 2.1725173033217629, 0.0, 0.52076542835364155, 0.39118476674552389}},
    {INFINITY, 0.0, 10.0, {2.0624059151564608, 2.0624059151564608, 0.0, 0.92923021595128961, 0.48837505252875626}},
    {INFINITY, 0.0, 100.0, {2.0081024001428778, 2.0081024001428778, 0.0, 0.99902541524328478, 0.50092620374839932}},
    {INFINITY, 0.0, 1000.0, {2.0014153435508424, 2.0014153435508424, 0.0, 1.0000002659209592, 0.5003063467921664}},
};

static void test_spheres_of_250_digits_come_out(void **state)
{
	(void)state;

	for (size_t k = 0; k < sizeof long_spheres / sizeof *long_spheres; ++k) {
		double m = long_spheres[k].real, x = long_spheres[k].size;
		double complex index = m + I * long_spheres[k].imaginary;
		struct mie_efficiencies q = efficiencies_of(isinf(m), index, x);
		const double found[5] = {q.extinction, q.scattering, q.absorption, q.back, q.asymmetry};
		double worst = 0.0;
		for (int i = 0; i < 5; ++i) {
			double truth = long_spheres[k].efficiencies[i];
			/* the asymmetry may be next to its zero */
			double scale = truth == 0.0 || i == 4 ? 1.0 : fabs(truth);
			worst = fmax(worst, fabs(found[i] - truth) / scale);
		}
		check_number(name_check("m = %g + %g i, x = %g: worst of 5", m, long_spheres[k].imaginary, x), worst,
			     0.0, 5e-11);
	}
}

/* Small spheres, BH (5.8), (5.11); identities; and rows of a program's table for an index of 2. */
static void test_spheres_obey_limits_and_identities(void **state)
{
	static const double rows[5][2] = {{2.0, 4.770439836353265},
					  {3.0, 3.036170633095203},
					  {4.0, 1.747662381320632},
					  {5.0, 2.852515919240352},
					  {6.0, 2.685439723346597}};
	const double complex index = 0.2 + 3.4 * I, contrast = (index * index - 1.0) / (index * index + 2.0);
	struct mie_efficiencies q = efficiencies_of(false, index, 1e-3);
	(void)state;

	check_number("small sphere: scattering", q.scattering, 8.0 / 3.0 * 1e-12 * cabs(contrast) * cabs(contrast),
		     1e-5);
	check_number("small sphere: absorption", q.absorption, 4e-3 * cimag(contrast), 1e-5);
	check_number("small conducting sphere", efficiencies_of(true, 0.0, 1e-3).scattering, 10.0 / 3.0 * 1e-12,
		     1e-5);
	check_number("small conducting sphere, back", efficiencies_of(true, 0.0, 1e-3).back, 9e-12, 1e-5);
	check_number("a metal without bound conducts", efficiencies_of(false, 1e6 * (1.0 + I), 1.0).back,
		     efficiencies_of(true, 0.0, 1.0).back, 2e-6);
	check_number("conducting, x = 1: Q_sca", efficiencies_of(true, 0.0, 1.0).scattering, 2.0359, 2e-5);
	check_number("conducting, x = 1: Q_back", efficiencies_of(true, 0.0, 1.0).back, 3.6376, 2e-5);
	check_number("no sphere", efficiencies_of(false, 1.0, 5.0).extinction, 0.0, 1e-14);
	for (int i = 0; i < 5; ++i)
		check_number(name_check("m = 2, x = %g", rows[i][0]),
			     efficiencies_of(false, 2.0, rows[i][0]).scattering, rows[i][1], 1e-13);
	for (int k = 0; k < 4; ++k) {
		double x = k % 2 ? 0.3 : 7.3, nodes[40], weights[40], sum = 0.0, moment = 0.0;
		struct mie_sphere sphere = k < 2 ? sphere_of_index(1.6 + 0.05 * I, x) : sphere_conducting(x);
		struct mie_amplitudes forward = sphere_amplitudes(&sphere, 0.0),
				      back = sphere_amplitudes(&sphere, PI);
		q = sphere_efficiencies(&sphere);
		gauss_legendre(40, -1.0, 1.0, nodes, weights);
		for (int i = 0; i < 40; ++i)
			for (int j = 0; j < 8; ++j) {
				double share =
				    weights[i] * 0.25 * PI * sphere_pattern(&sphere, acos(nodes[i]), 0.25 * PI * j);
				sum += share;
				moment += share * nodes[i];
			}
		check_number("extinction = scattering + absorption", q.scattering + q.absorption, q.extinction,
			     1e-14);
		check_number("optical theorem", 4.0 / (x * x) * creal(forward.s1), q.extinction, 1e-14);
		check_number("S1 = S2 forward", cabs(forward.s1 - forward.s2), 0.0, 1e-13);
		check_number("back", 4.0 / (x * x) * cabs(back.s1) * cabs(back.s1), q.back, 1e-13);
		check_number("integral of the pattern", sum, q.scattering, 1e-13);
		check_number("its first moment", moment, q.scattering * q.asymmetry, 1e-12);
		sphere_free(&sphere);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_sphere_of_bohren_and_huffman_comes_out),
	    cmocka_unit_test(test_spheres_of_wiscombe_come_out),
	    cmocka_unit_test(test_spheres_of_250_digits_come_out),
	    cmocka_unit_test(test_spheres_obey_limits_and_identities),
	};

	return cmocka_run_group_tests_name("optics_spheres", tests, NULL, NULL);
}
