/* Formulas of parameters, texts with them, and means over nodes. */
#include <math.h>

#include "unit/support.h"
#include "refine/formula.h"
#include "refine/smoothing.h"

static const char *const names[] = {"a", "x_1"};
static const double values[] = {4.0, 2.5};

static sonde_status evaluate(const char *formula, double *value)
{
	const struct formula_names all = {names, values, NULL, 2};

	return formula_evaluate(formula, formula + strlen(formula), &all, value);
}

static void test_formulas(void **unused)
{
	static const struct {
		const char *formula;
		double value;
	} cases[] = {{"a", 4.0},
		     {" 1 + 2*3 ", 7.0},
		     {"(1+2)*3-4/8", 8.5},
		     {"-a^2", -16.0},
		     {"2^3^2", 512.0},
		     {"2^-1", 0.5},
		     {"--a*-x_1", -10.0},
		     {"1e-2*a + 2.5E+1", 25.04},
		     {"sqrt(8/3)*a", 6.531972647421808},
		     {"min(a, x_1) + max(a,x_1)", 6.5},
		     {"cos(pi) + exp(0) + log(1) + abs(-2)", 2.0},
		     {"8/2/2-1-1", 0.0}};
	static const char *const bad[][2] = {{"", "missing"},
					     {"a+", "missing"},
					     {"b", "no parameter 'b'"},
					     {"x_2", "did you mean 'x_1'"},
					     {"a a", "operator"},
					     {"(a", "')'"},
					     {"sqrt 2", "'('"},
					     {"min(1)", "','"},
					     {"1/0", "no finite value"},
					     {"sqrt(-1)", "no finite value"},
					     {"1..2", "number"},
					     {"a)", "operator"},
					     {"2 $ 3", "operator"}};
	double value;

	(void)unused;
	for (size_t k = 0; k < COUNT(cases); ++k) {
		assert_status(SONDE_OK, evaluate(cases[k].formula, &value));
		assert_within(value, cases[k].value, 1e-14, cases[k].formula);
	}
	for (size_t k = 0; k < COUNT(bad); ++k)
		assert_invalid(bad[k][1], evaluate(bad[k][0], &value));
	char deep[200];
	memset(deep, '(', 100);
	strcpy(deep + 100, "1");
	assert_invalid("too deeply", evaluate(deep, &value));
	assert_true(formula_is_name("a_1") && formula_is_name("_") && !formula_is_name("1a") &&
		    !formula_is_name("") && !formula_is_name("sqrt") && !formula_is_name("pi") &&
		    !formula_is_name("a-b"));
}

static void test_texts(void **unused)
{
	bool used[2] = {false};
	const struct formula_names all = {names, values, used, 2};
	struct text text = {0};

	(void)unused;
	assert_status(SONDE_OK, formula_substitute("O ${x_1/10} $$5; ${0.1}", &all, &text));
	assert_string_equal(text.bytes, "O 0.25 $5; 0.1");
	assert_true(used[1] && !used[0]);
	text_free(&text);
	assert_invalid("no '}'", formula_substitute("${a", &all, &text));
	text_free(&text);
}

/* Weights have the sum 1, the mean x, and the variance h^2/3, or that of the spread. */
static void test_smoothing(void **unused)
{
	static const double spreads[] = {0.0, 0.1, 0.13};
	double nodes[SMOOTHING_MOST], weights[SMOOTHING_MOST];

	(void)unused;
	for (size_t n = 0; n < COUNT(spreads); ++n)
		for (double x = -1.31; x < 0.0; x += 0.0173) {
			double sums[3] = {0.0};
			const int count = smoothing_nodes(x, 0.1, spreads[n], nodes, weights);
			for (int k = 0; k < count; ++k) {
				assert_true(weights[k] >= 0.0);
				sums[0] += weights[k];
				sums[1] += weights[k] * nodes[k];
				sums[2] += weights[k] * (nodes[k] - x) * (nodes[k] - x);
			}
			const double variance = n == 0 ? 0.01 / 3.0 : spreads[n] * spreads[n],
				     accuracy = n == 0 ? 1e-14 : 1e-5;
			assert_within(sums[0], 1.0, 1e-14, "sum");
			assert_within(sums[1], x, accuracy, "mean");
			assert_within(sums[2], variance, accuracy, "variance");
		}
	/* sizes are above 0 */
	assert_int_equal(smoothing_nodes(0.05, 0.1, 0.1, nodes, weights), 5);
	assert_close(nodes[0], 0.1, 1e-14, "node");
	assert_int_equal(smoothing_nodes(1.0, 1e-3, 0.1, nodes, weights), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_formulas),
	    cmocka_unit_test(test_texts),
	    cmocka_unit_test(test_smoothing),
	};

	return cmocka_run_group_tests_name("formulas of refinements", tests, NULL, NULL);
}
