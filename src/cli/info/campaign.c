#include "cli/info/campaign.h"

#include <stdlib.h>
#include <string.h>

#include "run/result_file.h"

#define TABLE "/campaign/table"

bool info_is_campaign(struct hdf5_reader *reader)
{
	return hdf5_reader_has(reader, TABLE "/state");
}

struct columns {
	struct report *report;
	struct text names;
};

static sonde_status add_column(void *user, const char *name)
{
	struct columns *columns = user;

	if (strcmp(name, "job") == 0 || strcmp(name, "state") == 0)
		return SONDE_OK;
	text_append(&columns->names, "%s%s", columns->names.size > 0 ? ", " : "", name);
	report_text(columns->report, NULL, name);
	return SONDE_OK;
}

static sonde_status report_columns(struct hdf5_reader *reader, struct report *report)
{
	struct columns columns = {.report = report};

	report_open_list(report, "columns");
	const sonde_status status = hdf5_reader_members(reader, TABLE, add_column, &columns);
	report_close(report);
	report_line(report, "columns", "%s", columns.names.bytes != NULL ? columns.names.bytes : "");
	text_free(&columns.names);
	return status;
}

sonde_status info_describe_campaign(struct hdf5_reader *reader, struct report *report)
{
	char *states;
	int64_t count, done = 0, failed = 0;
	size_t size;

	report_line(report, "what", "table of a campaign");
	report_text(report, "what", "table of a campaign");
	result_file_text(reader, report, "title", "/campaign/title");
	result_file_text(reader, report, "version", "/campaign/process/version");
	CHECK(hdf5_reader_texts(reader, TABLE "/state", &states, &count, &size));
	for (int64_t k = 0; k < count; ++k) {
		done += strncmp(states + (size_t)k * size, "done", size) == 0;
		failed += strncmp(states + (size_t)k * size, "failed", size) == 0;
	}
	free(states);
	report_line(report, "jobs", "%lld: %lld done, %lld failed", (long long)count, (long long)done,
		    (long long)failed);
	report_integer(report, "jobs", count);
	report_integer(report, "done", done);
	report_integer(report, "failed", failed);
	return report_columns(reader, report);
}
