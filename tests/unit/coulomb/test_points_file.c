/* A file of points: the same for any number of threads, in the order of its lines, with any other lines between them;
 * messages name the right line, for any number of lines read at once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "coulomb/targets/targets.h"
#include "unit/support.h"

#define LINES 40000

/* Line number n: mostly plain numbers, and occasionally everything else that is allowed. */
static void write_line(FILE *file, int n)
{
	if (n == 1)
		fprintf(file, "# x y z\n");
	else if (n % 1000 == 7)
		fprintf(file, "# nothing\n");
	else if (n % 1000 == 8)
		fprintf(file, "\n");
	else if (n % 1000 == 9)
		fprintf(file, "%d,%d.5,-%d\n", n, n, n);
	else if (n % 1000 == 10)
		fprintf(file, "\"%d\" %d.5 -%d # quoted\n", n, n, n);
	else if (n % 1000 == 11)
		fprintf(file, "%d;%d.5;-%d;7\n", n, n, n);
	else
		fprintf(file, "%s%d\t%d.5 -%d%s\n", n % 2 == 0 ? " " : "", n, n, n, n % 3 == 0 ? " 1e3 name" : "");
}

static bool has_point(int n)
{
	return n > 1 && n % 1000 != 7 && n % 1000 != 8;
}

static void write_file(char path[32], int wrong)
{
	strcpy(path, "points_file_XXXXXX");
	int descriptor = mkstemp(path);
	assert_true(descriptor >= 0);
	FILE *file = fdopen(descriptor, "w");
	assert_non_null(file);
	for (int n = 1; n <= LINES; ++n) {
		if (n == wrong)
			fprintf(file, "1 2\n");
		else
			write_line(file, n);
	}
	assert_int_equal(fclose(file), 0);
}

static void all_lines_in_order(void **state)
{
	char path[32];
	(void)state;

	write_file(path, 0);
	for (int threads = 1; threads <= 4; ++threads) {
		struct targets targets = {0};
		int64_t at = 0;
		assert_status(SONDE_OK, targets_read(path, threads, &targets));
		for (int n = 1; n <= LINES; ++n) {
			if (!has_point(n))
				continue;
			assert_true(at < targets.count);
			const double *point = targets.points + 3 * at++;
			assert_true(point[0] == n && point[1] == n + 0.5 && point[2] == -n);
		}
		assert_true(at == targets.count && targets.size[0] == at);
		targets_free(&targets);
	}
	unlink(path);
}

static void messages_name_the_line(void **state)
{
	static const int wrong[] = {2, 9000, 31234, LINES};
	(void)state;

	for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
		char path[32], where[64];
		struct targets targets = {0};
		write_file(path, wrong[k]);
		snprintf(where, sizeof where, "%s:%d: needs x y z", path, wrong[k]);
		assert_int_equal(targets_read(path, 3, &targets), SONDE_INVALID);
		assert_non_null(strstr(sonde_status_message(), where));
		targets_free(&targets);
		unlink(path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(all_lines_in_order),
					   cmocka_unit_test(messages_name_the_line)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
