/* The only file that calls gemmi: no exception leaves it. Its copy of gemmi has its own namespace, so that libsonde.a
 * can be linked with a program that uses another one. */
#include "matter/crystal/cif.h"

#ifdef SONDE_GEMMI
#ifndef NDEBUG
#define NDEBUG /* gemmi's assertions */
#endif
#define gemmi sonde_gemmi
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include <gemmi/cif.hpp>
#include <gemmi/symmetry.hpp>

using gemmi::cif::Item;
using gemmi::cif::ItemType;

struct cif {
	gemmi::cif::Document document;
};

static void plain_tag(std::string &tag)
{
	for (char &c : tag)
		c = c == '.' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/* Tags and values as cif.h describes them. */
static void make_plain(Item &item)
{
	if (item.type == ItemType::Pair) {
		plain_tag(item.pair[0]);
		item.pair[1] = gemmi::cif::as_string(item.pair[1]);
	} else if (item.type == ItemType::Loop) {
		for (std::string &tag : item.loop.tags)
			plain_tag(tag);
		for (std::string &value : item.loop.values)
			value = gemmi::cif::as_string(value);
	}
}

static void report(struct cif_problem *problem, unsigned long line, const char *text)
{
	problem->line = static_cast<long>(line);
	std::snprintf(problem->text, sizeof problem->text, "%s", text);
}

/* Other errors begin with the name of the source, which is "", and perhaps the line: ":12 in data_x: ...", ": ..." */
static void report_other(struct cif_problem *problem, const char *what)
{
	char *end = nullptr;
	unsigned long line = *what == ':' ? std::strtoul(what + 1, &end, 10) : 0;
	const char *text = line > 0 ? end : *what == ':' ? what + 1 : what;

	report(problem, line, text + std::strspn(text, " "));
}

cif_result cif_parse(const char *bytes, size_t size, struct cif **result, struct cif_problem *problem)
{
	*result = nullptr;
	*problem = cif_problem();
	try {
		*result = new cif();
		(*result)->document = gemmi::cif::read_memory(bytes, size, "");
		for (gemmi::cif::Block &block : (*result)->document.blocks)
			for (Item &item : block.items)
				make_plain(item);
		return CIF_OK;
	} catch (const tao::pegtl::parse_error &error) {
		const auto &positions = error.positions();
		const std::string text(error.message());
		report(problem, positions.empty() ? 0 : positions.front().line, text.c_str());
	} catch (const std::bad_alloc &) {
		cif_free(result);
		return CIF_NO_MEMORY;
	} catch (const std::exception &error) {
		report_other(problem, error.what());
	} catch (...) {
		report(problem, 0, "cannot be parsed");
	}
	cif_free(result);
	return CIF_INVALID;
}

void cif_free(struct cif **cif)
{
	delete *cif;
	*cif = nullptr;
}

int64_t cif_blocks(const struct cif *cif)
{
	return static_cast<int64_t>(cif->document.blocks.size());
}

const char *cif_block_name(const struct cif *cif, int64_t block)
{
	return cif->document.blocks[static_cast<size_t>(block)].name.c_str();
}

static bool find_in_item(const Item &item, const char *tag, struct cif_column *column)
{
	if (item.type == ItemType::Pair && item.pair[0] == tag) {
		*column = {item.pair.data(), 1, 1, 2, false, item.line_number};
		return true;
	}
	if (item.type != ItemType::Loop)
		return false;
	const auto &tags = item.loop.tags;
	for (size_t k = 0; k < tags.size(); ++k)
		if (tags[k] == tag) {
			*column = {
			    item.loop.values.data(), static_cast<int64_t>(item.loop.length()), k, tags.size(), true,
			    item.line_number};
			return true;
		}
	return false;
}

bool cif_find(const struct cif *cif, int64_t block, const char *tag, struct cif_column *column)
{
	*column = cif_column();
	for (const Item &item : cif->document.blocks[static_cast<size_t>(block)].items)
		if (find_in_item(item, tag, column))
			return true;
	return false;
}

const char *cif_value(const struct cif_column *column, int64_t row)
{
	if (row >= column->rows)
		return "";
	return static_cast<const std::string *>(
		   column->loop)[static_cast<size_t>(row) * column->columns + column->column]
	    .c_str();
}

static cif_result take_operations(const gemmi::GroupOps &all, struct cif_group *group)
{
	const double unit = gemmi::Op::DEN;

	if (all.order() > CIF_MOST_OPERATIONS)
		return CIF_INVALID;
	for (const gemmi::Op &op : all) {
		struct symmetry_operation *operation = &group->operations[group->count++];
		for (size_t i = 0; i < 3; ++i) {
			operation->translation[i] = op.tran[i] / unit;
			for (size_t j = 0; j < 3; ++j)
				operation->rotation[i][j] = op.rot[i][j] / unit;
		}
	}
	return CIF_OK;
}

template <typename Function> static cif_result guarded(const Function &function) noexcept
{
	try {
		return function();
	} catch (const std::bad_alloc &) {
		return CIF_NO_MEMORY;
	} catch (...) {
		return CIF_INVALID;
	}
}

static cif_result take_group(const gemmi::SpaceGroup *found, struct cif_group *group)
{
	if (found == nullptr)
		return CIF_INVALID;
	std::snprintf(group->name, sizeof group->name, "%s", found->xhm().c_str());
	return take_operations(found->operations(), group);
}

cif_result cif_group_by_hall(const char *symbol, struct cif_group *group)
{
	return guarded([=]() {
		*group = cif_group();
		const gemmi::GroupOps all = gemmi::symops_from_hall(symbol);
		const gemmi::SpaceGroup *found = gemmi::find_spacegroup_by_ops(all);
		if (found != nullptr)
			std::snprintf(group->name, sizeof group->name, "%s", found->xhm().c_str());
		return take_operations(all, group);
	});
}

cif_result cif_group_by_name(const char *symbol, double alpha, double gamma, struct cif_group *group)
{
	return guarded([=]() {
		*group = cif_group();
		const gemmi::SpaceGroup *found = gemmi::find_spacegroup_by_name(symbol, alpha, gamma);
		group->is_choice = found != nullptr && found->ext == '1' && std::strchr(symbol, ':') == nullptr;
		return take_group(found, group);
	});
}

cif_result cif_group_by_number(int64_t number, struct cif_group *group)
{
	return guarded([=]() {
		*group = cif_group();
		if (number < 1 || number > 230)
			return CIF_INVALID;
		const gemmi::SpaceGroup *found = gemmi::find_spacegroup_by_number(static_cast<int>(number));
		group->is_choice = found != nullptr && found->ext == '1';
		return take_group(found, group);
	});
}

#else

cif_result cif_parse(const char *, size_t, struct cif **cif, struct cif_problem *)
{
	*cif = nullptr;
	return CIF_NOT_BUILT;
}

void cif_free(struct cif **cif)
{
	*cif = nullptr;
}

int64_t cif_blocks(const struct cif *)
{
	return 0;
}

const char *cif_block_name(const struct cif *, int64_t)
{
	return "";
}

bool cif_find(const struct cif *, int64_t, const char *, struct cif_column *column)
{
	*column = cif_column();
	return false;
}

const char *cif_value(const struct cif_column *, int64_t)
{
	return "";
}

cif_result cif_group_by_hall(const char *, struct cif_group *)
{
	return CIF_NOT_BUILT;
}

cif_result cif_group_by_name(const char *, double, double, struct cif_group *)
{
	return CIF_NOT_BUILT;
}

cif_result cif_group_by_number(int64_t, struct cif_group *)
{
	return CIF_NOT_BUILT;
}
#endif
