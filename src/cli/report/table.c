/* Tables as they are: the page's script finds their columns. */
#include <string.h>

#include "cli/report/items.h"
#include "cli/report/page_text.h"
#include "io/text/lines.h"

#define MOST_TEXT (8 << 20) /* bytes of a table */

sonde_status items_append_table(const char *path, struct text *page)
{
	struct line_reader *reader;
	struct text table = {0};
	bool cut = false;
	sonde_status status;
	char *line;

	CHECK(line_reader_open(&reader, path));
	while ((status = line_reader_next(reader, &line)) == SONDE_OK && line != NULL && !cut) {
		cut = table.size + strlen(line) > MOST_TEXT;
		if (!cut)
			text_append(&table, "%s\n", line);
	}
	line_reader_close(&reader);
	if (status == SONDE_OK)
		status = text_status(&table);
	if (status == SONDE_OK) {
		text_append(page,
			    "\n{\"path\":\"/\",\"kind\":\"table\",\"cut\":%s,\"text\":", cut ? "true" : "false");
		page_append_text(page, table.bytes != NULL ? table.bytes : "");
		text_append(page, "}");
	}
	text_free(&table);
	return status;
}
