#ifndef SONDE_MATTER_SYMMETRY_OPERATION_H
#define SONDE_MATTER_SYMMETRY_OPERATION_H

/* x' = R x + t on fractional coordinates. */
struct symmetry_operation {
	double rotation[3][3];
	double translation[3];
};

#endif
