#include "job/engines.h"

#include <string.h>

#define ENGINE(name) extern const struct engine name##_engine;
#include "engines.def"
#undef ENGINE

#define ENGINE(name) &name##_engine,
static const struct engine *const engines[] = {
#include "engines.def"
};
#undef ENGINE

const struct engine *engine_at(int index)
{
	return index >= 0 && (size_t)index < sizeof engines / sizeof *engines ? engines[index] : NULL;
}

const struct engine *engine_find(const char *name)
{
	for (size_t k = 0; k < sizeof engines / sizeof *engines; ++k)
		if (strcmp(engines[k]->name, name) == 0)
			return engines[k];
	return NULL;
}
