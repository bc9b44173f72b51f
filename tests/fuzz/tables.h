/* The option tables of job files; that of the program is not part of the library, and is made here. */
#ifndef TESTS_FUZZ_TABLES_H
#define TESTS_FUZZ_TABLES_H

#include "debye/debye.h"
#include "matter/build/build.h"
#include "sonde/program_options.h"

#define OPTION_STRUCT sonde_program_options
#include "base/option_table.h"

static const struct option_row program_rows[] = {
#include "job/program.def"
};

static const struct option_table fuzz_program_table = {
    "program", program_rows, sizeof program_rows / sizeof *program_rows, sizeof(sonde_program_options), true};

#endif
