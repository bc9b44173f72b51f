/* arc4random_buf() of glibc 2.36 for expat's archive inside the program of the Python package (cmake/bundled.cmake), which
 * is to run with glibc 2.35 as well. Expat takes the start of its hashes from it. */
#include <stddef.h>
#include <sys/random.h>
#include <sys/types.h>

void arc4random_buf(void *buffer, size_t bytes);

void arc4random_buf(void *buffer, size_t bytes)
{
	char *place = buffer;

	while (bytes > 0) {
		const ssize_t got = getrandom(place, bytes, 0);
		if (got > 0) {
			place += got;
			bytes -= (size_t)got;
		}
	}
}
