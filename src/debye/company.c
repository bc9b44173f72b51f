#include "debye/company.h"

#include <string.h>

#include "base/file.h"
#include "base/option_items.h"
#include "base/option_spelling.h"
#include "debye/debye.h"

sonde_status debye_check_company(const sonde_debye_options *options)
{
	const int method = options->method;
	const bool pairs = method == SONDE_DEBYE_METHOD_EXACT || method == SONDE_DEBYE_METHOD_REFERENCE;
	const struct {
		const char *name;
		bool useless;
		const char *with;
	} all[] = {{"tolerance", pairs, "every pair is computed at every q"},
		   {"bin_width", pairs, "every pair is computed at every q"},
		   {"precision", method != SONDE_DEBYE_METHOD_AUTO && method != SONDE_DEBYE_METHOD_EXACT,
		    "it is for exact sums"}};
	static const char *const methods[] = {"auto", "exact", "histogram", "reference", "lattice"};

	for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
		bool given = false;
		if (all[k].useless)
			CHECK(options_find_given(&debye_option_table, all[k].name, options, &given));
		if (given)
			return status_fail_option(SONDE_INVALID, all[k].name, "has no effect with `method %s`: %s",
						  methods[method], all[k].with);
	}
	return SONDE_OK;
}

/* Columns -------------------------------------------------------------------------------------------------------- */

/* Whether one of the columns, "q,I,G_standard_error", begins with one of the names and ends there, or has '_' next. */
static bool has_one(const char *columns, const char *names)
{
	for (const char *name = names; *name != '\0'; name += strspn(name, ",")) {
		const size_t length = strcspn(name, ",");
		for (const char *column = columns; *column != '\0'; column += strspn(column, ", ")) {
			const size_t size = strcspn(column, ", ");
			if (size >= length && strncmp(column, name, length) == 0 &&
			    (size == length || column[length] == '_'))
				return true;
			column += size;
		}
		name += length;
	}
	return false;
}

/* The columns of the output; null: all quantities are in it, or those of a comparison. */
static const char *columns_of(const sonde_debye_options *options, const char *output)
{
	static const struct {
		const char *ending, *columns;
	} fixed[] = {{".gr", "r,G"}, {".sq", "q,S"}, {".fq", "q,F"}, {".h5", NULL}, {".hdf5", NULL}, {".nxs", NULL}};

	for (size_t k = 0; output != NULL && k < sizeof fixed / sizeof *fixed; ++k)
		if (file_has_suffix(output, fixed[k].ending))
			return fixed[k].columns;
	return options->columns[0] != '\0'   ? options->columns
	       : options->compare[0] != '\0' ? NULL
					     : "q,I,I_per_atom,S,error_estimate";
}

/* Whether the wavelength is for a quantity that is computed, and not for the column of angles alone. */
static bool uses_wavelength(const sonde_debye_options *options)
{
	return options->anomalous != SONDE_DEBYE_ANOMALOUS_NONE || options->two_theta.last > 0.0 ||
	       options->q_list[0] != '\0' || strcmp(options->polarization, "none") != 0 ||
	       options->lorentz != SONDE_DEBYE_LORENTZ_NONE || strcmp(options->resolution, "none") != 0 ||
	       options->compton != SONDE_DEBYE_COMPTON_NONE;
}

sonde_status debye_note_unseen(sonde_context *context, const sonde_debye_options *options, const char *output)
{
	static const struct {
		const char *name, *columns;
	} all[] = {{"window", "G,D,T"},
		   {"qdamp", "G,D,T"},
		   {"density", "D,T,g"},
		   {"polarization", "I_corrected,I_resolved,I_absolute"},
		   {"lorentz", "I_corrected,I_resolved,I_absolute"},
		   {"resolution", "I_resolved,I_absolute"},
		   {"concentration", "I_absolute"},
		   {"compton", "I_compton,I_total"},
		   {"laue", "laue,I_minus_laue"},
		   {"bhatia_thornton", "S_NN,S_NC,S_CC"},
		   {"partials", "block"},
		   {"wavelength", "two_theta"}};
	const char *columns = columns_of(options, output);

	if (columns == NULL)
		return SONDE_OK;
	for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
		bool given;
		if (has_one(columns, all[k].columns) ||
		    (strcmp(all[k].name, "wavelength") == 0 && uses_wavelength(options)))
			continue;
		CHECK(options_find_given(&debye_option_table, all[k].name, options, &given));
		if (given)
			context_notef(
			    context,
			    OPTION_NAME(
				"%s") ": has no effect on the columns of the table; choose `columns`, such as "
				      "%.*s, or write an HDF5 file (.h5)",
			    all[k].name, (int)strcspn(all[k].columns, ","), all[k].columns);
	}
	return SONDE_OK;
}
