/* Writes a C string with the bytes of a text file:
 *     embed_text NAME FILE [FOLDER] > FILE.c
 * With a folder, lines that include one of its files by "name" are replaced by that file's text, each header once and parts
 * of kernels at each place: the input of run-time compilers. Headers only for the CPU (kernel_cpu.h) are omitted. */
#include <stdio.h>
#include <string.h>

#include "string_literal.h"

#define MOST_FILES 64

static char included[MOST_FILES][256];
static int included_count;

static int embed(const char *path, const char *folder)
{
	FILE *file = fopen(path, "rb");
	char line[4096], name[256], inner[1024];
	int result = 0;

	if (file == NULL) {
		fprintf(stderr, "embed_text: %s cannot be read\n", path);
		return 1;
	}
	while (result == 0 && fgets(line, sizeof line, file) != NULL) {
		if (folder == NULL || sscanf(line, "#include \"%255[^\"]\"", name) != 1) {
			for (const char *c = line; *c != '\0'; ++c)
				put_literal((unsigned char)*c);
			continue;
		}
		int known = strstr(name, "kernel_cpu.h") != NULL;
		for (int k = 0; k < included_count; ++k)
			known |= strcmp(included[k], name) == 0 && strstr(name, "/kernels/") == NULL;
		if (known)
			continue;
		if (included_count == MOST_FILES)
			return 1;
		strcpy(included[included_count++], name);
		snprintf(inner, sizeof inner, "%s/%s", folder, name);
		result = embed(inner, folder);
	}
	fclose(file);
	return result;
}

int main(int argc, char **argv)
{
	if (argc != 3 && argc != 4) {
		fprintf(stderr, "usage: embed_text NAME FILE [FOLDER]\n");
		return 1;
	}
	printf("extern const char %s[];\nconst char %s[] =\n\"", argv[1], argv[1]);
	int result = embed(argv[2], argc == 4 ? argv[3] : NULL);
	printf("\";\n");
	return result;
}
