/* The subcommands: the engines, from their rows, and the others. */
#include <stdio.h>
#include <string.h>

#include "job/engines.h"
#include "campaign/option_table.h"
#include "match/match_file.h"
#include "match/measured.h"
#include "match/option_table.h"
#include "cli/program/program.h"
#include "matter/files/atoms_output.h"
#include "matter/build/build.h"
#include "matter/shape/body.h"
#include "refine/option_table.h"
#include "refine/refine_file.h"
#include "run/engine_calls.h"

/* Commands that are not engines, before and after those that are. */
static const struct command first_commands[] = {
    {.name = "build",
     .summary = "atoms of a crystal cut to a shape, as an XYZ file",
     .usage =
	 "sonde build --cell NAME --species A[,B[,C]] --a LENGTH SHAPE -o FILE.xyz[.gz]\n"
	 "       sonde build (--nanotube | --torus | --graphene | --fullerene | --packing) VALUE ... -o FILE.xyz\n"
	 "       sonde build JOB.yaml [options]\n"
	 "       sonde build SAMPLE.yaml -o FILE.xyz",
     .description =
	 "Fills a shape with a crystal: a sphere, box or cylinder around the center (by default the first "
	 "atom), or whole cells. Lengths are in Angstrom. Atoms on the surface belong to the shape. "
	 "Nanotubes, graphene, fullerenes and random packings need no lattice. Any of these samples can then be "
	 "modified, in this order, by a fault, a relaxed surface, strain, substitutions, vacancies, and "
	 "displacements, and copied to other places and orientations. The ending of the output gives its format: "
	 ".xyz or .extxyz "
	 "(extended XYZ), .pdb, .cif, .lmp or .data (LAMMPS), .vasp (POSCAR), each also with .gz, or .h5 (HDF5). "
	 "Atoms without a cell get a box with 5 Angstrom of vacuum on each side in .cif, .lmp, and .vasp.\n\n"
	 "With --size-distribution the output is a list, LIST.csv, with the number fraction of each size, next to "
	 "files "
	 "LIST_01.xyz and so on; sonde debye LIST.csv computes their mean.",
     .examples =
	 "sonde build --cell rocksalt --species Co,O --a 4.2614 --sphere 40 -o coo.xyz\n"
	 "sonde build --cell fcc --species Au --a 4.0782 --cylinder 20,100,0 -o rod.xyz.gz\n"
	 "sonde build --cell wurtzite --species Cd,Se --a 4.2985 --c 7.0152 --box 40,40,60 -o block.xyz\n"
	 "sonde build --cell rocksalt --species Na,Cl --a 5.6402 --supercell 20,20,20 -o cube.xyz\n"
	 "sonde build --cell fcc --species Au --a 4.0782 --sphere 30 --bodies '[{shape: box, size: 9, material: "
	 "vacuum}]' "
	 "-o pore.xyz\n"
	 "sonde build --cell quartz.cif --sphere 20 --orient hkl:1,0,0 -o quartz.xyz\n"
	 "sonde build --cell fcc --species Au --a 4.0782 --sphere 20 --size-distribution lognormal:0.15:11 -o "
	 "sizes.csv\n"
	 "sonde build --nanotube 10,10 --length 100 -o tube.xyz\n"
	 "sonde build --graphene hexagon=30 --layers 2 -o flake.xyz\n"
	 "sonde build --fullerene C60 -o c60.xyz\n"
	 "sonde build --packing Cu=500,Zr=500 --distance Cu:Cu=2.2,Cu:Zr=2.5,Zr:Zr=2.8 --density 7 -o glass.xyz\n"
	 "sonde build --cell rocksalt --species Co,O --a 4.2614 --sphere 40 --vacancies O=0.05 --displace 0.08 -o "
	 "d.xyz",
     .options = &build_option_table,
     .lists = (const struct option_table *const[]){&body_table_in_angstrom, &structure_item_table, NULL},
     .program_options = " sample input_format output output_format force threads host_memory quiet json ",
     .run = command_build,
     .inputs = ENGINE_JOB_FILES,
     .outputs = ATOMS_OUTPUT_FILES,
     .stream = "xyz"}};

static const struct command last_commands[] = {
    {.name = "campaign",
     .summary = "many jobs that differ in some values, shared by workers, and a table of their results",
     .usage = "sonde campaign CAMPAIGN.yaml [-o FOLDER | --join FOLDER] [options]",
     .description =
	 "Runs a list or grid of jobs, any commands of sonde whose options or job files have variables, as "
	 "${radius}. "
	 "Each result is written once, to FOLDER/results; by default FOLDER has the name of the file without its "
	 "ending. The same command continues after a stop: jobs that are done are skipped, unfinished ones resume "
	 "from "
	 "their checkpoints, failed ones are tried again. Workers on other machines that share the folder take part "
	 "with --join. At the end FOLDER/table.csv and table.h5 have the figures collected from the results; studies "
	 "of "
	 "convergence are extrapolated (convergence.csv). --plan lists the jobs. Options for devices, memory, and "
	 "threads are handed on to the jobs.",
     .job = "vary:\n"
	    "  energy: [10, 30, 100]                   # keV; every combination of all variables is a job\n"
	    "  ion: [B, As]\n"
	    "run: ions --ion ${ion} --energy ${energy}keV --target Si:1um --number 2000\n"
	    "collect: [range, straggling]",
     .examples = "sonde campaign sizes.yaml --plan\n"
		 "sonde campaign sizes.yaml -o sizes --plot sizes.png\n"
		 "sonde campaign sizes.yaml --join /shared/sizes --at-once 4",
     .options = &campaign_option_table,
     .program_options = " output plot plot_axes force device threads memory host_memory kernel_cache launch_limit "
			"plan quiet json ",
     .run = command_campaign,
     .own_yaml = true,
     .inputs = ENGINE_JOB_FILES,
     .outputs = ""},
    {.name = "match",
     .summary = "the mixture of computed structures that explains a measured curve",
     .usage = "sonde match MEASURED [MEASURED ...] LIBRARY.h5 [RESULT.h5 ...] [-o FILE] [options]",
     .description = "Fits a measured curve, I(q), S, F or G(r), with a mixture of candidates: the curves of a "
		    "library, or results "
		    "of sonde debye, each of which is a candidate. Weights are at least 0; a scale and a background "
		    "are fitted, too. "
		    "Reports the weights with 95 % intervals, how well they are determined, candidates that could "
		    "take the place of "
		    "others, what no mixture explains, and the ranking of single candidates. The first file is "
		    "measured; others that "
		    "are not HDF5 files are further curves of a series on the same points, and give weights against "
		    "their number. "
		    "Measured files: columns x, y and, by choice, standard deviations below any header (.xy, .dat, "
		    ".chi, .gr, .sq, "
		    ".fq, .csv), NXcanSAS, and results of sonde (HDF5). The output is an HDF5 file, or a table of "
		    "the weights (.csv, "
		    ".dat, .txt).",
     .examples = "sonde match film.xy library.h5 -o fit.h5 --plot fit.png\n"
		 "sonde match au.gr fcc.h5 icosahedron.h5 decahedron.h5 --qdamp 0.04 --background -1\n"
		 "sonde match quartz.chi library.h5 --wavelength 1.5406 --weights poisson --bootstrap 500\n"
		 "sonde match x.xy x_library.h5 --with n.xy,n_library.h5 -o both.h5\n"
		 "sonde match run_*.xy library.h5 -o weights.csv\n"
		 "sonde match x_*.xy x_library.h5 --with \"n_*.xy,n_library.h5\" -o series.h5",
     .options = &match_option_table,
     .program_options = " output plot plot_axes force device threads memory host_memory kernel_cache launch_limit "
			"quiet json ",
     .run = command_match,
     .many_files = true,
     .own_yaml = true,
     .inputs = MEASURED_TEXT_FILES " " MEASURED_HDF5_FILES,
     .outputs = MATCH_OUTPUT_FILES},
    {.name = "library",
     .summary = "a library of computed patterns of many structures, for sonde match",
     .usage = "sonde library LIBRARY.yaml -o FILE.h5 [options]",
     .description = "Computes the powder patterns of all structures that a description gives, built, cut from CIF "
		    "files, or read, with the options "
		    "of sonde debye, and writes them to one HDF5 file with their error estimates. Small structures "
		    "are computed many at a time. "
		    "Structures that are in the file already are skipped: the same command continues after a stop, "
		    "and a longer description extends "
		    "the library; --force begins anew. --plan counts structures, atoms, and pairs of atoms, and "
		    "estimates the time.",
     .job = "curves: [I_per_atom, S]                 # and F, G\n"
	    "debye: {q: 0.5:20:400, radiation: xray}\n"
	    "structures:\n"
	    "  - family: tubes\n"
	    "    build: {nanotube: \"${n},0\", length: 30}\n"
	    "    vary: {n: [8, 10, 12]}                # every combination of all variables is a structure\n"
	    "  - cif: oxides/                          # a file or all of a folder\n"
	    "    sizes: [20, 30, 40]                   # diameters of balls, Angstrom",
     .examples = "sonde library carbon.yaml --plan -o carbon.h5\n"
		 "sonde library carbon.yaml -o carbon.h5 --device all",
     .program_options = " output force device threads memory host_memory kernel_cache launch_limit plan quiet json ",
     .run = command_library,
     .own_yaml = true,
     .inputs = ENGINE_JOB_FILES,
     .outputs = ".h5 .hdf5 .nxs"},
    {.name = "refine",
     .summary = "parameters of a structure that explain a measured curve, by least squares",
     .usage = "sonde refine JOB.yaml [-o FILE] [--structure FILE.xyz] [options]",
     .description =
	 "Refines parameters of one structure: lattice constants, sizes, displacements, occupancies, positions, any "
	 "numbers that the job gives as ${name} in options of sonde build and sonde debye, or in formulas of them, "
	 "as ${x*a}. In each step the pattern is computed anew, and compared with a measured curve, I(q), S, F or "
	 "G(r), "
	 "or with several ones, of X-rays, neutrons and electrons, which are listed as 'curves' in place of "
	 "'measured'; "
	 "a scale and a background of each are fitted, too. Reports each step, values with standard errors and 95 % "
	 "intervals, correlations, parameters at bounds, and what the model does not explain. Sizes, on which a "
	 "structure depends in jumps, get a grid: the curve is a mean over neighboring sizes. The output is an HDF5 "
	 "file, or a table of the parameters (.csv, .dat, .txt).",
     .job = "refine:\n"
	    "  - {name: a, start: 4.06, lower: 4.0, upper: 4.2}\n"
	    "  - {name: x, start: 2.4, lower: 1.5, upper: 4, grid: 0.05}   # radius in units of a\n"
	    "  - {name: U, start: 0.01, lower: 0, upper: 0.1}\n"
	    "derived: [{name: radius, formula: x*a}]\n"
	    "build: {cell: fcc, species: Au, a: \"${a}\", sphere: \"${x*a}\"}\n"
	    "debye: {q: 0.5:20:400, displacement: \"${U}\"}\n"
	    "measured: gold.xy\n"
	    "fit: {background: 3}                      # options of sonde match for the measured curve\n"
	    "# for two: curves: [{measured: gold.xy}, {measured: neutron.xy, debye: {radiation: neutron}}]",
     .examples = "sonde refine gold.yaml --plan\n"
		 "sonde refine gold.yaml -o fit.h5 --structure gold.xyz --plot fit.png",
     .options = &refine_option_table,
     .program_options = " output plot plot_axes force device threads memory host_memory kernel_cache launch_limit "
			"plan quiet json ",
     .run = command_refine,
     .own_yaml = true,
     .inputs = ENGINE_JOB_FILES,
     .outputs = REFINE_OUTPUT_FILES},
    {.name = "report",
     .summary = "results as one HTML page with interactive curves, maps and views",
     .usage = "sonde report RESULT.h5 [RESULT.h5 ...] [SAMPLE.xyz ...] -o REPORT.html [options]",
     .description = "Writes a page that anyone can open in a browser, without a network: all curves with their "
		    "errors, maps, atoms, "
		    "bodies and trajectories in space, to be zoomed and turned; values under the pointer; "
		    "logarithmic axes; several "
		    "results in the same axes for comparison; the results' provenance, options, and job files. "
		    "Files: results of "
		    "sonde and tables of campaigns (HDF5), tables (.csv, .xy), and samples (XYZ, PDB, CIF and "
		    "others), whose atoms "
		    "are shown. Large maps are reduced to means of neighbors, which the page states.",
     .examples = "sonde report au.h5 -o au.html\n"
		 "sonde report au.h5 au.xyz -o au.html\n"
		 "sonde report boron.h5 arsenic.h5 -o implants.html --force",
     .program_options = " output force threads host_memory quiet json ",
     .run = command_report,
     .many_files = true,
     .own_yaml = true,
     .inputs = ".h5 .hdf5 .nxs .csv .xy .dat .txt .xyz .extxyz .pdb .cif",
     .outputs = ".html"},
    {.name = "convert",
     .summary = "conversion of a volume from one file format to another",
     .usage = "sonde convert FROM TO [--force]",
     .description =
	 "Converts a field on a grid. The endings of the names give the formats: .dx or .dx.gz (OpenDX), "
	 ".cube, .cube.gz or .cub (Gaussian cube), .mrc, .map or .ccp4 (MRC, CCP4), .vtk (VTK image), .h5, .hdf5 or "
	 ".nxs (HDF5: results of sonde coulomb, and files of this command), and, for writing only, .xy, .dat, .txt "
	 "or .csv. Numbers keep their unit; lengths are converted to the unit of the format. - is the standard input "
	 "as FROM, and the standard output as TO, in the format given by --output-format.",
     .examples = "sonde convert phi.dx phi.cube\nsonde convert density.ccp4 density.h5",
     .program_options = " input_format output_format force quiet json ",
     .run = command_convert,
     .two_files = true,
     .inputs = ENGINE_VOLUME_FILES,
     .outputs = ENGINE_VOLUME_FILES " " ENGINE_TABLE_FILES},
    {.name = "info",
     .summary = "description of a result, a sample or a volume: its origin, conditions, date and accuracy",
     .usage = "sonde info FILE [options]",
     .description = "Describes a result file of sonde (HDF5), the checkpoint of an unfinished run, a sample (XYZ, "
		    "PQR, PDB, CIF, POSCAR, LAMMPS), a description of a sample (YAML), or a volume (OpenDX, cube, "
		    "MRC, VTK). With --plot, a sample is drawn: "
		    "atoms as balls, along x, y, z, and obliquely.",
     .examples = "sonde info coo.h5\nsonde info coo.xyz\nsonde info coo.xyz --plot coo.png\nsonde info phi.dx",
     .program_options = " frame input_format plot force json ",
     .run = command_info,
     .inputs = ENGINE_SAMPLE_FILES " " ENGINE_VOLUME_FILES " " ENGINE_TABLE_FILES " .checkpoint"},
    {.name = "devices",
     .summary = "available devices, and those that a run would use",
     .usage = "sonde devices [options]",
     .description = "Lists the devices of this machine. SONDE_ISA=sse2, avx2 or avx512 forces the instruction set of "
		    "the CPU's kernels.",
     .examples = "sonde devices",
     .program_options = " device threads kernel_cache tune json ",
     .run = command_devices},
    {.name = "help",
     .summary = "help on sonde or one of its commands",
     .usage = "sonde help [COMMAND [LIST]|materials|optics|sample]",
     .description =
	 "Prints help. 'sonde help --man COMMAND' prints a manual page ('--man sonde' for that of the program), "
	 "'sonde "
	 "help --completion SHELL' a completion script for bash, zsh or fish, 'sonde help materials' the materials "
	 "with names, 'sonde help optics' those of sonde fdtd, 'sonde help sample' the keys of descriptions of "
	 "samples, 'sonde help fdtd sources' the items of a list of "
	 "its jobs.",
     .examples = "sonde help debye",
     .program_options = " ",
     .run = command_help},
};

#define FIRST (sizeof first_commands / sizeof *first_commands)
#define LAST (sizeof last_commands / sizeof *last_commands)
#define MOST_ENGINES 32

static struct command table[FIRST + MOST_ENGINES + LAST];
const struct command *const commands = table;
int command_count;

/* The general options of an engine, from its abilities. */
static const struct {
	unsigned ability; /* 0: all engines */
	const char *options;
} general_options[] = {
    {ENGINE_SAMPLE, " sample frame"},
    {ENGINE_BODIES, " sample"},
    {0, " input_format output output_format"},
    {ENGINE_PICTURE, " plot"},
    {ENGINE_PICTURE_AXES, " plot_axes"},
    {0, " force"},
    {ENGINE_DEVICES, " device"},
    {0, " threads"},
    {ENGINE_DEVICES, " memory"},
    {0, " host_memory"},
    {ENGINE_DEVICES, " kernel_cache launch_limit"},
};

static void add_engine(const struct engine *engine)
{
	static char options[MOST_ENGINES][256];
	char *own = options[command_count - (int)FIRST];
	size_t used = 0;

	for (size_t k = 0; k < sizeof general_options / sizeof *general_options; ++k)
		if (general_options[k].ability == 0 || (engine->abilities & general_options[k].ability) != 0)
			used +=
			    (size_t)snprintf(own + used, sizeof options[0] - used, "%s", general_options[k].options);
	snprintf(own + used, sizeof options[0] - used, "%s quiet json ", engine_has_plan(engine) ? " plan" : "");
	table[command_count++] = (struct command){.name = engine->name,
						  .summary = engine->summary,
						  .usage = engine->usage,
						  .description = engine->description,
						  .job = engine->job,
						  .examples = engine->examples,
						  .options = engine->options,
						  .program_options = own,
						  .run = command_engine,
						  .lists = engine->lists,
						  .inputs = engine->inputs,
						  .outputs = engine->outputs,
						  .stream = engine->stream,
						  .engine = engine};
}

void commands_list(void)
{
	memcpy(table, first_commands, sizeof first_commands);
	command_count = (int)FIRST;
	for (int k = 0; k < MOST_ENGINES && engine_at(k) != NULL; ++k)
		add_engine(engine_at(k));
	memcpy(table + command_count, last_commands, sizeof last_commands);
	command_count += (int)LAST;
}

const struct command *command_find(const char *name)
{
	for (int k = 0; k < command_count; ++k)
		if (strcmp(commands[k].name, name) == 0)
			return &commands[k];
	return NULL;
}

bool command_takes(const struct command *command, const struct option_row *row)
{
	char name[64];

	snprintf(name, sizeof name, " %.60s ", row->name);
	return strstr(command->program_options, name) != NULL;
}
