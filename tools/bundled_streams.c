/* The standard streams of the C library for archives of other libraries inside libsonde.so (cmake/bundled.cmake): archives of
 * distributions are compiled for programs, where the address of stdout is known when they are linked; that of these is, too. */
#include <stdio.h>

#define HIDDEN __attribute__((visibility("hidden")))
extern HIDDEN FILE *sonde_stdin, *sonde_stdout, *sonde_stderr;
HIDDEN FILE *sonde_stdin, *sonde_stdout, *sonde_stderr;

__attribute__((constructor)) static void take_streams(void)
{
	sonde_stdin = stdin;
	sonde_stdout = stdout;
	sonde_stderr = stderr;
}
