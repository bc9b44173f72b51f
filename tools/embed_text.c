/* Writes a C array holding the bytes of a text file, zero-terminated:
 *     embed_text NAME FILE > FILE.c                                                              */
#include <stdio.h>

int main(int argc, char **argv)
{
	FILE *file;
	int c, column = 0;

	if (argc != 3 || (file = fopen(argv[2], "rb")) == NULL) {
		fprintf(stderr, "usage: embed_text NAME FILE\n");
		return 1;
	}
	printf("extern const char %s[];\nconst char %s[] = {\n", argv[1], argv[1]);
	while ((c = getc(file)) != EOF)
		printf("%d,%s", c, ++column % 24 == 0 ? "\n" : "");
	printf("0};\n");
	return fclose(file) != 0;
}
