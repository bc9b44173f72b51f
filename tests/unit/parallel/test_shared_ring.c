/* Memory that two ranks of a machine share: pieces come in order, none is overwritten, and only the offered ring is taken. */
#include "unit/support.h"

#include <string.h>

#include "parallel/shared_ring.h"

static void test_pieces(void **state)
{
	struct shared_ring from, to;
	struct shared_ring_offer offer;
	uint32_t filled = 0, emptied = 0;

	(void)state;
	assert_true(shared_ring_offer(&from, "here", &offer));
	assert_true(shared_ring_take(&to, "here", &offer));
	shared_ring_close_file(&from);
	assert_null(shared_ring_to_empty(&to));
	while (emptied < 5 * SHARED_RING_PIECES) {
		char *memory;
		/* as many as there is room for, then two */
		while ((memory = shared_ring_to_fill(&from)) != NULL) {
			memset(memory, (int)(filled % 251), SHARED_RING_PIECE_BYTES);
			++filled;
			shared_ring_fill_done(&from);
		}
		assert_int_equal(filled - emptied, SHARED_RING_PIECES);
		for (int n = 0; n < 2; ++n, ++emptied) {
			memory = shared_ring_to_empty(&to);
			assert_non_null(memory);
			assert_int_equal(memory[0], (char)(emptied % 251));
			assert_int_equal(memory[SHARED_RING_PIECE_BYTES - 1], (char)(emptied % 251));
			shared_ring_empty_done(&to);
		}
	}
	shared_ring_free(&from);
	shared_ring_free(&to);
	shared_ring_free(&to);
}

static void test_refusals(void **state)
{
	struct shared_ring from, to;
	struct shared_ring_offer offer, other;

	(void)state;
	assert_true(shared_ring_offer(&from, "here", &offer));
	assert_false(shared_ring_take(&to, "there", &offer));
	other = offer;
	other.token += 2;
	assert_false(shared_ring_take(&to, "here", &other));
	other = offer;
	other.file = 0; /* the standard input */
	assert_false(shared_ring_take(&to, "here", &other));
	memset(&other, 0, sizeof other);
	assert_false(shared_ring_take(&to, "", &other));
	shared_ring_free(&from);
	assert_false(shared_ring_take(&to, "here", &offer));
	shared_ring_free(&to);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_pieces), cmocka_unit_test(test_refusals)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
