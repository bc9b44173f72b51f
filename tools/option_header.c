/* Writes the public header of an engine's options struct from its options.def.
 *
 * Compiled once per engine with -DOPTIONS_DEF="debye/options.def" -DENGINE="debye"; prints to stdout. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct row {
	const char *type, *name, *unit, *default_text, *choices, *help;
};

/* of lists that several engines read */
#define LENGTH "that of lengths of the engine"
#define OPTION(TYPE, name, unit, default_text, minimum, maximum, choices, traits, help) \
	{#TYPE, #name, unit, default_text, choices, help},
static const struct row rows[] = {
#include OPTIONS_DEF
};
enum { ROWS = sizeof rows / sizeof *rows };

static void print_upper(const char *text, size_t length)
{
	for (size_t i = 0; i < length; ++i)
		putchar(isalnum((unsigned char)text[i]) ? toupper((unsigned char)text[i]) : '_');
}

/* A help text, which names options as flags, with names of members: "With --bin-width" gives "With bin_width". */
static void print_help(const char *text)
{
	while (*text != '\0') {
		if (text[0] != '-' || text[1] != '-' || !islower((unsigned char)text[2])) {
			putchar(*text++);
			continue;
		}
		for (text += 2; islower((unsigned char)*text) || isdigit((unsigned char)*text) || *text == '-';
		     ++text)
			putchar(*text == '-' ? '_' : *text);
	}
}

static void print_enum(const struct row *row)
{
	int k = 0;

	printf("enum sonde_" ENGINE "_%s {\n", row->name);
	for (const char *word = row->choices; *word != '\0'; ++k) {
		size_t length = strcspn(word, "|");
		printf("\tSONDE_");
		print_upper(ENGINE, strlen(ENGINE));
		putchar('_');
		print_upper(row->name, strlen(row->name));
		putchar('_');
		print_upper(word, length);
		printf(" = %d,\n", k);
		word += length + (word[length] == '|');
	}
	printf("};\n\n");
}

int main(void)
{
	printf("/* Options of the engine `" ENGINE "`: generated from its options.def, do not edit. */\n");
	printf("#ifndef SONDE_");
	print_upper(ENGINE, strlen(ENGINE));
	printf("_OPTIONS_H\n#define SONDE_");
	print_upper(ENGINE, strlen(ENGINE));
	printf("_OPTIONS_H\n\n#include <stdint.h>\n\n#include \"sonde/types.h\"\n\n");
	for (int i = 0; i < ROWS; ++i)
		if (strcmp(rows[i].type, "CHOICE") == 0)
			print_enum(&rows[i]);
	printf("/* Fill with sonde_" ENGINE "_options_init(), then set the options that differ. */\n");
	printf("typedef struct sonde_" ENGINE "_options {\n");
	printf("\tuint64_t struct_size; /* set by init: the size that the caller was compiled with */\n");
	for (int i = 0; i < ROWS; ++i) {
		const struct row *row = &rows[i];
		const char *type = strcmp(row->type, "REAL") == 0      ? "double "
				   : strcmp(row->type, "INTEGER") == 0 ? "int64_t "
				   : strcmp(row->type, "GRID") == 0    ? "sonde_grid "
				   : strcmp(row->type, "VECTOR") == 0  ? "sonde_vector "
				   : strcmp(row->type, "SIZE") == 0    ? "uint64_t "
				   : strcmp(row->type, "TEXT") == 0    ? "char "
								       : "int ";
		printf("\t/* ");
		print_help(row->help);
		printf("%s%s%s Default: %s. */\n", row->unit[0] != '\0' ? " Unit: " : "", row->unit,
		       row->unit[0] != '\0' ? "." : "", row->default_text[0] != '\0' ? row->default_text : "none");
		printf("\t%s%s%s;\n", type, row->name, strcmp(row->type, "TEXT") == 0 ? "[4096]" : "");
	}
	printf("} sonde_" ENGINE "_options;\n\n#endif\n");
	return 0;
}
