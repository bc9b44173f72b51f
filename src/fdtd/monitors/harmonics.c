#include "fdtd/monitors/harmonics.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/dense.h"

#define NODES HARMONICS_MOST_NODES
#define ROWS (2 * NODES)
#define GROUP 4          /* nodes processed together in one pass over the signal */
#define MOST_GROWTH 30.0 /* logarithm of the allowed growth of an oscillation over the signal */
#define MOST_DECAY 5.0   /* and of the allowed decay per sample */
#define LEAST_SINGULAR 1e-15
#define GAP 2.0            /* between singular values: the rank may be cut there */
#define STEPS 40           /* of the fit */
#define FAINT_PARTNER 0.05 /* of a significant oscillation: smaller ones next to it may be dropped */
#define ROUNDING 3e-16     /* of a sample */
#define LEAST_ERROR 2e-14  /* of an exponent, in parts of it */

/* A set of oscillations, with their exponents + i center. */
struct model {
	int count;
	double rss; /* sum of squares of the residual of the window's spectrum */
	double complex exponent[NODES], amplitude[NODES];
};

/* The window's spectrum and work arrays. Exponents of nodes and oscillations are kept without their common part, +-i
 * center: differences of the large phases would lose digits. */
struct window {
	size_t count;  /* samples */
	double center; /* radians per sample */
	int nodes, rows;
	double complex offset[ROWS]; /* log of the node, which is near the unit circle, without i center */
	double complex spectrum[ROWS];
	double noise;                                              /* of rounding, in the spectrum */
	double complex first[NODES][NODES], shifted[NODES][NODES]; /* U0, U1 */
	double complex matrix[ROWS * 2 * NODES + 4 * NODES * NODES], right[ROWS + 2 * NODES], step[2 * NODES];
	double singular[NODES], variance[2 * NODES];
	double complex left_vectors[NODES * NODES], right_vectors[NODES * NODES], pencil[NODES * NODES],
	    values[NODES];
	struct model best, trial;
};

/* Sums over a half of the signal, times powers of a node: sum, and its derivative. */
struct sums {
	double complex value[GROUP], slope[GROUP];
};

/* Horner's scheme over signal[0 .. count - 1] for GROUP nodes. */
static void sum_powers(const double complex *signal, size_t count, const double complex *node, struct sums *sums)
{
	double x[GROUP], y[GROUP], re[GROUP] = {0.0}, im[GROUP] = {0.0}, slope_re[GROUP] = {0.0},
				   slope_im[GROUP] = {0.0};

	for (int k = 0; k < GROUP; ++k) {
		x[k] = creal(node[k]);
		y[k] = cimag(node[k]);
	}
	for (size_t n = count; n-- > 0;) {
		double sample_re = creal(signal[n]), sample_im = cimag(signal[n]);
		for (int k = 0; k < GROUP; ++k) {
			double turned = slope_re[k] * x[k] - slope_im[k] * y[k] + re[k];
			slope_im[k] = slope_re[k] * y[k] + slope_im[k] * x[k] + im[k];
			slope_re[k] = turned;
			turned = re[k] * x[k] - im[k] * y[k] + sample_re;
			im[k] = re[k] * y[k] + im[k] * x[k] + sample_im;
			re[k] = turned;
		}
	}
	for (int k = 0; k < GROUP; ++k) {
		sums->value[k] = re[k] + I * im[k];
		sums->slope[k] = slope_re[k] + I * slope_im[k];
	}
}

static double complex power(double complex node, size_t exponent)
{
	long double complex result = 1.0L, square = node;

	for (; exponent > 0; exponent /= 2, square *= square)
		if (exponent % 2 == 1)
			result *= square;
	return (double complex)result;
}

/* Input of a node's matrix elements: sums over the two halves of the signal, unshifted and shifted by a sample. */
struct node {
	double complex z, to_last, next; /* z, z^last, z^(last + 1) */
	double complex low[2], low_slope[2], high[2], high_slope[2];
};

/* `last` is the highest power of the basis; the sums go over signal[0 .. last] and signal[last + 1 .. 2 last]. */
static void shift_sums(const double complex *signal, size_t last, struct node *node)
{
	double complex z = node->z, inverse = 1.0 / z, below = node->to_last * inverse, middle = signal[last + 1],
		       end = signal[2 * last + 1];

	node->low[1] = (node->low[0] - signal[0]) * inverse + middle * node->to_last;
	node->low_slope[1] =
	    (node->low_slope[0] - (node->low[0] - signal[0]) * inverse) * inverse + (double)last * middle * below;
	node->high[1] = (node->high[0] - middle * z) * inverse + end * node->to_last;
	node->high_slope[1] = (node->high_slope[0] - node->high[0] * inverse) * inverse + (double)last * end * below;
}

/* Elements of the evolution matrix between filtered functions, from the sums alone. */
static double complex element(const struct node *a, const struct node *b, int shift, size_t last)
{
	if (a == b)
		return a->low[shift] + a->z * a->low_slope[shift] +
		       a->to_last * ((double)(last + 1) * a->high[shift] - a->z * a->high_slope[shift]);
	return (a->z * a->low[shift] - b->z * b->low[shift] + a->next * b->high[shift] - b->next * a->high[shift]) /
	       (a->z - b->z);
}

/* Fills the spectrum, every other node of which has a basis function, and the matrices. */
static void transform(const double complex *signal, struct window *window, struct node *node)
{
	size_t count = window->count, last = (count - 2) / 2;
	double spacing = 2.0 * M_PI / (double)count, squares = 0.0, largest = 0.0;

	for (size_t n = 0; n < count; ++n)
		squares += pow(cabs(signal[n]), 2);
	for (int row = 0; row < window->rows; row += GROUP) {
		double complex z[GROUP];
		struct sums low, high;
		for (int k = 0; k < GROUP; ++k)
			z[k] = cexp(I * (window->center + spacing * (row + k - 0.5 * (window->rows - 1))));
		sum_powers(signal, last + 1, z, &low);
		sum_powers(signal + last + 1, count - last - 1, z, &high);
		for (int k = 0; k < GROUP && row + k < window->rows; ++k) {
			long double complex exact =
			    clogl((long double complex)z[k]) - (long double complex)I * window->center;
			long double turns = roundl(cimagl(exact) / (2.0L * 3.141592653589793238462643383279502884L));
			window->offset[row + k] = (double complex)(
			    exact - (long double complex)I * turns * 2.0L * 3.141592653589793238462643383279502884L);
			struct node *filled = &node[(row + k) / 2];
			double complex to_last = power(z[k], last), beyond = to_last * z[k];
			window->spectrum[row + k] = low.value[k] + beyond * high.value[k];
			if ((row + k) % 2 == 1)
				continue;
			/* the upper half as needed by the matrices: signal[last + m] z^m for m of 1 to last */
			double complex kept = high.value[k], slope = high.slope[k];
			for (size_t n = 2 * last + 1; n < count; ++n) {
				size_t m = n - last - 1;
				kept -= signal[n] * power(z[k], m);
				slope -= (double)m * signal[n] * power(z[k], m - 1);
			}
			*filled = (struct node){.z = z[k], .to_last = to_last, .next = beyond};
			filled->low[0] = low.value[k];
			filled->low_slope[0] = low.slope[k];
			filled->high[0] = kept * z[k];
			filled->high_slope[0] = kept + slope * z[k];
			shift_sums(signal, last, filled);
		}
	}
	for (int row = 0; row < window->rows; ++row)
		largest = fmax(largest, cabs(window->spectrum[row]));
	window->noise = ROUNDING * (sqrt(squares) + sqrt((double)count) * largest);
	for (int a = 0; a < window->nodes; ++a)
		for (int b = 0; b <= a; ++b)
			for (int shift = 0; shift < 2; ++shift) {
				double complex value = element(&node[a], &node[b], shift, last);
				*(shift == 0 ? &window->first[a][b] : &window->shifted[a][b]) = value;
				*(shift == 0 ? &window->first[b][a] : &window->shifted[b][a]) = value;
			}
}

/* exp(s) - 1 */
static double complex exponential_less_one(double complex s)
{
	double half = sin(0.5 * cimag(s)), grown = exp(creal(s));

	return expm1(creal(s)) * cos(cimag(s)) - 2.0 * half * half + I * grown * sin(cimag(s));
}

/* Sum of exp(s n) over the samples, and its derivative by s. */
static double complex geometric(double complex s, size_t count, double complex *slope)
{
	double n = (double)count;

	if (cabs(s) * n < 1e-4) {
		*slope = 0.5 * n * (n - 1.0) * (1.0 + s * (2.0 * n - 1.0) / 3.0);
		return n * (1.0 + 0.5 * (n - 1.0) * s * (1.0 + (2.0 * n - 1.0) / 6.0 * s));
	}
	double complex all = exponential_less_one(n * s), one = exponential_less_one(s);
	*slope = (n * (all + 1.0) * one - all * (one + 1.0)) / (one * one);
	return all / one;
}

static sonde_status check_dense(enum dense_result result)
{
	if (result == DENSE_NO_MEMORY)
		return status_fail(SONDE_RESOURCE, "not enough memory for the matrices of a harmonic inversion");
	return result == DENSE_OK
		   ? SONDE_OK
		   : status_fail(SONDE_INTERNAL, "the eigenvalues of a harmonic inversion do not converge");
}

/* Amplitudes by least squares, and the residual. */
static sonde_status fit_amplitudes(struct window *window, struct model *model)
{
	int rows = window->rows;
	double scale[NODES] = {0.0};
	double complex slope;

	for (int k = 0; k < model->count; ++k) {
		double norm = 0.0;
		for (int i = 0; i < rows; ++i) {
			double complex value =
			    geometric(model->exponent[k] + window->offset[i], window->count, &slope);
			window->matrix[k * rows + i] = value;
			norm += creal(value) * creal(value) + cimag(value) * cimag(value);
		}
		scale[k] = norm > 0.0 ? 1.0 / sqrt(norm) : 0.0;
		for (int i = 0; i < rows; ++i)
			window->matrix[k * rows + i] *= scale[k];
	}
	if (model->count > 0)
		CHECK(check_dense(dense_least_squares(rows, model->count, window->matrix, window->spectrum,
						      model->amplitude, NULL)));
	model->rss = 0.0;
	for (int i = 0; i < rows; ++i) {
		double complex left = window->spectrum[i];
		for (int k = 0; k < model->count; ++k)
			left -= window->matrix[k * rows + i] * model->amplitude[k];
		model->rss += creal(left) * creal(left) + cimag(left) * cimag(left);
	}
	for (int k = 0; k < model->count; ++k)
		model->amplitude[k] *= scale[k];
	return SONDE_OK;
}

/* Bayesian information criterion with the unbiased variance; smaller is better. Four parameters per oscillation. */
static double criterion(const struct window *window, const struct model *model)
{
	double numbers = 2.0 * window->rows, parameters = 4.0 * model->count,
	       rounding = window->noise * window->noise * window->rows;

	return numbers * log((model->rss + rounding) / (numbers - parameters)) + parameters * log(numbers);
}

/* The oscillations in the space of the matrices' first `rank` singular vectors. */
static sonde_status diagonalize(struct window *window, int rank, struct model *model)
{
	double complex turned = cexp(I * window->center);

	for (int b = 0; b < rank; ++b)
		for (int a = 0; a < rank; ++a)
			window->matrix[b * rank + a] =
			    window->pencil[b * window->nodes + a] / sqrt(window->singular[a] * window->singular[b]);
	CHECK(check_dense(dense_eigenvalues(rank, window->matrix, window->values)));
	model->count = 0;
	for (int k = 0; k < rank; ++k) {
		double complex exponent = clog(window->values[k] * turned);
		if (creal(exponent) * (double)window->count < MOST_GROWTH && creal(exponent) > -MOST_DECAY)
			model->exponent[model->count++] = exponent;
	}
	return SONDE_OK;
}

/* pencil = left^H shifted right */
static void project(struct window *window)
{
	int n = window->nodes;

	for (int b = 0; b < n; ++b) {
		for (int i = 0; i < n; ++i) {
			double complex sum = 0.0;
			for (int j = 0; j < n; ++j)
				sum += window->shifted[i][j] * window->right_vectors[b * n + j];
			window->values[i] = sum;
		}
		for (int a = 0; a < n; ++a) {
			double complex sum = 0.0;
			for (int i = 0; i < n; ++i)
				sum += conj(window->left_vectors[a * n + i]) * window->values[i];
			window->pencil[b * n + a] = sum;
		}
	}
}

/* Tries the numbers of oscillations at which the singular values drop steeply or pass a power of ten. */
static sonde_status choose_rank(struct window *window)
{
	int n = window->nodes, most = window->rows / 4;

	for (int b = 0; b < n; ++b)
		for (int a = 0; a < n; ++a)
			window->matrix[b * n + a] = window->first[a][b];
	CHECK(check_dense(
	    dense_singular_values(n, window->matrix, window->singular, window->left_vectors, window->right_vectors)));
	project(window);
	window->best.count = 0;
	CHECK(fit_amplitudes(window, &window->best));
	for (int rank = 1; rank <= n && rank <= most; ++rank) {
		double here = window->singular[rank - 1], next = rank < n ? window->singular[rank] : 0.0;
		if (!(here > LEAST_SINGULAR * window->singular[0]))
			break;
		if (next * GAP > here && floor(log10(next)) == floor(log10(here)))
			continue;
		CHECK(diagonalize(window, rank, &window->trial));
		CHECK(fit_amplitudes(window, &window->trial));
		if (criterion(window, &window->trial) < criterion(window, &window->best))
			window->best = window->trial;
	}
	return SONDE_OK;
}

/* The columns of the fit's matrix: derivatives with respect to amplitudes, then exponents; and the residual of the
 * model. */
static void linearize(struct window *window, const struct model *model, int rows, double *scale)
{
	int count = model->count;

	memset(window->right, 0, (size_t)rows * sizeof *window->right);
	memset(window->matrix, 0, (size_t)rows * 2 * (size_t)count * sizeof *window->matrix);
	for (int i = 0; i < window->rows; ++i)
		window->right[i] = window->spectrum[i];
	for (int k = 0; k < count; ++k) {
		for (int i = 0; i < window->rows; ++i) {
			double complex slope,
			    value = geometric(model->exponent[k] + window->offset[i], window->count, &slope);
			window->right[i] -= model->amplitude[k] * value;
			window->matrix[k * rows + i] = value;
			window->matrix[(count + k) * rows + i] = model->amplitude[k] * slope;
		}
	}
	for (int k = 0; k < 2 * count; ++k) {
		double norm = 0.0;
		for (int i = 0; i < window->rows; ++i)
			norm += pow(cabs(window->matrix[k * rows + i]), 2);
		scale[k] = norm > 0.0 ? 1.0 / sqrt(norm) : 1.0;
		for (int i = 0; i < window->rows; ++i)
			window->matrix[k * rows + i] *= scale[k];
	}
}

static double left_by(const struct window *window, const struct model *model)
{
	double rss = 0.0;
	double complex slope;

	for (int i = 0; i < window->rows; ++i) {
		double complex left = window->spectrum[i];
		for (int k = 0; k < model->count; ++k)
			left -= model->amplitude[k] *
				geometric(model->exponent[k] + window->offset[i], window->count, &slope);
		rss += creal(left) * creal(left) + cimag(left) * cimag(left);
	}
	return rss;
}

/* Levenberg-Marquardt least squares of the window's spectrum in all exponents and amplitudes. */
static sonde_status refine(struct window *window, struct model *model)
{
	double damping = 1e-6, scale[2 * NODES];

	for (int round = 0; round < STEPS && model->count > 0; ++round) {
		int columns = 2 * model->count, rows = window->rows + columns;
		linearize(window, model, rows, scale);
		for (int k = 0; k < columns; ++k)
			window->matrix[k * rows + window->rows + k] = damping;
		CHECK(check_dense(
		    dense_least_squares(rows, columns, window->matrix, window->right, window->step, NULL)));
		struct model moved = *model;
		bool sane = true;
		for (int k = 0; k < model->count; ++k) {
			moved.amplitude[k] += window->step[k] * scale[k];
			moved.exponent[k] += window->step[model->count + k] * scale[model->count + k];
			sane = sane && creal(moved.exponent[k]) * (double)window->count < MOST_GROWTH &&
			       creal(moved.exponent[k]) > -MOST_DECAY;
		}
		moved.rss = sane ? left_by(window, &moved) : INFINITY;
		if (moved.rss < model->rss) {
			bool settled = moved.rss > model->rss * (1.0 - 1e-9);
			*model = moved;
			if (settled)
				break;
			damping *= 0.1;
		} else {
			damping *= 30.0;
			if (damping > 1e3)
				break;
		}
	}
	return SONDE_OK;
}

static bool is_sure(const struct harmonic *harmonic)
{
	return cabs(harmonic->amplitude) > HARMONICS_SIGNIFICANT * harmonic->amplitude_error;
}

/* Errors from the residual and from rounding. */
static sonde_status estimate(struct window *window, const struct model *model, struct harmonic *list)
{
	int count = model->count, columns = 2 * count;
	double scale[2 * NODES];

	if (count == 0)
		return SONDE_OK;
	linearize(window, model, window->rows, scale);
	CHECK(check_dense(dense_least_squares(window->rows, columns, window->matrix, window->right, window->step,
					      window->variance)));
	double noise = model->rss / (window->rows - columns) + window->noise * window->noise;
	for (int k = 0; k < count; ++k) {
		list[k].exponent = model->exponent[k] - I * window->center;
		list[k].amplitude = model->amplitude[k];
		list[k].amplitude_error = scale[k] * sqrt(0.5 * noise * window->variance[k]);
		list[k].exponent_error = scale[count + k] * sqrt(0.5 * noise * window->variance[count + k]) +
					 LEAST_ERROR * cabs(list[k].exponent);
	}
	return SONDE_OK;
}

/* Removes one oscillation after another, the least certain first, as long as the criterion decreases. */
static sonde_status prune(struct window *window, struct harmonic *list)
{
	while (window->best.count > 0) {
		int least = 0;
		CHECK(estimate(window, &window->best, list));
		for (int k = 1; k < window->best.count; ++k)
			if (cabs(list[k].amplitude) * list[least].amplitude_error <
			    cabs(list[least].amplitude) * list[k].amplitude_error)
				least = k;
		window->trial = window->best;
		--window->trial.count;
		for (int k = least; k < window->trial.count; ++k)
			window->trial.exponent[k] = window->best.exponent[k + 1];
		CHECK(fit_amplitudes(window, &window->trial));
		CHECK(refine(window, &window->trial));
		if (criterion(window, &window->trial) >= criterion(window, &window->best))
			break;
		window->best = window->trial;
	}
	return SONDE_OK;
}

/* Two oscillations closer than the resolution of the signal's length, at least one of which is not significant by
 * itself: a signal that ends before they dephase contains both together. */
static bool find_pair(const struct window *window, const struct harmonic *list, int pair[2])
{
	double nearest = 4.0 * M_PI / (double)window->count;

	pair[0] = pair[1] = -1;
	for (int j = 0; j < window->best.count; ++j)
		for (int k = j + 1; k < window->best.count; ++k) {
			const double apart = cabs(list[j].exponent - list[k].exponent);
			const bool first = is_sure(&list[j]), second = is_sure(&list[k]);
			const double a = cabs(list[j].amplitude), b = cabs(list[k].amplitude);
			if ((first && second) || apart >= nearest || (first && b < FAINT_PARTNER * a) ||
			    (second && a < FAINT_PARTNER * b))
				continue;
			nearest = apart;
			pair[0] = j;
			pair[1] = k;
		}
	return pair[0] >= 0;
}

/* Each such pair becomes one oscillation, if that is significant. a exp(sn) + b exp(tn) is about (a + b) exp(rn), r =
 * (as + bt)/(a + b). Its errors include the part that one oscillation cannot describe, and half of the pair's
 * distance; those of all others are unchanged. */
static sonde_status merge_pairs(struct window *window, struct harmonic *list)
{
	struct harmonic merged[NODES];
	int pair[2];

	while (find_pair(window, list, pair)) {
		const int j = pair[0], k = pair[1];
		const double complex sum = list[j].amplitude + list[k].amplitude;
		const double apart = cabs(list[j].exponent - list[k].exponent);
		window->trial = window->best;
		struct model *trial = &window->trial;
		if (sum != 0.0)
			trial->exponent[j] =
			    (list[j].amplitude * trial->exponent[j] + list[k].amplitude * trial->exponent[k]) / sum;
		--trial->count;
		for (int n = k; n < trial->count; ++n)
			trial->exponent[n] = window->best.exponent[n + 1];
		CHECK(fit_amplitudes(window, trial));
		CHECK(refine(window, trial));
		CHECK(estimate(window, trial, merged));
		merged[j].exponent_error += 0.5 * apart;
		if (!is_sure(&merged[j]) ||
		    cabs(merged[j].exponent - list[j].exponent) > 4.0 * M_PI / (double)window->count)
			break;
		list[j] = merged[j];
		for (int n = k; n < trial->count; ++n)
			list[n] = list[n + 1];
		window->best = window->trial;
	}
	return SONDE_OK;
}

sonde_status harmonics_of_window(const double complex *signal, size_t count, double center, int nodes,
				 struct harmonic *list, int *found)
{
	struct window *window = NULL;
	struct node *node = NULL;
	sonde_status status;

	*found = 0;
	CHECK_GOTO(status, memory_allocate(&window, 1, sizeof *window, "a window of a spectrum"), out);
	CHECK_GOTO(status, memory_allocate(&node, NODES + GROUP, sizeof *node, "a window of a spectrum"), out);
	window->count = count;
	window->center = center;
	window->nodes = nodes;
	window->rows = 2 * nodes - 1;
	transform(signal, window, node);
	CHECK_GOTO(status, choose_rank(window), out);
	CHECK_GOTO(status, refine(window, &window->best), out);
	CHECK_GOTO(status, prune(window, list), out);
	CHECK_GOTO(status, estimate(window, &window->best, list), out);
	CHECK_GOTO(status, merge_pairs(window, list), out);
	*found = window->best.count;
out:
	free(window);
	free(node);
	return status;
}
