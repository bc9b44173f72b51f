/* Vendor libraries for devices, opened at run time: Sonde builds and starts without any of them. */
#ifndef SONDE_DEVICE_DYNAMIC_LIBRARY_H
#define SONDE_DEVICE_DYNAMIC_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* One function to be found: its name, and the destination of its address. */
struct symbol {
	const char *name;
	void *address; /* address of a function pointer */
	bool optional;
};
#define SYMBOL(table, member, symbol_name)           \
	{                                            \
		symbol_name, &(table)->member, false \
	}

/* As dlopen(), but null for a relative path or a null name: never a file of the current folder. */
void *dynamic_library_load(const char *name, int flags);

/* Opens the first of `names` (file names or absolute paths; the list ends with a null) and finds the symbols; null if none can
 * be opened or a symbol is missing. `reason` (of `size` bytes) then gives the cause. Never closed again: drivers do not
 * survive that. */
void *dynamic_library_open(const char *const *names, const struct symbol *symbols, size_t symbol_count, char *reason,
			   size_t size);

#endif
