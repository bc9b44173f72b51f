/* Results as a folder of text files in SRIM's layout. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/status.h"
#include "ions/output/srim_files.h"

static const char *const names[SRIM_FILES] = {
    [SRIM_TDATA] = "TDATA.txt",       [SRIM_RANGE] = "RANGE.txt",     [SRIM_VACANCY] = "VACANCY.txt",
    [SRIM_IONIZ] = "IONIZ.txt",       [SRIM_PHONON] = "PHONON.txt",   [SRIM_E2RECOIL] = "E2RECOIL.txt",
    [SRIM_NOVAC] = "NOVAC.txt",       [SRIM_LATERAL] = "LATERAL.txt", [SRIM_TRANSMIT] = "TRANSMIT.txt",
    [SRIM_BACKSCAT] = "BACKSCAT.txt", [SRIM_SPUTTER] = "SPUTTER.txt"};

sonde_status ions_check_srim(const char *folder, bool overwrite)
{
	char path[PATH_MAX];

	CHECK(folder_path(folder, NULL, path));
	if (!folder_is_there(path))
		return file_check_output(path, false);
	for (int k = 0; k < SRIM_FILES; ++k) {
		CHECK(folder_path(folder, names[k], path));
		CHECK(file_check_output(path, overwrite));
	}
	return SONDE_OK;
}

static sonde_status make_text(const sonde_ions_result *result, enum srim_file file, struct text *text, bool *wanted)
{
	*wanted = true;
	switch (file) {
	case SRIM_TDATA:
		srim_append_details(result, text);
		return text_status(text);
	case SRIM_LATERAL:
		return srim_append_lateral(result, text);
	case SRIM_TRANSMIT:
	case SRIM_BACKSCAT:
		srim_append_exits(result, file, text);
		return text_status(text);
	case SRIM_SPUTTER:
		*wanted = srim_append_exits(result, file, text) > 0;
		return text_status(text);
	default:
		return srim_append_table(result, file, text);
	}
}

static sonde_status write_texts(const struct text texts[SRIM_FILES], const bool wanted[SRIM_FILES],
				struct folder_files *files, bool overwrite)
{
	char path[PATH_MAX];

	for (int k = 0; k < SRIM_FILES; ++k) {
		CHECK(folder_path(files->folder, names[k], path));
		/* no sputtered atoms of an earlier run next to the tables of this one */
		if (!wanted[k] && !folder_is_there(path))
			continue;
		CHECK(folder_files_add(files, names[k], path));
		CHECK(file_write(path, texts[k].bytes, texts[k].size, overwrite));
	}
	return SONDE_OK;
}

sonde_status sonde_ions_result_write_srim(const sonde_ions_result *result, const char *folder, int overwrite)
{
	struct text texts[SRIM_FILES] = {{0}};
	struct folder_files files;
	bool wanted[SRIM_FILES];
	sonde_status status = ions_check_srim(folder, overwrite != 0);

	for (int k = 0; k < SRIM_FILES && status == SONDE_OK; ++k)
		status = make_text(result, (enum srim_file)k, &texts[k], &wanted[k]);
	if (status == SONDE_OK)
		status = folder_files_begin(&files, folder);
	if (status == SONDE_OK)
		status = folder_files_end(&files, write_texts(texts, wanted, &files, overwrite != 0));
	for (int k = 0; k < SRIM_FILES; ++k)
		text_free(&texts[k]);
	return status;
}
