/* A library in a place from which none should be loaded: it adds its path to the file $HOSTILE_MARK when it is
 * loaded. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void __attribute__((constructor)) loaded(void)
{
	const char *path = getenv("HOSTILE_MARK");
	FILE *mark = path != NULL ? fopen(path, "a") : NULL;
	Dl_info information;

	if (mark == NULL)
		return;
	if (dladdr((void *)loaded, &information) != 0)
		fprintf(mark, "%s\n", information.dli_fname);
	fclose(mark);
}
