/* Writes a C array with the bytes of files, one after the other, and their number:
 *     embed_bytes NAME FILES... > FILE.c */
#include <stdio.h>

#include "string_literal.h"

static int put_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	int byte;

	if (file == NULL) {
		fprintf(stderr, "embed_bytes: %s cannot be read\n", path);
		return 1;
	}
	while ((byte = getc(file)) != EOF)
		put_literal(byte);
	fclose(file);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: embed_bytes NAME FILES...\n");
		return 1;
	}
	printf("#include <stddef.h>\nextern const unsigned char %s[];\nextern const size_t %s_size;\n"
	       "const unsigned char %s[] =\n\"",
	       argv[1], argv[1], argv[1]);
	for (int k = 2; k < argc; ++k)
		if (put_file(argv[k]) != 0)
			return 1;
	printf("\";\nconst size_t %s_size = sizeof %s - 1;\n", argv[1], argv[1]);
	return 0;
}
