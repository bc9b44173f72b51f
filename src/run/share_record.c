#include "run/share_record.h"

#include <stdio.h>

#include "base/memory.h"
#include "parallel/parallel.h"

/* The devices of this process that have done something. */
static sonde_status list_own(sonde_context *context, struct share_row *rows, size_t *count)
{
	const struct share_record *record = context_share_record(context);
	struct device **devices;
	int device_count;

	*count = 0;
	if (record->seconds == 0.0)
		return SONDE_OK;
	CHECK(context_devices(context, &devices, &device_count));
	for (int k = 0; k < device_count; ++k) {
		if (devices[k] == NULL)
			continue;
		struct share_row *row = &rows[(*count)++];
		*row = (struct share_row){.rank = parallel_rank(context_ranks(context)),
					  .index = k,
					  .of = record->devices[k],
					  .rank_seconds = record->seconds,
					  .rank_processor = record->processor};
		snprintf(row->device, sizeof row->device, "%s", device_name(devices[k]));
	}
	return SONDE_OK;
}

sonde_status share_record_gather(sonde_context *context, struct share_row **rows, size_t *count)
{
	struct share_row own[CONTEXT_MOST_DEVICES];
	size_t own_count, size;
	void *all;

	*rows = NULL;
	*count = 0;
	CHECK(parallel_agree(context_ranks(context), list_own(context, own, &own_count)));
	CHECK(parallel_collect(context_ranks(context), own, own_count * sizeof *own, &all, &size));
	*rows = all;
	*count = size / sizeof **rows;
	return SONDE_OK;
}

static void report_device(const struct share_row *row, struct report *report)
{
	report_open_object(report, NULL);
	report_text(report, "device", row->device);
	report_number(report, "work", row->of.work);
	report_decimal(report, "seconds", row->of.seconds, 6);
	report_close(report);
}

void share_record_report(const struct share_row *rows, size_t count, struct report *report)
{
	if (count == 0)
		return;
	report_open_list(report, "shared");
	for (size_t k = 0; k < count;) {
		const struct share_row *first = &rows[k];
		report_open_object(report, NULL);
		report_integer(report, "rank", first->rank);
		report_decimal(report, "seconds", first->rank_seconds, 6);
		report_decimal(report, "processor", first->rank_processor, 6);
		report_open_list(report, "devices");
		for (; k < count && rows[k].rank == first->rank; ++k)
			report_device(&rows[k], report);
		report_close(report);
		report_close(report);
	}
	report_close(report);
}
