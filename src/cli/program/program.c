#include "cli/program/program.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/threads.h"
#include "cli/program/progress.h"
#include "coulomb/option_table.h"
#include "run/context.h"
#include "base/options.h"
#include "debye/debye.h"
#include "fdtd/option_tables.h"
#include "ions/option_table.h"
#include "stopping/run.h"
#include "matter/build.h"

#define OPTION_STRUCT sonde_program_options
#include "base/option_table.h"

static const struct option_row rows[] = {
#include "cli/program/program.def"
};

const struct option_table program_option_table = {"program", rows, sizeof rows / sizeof *rows,
						  sizeof(sonde_program_options), true};

static const struct option_table *const fdtd_lists[] = {&fdtd_boundary_table, &fdtd_material_table, &fdtd_body_table,
							&fdtd_source_table,   &fdtd_monitor_table,  NULL};

/* Endings of files. */
#define JOBS ".yaml .yml"
#define SAMPLES ".xyz .xyz.gz .extxyz .pqr .pqr.gz .pdb .pdb.gz .ent .ent.gz"
#define VOLUMES ".dx .dx.gz .cube .cube.gz .cub .mrc .map .ccp4 .vtk .h5 .hdf5 .nxs"
#define TABLES ".xy .dat .txt .csv"
#define RESULTS ".h5 .hdf5 .nxs " TABLES

const struct command commands[] = {
    {"build", "atoms of a crystal cut to a shape, into an XYZ file",
     "sonde build --cell NAME --species A[,B[,C]] --a LENGTH SHAPE -o FILE.xyz[.gz]\n"
     "       sonde build JOB.yaml [options]",
     "Fills a shape with a crystal: a sphere, box or cylinder round the centre (by default the first "
     "atom), or whole cells. Lengths are in Angstrom. Atoms on the surface belong to the shape.",
     "sonde build --cell rocksalt --species Co,O --a 4.2614 --sphere 40 -o coo.xyz\n"
     "sonde build --cell fcc --species Au --a 4.0782 --cylinder 20,100,0 -o rod.xyz.gz\n"
     "sonde build --cell wurtzite --species Cd,Se --a 4.2985 --c 7.0152 --box 40,40,60 -o block.xyz\n"
     "sonde build --cell rocksalt --species Na,Cl --a 5.6402 --supercell 20,20,20 -o cube.xyz",
     &build_option_table, " input_format output output_format force threads host_memory quiet json ", command_build,
     false, NULL, JOBS, ".xyz .xyz.gz .extxyz", "xyz"},
    {"debye", "powder pattern I(q), S(q), F(q), G(r) by the Debye equation",
     "sonde debye SAMPLE.xyz[.gz] [options] [-o FILE] [--plot FILE.png]\n"
     "       sonde debye JOB.yaml [options]",
     "Computes I(q) = sum_ij Re(f_i f_j*) sin(q r_ij)/(q r_ij) over all atoms i and j, with i = j, and from it "
     "S = 1 + (I/N - <f^2>)/<f>^2 (Faber-Ziman), F = q (S - 1), "
     "G(r) = 2/pi int F(q) W(q) sin(q r) dq exp(-(r qdamp)^2/2), and the partials by pair of species. "
     "Lengths are in Angstrom, q in 1/Angstrom, I in electron units (X-rays) or fm^2 (neutrons).\n\n"
     "Labels of atoms may be elements (Co), ions (Co2+, O2-) and, for neutrons, isotopes (58Ni, D).\n\n"
     "FILE may end in .h5, .hdf5 or .nxs (HDF5 in NeXus form, with everything), or in .xy, .dat, .txt or .csv (a "
     "table of q, I, I/N, S and the error estimate of I/N). Without -o and --plot the table goes to the "
     "standard output. Every result carries an error estimate for each q.",
     "sonde debye coo.xyz --q 0.1:20.08:1000 -o coo.h5 --plot coo.png\n"
     "sonde debye coo.xyz --radiation neutron --method exact -o coo.xy\n"
     "sonde debye au.xyz.gz --q 0.5:30:2951 --window lorch --qdamp 0.02 --r 0:60:6001 -o au.h5",
     &debye_option_table,
     " sample frame input_format output output_format plot plot_axes force device threads memory host_memory "
     "kernel_cache launch_limit quiet "
     "json ",
     command_debye, false, NULL, SAMPLES " " JOBS, RESULTS " .gr .sq .fq", "txt"},
    {"coulomb", "electrostatic potential and field of point charges on a grid",
     "sonde coulomb SAMPLE.pqr|SAMPLE.xyz [options] [-o FILE]\n"
     "       sonde coulomb JOB.yaml [options]",
     "Computes phi(p) = k/epsilon sum_j q_j/|p - r_j| and E = -grad phi with open or periodic boundaries, on a grid "
     "round the atoms, on a "
     "plane or line, or at points from a file. Charges come from a PQR file, an extended XYZ file with a column of "
     "charges, "
     "or by label.\n\n"
     "FILE may end in .dx or .dx.gz (OpenDX: the potential on a grid), .cube, .cube.gz or .cub (Gaussian cube), .vtk "
     "(VTK image), .mrc, .map or .ccp4 (the "
     "potential in float32), .h5, .hdf5 or .nxs (HDF5 in NeXus form, with "
     "everything), or in .xy, .dat, .txt or .csv (a table of x y z, potential and field). Without -o the table goes "
     "to the "
     "standard output. --plot draws a plane, the middle layer of a grid, or a line. Some points are computed again "
     "in compensated float64; their error is printed and written.",
     "sonde coulomb molecule.pqr --spacing 0.5 --padding 10 -o phi.dx\n"
     "sonde coulomb nacl.xyz --charges Na=1,Cl=-1 --plane z=3.5 --spacing 0.2 -o slice.h5 --plot slice.png\n"
     "sonde coulomb molecule.pqr --points where.txt --quantity both --units kT/e -o there.csv",
     &coulomb_option_table,
     " sample frame input_format output output_format plot force device threads memory host_memory kernel_cache "
     "launch_limit quiet json ",
     command_coulomb, false, NULL, SAMPLES " " JOBS, VOLUMES " " TABLES, "txt"},
    {"stopping", "electronic and nuclear stopping of ions, their ranges and straggling",
     "sonde stopping --ion ION --target MATERIAL [options] [-o FILE]\n"
     "       sonde stopping JOB.yaml [options]",
     "Prints for each energy what an ion loses along its path to electrons and in collisions with atoms, the mean "
     "depth at which it comes to rest (projected range), its standard deviation along and across the beam, and the "
     "length of the path. Ranges come from the equation of transport, without random numbers.\n\n"
     "FILE may end in .csv, .dat, .txt or .xy. --srim writes the layout of SRIM's tables. Without both the table "
     "goes "
     "to the standard output.",
     "sonde stopping --ion He --target SiO2\n"
     "sonde stopping --ion 11B --target Si --energies 1keV:1MeV --srim boron.txt\n"
     "sonde stopping --ion D --target W --energies 1keV,10keV,100keV --units MeVcm2/mg -o d.csv",
     &stopping_option_table, " input_format output output_format force threads quiet json ", command_stopping, false,
     NULL, JOBS, TABLES, "txt"},
    {"ions", "ions stopping in a target: ranges, damage, ionization, sputtering",
     "sonde ions --ion ION --energy ENERGY --target LAYERS [options] [-o FILE]\n"
     "       sonde ions JOB.yaml|TRIM.IN [options]",
     "Follows ions and the atoms that they set going, collision by collision, through layers of amorphous materials "
     "across x: "
     "scattering by a screened Coulomb potential, electronic stopping and its fluctuation, displacement of atoms.\n\n"
     "FILE may end in .h5, .hdf5 or .nxs (HDF5 in NeXus form, with everything, to which more ions can be added by "
     "--resume), or in "
     ".csv, .xy, .dat or .txt (a table of the profiles). --srim writes text files in the layout of SRIM's. Every "
     "number comes "
     "with its standard error.",
     "sonde ions --ion H --energy 100keV --target C -n 1000000 -o h_c.h5 --plot h_c.png\n"
     "sonde ions --ion As --energy 50keV --target 'SiO2:10nm/Si' --until vacancies:0.5% -o as.h5\n"
     "sonde ions --ion Ar --energy 1keV --target W --surface planar --flight monolayer -n 100000",
     &ions_option_table,
     " input_format output output_format plot plot_axes force device threads memory host_memory kernel_cache "
     "launch_limit quiet json ",
     command_ions, false, NULL, JOBS " .in .IN", RESULTS, "txt"},
    {"fdtd", "light passing through a structure: Maxwell's equations in time",
     "sonde fdtd JOB.yaml [options] [-o FILE]",
     "Solves Maxwell's equations on Yee's grid, in one, two or three dimensions. The job's block fdtd: has the grid, "
     "and lists of boundaries, materials, bodies, sources and monitors; options of the grid may also stand on the "
     "command line. Lengths, times and frequencies may have units (500 nm, 20 fs, 400 THz, 2 eV); without, they are "
     "in SI "
     "units. --plan says what a job takes.\n\n"
     "FILE may end in .h5, .hdf5 or .nxs (HDF5 in NeXus form, with everything), or in .csv, .xy, .dat or .txt (a "
     "table of what monitors have on one axis). Without -o, --plot, --frames and --vtk the table goes to the "
     "standard "
     "output. --plot draws spectra, fields against time, resonances, far fields and maps into one picture; --frames "
     "makes pictures of snapshots for a film, --vtk files for ParaView.",
     "sonde fdtd mie.yaml --plan\n"
     "sonde fdtd mie.yaml --until 1e-6 -o mie.h5\n"
     "sonde fdtd slab.yaml --device cuda:0 -o slab.csv --plot slab.png\n"
     "sonde fdtd lens.yaml --frames film -o lens.h5",
     &fdtd_option_table,
     " input_format output output_format plot plot_axes force device threads memory host_memory kernel_cache "
     "launch_limit quiet json ",
     command_fdtd, false, fdtd_lists, JOBS, RESULTS, "txt"},
    {"convert", "a volume from one kind of file into another", "sonde convert FROM TO [--force]",
     "Converts a field on a grid. The ends of the names say what the files are: .dx or .dx.gz (OpenDX), .cube, "
     ".cube.gz "
     "or .cub (Gaussian cube), .mrc, .map or .ccp4 (MRC, CCP4), .vtk (VTK image), .h5, .hdf5 or .nxs (HDF5: results "
     "of "
     "sonde coulomb, and what this command writes), and, to write only, .xy, .dat, .txt or .csv. Numbers stay in "
     "their "
     "unit, lengths are in that of the format. - is the standard input, or the standard output in the "
     "--output-format.",
     "sonde convert phi.dx phi.cube\nsonde convert density.ccp4 density.h5", NULL,
     " input_format output_format force quiet json ", command_convert, true, NULL, VOLUMES, VOLUMES " " TABLES, NULL},
    {"info", "what a result, a sample or a volume is: from what, how, when, how exact", "sonde info FILE [options]",
     "Describes a result file of sonde (HDF5), the checkpoint of a run of ions or fdtd, a sample (XYZ, PQR, PDB) or "
     "a volume "
     "(OpenDX, cube, MRC, VTK).",
     "sonde info coo.h5\nsonde info coo.xyz\nsonde info phi.dx", NULL, " frame input_format json ", command_info,
     false, NULL, SAMPLES " " VOLUMES " " TABLES " .checkpoint", NULL, NULL},
    {"devices", "what sonde can run on here, and what it would choose", "sonde devices [options]",
     "Lists the devices of this machine. SONDE_ISA=sse2, avx2 or avx512 forces the instruction set of the "
     "CPU's kernels.",
     "sonde devices", NULL, " device threads kernel_cache tune json ", command_devices, false, NULL, NULL, NULL,
     NULL},
    {"help", "help on sonde or one of its commands", "sonde help [COMMAND|materials|optics]",
     "Prints help. 'sonde help --man COMMAND' prints a manual page ('--man sonde' that of the program), 'sonde help "
     "--completion SHELL' a completion "
     "script for bash, zsh or fish, 'sonde help materials' the materials that have names, 'sonde help optics' those "
     "of sonde fdtd.",
     "sonde help debye", NULL, " ", command_help, false, NULL, NULL, NULL, NULL},
};

const int command_count = sizeof commands / sizeof *commands;

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

/* A signal that batch systems send before they end a job, not a person's. */
static volatile sig_atomic_t stopped_by_batch;
/* It has ended a run that would have left a checkpoint if it had been given a file. */
static bool lost_work;

int exit_code(sonde_status status)
{
	switch (status) {
	case SONDE_OK:
		return 0;
	case SONDE_INVALID:
		return 2;
	case SONDE_SUSPENDED:
		return stopped_by_batch ? 75 : 130;
	case SONDE_CANCELLED:
		return stopped_by_batch && lost_work ? 75 : 130;
	default:
		return 3;
	}
}

#define ONE_REQUEST 0.25 /* seconds */
static sonde_context *interrupted_context;
static const int stop_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGUSR1, SIGUSR2};

static void stop_run(void)
{
	if (interrupted_context != NULL)
		sonde_context_cancel(interrupted_context);
}

/* A second one ends us at once, unless it comes with the first: timeout(1) sends its signal to a program and then to all of its group. */
static void interrupt(int signal_number)
{
	static double first;
	const double now = clock_seconds();

	if (first > 0.0 && now - first > ONE_REQUEST) {
		signal(signal_number, SIG_DFL);
		raise(signal_number);
	}
	first = first > 0.0 ? first : now;
	if (signal_number == SIGTERM || signal_number == SIGXCPU || signal_number == SIGUSR1 ||
	    signal_number == SIGUSR2)
		stopped_by_batch = 1;
	stop_run();
}

/* Nobody reads what we print any more, as after `| head`: the run ends, and what it has begun to write is cleared away. */
static volatile sig_atomic_t lost_reader;

static void lose_reader(int signal_number)
{
	(void)signal_number;
	lost_reader = 1;
	stop_run();
}

bool program_lost_reader(void)
{
	return lost_reader != 0;
}

/* As nohup leaves SIGHUP: then it stays so. (Shells let scripts' background jobs ignore SIGINT, too, but those who send it
 * to one mean it.) */
static bool is_ignored(int signal_number)
{
	struct sigaction present;

	return sigaction(signal_number, NULL, &present) == 0 && present.sa_handler == SIG_IGN;
}

/* The command line, quoted where a shell would need it. */
static sonde_status set_command(sonde_context *context, int argc, char **argv)
{
	struct text line = {0};
	sonde_status status;

	text_append(&line, "sonde");
	for (int k = 0; k < argc; ++k) {
		bool plain = argv[k][0] != '\0' && argv[k][strcspn(argv[k], " \t\n\"'\\$`*?;&|<>()")] == '\0';
		text_append(&line, plain ? " %s" : " '%s'", argv[k]);
	}
	status = text_status(&line);
	for (size_t k = 0; k < line.size && status == SONDE_OK; ++k)
		if ((unsigned char)line.bytes[k] < ' ')
			line.bytes[k] = ' '; /* it becomes one line of a table's header */
	if (status == SONDE_OK)
		status = sonde_context_set_command(context, line.bytes);
	text_free(&line);
	return status;
}

sonde_status program_context(const sonde_program_options *options, const struct command *command, int argc,
			     char **argv, sonde_context **context)
{
	struct sigaction action = {.sa_handler = interrupt};
	sonde_status status;

	/* CUDA makes work queues when it starts, eight by default; sonde has use for two, and the others cost some 50 ms at
	 * the start and as much at the end */
	(void)setenv("CUDA_DEVICE_MAX_CONNECTIONS", "2", 0);
	CHECK(sonde_context_create(context));
	CHECK_GOTO(status, sonde_context_set_threads(*context, options->threads), failed);
	CHECK_GOTO(status, sonde_context_set_memory(*context, options->host_memory), failed);
	CHECK_GOTO(status, sonde_context_set_device_memory(*context, options->memory), failed);
	CHECK_GOTO(status, sonde_context_set_kernel_cache(*context, options->kernel_cache), failed);
	CHECK_GOTO(status, sonde_context_set_launch_limit(*context, options->launch_limit), failed);
	status = sonde_context_set_device(*context, options->device);
	if (status != SONDE_OK) {
		status = status_prefix(status, "device");
		goto failed;
	}
	CHECK_GOTO(status, set_command(*context, argc, argv), failed);
	progress_start(*context, command->name, options->quiet != 0, options->json != 0);
	interrupted_context = *context;
	sigfillset(&action.sa_mask);
	for (size_t k = 0; k < sizeof stop_signals / sizeof *stop_signals; ++k)
		if (stop_signals[k] != SIGHUP || !is_ignored(SIGHUP))
			sigaction(stop_signals[k], &action, NULL);
	action = (struct sigaction){.sa_handler = lose_reader};
	sigemptyset(&action.sa_mask);
	if (!is_ignored(SIGPIPE))
		sigaction(SIGPIPE, &action, NULL);
	return SONDE_OK;
failed:
	sonde_context_free(context);
	return status;
}

/* Loops go on with fewer threads, which takes longer. */
static void note_threads(sonde_context *context)
{
	char note[160];

	if (threads_refused() == 0)
		return;
	snprintf(note, sizeof note,
		 "threads that the system refused to start: %d; the run went on with fewer (is there a limit on "
		 "processes or "
		 "memory: ulimit -u, -v?)",
		 threads_refused());
	context_note(context, note);
}

void program_context_free(sonde_context **context)
{
	struct sigaction action = {.sa_handler = SIG_DFL};

	if (*context != NULL) {
		sigemptyset(&action.sa_mask);
		for (size_t k = 0; k < sizeof stop_signals / sizeof *stop_signals; ++k)
			if (!is_ignored(stop_signals[k]))
				sigaction(stop_signals[k], &action, NULL);
		if (!is_ignored(SIGPIPE))
			sigaction(SIGPIPE, &action, NULL);
		interrupted_context = NULL;
		lost_work = context_lost_work(*context);
		note_threads(*context);
		progress_stop();
		progress_warn(sonde_context_notes(*context));
	}
	sonde_context_free(context);
}
