/* Converts a number to int that no int can hold. gcc's -fsanitize=undefined does not check that. */
#include <stdio.h>

int main(int argc, char **argv)
{
	const double large = 1e30 * argc;

	(void)argv;
	printf("%d\n", (int)large);
	return 0;
}
