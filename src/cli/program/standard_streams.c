#include "cli/program/standard_streams.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file_names.h"
#include "cli/program/ranks.h"
#include "base/text.h"
#include "base/file.h"
#include "base/standard_output.h"
#include "io/text/words.h"
#include "sonde/program_options.h"

#define LOOKED_AT 65536 /* bytes by which the format is recognized */

static char input_path[32]; /* "": the standard input is not used */

bool standard_stream_is(const char *file)
{
	return file != NULL && strcmp(file, "-") == 0;
}

bool standard_stream_is_input(const char *path)
{
	return input_path[0] != '\0' && strcmp(path, input_path) == 0;
}

/* Format of the standard input --------------------------------------------------------------------- */

/* Its name by format, since the ending of a name determines the format. */
static const char *const names[] = {
    [SONDE_PROGRAM_INPUT_FORMAT_AUTO] = "stdin",
    [SONDE_PROGRAM_INPUT_FORMAT_YAML] = "stdin.yaml",
    [SONDE_PROGRAM_INPUT_FORMAT_TRIM] = "stdin.in",
    [SONDE_PROGRAM_INPUT_FORMAT_XYZ] = "stdin.xyz",
    [SONDE_PROGRAM_INPUT_FORMAT_PQR] = "stdin.pqr",
    [SONDE_PROGRAM_INPUT_FORMAT_PDB] = "stdin.pdb",
    [SONDE_PROGRAM_INPUT_FORMAT_DX] = "stdin.dx",
    [SONDE_PROGRAM_INPUT_FORMAT_CUBE] = "stdin.cube",
    [SONDE_PROGRAM_INPUT_FORMAT_MRC] = "stdin.mrc",
    [SONDE_PROGRAM_INPUT_FORMAT_VTK] = "stdin.vtk",
    [SONDE_PROGRAM_INPUT_FORMAT_HDF5] = "stdin.h5",
    [SONDE_PROGRAM_INPUT_FORMAT_TABLE] = "stdin.csv",
    [SONDE_PROGRAM_INPUT_FORMAT_STL] = "stdin.stl",
    [SONDE_PROGRAM_INPUT_FORMAT_CIF] = "stdin.cif",
    [SONDE_PROGRAM_INPUT_FORMAT_POSCAR] = "stdin.vasp",
    [SONDE_PROGRAM_INPUT_FORMAT_LAMMPS_DATA] = "stdin.lmp",
    [SONDE_PROGRAM_INPUT_FORMAT_LAMMPS_DUMP] = "stdin.dump",
};

/* The next line of a zero-terminated text; null after the last. Modifies the text. */
static char *take_line(char **text)
{
	char *line = *text;

	if (*line == '\0')
		return NULL;
	size_t length = strcspn(line, "\n");
	*text = line + length + (line[length] == '\n');
	line[length] = '\0';
	return line;
}

static int words_of(const char *line, struct word *words, int most)
{
	int count = words_split(line, words, most);

	return count < most ? count : most;
}

static bool is_real(const struct word *word)
{
	double value;

	return text_parse_real(word->start, word->end, &value);
}

static bool is_whole(const struct word *word)
{
	int64_t value;

	return text_parse_integer(word->start, word->end, &value);
}

/* Digits after the point of a number's text. */
static int decimals(const struct word *word)
{
	const char *point = memchr(word->start, '.', (size_t)(word->end - word->start));

	return point != NULL ? (int)(word->end - point - 1) : 0;
}

/* An atom's line in a PDB file has two numbers with two decimals after the position, and usually an element; in a PQR
 * file it ends with a charge and a radius. */
static bool is_pqr_atom(const char *line)
{
	struct word words[16];
	int count = words_of(line, words, 16);

	if (count < 9 || !is_real(&words[count - 1]) || !is_real(&words[count - 2]))
		return false;
	return decimals(&words[count - 1]) != 2 || decimals(&words[count - 2]) != 2 || strlen(line) < 66;
}

static bool begins_with(const char *text, const char *beginning)
{
	return strncmp(text, beginning, strlen(beginning)) == 0;
}

static bool is_pdb_record(const char *line)
{
	static const char *const records[] = {"HEADER", "TITLE ", "REMARK", "CRYST1", "MODEL ",
					      "COMPND", "ATOM  ", "HETATM", "AUTHOR", "EXPDTA"};

	for (size_t k = 0; k < sizeof records / sizeof *records; ++k)
		if (begins_with(line, records[k]))
			return true;
	return false;
}

/* "key:", "key: value", "- item", "{...}", "---" */
static bool is_yaml(const char *line)
{
	line += strspn(line, " ");
	size_t key = 0;
	while (isalnum((unsigned char)line[key]) || line[key] == '_' || line[key] == '-')
		++key;
	return (key > 0 && line[key] == ':' &&
		(line[key + 1] == '\0' || line[key + 1] == ' ' || line[key + 1] == '\r')) ||
	       line[0] == '{' || begins_with(line, "---");
}

/* Two lines of words, a number of atoms with the origin, and three axes of a count and a step. */
static bool is_cube(char *text)
{
	struct word words[5];
	char *line;

	for (int k = 0; k < 6; ++k) {
		if ((line = take_line(&text)) == NULL)
			return false;
		if (k >= 2) {
			int count = words_of(line, words, 5);
			if (count < 4 || !is_whole(&words[0]) || !is_real(&words[1]) || !is_real(&words[2]) ||
			    !is_real(&words[3]))
				return false;
		}
	}
	return true;
}

/* After a title a line of one number, and three of three. */
static bool is_poscar(char *text)
{
	struct word words[4];

	for (int k = 0; k < 5; ++k) {
		char *line = take_line(&text);
		if (line == NULL)
			return false;
		line[strcspn(line, "\r")] = '\0';
		int count = k > 0 ? words_of(line, words, 4) : 0, needed = k == 0 ? 0 : k == 1 ? 1 : 3;
		if (count != needed)
			return false;
		for (int n = 0; n < needed; ++n)
			if (!is_real(&words[n]))
				return false;
	}
	return true;
}

/* After a title, among the first lines, one of a number and "atoms". */
static bool is_lammps_data(char *text)
{
	struct word words[3];

	(void)take_line(&text);
	for (int k = 0; k < 30; ++k) {
		char *line = take_line(&text);
		if (line == NULL)
			return false;
		line[strcspn(line, "#\r")] = '\0';
		if (words_of(line, words, 3) == 2 && is_whole(&words[0]) && word_is(&words[1], "atoms"))
			return true;
	}
	return false;
}

static int kind_of_lines(char *text)
{
	struct word words[3];

	for (char *line; (line = take_line(&text)) != NULL;) {
		int count = words_of(line, words, 3);
		if (count == 1 && is_whole(&words[0]))
			return SONDE_PROGRAM_INPUT_FORMAT_XYZ;
		if (begins_with(line, "ITEM:"))
			return SONDE_PROGRAM_INPUT_FORMAT_LAMMPS_DUMP;
		if (begins_with(line, "==>"))
			return SONDE_PROGRAM_INPUT_FORMAT_TRIM;
		if (begins_with(line, "# vtk DataFile"))
			return SONDE_PROGRAM_INPUT_FORMAT_VTK;
		if (begins_with(line, "object ") && strstr(line, "class") != NULL)
			return SONDE_PROGRAM_INPUT_FORMAT_DX;
		if (begins_with(line, "data_"))
			return SONDE_PROGRAM_INPUT_FORMAT_CIF;
		if (begins_with(line, "solid"))
			return SONDE_PROGRAM_INPUT_FORMAT_STL;
		if (begins_with(line, "ATOM") || begins_with(line, "HETATM"))
			return is_pqr_atom(line) ? SONDE_PROGRAM_INPUT_FORMAT_PQR : SONDE_PROGRAM_INPUT_FORMAT_PDB;
		if (count == 0 || line[0] == '#' || is_pdb_record(line))
			continue;
		if (is_yaml(line))
			return SONDE_PROGRAM_INPUT_FORMAT_YAML;
		return count > 0 && (is_real(&words[0]) || strchr(line, ',') != NULL)
			   ? SONDE_PROGRAM_INPUT_FORMAT_TABLE
			   : SONDE_PROGRAM_INPUT_FORMAT_AUTO;
	}
	return SONDE_PROGRAM_INPUT_FORMAT_AUTO;
}

/* By the first bytes, for compressed data by those inside. */
static int kind_of(char *bytes, size_t size)
{
	static char copy[LOOKED_AT + 1];

	if (size >= 8 && memcmp(bytes, "\x89HDF\r\n\x1a\n", 8) == 0)
		return SONDE_PROGRAM_INPUT_FORMAT_HDF5;
	if (size >= 212 && memcmp(bytes + 208, "MAP ", 4) == 0)
		return SONDE_PROGRAM_INPUT_FORMAT_MRC;
	bytes[size] = '\0';
	if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
		bytes += 3;
	snprintf(copy, sizeof copy, "%s", bytes);
	if (is_cube(copy))
		return SONDE_PROGRAM_INPUT_FORMAT_CUBE;
	snprintf(copy, sizeof copy, "%s", bytes);
	if (is_poscar(copy))
		return SONDE_PROGRAM_INPUT_FORMAT_POSCAR;
	snprintf(copy, sizeof copy, "%s", bytes);
	if (is_lammps_data(copy))
		return SONDE_PROGRAM_INPUT_FORMAT_LAMMPS_DATA;
	return kind_of_lines(bytes);
}

static int look_at(const char *path)
{
	static char bytes[LOOKED_AT + 1];
	gzFile file = gzopen(path, "rbe");
	int got = file != NULL ? gzread(file, bytes, LOOKED_AT) : -1;

	if (file != NULL)
		gzclose(file);
	return got > 0 ? kind_of(bytes, (size_t)got) : SONDE_PROGRAM_INPUT_FORMAT_AUTO;
}

static sonde_status cannot_keep(void)
{
	return status_fail(SONDE_RESOURCE,
			   "the standard input is kept in a temporary file, which cannot be written: %s",
			   strerror(errno));
}

static sonde_status copy_input(FILE *kept)
{
	char block[65536];
	size_t got;

	while ((got = fread(block, 1, sizeof block, stdin)) > 0)
		if (fwrite(block, 1, got, kept) != got)
			return cannot_keep();
	if (ferror(stdin))
		return status_fail(SONDE_INVALID, "the standard input cannot be read: %s", strerror(errno));
	return fflush(kept) == 0 ? SONDE_OK : cannot_keep();
}

sonde_status standard_input_keep(int kind, int otherwise, const char **path)
{
	static FILE *kept; /* stays open to keep the file */

	if (input_path[0] != '\0')
		return status_fail(SONDE_INVALID, "the standard input is used twice; '-' can stand for one file");
	if (parallel_size(ranks_of_program()) > 1)
		return status_fail(SONDE_INVALID,
				   "'-': of several ranks only one has the standard input; name a file");
	kept = tmpfile();
	if (kept == NULL)
		return cannot_keep();
	CHECK(copy_input(kept));
	snprintf(input_path, sizeof input_path, "/dev/fd/%d", fileno(kept));
	if (kind == SONDE_PROGRAM_INPUT_FORMAT_AUTO)
		kind = look_at(input_path);
	if (kind == SONDE_PROGRAM_INPUT_FORMAT_AUTO)
		kind = otherwise;
	*path = input_path;
	CHECK(file_names_set(input_path, names[kind]));
	if (ftell(kept) == 0)
		return status_fail_file(SONDE_INVALID, input_path, "is empty");
	return SONDE_OK;
}

/* The standard output ---------------------------------------------------------------------------- */

sonde_status standard_output_begin(const char *format)
{
	char name[64];

	if (standard_output_is(STANDARD_OUTPUT_PATH))
		return SONDE_OK;
	snprintf(name, sizeof name, "stdout.%.40s", format + (format[0] == '.'));
	CHECK(file_names_set(STANDARD_OUTPUT_PATH, name));
	if (file_has_suffix(name, ".h5") || file_has_suffix(name, ".hdf5") || file_has_suffix(name, ".nxs"))
		return status_fail(SONDE_INVALID,
				   "output: HDF5 cannot be written sequentially, so it cannot go to the "
				   "standard output; name a file, or choose another --output-format");
	fflush(stdout);
	int data = dup(STDOUT_FILENO);
	if (data < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		return status_fail(SONDE_RESOURCE, "the standard output cannot be written: %s", strerror(errno));
	standard_output_take(data);
	return SONDE_OK;
}

/* Messages --------------------------------------------------------------------------------------- */

const char *standard_streams_in(const char *message, size_t length, char *buffer, size_t size)
{
	const char *const paths[][2] = {{input_path, "standard input"}, {STANDARD_OUTPUT_PATH, "standard output"}};
	size_t used = 0;

	for (const char *c = message; c < message + length && used + 1 < size;) {
		bool found = false;
		for (int k = 0; k < 2 && !found; ++k) {
			size_t bytes = strlen(paths[k][0]);
			found = bytes > 0 && (size_t)(message + length - c) >= bytes &&
				memcmp(c, paths[k][0], bytes) == 0 && !isdigit((unsigned char)c[bytes]) &&
				(k == 0 || standard_output_is(STANDARD_OUTPUT_PATH));
			if (found) {
				used += (size_t)snprintf(buffer + used, size - used, "%s", paths[k][1]);
				used = used < size ? used : size - 1;
				c += bytes;
			}
		}
		if (!found)
			buffer[used++] = *c++;
	}
	buffer[used] = '\0';
	return buffer;
}
