/* Reads a number more than an array of double complex has. gcc's AddressSanitizer (12) does not check such reads. */
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

#define NUMBERS 4

int main(int argc, char **argv)
{
	double complex *const numbers = calloc(NUMBERS, sizeof *numbers);
	double sum = 0.0;

	(void)argv;
	if (numbers == NULL)
		return 1;
	for (int k = 0; k < NUMBERS + argc; ++k)
		sum += creal(numbers[k] * conj(numbers[k]));
	printf("%g\n", sum);
	free(numbers);
	return 0;
}
