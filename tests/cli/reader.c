/* Reads the result of an engine that the program has written, and writes it as a table: ENGINE RESULT.h5 TABLE.csv. */
#include <sonde/sonde.h>
#include <stdio.h>
#include <string.h>

#define CONVERT(engine)                                                             \
	if (strcmp(argv[1], #engine) == 0) {                                        \
		sonde_##engine##_result *result = NULL;                             \
		status = sonde_##engine##_result_read(context, argv[2], &result);   \
		if (status == SONDE_OK)                                             \
			status = sonde_##engine##_result_write(result, argv[3], 1); \
		sonde_##engine##_result_free(&result);                              \
	}

int main(int argc, char **argv)
{
	sonde_context *context = NULL;
	sonde_status status = SONDE_INVALID;

	if (argc != 4 || sonde_context_create(&context) != SONDE_OK)
		return 2;
	CONVERT(debye)
	CONVERT(pattern)
	CONVERT(coulomb)
	CONVERT(ions)
	CONVERT(stopping)
	CONVERT(fdtd)
	if (status != SONDE_OK)
		fprintf(stderr, "%s\n", sonde_status_message());
	sonde_context_free(&context);
	return status != SONDE_OK;
}
