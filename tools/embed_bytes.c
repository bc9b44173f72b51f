/* Writes a C array with the bytes of a file, and their number:
 *     embed_bytes NAME FILE > FILE.c */
#include <stdio.h>

#include "string_literal.h"

int main(int argc, char **argv)
{
	FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
	int byte;

	if (file == NULL) {
		fprintf(stderr,
			argc == 3 ? "embed_bytes: the file cannot be read\n" : "usage: embed_bytes NAME FILE\n");
		return 1;
	}
	printf("#include <stddef.h>\nextern const unsigned char %s[];\nextern const size_t %s_size;\n"
	       "const unsigned char %s[] =\n\"",
	       argv[1], argv[1], argv[1]);
	while ((byte = getc(file)) != EOF)
		put_literal(byte);
	fclose(file);
	printf("\";\nconst size_t %s_size = sizeof %s - 1;\n", argv[1], argv[1]);
	return 0;
}
