#include "matter/build/build_options.h"

#include <string.h>

#include "base/file.h"
#include "base/sha256.h"

#define OPTION_STRUCT sonde_build_options
#include "base/option_table.h"

static const struct option_row rows[] = {
#include "matter/build/build_options.def"
};

const struct option_table build_option_table = {"build", rows, sizeof rows / sizeof *rows,
						sizeof(sonde_build_options), true};

void sonde_build_options_init_sized(sonde_build_options *options, uint64_t size)
{
	options_init_sized(&build_option_table, options, size);
}

sonde_status build_options_digest(const sonde_build_options *options, char digest[65])
{
	struct sha256 all;
	int files = 0;
	char one[65];

	digest[0] = '\0';
	sha256_begin(&all);
	for (size_t k = 0; k < build_option_table.count; ++k) {
		const char *path = (const char *)options + rows[k].offset;
		if (option_file(&rows[k]) != OPTION_FILE || path[0] == '\0')
			continue;
		CHECK(file_sha256(path, NULL, NULL, one));
		sha256_add(&all, one, strlen(one));
		sha256_add(&all, "\n", 1);
		++files;
	}
	if (files == 1)
		memcpy(digest, one, sizeof one);
	else if (files > 1)
		sha256_end(&all, digest);
	return SONDE_OK;
}

void build_describe_options(const sonde_build_options *options, struct text *source)
{
	sonde_build_options defaults;
	struct text value = {0}, usual = {0};
	char flag[64];

	sonde_build_options_init(&defaults);
	for (size_t k = 0; k < build_option_table.count; ++k) {
		const struct option_row *row = &build_option_table.rows[k];
		value.size = usual.size = 0;
		option_print(row, options, &value);
		option_print(row, &defaults, &usual);
		if (value.size > 0 && (k == 0 || usual.size == 0 || strcmp(value.bytes, usual.bytes) != 0))
			text_append(source,
				    row->type == OPTION_BOOLEAN          ? " --%s"
				    : strpbrk(value.bytes, " ;") != NULL ? " --%s '%s'"
									 : " --%s %s",
				    option_flag(row, flag), value.bytes);
	}
	source->failed |= value.failed || usual.failed;
	text_free(&value);
	text_free(&usual);
}

sonde_status build_describe(const sonde_build_options *options, struct text *source)
{
	text_append(source, "sonde build");
	build_describe_options(options, source);
	return text_status(source);
}

#undef OPTION_STRUCT
#define OPTION_STRUCT struct structure_item
static const struct option_row structure_rows[] = {
#include "matter/files/structure.def"
};

const struct option_table structure_item_table = {"structures", structure_rows,
						  sizeof structure_rows / sizeof *structure_rows,
						  sizeof(struct structure_item), false};
