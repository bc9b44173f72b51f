#include "run/part.h"

#include <math.h>

#define LAST_PARTS 16 /* of `most`: no smaller parts are taken later */
#define SMALL_REST 16 /* of a part: a smaller rest is added to it */
#define ALIKE 0.15    /* of the mean of the rates */

/* Pieces per second; 0 if none has been completed. */
static double rate_of(const struct taker *taker)
{
	const double seconds = taker->when - taker->began;

	return taker->takes_part && taker->done > 0 && seconds > 0.0 ? (double)taker->done / seconds : 0.0;
}

/* The known rates: their mean, which is that of takers that have not completed any piece; 0 if there are none. */
struct rates {
	double mean;
	bool alike; /* all are that of the mean: those of equal takers differ by what they were measured with */
};

static struct rates find_rates(const struct taker *takers, int count)
{
	double all = 0.0, least = INFINITY, most = 0.0;
	int known = 0;

	for (int k = 0; k < count; ++k) {
		const double rate = rate_of(&takers[k]);
		if (rate == 0.0)
			continue;
		all += rate;
		least = fmin(least, rate);
		most = fmax(most, rate);
		++known;
	}
	const double mean = known > 0 ? all / known : 0.0;
	return (struct rates){mean, least >= (1.0 - ALIKE) * mean && most <= (1.0 + ALIKE) * mean};
}

/* Pieces that a taker still has to complete of those that it has taken. */
static double rest_of(const struct taker *taker, double rate, double now)
{
	const double since = taker->done > 0 ? taker->when : taker->began;

	return taker->taken > 0 ? fmax((double)(taker->taken - taker->done) - rate * (now - since), 0.0) : 0.0;
}

/* The part of one taker if all end at the same time. */
static double fair_part(const struct taker *takers, int count, int self, double now, uint64_t left)
{
	const struct rates known = find_rates(takers, count);
	double work = (double)left, rates = 0.0, own_rate = 1.0, own_rest = 0.0;

	for (int k = 0; k < count; ++k) {
		if (!takers[k].takes_part)
			continue;
		const double own = known.alike ? 0.0 : rate_of(&takers[k]), rate = own > 0.0 ? own : known.mean,
			     rest = rest_of(&takers[k], rate, now), weight = rate > 0.0 ? rate : 1.0;
		work += rest;
		rates += weight;
		if (k == self) {
			own_rate = weight;
			own_rest = rest;
		}
	}
	return rates > 0.0 ? own_rate * work / rates - own_rest : (double)left;
}

uint64_t part_of(const struct taker *takers, int count, int self, double now, uint64_t left, uint64_t most)
{
	const double fair = fair_part(takers, count, self, now, left);
	/* at first, few pieces are divided among all */
	const uint64_t least = takers[self].taken == 0 ? 1 : (most + LAST_PARTS - 1) / LAST_PARTS;
	uint64_t all = fair > (double)least ? (uint64_t)ceil(fair) : least;

	/* it has its share already; the others, which may not even have begun, have theirs to come */
	if (fair < (double)least && takers[self].taken > takers[self].done && left > least)
		return 0;
	if (all >= left || left - all < all / SMALL_REST)
		all = left;
	if (all <= most)
		return all;
	/* in equal parts, since a small last one would leave most of a device idle */
	const uint64_t parts = (all + most - 1) / most;
	return (all + parts - 1) / parts;
}
