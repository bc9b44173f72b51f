#include "sonde/version.h"

const char *sonde_version(void)
{
	return SONDE_VERSION_STRING;
}
