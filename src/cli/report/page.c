#include "cli/report/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/info/table.h"
#include "cli/report/file_names.h"
#include "cli/report/items.h"
#include "cli/report/page_text.h"
#include "matter/files/atoms_hdf5.h"
#include "run/context.h"
#include "run/engine.h"

/* Parts of every page, compiled in. */
extern const unsigned char report_style[], report_script[], report_plotly[];
extern const size_t report_style_size, report_script_size, report_plotly_size;

static bool is_hdf5(const char *path)
{
	return file_has_suffix(path, ".h5") || file_has_suffix(path, ".hdf5") || file_has_suffix(path, ".nxs") ||
	       file_has_suffix(path, ".cxi");
}

static sonde_status is_structure(const char *path, bool *structure)
{
	struct hdf5_reader *reader;

	*structure = false;
	if (!is_hdf5(path))
		return SONDE_OK;
	CHECK(hdf5_reader_open(&reader, path));
	*structure = atoms_hdf5_is_structure(reader);
	hdf5_reader_close(&reader);
	return SONDE_OK;
}

/* Files of other names may be XYZ files, whose contents tell. */
static bool has_ending(const char *path, const char *endings)
{
	char ending[32];

	for (const char *from = endings; *from != '\0'; from += strspn(from, " ")) {
		const size_t length = strcspn(from, " ");
		snprintf(ending, sizeof ending, "%.*s", (int)length, from);
		if (file_has_suffix(path, ending))
			return true;
		from += length;
	}
	return false;
}

static sonde_status append_sample(sonde_context *context, const char *path, struct text *page)
{
	sonde_atoms *atoms;
	const sonde_status status = sonde_atoms_read(context, path, 0, &atoms);

	if (status == SONDE_INVALID && !has_ending(path, ENGINE_SAMPLE_FILES))
		return status_fail_file(
		    SONDE_INVALID, path,
		    "is of no known kind: results and tables of campaigns (.h5, .hdf5, .nxs, .cxi), tables (.csv, "
		    ".xy, .dat, .txt), and samples (.xyz, .extxyz, .pdb, .cif, and others) are");
	if (status != SONDE_OK)
		return status;
	items_append_atoms(atoms, page);
	sonde_atoms_free(&atoms);
	return SONDE_OK;
}

static sonde_status append_items(sonde_context *context, const char *path, struct text *page)
{
	bool structure;

	if (has_ending(path, VOLUME_FILES))
		return status_fail_file(SONDE_INVALID, path,
					"is a volume, which reports draw from HDF5 files: sonde convert %s RESULT.h5 "
					"makes one",
					path);
	CHECK(is_structure(path, &structure));
	if (!structure && is_hdf5(path))
		return items_append_hdf5(context, path, page);
	if (!structure && info_is_table(path))
		return items_append_table(path, page);
	return append_sample(context, path, page);
}

static sonde_status append_file(sonde_context *context, const char *const *files, int count, int k, struct text *page)
{
	const char *path = files[k];
	struct text name = {0};
	char digest[65] = "";

	CHECK(file_check_input(path));
	CHECK(file_sha256(path, NULL, NULL, digest));
	file_names_append(files, count, k, &name);
	text_append(page, "{\"name\":");
	page_append_text(page, name.bytes != NULL ? name.bytes : "");
	page->failed |= name.failed;
	text_free(&name);
	text_append(page, ",\"sha256\":\"%s\",\"items\":[", digest);
	CHECK(append_items(context, path, page));
	text_append(page, "]}");
	return text_status(page);
}

static sonde_status append_data(sonde_context *context, const char *const *files, int count, struct text *page)
{
	text_append(page,
		    "<script type=\"application/json\" id=\"data\">{\"version\":\"%s\",\"command\":", SONDE_VERSION);
	page_append_text(page, context_command(context));
	text_append(page, ",\"files\":[");
	for (int k = 0; k < count; ++k) {
		text_append(page, k > 0 ? ",\n" : "\n");
		CHECK(append_file(context, files, count, k, page));
	}
	text_append(page, "]}</script>\n");
	return text_status(page);
}

sonde_status page_append(sonde_context *context, const char *const *files, int count, const char *title,
			 struct text *page)
{
	/* nothing may be fetched; plotly.js makes functions and draws by blobs */
	text_append(
	    page,
	    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline' "
	    "'unsafe-eval' blob:; style-src 'unsafe-inline'; img-src data: blob:; worker-src blob:\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
	page_append_escaped(page, title != NULL && title[0] != '\0' ? title : "Report of sonde");
	text_append(page, "</title>\n<style>\n");
	text_append_bytes(page, (const char *)report_style, report_style_size);
	text_append(page, "</style></head>\n<body><main id=\"main\"><h1>");
	page_append_escaped(page, title != NULL && title[0] != '\0' ? title : "Report of sonde");
	text_append(page,
		    "</h1>\n<noscript><p>This page draws its curves with JavaScript, which is switched off in this "
		    "browser.</p></noscript></main>\n");
	CHECK(append_data(context, files, count, page));
	text_append(page, "<script type=\"text/plain\" id=\"plotly\">");
	page_append_base64(page, report_plotly, report_plotly_size);
	text_append(page, "</script>\n<script>\n\"use strict\";\n(() => {\n");
	text_append_bytes(page, (const char *)report_script, report_script_size);
	text_append(page, "})();\n</script></body></html>\n");
	return text_status(page);
}
