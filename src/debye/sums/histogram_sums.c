#include "debye/sums/histogram_sums.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "debye/motion/motion.h"
#include "device/kernel.h"
#include "device/kernel_math.h"

#define SAME_PLACE 0.01 /* Angstrom */

static sonde_status check_stop(const struct histogram_sums *sums)
{
	return context_cancelled(sums->context) ? status_fail(SONDE_CANCELLED, "stopped on request in the histogram")
						: SONDE_OK;
}

#define SQUARE_UNIT ((double)(UINT64_C(1) << (2 * OFFSET_BITS - SQUARE_BITS))) /* unit of g, in units^2 */

static struct bin_moments read_bin(const uint64_t *words)
{
	uint64_t n = words[0], sum = words[1], squares = words[2], mean = sum / n;
	struct bin_moments bin = {(double)n, (double)sum / (double)n, 0.0, SQUARE_UNIT};
	uint64_t coarse = mean >> (OFFSET_BITS - 16);

	/* equal offsets, as their sums show: the rounding of g does not enter the variance */
	if (sum % n == 0 && squares == n * (coarse * coarse >> (32 - SQUARE_BITS)))
		return bin;
	/* g was rounded down, by half a unit on average */
	bin.variance = fmax(0.0, ((double)squares / (double)n + 0.5) * SQUARE_UNIT - bin.mean * bin.mean);
	return bin;
}

/* Each distance has the mean square of its own. */
static void set_motion(struct histogram_sums *sums, const struct counted_pairs *counted)
{
	const struct pair_motion *motion = sums->to->motion;
	struct bin_list *list = &sums->list;

	for (size_t n = 0; motion != NULL && n < list->count; ++n)
		list->s[n] = motion_of_species(motion, counted->a, counted->b, list->r[n]).s;
}

/* Converts the totals to a list of distances with the factor w of `periodic`. Fails if pairs were lost. `error`: null
 * if errors and counts are not wanted. */
static sonde_status make_list(struct histogram_sums *sums, const struct counted_pairs *counted,
			      const struct periodic *periodic, struct histogram_error *error)
{
	const int pair = species_pair_index(sums->to->species, counted->a, counted->b);
	const struct bins_to_list bins = {.words = counted->totals,
					  .words_per_bin = TOTAL_WORDS,
					  .first = counted->first_bin,
					  .count = counted->last_bin + 1 - counted->first_bin,
					  .units_per_bin = sums->bins->units_per_bin,
					  .unit = 1.0 / (sums->bins->per_angstrom * sums->bins->units_per_bin),
					  .read = read_bin,
					  .periodic = periodic};

	CHECK(check_stop(sums));
	CHECK(bin_list_make(context_threads(sums->context), &bins, sums->to->motion != NULL, &sums->list, error,
			    error != NULL ? sums->to->counts : NULL, pair));
	/* the number of pairs up to a cut-off is not known */
	if (sums->bins->periodic == NULL && (double)sums->list.pairs != counted->pairs)
		return status_fail(SONDE_INTERNAL, "the histogram has %llu pairs instead of %.0f",
				   (unsigned long long)sums->list.pairs, counted->pairs);
	set_motion(sums, counted);
	return check_stop(sums);
}

/* A GPU takes some 10 ms for any list, a CPU thread for a list of this many entries. */
#define ENTRIES_PER_THREAD (1 << 18)

/* Whether lists of so many entries are short enough for the host, next to a GPU. */
static bool suits_host(const struct histogram_sums *sums, const struct device *device, double entries)
{
	const int threads = context_threads(sums->context);

	return device_properties(device)->gpu_kernels && threads > 1 &&
	       entries <= (double)threads * ENTRIES_PER_THREAD;
}

/* The device for the sums over the list: the first one, *index, or for short lists the host, -1, whose results
 * are bit-identical. */
static sonde_status choose_list_device(struct histogram_sums *sums, struct device **device, int *index)
{
	*index = -1;
	if (sums->running) { /* in its thread */
		*device = sums->host;
		return SONDE_OK;
	}
	CHECK(context_first_device(sums->context, index, device));
	if (!suits_host(sums, *device, (double)sums->list.count))
		return SONDE_OK;
	*index = -1;
	return context_host_device(sums->context, device);
}

/* The sums on a device. */
static sonde_status sum_list_on(struct histogram_sums *sums, struct device *device, const struct pair_sums *to,
				double *row)
{
	const struct bin_list *list = &sums->list;

	if (to->motion != NULL) {
		struct stage stage;
		stage_begin(&stage, sums->context, "histogram to pattern", "points", (double)to->q.points);
		return motion_list_add(sums->context, device, list->r, list->weight_over_r, list->s,
				       (uint32_t)list->count, to, &stage, row);
	}
	if (sums->sums != NULL && !sinc_list_is_on(sums->sums, device))
		sinc_list_free(&sums->sums);
	if (sums->sums == NULL)
		CHECK(sinc_list_create(sums->context, device, &sums->sums));
	return sinc_list_add_ordered(sums->sums, list->r, list->weight_over_r, (uint32_t)list->count, to, row);
}

/* The pairs of atoms at one place. */
static void add_coincident(const struct histogram_sums *sums, const struct counted_pairs *counted,
			   const struct pair_sums *to, double *row)
{
	const double s = to->motion != NULL ? motion_of_species(to->motion, counted->a, counted->b, 0.0).s : 0.0;

	for (int64_t k = 0; k < to->q.points; ++k) {
		const double q = pair_sums_q(to, k);
		row[k] = sums->list.coincident;
		if (s > 0.0 && row[k] > 0.0)
			row[k] *= LANES_FIRST(lanes_exp(LANES_SPLAT(-0.5 * q * q * s), 0));
	}
}

/* One device computes the sums over the list; if it fails, the next one does. */
static sonde_status sum_list(struct histogram_sums *sums, const struct counted_pairs *counted,
			     const struct pair_sums *to, double *row)
{
	for (;;) {
		struct device *device;
		int index;
		add_coincident(sums, counted, to, row);
		CHECK(choose_list_device(sums, &device, &index));
		sonde_status status = sum_list_on(sums, device, to, row);
		if (status != SONDE_RESOURCE || index < 0)
			return status;
		CHECK(sums->drop_device(sums->user, index, status));
	}
}

/* Atoms on opposite faces of a cell that are in the file twice: a frequent mistake, which doubles them. */
static void note_coincident(const struct histogram_sums *sums, const struct counted_pairs *counted)
{
	double pairs = 0.0;

	if (sums->bins->periodic == NULL || sums->occupied)
		return;
	for (uint64_t b = 0; b <= counted->last_bin && (double)b < SAME_PLACE * sums->bins->per_angstrom; ++b)
		pairs += (double)counted->totals[TOTAL_WORDS * b];
	if (pairs > 0.0)
		context_notef(
		    sums->context,
		    "%.0f pair%s of atoms closer than %g Angstrom: does the file have those on opposite faces of "
		    "the cell twice?",
		    pairs, pairs == 1.0 ? "" : "s", SAME_PLACE);
}

/* Converts the totals to sums, those of `to` and then those without damping. `error`: null for these. */
static sonde_status sum_bins(struct histogram_sums *sums, const struct counted_pairs *counted,
			     const struct pair_sums *to, struct histogram_error *error)
{
	double *row = to->sums + species_pair_index(to->species, counted->a, counted->b) * to->q.points;

	CHECK(make_list(sums, counted, to->periodic, error));
	if (error != NULL)
		note_coincident(sums, counted);
	CHECK(sum_list(sums, counted, to, row));
	if (to->q.first == 0.0)
		row[0] = to->periodic != NULL ? sums->list.all : counted->pairs;
	return to->undamped != NULL ? sum_bins(sums, counted, to->undamped, NULL) : SONDE_OK;
}

static sonde_status sum_counted(struct histogram_sums *sums, const struct counted_pairs *counted)
{
	const struct pair_sums *to = sums->to;

	return sum_bins(sums, counted, to, &to->errors[species_pair_index(to->species, counted->a, counted->b)]);
}

/* The thread ------------------------------------------------------------------------------------------------------ */

static void *sum_on_thread(void *user)
{
	struct histogram_sums *sums = user;

	(void)context_mute_thread(true);
	sums->status = sum_counted(sums, &sums->taken);
	if (sums->status != SONDE_OK)
		snprintf(sums->message, sizeof sums->message, "%s", status_message());
	return NULL;
}

/* Whether the host alone makes the sums, of at most two distances for each bin. */
static sonde_status allows_thread(struct histogram_sums *sums, const struct counted_pairs *counted, bool *allows)
{
	struct device *device;
	int index;

	CHECK(context_first_device(sums->context, &index, &device));
	*allows = suits_host(sums, device, 2.0 * (double)(counted->last_bin + 1 - counted->first_bin));
	return *allows ? context_host_device(sums->context, &sums->host) : SONDE_OK;
}

sonde_status histogram_sums_make(struct histogram_sums *sums, struct counted_pairs *counted, bool beside)
{
	CHECK(histogram_sums_wait(sums));
	if (beside)
		CHECK(allows_thread(sums, counted, &beside));
	if (!beside)
		return sum_counted(sums, counted);
	/* what is on a GPU is the main thread's */
	if (sums->sums != NULL && !sinc_list_is_on(sums->sums, sums->host))
		sinc_list_free(&sums->sums);
	const struct counted_pairs spare = sums->taken;
	sums->taken = *counted;
	*counted = spare;
	sums->running = true;
	if (pthread_create(&sums->thread, NULL, sum_on_thread, sums) == 0)
		return SONDE_OK;
	sums->running = false;
	return sum_counted(sums, &sums->taken);
}

sonde_status histogram_sums_wait(struct histogram_sums *sums)
{
	if (!sums->running)
		return SONDE_OK;
	pthread_join(sums->thread, NULL);
	sums->running = false;
	return sums->status == SONDE_OK ? SONDE_OK : status_fail(sums->status, "%s", sums->message);
}

void histogram_sums_forget(struct histogram_sums *sums, struct device *device)
{
	/* the thread has no list but on the host */
	if (!sums->running && sums->sums != NULL && sinc_list_is_on(sums->sums, device))
		sinc_list_free(&sums->sums);
}

void histogram_sums_free(struct histogram_sums *sums)
{
	/* after a failure of the run, whose message stays */
	if (sums->running)
		pthread_join(sums->thread, NULL);
	free(sums->taken.totals);
	bin_list_free(&sums->list);
	sinc_list_free(&sums->sums);
}
