#include "device/dynamic_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

/* Drivers, and the dynamic linker for their thread-local data, may end the process when memory is short. */
#define MEMORY_OF_DRIVER ((size_t)8 << 20)

void *dynamic_library_load(const char *name, int flags)
{
	/* a bare name is searched in the system's library folders; a relative path would lead to the current folder
	 * */
	if (name[0] == '\0' || (strchr(name, '/') != NULL && name[0] != '/'))
		return NULL;
	return dlopen(name, flags);
}

void *dynamic_library_open(const char *const *names, const struct symbol *symbols, size_t symbol_count, char *reason,
			   size_t size)
{
	void *library = NULL;

	snprintf(reason, size, "%s is not installed", names[0] != NULL ? names[0] : "the library");
	if (!memory_is_left(MEMORY_OF_DRIVER)) {
		snprintf(reason, size, "there is not enough memory for %s",
			 names[0] != NULL ? names[0] : "the library");
		return NULL;
	}
	for (; *names != NULL && library == NULL; ++names)
		library = dynamic_library_load(*names, RTLD_NOW | RTLD_LOCAL);
	if (library == NULL)
		return NULL;
	for (size_t k = 0; k < symbol_count; ++k) {
		void *address = dlsym(library, symbols[k].name);
		if (address == NULL && !symbols[k].optional) {
			snprintf(reason, size, "%s is too old: it has no %s", names[-1], symbols[k].name);
			return NULL;
		}
		memcpy(symbols[k].address, &address, sizeof address);
	}
	return library;
}
