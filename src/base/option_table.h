/* Generates the rows of an option table from a .def file. Define OPTION_STRUCT (the options struct)
 * and include the .def between the braces of an array:
 *
 *     #define OPTION_STRUCT struct sonde_debye_options
 *     #include "base/option_table.h"
 *     static const struct option_row rows[] = {
 *     #include "debye/options.def"
 *     };
 */
#include "base/options.h"

#define OPTION(TYPE, name, unit, default_text, minimum, maximum, choices, traits, help) \
	{OPTION_##TYPE, #name,   unit,   default_text, minimum,                         \
	 maximum,       choices, traits, help,         offsetof(OPTION_STRUCT, name)},
