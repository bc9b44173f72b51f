#include "matter/build/changes.h"

#include <string.h>

#include "base/option_items.h"
#include "base/sha256.h"
#include "matter/build/build_options.h"
#include "matter/generate/defects.h"
#include "matter/generate/ensemble.h"

static const char *const keys[OPTION_ITEM_KEYS] = {
    " substitute vacancies displace strain relax fault seed ",
    " copies copy_spacing copy_density copy_orientations copy_file compact ", " "};

sonde_status changes_apply(const sonde_build_options *options, sonde_atoms *atoms)
{
	if (sonde_atoms_occupancies(atoms) != NULL &&
	    (options->substitute[0] != '\0' || options->vacancies[0] != '\0'))
		return status_fail_option(SONDE_INVALID, options->substitute[0] != '\0' ? "substitute" : "vacancies",
					  "not for a cell with partly occupied sites");
	return defects_apply(options, atoms);
}

sonde_status changes_copy(sonde_context *context, const sonde_build_options *options, sonde_atoms **atoms, bool *made)
{
	sonde_atoms *copies;

	*made = false;
	CHECK(ensemble_build(context, options, *atoms, &copies));
	if (copies == NULL)
		return SONDE_OK;
	sonde_atoms_free(atoms);
	*atoms = copies;
	*made = true;
	return SONDE_OK;
}

sonde_status changes_check(const sonde_build_options *options, const char *what)
{
	sonde_build_options others = *options;

	CHECK(option_item_check(&build_option_table, options, what, keys));
	others.cell = 0; /* required elsewhere */
	return options_check(&build_option_table, &others);
}

sonde_status changes_none(const sonde_build_options *options, bool *none)
{
	struct text given = {0};

	build_describe_options(options, &given);
	*none = given.size == 0;
	const sonde_status status = text_status(&given);
	text_free(&given);
	return status;
}

/* Of the sample's files, and of that of the copies. */
static sonde_status find_digest(const sonde_build_options *options, const char *of_sample, char digest[65])
{
	struct sha256 both;
	char of_options[65];

	CHECK(build_options_digest(options, of_options));
	memcpy(digest, of_sample, 65);
	if (of_options[0] == '\0')
		return SONDE_OK;
	sha256_begin(&both);
	for (int k = 0; k < 2; ++k) {
		const char *one = k == 0 ? of_sample : of_options;
		sha256_add(&both, one, strlen(one));
		sha256_add(&both, "\n", 1);
	}
	sha256_end(&both, digest);
	return SONDE_OK;
}

static sonde_status describe(const sonde_build_options *options, const struct text *sample, struct text *source)
{
	text_append(source, "sonde build %s", sample->bytes != NULL ? sample->bytes : "");
	build_describe_options(options, source);
	return text_status(source);
}

sonde_status changes_make(sonde_context *context, const sonde_build_options *options, const char *what,
			  sonde_atoms **atoms)
{
	struct text source = {0};
	char digest[65] = "";
	bool none, made;

	CHECK(changes_check(options, what));
	CHECK(changes_none(options, &none));
	if (none)
		return SONDE_OK;
	sonde_status status = changes_apply(options, *atoms);
	if (status == SONDE_OK)
		status = find_digest(options, (*atoms)->sha256, digest);
	if (status == SONDE_OK)
		status = describe(options, &(*atoms)->source, &source);
	if (status == SONDE_OK)
		status = changes_copy(context, options, atoms, &made);
	if (status == SONDE_OK) {
		text_free(&(*atoms)->source);
		(*atoms)->source = source;
		memcpy((*atoms)->sha256, digest, sizeof digest);
		return SONDE_OK;
	}
	text_free(&source);
	return status;
}
