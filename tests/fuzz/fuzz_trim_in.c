/* TRIM.IN files: the result is a job whose target and beam can be made, or a message. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "ions/option_table.h"
#include "ions/target/target.h"
#include "ions/trim/trim_in.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static sonde_ions_options options;
	static struct target target;

	if (size > 1 << 16)
		return 0;
	sonde_ions_options_init(&options);
	if (trim_in_read(memory_file(data, size), &options) != SONDE_OK) {
		REQUIRE_MESSAGE();
		REQUIRE(options.target[0] == '\0' && options.ion[0] == '\0');
		return 0;
	}
	REQUIRE(options_check(&ions_option_table, &options) == SONDE_OK);
	REQUIRE(options.ion[0] != '\0' && options.energy[0] != '\0' && options.number >= 1);
	REQUIRE(strlen(options.target) < sizeof options.target);
	/* its request may exceed the lattice's limits */
	options.lattice[0] = '\0';
	REQUIRE(target_make(&options, NULL, &target) == SONDE_OK);
	REQUIRE(target.layer_count >= 1 && target.kind_count >= 2);
	REQUIRE(isfinite(target.layers[target.layer_count - 1].end));
	return 0;
}
