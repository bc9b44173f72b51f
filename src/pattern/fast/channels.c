#include "pattern/fast/channels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define POINTS 256      /* at which amplitudes are compared */
#define FEW 6           /* groups that are not mixed */
#define MOST_MIXED 64   /* channels of mixed classes */
#define LEAST_GAIN 3    /* groups for each of these */
#define MIXED_ERROR 0.1 /* of the tolerance */
#define GROWTH_ROOM 1.2 /* between the points */

/* Groups ----------------------------------------------------------------------------------------------------- */

static bool are_alike(const struct pattern_class *a, const struct pattern_class *b)
{
	bool alike = strcmp(a->label, b->label) == 0;

	for (int k = 0; k < 6; ++k)
		alike = alike && a->u[k] == b->u[k];
	return alike;
}

/* A channel for each group of classes that differ in occupancy. */
static void group(const struct pattern_sample *sample, struct fast_channels *channels)
{
	for (int c = 0; c < sample->class_count; ++c) {
		int other = 0;
		while (other < c && !are_alike(&sample->classes[other], &sample->classes[c]))
			++other;
		if (other == c) {
			channels->class_of[channels->count] = c;
			channels->group_of[c] = channels->count++;
		} else
			channels->group_of[c] = channels->group_of[other];
	}
}

/* The occupancy relative to that of the first class of a group. */
static double share_of(const struct pattern_sample *sample, const struct fast_channels *channels, int c)
{
	return sample->classes[c].occupancy / sample->classes[channels->class_of[channels->group_of[c]]].occupancy;
}

/* Mixing ------------------------------------------------------------------------------------------------------ */

/* Amplitudes of groups at points, times the numbers of their atoms, over sqrt(sum |f|^2): [group][real and imaginary parts]. */
struct mixing {
	const struct pattern_plan *plan;
	struct fast_channels *channels;
	int groups, count; /* of pivots */
	double *amplitudes, *rest;
	double atoms[PATTERN_MOST_CLASSES];
	int pivots[MOST_MIXED];
	double *triangle; /* [pivot][group] */
};

static double *row_of(double *matrix, int g)
{
	return matrix + (size_t)g * 2 * POINTS;
}

static void fill_point(struct mixing *mixing, int p)
{
	const struct pattern_sample *sample = &mixing->plan->sample;
	const struct pattern_pixels *pixels = &mixing->plan->pixels;
	const double part = 0.6180339887498949 * (p + 1); /* spread over all, by the golden ratio */
	double vector[3], real, imaginary, squares = 0.0;
	double q = pattern_pixel(pixels, (int64_t)((part - floor(part)) * (double)pixels->count), vector);

	if (!sample->anisotropic) /* amplitudes depend on the magnitude alone */
		q = pixels->smallest + (pixels->largest - pixels->smallest) * p / (POINTS - 1);
	for (int c = 0; c < sample->class_count; ++c) {
		(void)pattern_class_amplitude(&sample->classes[c], vector, q, &real, &imaginary);
		squares += (double)sample->view.species[c].atoms * (real * real + imaginary * imaginary);
	}
	for (int g = 0; g < mixing->groups; ++g) {
		double *to = row_of(mixing->amplitudes, g) + 2 * p;
		const double size = squares > 0.0 ? mixing->atoms[g] / sqrt(squares) : 0.0;
		(void)pattern_class_amplitude(&sample->classes[mixing->channels->class_of[g]], vector, q, &real,
					      &imaginary);
		to[0] = size * real;
		to[1] = size * imaginary;
	}
}

static double product(const double *a, const double *b)
{
	double sum = 0.0;

	for (int p = 0; p < 2 * POINTS; ++p)
		sum += a[p] * b[p];
	return sum;
}

/* The error of F if all atoms of each group are in phase. */
static double largest_rest(const struct mixing *mixing)
{
	double largest = 0.0;

	for (int p = 0; p < POINTS; ++p) {
		double sum = 0.0;
		for (int g = 0; g < mixing->groups; ++g) {
			const double *rest = row_of(mixing->rest, g) + 2 * p;
			sum += hypot(rest[0], rest[1]);
		}
		largest = fmax(largest, sum);
	}
	return largest;
}

/* Takes the group with the largest rest as a pivot, and its direction from all. */
static void take_pivot(struct mixing *mixing)
{
	double largest = -1.0;
	int pivot = 0;

	for (int g = 0; g < mixing->groups; ++g) {
		const double square = product(row_of(mixing->rest, g), row_of(mixing->rest, g));
		if (square > largest) {
			largest = square;
			pivot = g;
		}
	}
	double direction[2 * POINTS], *triangle = mixing->triangle + (size_t)mixing->count * (size_t)mixing->groups;
	for (int p = 0; p < 2 * POINTS; ++p)
		direction[p] = largest > 0.0 ? row_of(mixing->rest, pivot)[p] / sqrt(largest) : 0.0;
	for (int g = 0; g < mixing->groups; ++g) {
		double *rest = row_of(mixing->rest, g);
		triangle[g] = product(direction, rest);
		for (int p = 0; p < 2 * POINTS; ++p)
			rest[p] -= triangle[g] * direction[p];
	}
	mixing->pivots[mixing->count++] = pivot;
}

/* Coefficients of a group in the pivots, by back substitution. */
static void solve(const struct mixing *mixing, int g, double x[MOST_MIXED])
{
	const size_t groups = (size_t)mixing->groups;

	for (int k = mixing->count - 1; k >= 0; --k) {
		const double *row = mixing->triangle + (size_t)k * groups;
		x[k] = row[g];
		for (int j = k + 1; j < mixing->count; ++j)
			x[k] -= row[mixing->pivots[j]] * x[j];
		x[k] = row[mixing->pivots[k]] != 0.0 ? x[k] / row[mixing->pivots[k]] : 0.0;
	}
}

/* The pivots become the channels. */
static sonde_status use_pivots(struct mixing *mixing)
{
	struct fast_channels *channels = mixing->channels;
	const struct pattern_sample *sample = &mixing->plan->sample;
	const int classes = sample->class_count;
	double sums[MOST_MIXED] = {0.0}, x[MOST_MIXED], growth = 0.0;
	int class_of[MOST_MIXED];

	CHECK(memory_allocate(&channels->weights, (size_t)mixing->count * (size_t)classes, sizeof(double),
			      "the classes"));
	for (int c = 0; c < classes; ++c) {
		const int g = channels->group_of[c];
		const double share = share_of(sample, channels, c);
		solve(mixing, g, x);
		for (int k = 0; k < mixing->count; ++k) {
			const double weight = share * x[k] * mixing->atoms[mixing->pivots[k]] / mixing->atoms[g];
			channels->weights[(size_t)k * (size_t)classes + (size_t)c] = weight;
			sums[k] += fabs(weight) * (double)sample->view.species[c].atoms;
		}
	}
	for (int p = 0; p < POINTS; ++p) {
		double sum = 0.0;
		for (int k = 0; k < mixing->count; ++k) {
			const double *of = row_of(mixing->amplitudes, mixing->pivots[k]) + 2 * p;
			sum += hypot(of[0], of[1]) / mixing->atoms[mixing->pivots[k]] * sums[k];
		}
		growth = fmax(growth, sum);
	}
	for (int k = 0; k < mixing->count; ++k)
		class_of[k] = channels->class_of[mixing->pivots[k]];
	memcpy(channels->class_of, class_of, (size_t)mixing->count * sizeof *class_of);
	channels->count = mixing->count;
	channels->mixed = true;
	channels->growth = fmax(channels->growth, GROWTH_ROOM * growth);
	return SONDE_OK;
}

static sonde_status mix(struct mixing *mixing)
{
	const struct pattern_sample *sample = &mixing->plan->sample;
	const size_t groups = (size_t)mixing->groups;
	const double wanted = MIXED_ERROR * mixing->plan->fast.tolerance;
	const int most = mixing->groups / LEAST_GAIN < MOST_MIXED ? mixing->groups / LEAST_GAIN : MOST_MIXED;

	CHECK(memory_allocate(&mixing->amplitudes, 2 * POINTS * groups, sizeof(double), "the classes"));
	CHECK(memory_allocate(&mixing->rest, 2 * POINTS * groups, sizeof(double), "the classes"));
	CHECK(memory_allocate(&mixing->triangle, MOST_MIXED * groups, sizeof(double), "the classes"));
	for (int c = 0; c < sample->class_count; ++c)
		mixing->atoms[mixing->channels->group_of[c]] +=
		    share_of(sample, mixing->channels, c) * (double)sample->view.species[c].atoms;
	for (int p = 0; p < POINTS; ++p)
		fill_point(mixing, p);
	memcpy(mixing->rest, mixing->amplitudes, 2 * POINTS * groups * sizeof(double));
	for (int k = 0; k < most; ++k) {
		take_pivot(mixing);
		mixing->channels->error = largest_rest(mixing);
		if (mixing->channels->error <= wanted)
			return use_pivots(mixing);
	}
	mixing->channels->error = 0.0;
	return SONDE_OK;
}

/* All --------------------------------------------------------------------------------------------------------- */

static sonde_status weigh_groups(const struct pattern_sample *sample, struct fast_channels *channels)
{
	const size_t classes = (size_t)sample->class_count;

	CHECK(memory_allocate(&channels->weights, (size_t)channels->count * classes, sizeof(double), "the classes"));
	for (size_t c = 0; c < classes; ++c)
		channels->weights[(size_t)channels->group_of[c] * classes + c] = share_of(sample, channels, (int)c);
	return SONDE_OK;
}

sonde_status fast_channels_make(const struct pattern_plan *plan, struct fast_channels *channels)
{
	const struct pattern_sample *sample = &plan->sample;
	struct mixing *mixing;
	sonde_status status = SONDE_OK;

	/* sum |f| <= sqrt(N) sqrt(sum |f|^2), by Cauchy and Schwarz */
	*channels = (struct fast_channels){.growth = sqrt((double)sample->count)};
	group(sample, channels);
	if (channels->count > FEW) {
		CHECK(memory_allocate(&mixing, 1, sizeof *mixing, "the classes"));
		mixing->plan = plan;
		mixing->channels = channels;
		mixing->groups = channels->count;
		status = mix(mixing);
		free(mixing->amplitudes);
		free(mixing->rest);
		free(mixing->triangle);
		free(mixing);
	}
	return status == SONDE_OK && !channels->mixed ? weigh_groups(sample, channels) : status;
}

void fast_channels_free(struct fast_channels *channels)
{
	free(channels->weights);
	*channels = (struct fast_channels){.count = 0};
}
