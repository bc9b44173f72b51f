/* The grammar of CIF (S. R. Hall, F. H. Allen, I. D. Brown, Acta Cryst. A47 (1991) 655) and the table of space groups,
 * by gemmi, which is a C++ library (cif.cpp): no exception leaves it. A build without gemmi has neither. */
#ifndef SONDE_MATTER_CIF_H
#define SONDE_MATTER_CIF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "matter/crystal/symmetry_operation.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { CIF_OK, CIF_INVALID, CIF_NO_MEMORY, CIF_NOT_BUILT } cif_result;

/* Why a text is not valid CIF, and in which line; 0: unknown. */
struct cif_problem {
	long line;
	char text[256];
};

/* The data blocks of a file: tags in lower case with '_' in place of '.', which newer dictionaries have in them; values
 * without their quotes; '?' and '.' are "". */
struct cif;

/* Parses a text; *cif is null after a failure. */
cif_result cif_parse(const char *bytes, size_t size, struct cif **cif, struct cif_problem *problem);
void cif_free(struct cif **cif);

int64_t cif_blocks(const struct cif *cif);
/* Valid as long as the blocks. */
const char *cif_block_name(const struct cif *cif, int64_t block);

/* The values of a tag: those of a column of a loop, or a single one. */
struct cif_column {
	const void *loop; /* the same for all columns of a loop */
	int64_t rows;
	size_t column, columns;
	bool is_loop;
	long line; /* of the tag, or of the beginning of the loop */
};

/* Whether a block contains the tag; *column is empty if not. */
bool cif_find(const struct cif *cif, int64_t block, const char *tag, struct cif_column *column);
/* Value of a row; "" if it is unknown or if the column is empty. Valid as long as the blocks. */
const char *cif_value(const struct cif_column *column, int64_t row);

#define CIF_MOST_OPERATIONS 192 /* of a space group in its conventional cell: those of F m -3 m */

struct cif_group {
	char name[24];  /* Hermann-Mauguin, with the setting: "F d -3 m:2" */
	bool is_choice; /* the symbol does not specify the origin: the first choice is assumed */
	int count;
	struct symmetry_operation operations[CIF_MOST_OPERATIONS];
};

/* Finds a space group; CIF_INVALID if it is unknown. Of Hermann-Mauguin symbols "R ..." the angles of the cell in
 * degrees decide between hexagonal and rhombohedral axes. */
cif_result cif_group_by_hall(const char *symbol, struct cif_group *group);
cif_result cif_group_by_name(const char *symbol, double alpha, double gamma, struct cif_group *group);
cif_result cif_group_by_number(int64_t number, struct cif_group *group);

#ifdef __cplusplus
}
#endif
#endif
