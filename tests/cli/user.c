#include <sonde/sonde.h>
#include <stdio.h>
#include <string.h>
int text_append(void);
int text_append(void)
{
	return 7;
}
int main(void)
{
	sonde_context *context = NULL;
	sonde_stopping_options options;
	sonde_stopping_result *result = NULL;
	sonde_stopping_options_init(&options);
	strcpy(options.ion, "He");
	strcpy(options.target, "Si");
	strcpy(options.energies, "1MeV");
	options.stopping = SONDE_STOPPING_STOPPING_DPASS21;
	if (sonde_context_create(&context) != SONDE_OK ||
	    sonde_stopping_run(context, &options, &result) != SONDE_OK) {
		fprintf(stderr, "%s\n", sonde_status_message());
		return 1;
	}
	printf("%.3f\n", result->electronic[0]);
	sonde_stopping_result_free(&result);
	sonde_context_free(&context);
	return text_append() != 7;
}
