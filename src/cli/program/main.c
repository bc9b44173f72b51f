/* The program `sonde`. */
#include "cli/program/main.h"

int main(int argc, char **argv)
{
	return sonde_program_main(argc, argv);
}
