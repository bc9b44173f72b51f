#include "matter/build/lists.h"

#include "matter/build/build_options.h"
#include "matter/shape/body.h"

void build_lists_begin(struct yaml_list lists[BUILD_LISTS])
{
	lists[0] = (struct yaml_list){.block = "build", .table = &body_table_in_angstrom};
	lists[1] = (struct yaml_list){.block = "build", .table = &structure_item_table};
}
