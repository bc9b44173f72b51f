/* A program that opens the library by dlopen() and closes it again: the threads of the library continue to run, so
 * that their code must remain loaded. */
#include "unit/support.h"

#include <dlfcn.h>

static void library_stays_loaded_after_dlclose(void **unused)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	const char *(*version)(void);

	(void)unused;
	if (library == NULL)
		fail_msg("%s", dlerror());
	*(void **)&version = dlsym(library, "sonde_version");
	assert_non_null(version);
	assert_int_equal(0, dlclose(library));
	void *again = dlopen(LIBRARY, RTLD_NOW | RTLD_NOLOAD);
	assert_non_null(again);
	assert_non_null(version());
	dlclose(again);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(library_stays_loaded_after_dlclose)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
