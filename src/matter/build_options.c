#include "matter/build_options.h"

#include <string.h>

#include "base/file.h"
#include "base/sha256.h"

#define OPTION_STRUCT sonde_build_options
#include "base/option_table.h"

static const struct option_row rows[] = {
#include "matter/build_options.def"
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
#undef OPTION_STRUCT
#define OPTION_STRUCT struct structure_item
static const struct option_row structure_rows[] = {
#include "matter/structure.def"
};

const struct option_table structure_item_table = {"structures", structure_rows,
						  sizeof structure_rows / sizeof *structure_rows,
						  sizeof(struct structure_item), false};
