#include "cli/program/completion.h"

#include <stdio.h>
#include <string.h>

#include "base/options.h"
#include "cli/program/program.h"
#include "device/device.h"

#define TOPICS "materials optics"
#define SHELLS "bash zsh fish"

/* Calls `visit` for the options of a command: its engine's, then the program's. */
static void for_options(const struct command *command,
			void (*visit)(const struct command *command, const struct option_row *row))
{
	for (size_t k = 0; command->options != NULL && k < command->options->count; ++k)
		visit(command, &command->options->rows[k]);
	for (size_t k = 0; k < program_option_table.count; ++k)
		if (command_takes(command, &program_option_table.rows[k]))
			visit(command, &program_option_table.rows[k]);
}

static bool is_of_program(const struct option_row *row, const char *name)
{
	return row == options_find(&program_option_table, name);
}

/* Endings of the files that an option names; null: any. */
static const char *endings_of(const struct command *command, const struct option_row *row)
{
	if (is_of_program(row, "output"))
		return command->outputs;
	if (is_of_program(row, "sample"))
		return command->inputs;
	return is_of_program(row, "plot") ? ".png" : NULL;
}

static void list_devices(char *words, size_t size)
{
	size_t used = (size_t)snprintf(words, size, "auto gpu all");
	const struct device_kind *kind;

	for (int k = 0; (kind = device_kind(k)) != NULL && used < size; ++k)
		if (!kind->is_hidden)
			used += (size_t)snprintf(words + used, size - used, " %s%s", kind->name,
						 kind->is_numbered ? ":0" : "");
}

/* Possible values of an option, separated by blanks; "" if they cannot be listed. */
static const char *words_of(const struct command *command, const struct option_row *row, char *words, size_t size)
{
	size_t used = 0;

	words[0] = '\0';
	if (row->type == OPTION_CHOICE)
		snprintf(words, size, "%s", row->choices);
	else if (is_of_program(row, "device"))
		list_devices(words, size);
	else if (is_of_program(row, "output_format"))
		for (const char *c = command->outputs; c != NULL && *c != '\0' && used + 1 < size; ++c)
			if (*c != '.' || (c != command->outputs && c[-1] != ' ')) {
				words[used++] = *c;
				words[used] = '\0';
			}
	for (char *c = words; *c != '\0'; ++c)
		*c = *c == '|' ? ' ' : *c;
	return words;
}

/* bash ------------------------------------------------------------------------------------------- */

static void print_bash_flag(const struct command *command, const struct option_row *row)
{
	char flag[64];

	(void)command;
	printf(" --%s", option_flag(row, flag));
}

/* Completion of the value of an option: words, files, or nothing. */
static void print_bash_value(const struct command *command, const struct option_row *row)
{
	char flag[64], words[1024];
	const char letter = option_short_flag(row);

	if (row->type == OPTION_BOOLEAN)
		return;
	printf("\t%s:--%s", command->name, option_flag(row, flag));
	if (letter != '\0')
		printf(" | %s:-%c", command->name, letter);
	if (words_of(command, row, words, sizeof words)[0] != '\0')
		printf(") words='%s' ;;\n", words);
	else if (option_file(row) == OPTION_FOLDER)
		printf(") _sonde_files '' \"$word\" && return ;;\n");
	else if (endings_of(command, row) != NULL)
		printf(") _sonde_files '%s' \"$word\" && return ;;\n", endings_of(command, row));
	else if (option_file(row) != OPTION_NO_FILE)
		printf(") return ;;\n"); /* any file: bash completes it */
	else
		printf(") compopt +o default 2>/dev/null; return ;;\n");
}

static void print_bash(void)
{
	printf(
	    "# completion of sonde for bash\n"
	    "_sonde_files()\n{ # ENDINGS WORD: folders, and files with one of these endings\n"
	    "\tlocal ending\n"
	    "\tmapfile -t COMPREPLY < <(compgen -d -- \"$2\"; for ending in $1; do compgen -f -X \"!*$ending\" -- "
	    "\"$2\"; done)\n"
	    "\tcompopt -o filenames 2>/dev/null\n"
	    "\treturn 0\n}\n"
	    "_sonde()\n{\n\tlocal word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} words= endings=\n"
	    "\tlocal command=${COMP_WORDS[1]}\n\tCOMPREPLY=()\n"
	    "\tif [ \"$COMP_CWORD\" -gt 2 ] && [ \"$word\" = = ]; then\n\t\tword=\n" /* --method= */
	    "\telif [ \"$COMP_CWORD\" -gt 3 ] && [ \"$option\" = = ]; "
	    "then\n\t\toption=${COMP_WORDS[COMP_CWORD-2]}\n\tfi\n"
	    "\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n\t\tcase $word in\n\t\t-*) words='--help --version' ;;\n\t\t*) "
	    "words='");
	for (int k = 0; k < command_count; ++k)
		printf("%s%s", k > 0 ? " " : "", commands[k].name);
	printf("' ;;\n\t\tesac\n\t\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n\t\treturn\n\tfi\n"
	       "\tcase $command:$option in\n\thelp:--completion) words='" SHELLS
	       "' ;;\n\thelp:*) words='--man --completion " TOPICS);
	for (int k = 0; k < command_count; ++k)
		printf(" %s", commands[k].name);
	printf("' ;;\n");
	for (int k = 0; k < command_count; ++k)
		for_options(&commands[k], print_bash_value);
	printf("\t*)\n\t\tcase $command in\n");
	for (int k = 0; k < command_count; ++k) {
		printf("\t\t%s) endings='%s' words='--help", commands[k].name,
		       commands[k].inputs != NULL ? commands[k].inputs : "");
		for_options(&commands[k], print_bash_flag);
		printf(" --version' ;;\n");
	}
	printf("\t\tesac\n\t\tcase $word in\n\t\t-*) ;;\n\t\t*) _sonde_files \"$endings\" \"$word\"; return "
	       ";;\n\t\tesac ;;\n\tesac\n"
	       "\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n}\n"
	       "complete -o default -F _sonde sonde\n");
}

/* zsh -------------------------------------------------------------------------------------------- */

/* The first sentence of a help text inside quotes, with a backslash before the characters of `special`. */
static void print_sentence(const char *help, const char *special, const char *quote)
{
	for (const char *c = help; *c != '\0'; ++c) {
		if ((*c == '.' && (c[1] == ' ' || c[1] == '\0')) || *c == ';')
			return;
		if (*c == '\'')
			fputs(quote, stdout);
		else
			printf(strchr(special, *c) != NULL ? "\\%c" : "%c", *c);
	}
}

/* "*.(xyz|pdb)" of ".xyz .pdb" */
static void print_zsh_files(const char *endings)
{
	if (endings == NULL || endings[0] == '\0') {
		printf("_files");
		return;
	}
	printf("_files -g \"*(");
	for (const char *c = endings; *c != '\0'; ++c)
		putchar(*c == ' ' ? '|' : *c);
	printf(")\"");
}

static void print_zsh_option(const struct command *command, const struct option_row *row)
{
	char flag[64], words[1024];
	const char letter = option_short_flag(row);
	const bool value = row->type != OPTION_BOOLEAN;

	option_flag(row, flag);
	for (int k = 0; k < 1 + (letter != '\0'); ++k) {
		if (k == 0)
			printf(" \\\n\t\t\t'*--%s%s[", flag, value ? "=" : "");
		else
			printf(" \\\n\t\t\t'*-%c[", letter);
		print_sentence(row->help, "[]:\\", "'\\''");
		printf("]");
		if (value) {
			printf(":%s:", flag);
			if (words_of(command, row, words, sizeof words)[0] != '\0') {
				putchar('(');
				for (const char *c = words; *c != '\0'; ++c)
					printf(*c == ':' ? "\\%c" : "%c", *c);
				putchar(')');
			} else if (option_file(row) == OPTION_FOLDER) {
				printf("_files -/");
			} else if (option_file(row) != OPTION_NO_FILE) {
				print_zsh_files(endings_of(command, row));
			} else {
				putchar(' ');
			}
		}
		putchar('\'');
	}
}

static void print_zsh(void)
{
	printf("#compdef sonde\n# completion of sonde for zsh\n_sonde()\n{\n\tlocal -a commands\n\tcommands=(\n");
	for (int k = 0; k < command_count; ++k) {
		printf("\t\t'%s:", commands[k].name);
		print_sentence(commands[k].summary, ":\\", "'\\''");
		printf("'\n");
	}
	printf("\t)\n\tif (( CURRENT == 2 )); then\n\t\t_describe -t commands command commands\n"
	       "\t\t_arguments '--help[help]' '--version[version and how it was built]'\n\t\treturn\n\tfi\n"
	       "\tlocal command=$words[2]\n\tshift words\n\t(( CURRENT-- ))\n\tcase $command in\n");
	for (int k = 0; k < command_count; ++k) {
		const struct command *command = &commands[k];
		printf("\t%s)\n\t\t_arguments -S '(- *)--help[this command]' '(- *)--version[version and how it was "
		       "built]'",
		       command->name);
		for_options(command, print_zsh_option);
		if (strcmp(command->name, "help") == 0) {
			printf(" \\\n\t\t\t'--man[a manual page]' '--completion[a completion script]:shell:(" SHELLS
			       ")' \\\n\t\t\t'*:topic:(" TOPICS);
			for (int n = 0; n < command_count; ++n)
				printf(" %s", commands[n].name);
			printf(")'");
		} else if (command->inputs != NULL) {
			printf(" \\\n\t\t\t'*:file:");
			print_zsh_files(command->inputs);
			printf("'");
		}
		printf("\n\t\t;;\n");
	}
	printf("\tesac\n}\nif [ \"$funcstack[1]\" = _sonde ]; then\n\t_sonde \"$@\"\nelse\n\tcompdef _sonde "
	       "sonde\nfi\n");
}

/* fish ------------------------------------------------------------------------------------------- */

static void print_fish_files(const char *endings)
{
	printf(" -a '(");
	for (const char *ending = endings; *ending != '\0';) {
		int length = (int)strcspn(ending, " ");
		printf("%s__fish_complete_suffix %.*s", ending > endings ? "; " : "", length, ending);
		ending += length + (ending[length] == ' ');
	}
	printf(")'");
}

static void print_fish_option(const struct command *command, const struct option_row *row)
{
	char flag[64], words[1024];
	const char letter = option_short_flag(row);
	const char *endings = endings_of(command, row);

	printf("complete -c sonde -n '__fish_seen_subcommand_from %s' -l %s", command->name, option_flag(row, flag));
	if (letter != '\0')
		printf(" -s %c", letter);
	if (words_of(command, row, words, sizeof words)[0] != '\0')
		printf(" -x -a '%s'", words);
	else if (option_file(row) == OPTION_FOLDER)
		printf(" -x -a '(__fish_complete_directories)'");
	else if (endings != NULL) {
		printf(" -r");
		print_fish_files(endings);
	} else if (option_file(row) != OPTION_NO_FILE)
		printf(" -r -F");
	else if (row->type != OPTION_BOOLEAN)
		printf(" -x");
	printf(" -d '");
	print_sentence(row->help, "\\", "\\'");
	printf("'\n");
}

static void print_fish(void)
{
	printf("# completion of sonde for fish\ncomplete -c sonde -f\n");
	for (int k = 0; k < command_count; ++k) {
		printf("complete -c sonde -n __fish_use_subcommand -a %s -d '", commands[k].name);
		print_sentence(commands[k].summary, "\\", "\\'");
		printf("'\n");
	}
	printf("complete -c sonde -l help -s h -d 'help'\ncomplete -c sonde -l version -d 'version and how it was "
	       "built'\n");
	for (int k = 0; k < command_count; ++k) {
		for_options(&commands[k], print_fish_option);
		if (commands[k].inputs == NULL)
			continue;
		printf("complete -c sonde -n '__fish_seen_subcommand_from %s'", commands[k].name);
		print_fish_files(commands[k].inputs);
		printf("\n");
	}
	printf("complete -c sonde -n '__fish_seen_subcommand_from help' -a '" TOPICS);
	for (int k = 0; k < command_count; ++k)
		printf(" %s", commands[k].name);
	printf("'\ncomplete -c sonde -n '__fish_seen_subcommand_from help' -l man -d 'a manual page'\n"
	       "complete -c sonde -n '__fish_seen_subcommand_from help' -l completion -x -a '" SHELLS
	       "' -d 'a completion script'\n");
}

sonde_status completion_print(const char *shell)
{
	if (strcmp(shell, "bash") == 0)
		print_bash();
	else if (strcmp(shell, "zsh") == 0)
		print_zsh();
	else if (strcmp(shell, "fish") == 0)
		print_fish();
	else
		return status_fail(SONDE_INVALID, "completion: '%.64s' is not one of bash, zsh and fish", shell);
	return SONDE_OK;
}
