#include "device/nvrtc.h"

#include <dlfcn.h>
#include <glob.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "device/dynamic_library.h"

/* From the NVRTC documentation (docs.nvidia.com/cuda/nvrtc). */
typedef struct nvrtc_program_handle *nvrtc_program;
static struct {
	int (*version)(int *major, int *minor);
	int (*architecture_count)(int *count);
	int (*architectures)(int *list);
	int (*create)(nvrtc_program *program, const char *text, const char *name, int headers,
		      const char *const *header_texts, const char *const *header_names);
	int (*destroy)(nvrtc_program *program);
	int (*compile)(nvrtc_program program, int count, const char *const *options);
	int (*cubin_size)(nvrtc_program program, size_t *size);
	int (*cubin)(nvrtc_program program, char *cubin);
	int (*ptx_size)(nvrtc_program program, size_t *size);
	int (*ptx)(nvrtc_program program, char *ptx);
	int (*log_size)(nvrtc_program program, size_t *size);
	int (*log)(nvrtc_program program, char *log);
	const char *(*error_text)(int error);
} api;
static char version[32], why[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool open_library(const char *const *names)
{
	const struct symbol symbols[] = {
	    SYMBOL(&api, version, "nvrtcVersion"),
	    SYMBOL(&api, architecture_count, "nvrtcGetNumSupportedArchs"),
	    SYMBOL(&api, architectures, "nvrtcGetSupportedArchs"),
	    SYMBOL(&api, create, "nvrtcCreateProgram"),
	    SYMBOL(&api, destroy, "nvrtcDestroyProgram"),
	    SYMBOL(&api, compile, "nvrtcCompileProgram"),
	    SYMBOL(&api, cubin_size, "nvrtcGetCUBINSize"),
	    SYMBOL(&api, cubin, "nvrtcGetCUBIN"),
	    SYMBOL(&api, ptx_size, "nvrtcGetPTXSize"),
	    SYMBOL(&api, ptx, "nvrtcGetPTX"),
	    SYMBOL(&api, log_size, "nvrtcGetProgramLogSize"),
	    SYMBOL(&api, log, "nvrtcGetProgramLog"),
	    SYMBOL(&api, error_text, "nvrtcGetErrorString"),
	};
	int major, minor;

	if (dynamic_library_open(names, symbols, sizeof symbols / sizeof *symbols, why, sizeof why) == NULL ||
	    api.version(&major, &minor) != 0)
		return false;
	snprintf(version, sizeof version, "NVRTC %d.%d", major, minor);
	return true;
}

/* Opens the newest libnvrtc of a folder. Its second library, with the built-in functions, is opened first: libnvrtc
 * opens it by bare name, and does not always search its own folder. */
static bool open_folder(const char *folder)
{
	char pattern[600];
	bool found = false;
	glob_t files;

	snprintf(pattern, sizeof pattern, "%.512s/libnvrtc-builtins.so.*", folder);
	if (glob(pattern, 0, NULL, &files) == 0) {
		(void)dynamic_library_load(files.gl_pathv[files.gl_pathc - 1], RTLD_NOW | RTLD_GLOBAL);
		globfree(&files);
	}
	snprintf(pattern, sizeof pattern, "%.512s/libnvrtc.so*", folder);
	if (glob(pattern, 0, NULL, &files) != 0)
		return false;
	for (size_t k = files.gl_pathc; k-- > 0 && !found;) {
		const char *const names[] = {files.gl_pathv[k], NULL};
		found = open_library(names);
	}
	globfree(&files);
	return found;
}

static bool open_folders(const char *pattern)
{
	bool found = false;
	glob_t folders;

	if (glob(pattern, GLOB_ONLYDIR, NULL, &folders) != 0)
		return false;
	for (size_t k = folders.gl_pathc; k-- > 0 && !found;)
		found = open_folder(folders.gl_pathv[k]);
	globfree(&folders);
	return found;
}

static void open_compiler(void)
{
	static const char *const names[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
					    NULL};
	static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX"};
	static const char *const folders[] = {"/usr/local/cuda/lib64",
					      "/usr/local/cuda-*/lib64",
					      "/opt/cuda/lib64",
					      "/usr/lib/x86_64-linux-gnu",
					      "/usr/local/lib/python3*/*-packages/nvidia/c*/lib",
					      "/usr/lib/python3*/*-packages/nvidia/c*/lib",
					      "/opt/*/lib/python3*/site-packages/nvidia/c*/lib",
					      "/opt/*/.venv/lib/python3*/site-packages/nvidia/c*/lib"};
	const char *said = getenv("SONDE_NVRTC");
	struct stat information;
	char path[600];

	if (said != NULL && said[0] != '\0') {
		const char *const one[] = {said, NULL};
		if (stat(said, &information) == 0 && S_ISDIR(information.st_mode) ? open_folder(said)
										  : open_library(one))
			return;
		snprintf(why, sizeof why, "SONDE_NVRTC=%.128s is not a usable libnvrtc", said);
		return;
	}
	if (open_library(names))
		return;
	for (size_t k = 0; k < sizeof variables / sizeof *variables; ++k) {
		const char *base = getenv(variables[k]);
		for (int wide = 0; base != NULL && base[0] == '/' && wide < 2; ++wide) {
			snprintf(path, sizeof path, "%.500s/lib%s", base, wide ? "64" : "");
			if (open_folder(path))
				return;
		}
	}
	for (size_t k = 0; k < sizeof folders / sizeof *folders; ++k)
		if (open_folders(folders[k]))
			return;
	snprintf(why, sizeof why, "libnvrtc is not installed (SONDE_NVRTC gives its path)");
}

const char *nvrtc_version(const char **reason)
{
	pthread_once(&once, open_compiler);
	*reason = why;
	return version[0] != '\0' ? version : NULL;
}

int nvrtc_version_number(void)
{
	const char *reason;
	int major = 0, minor = 0;

	return nvrtc_version(&reason) != NULL && api.version(&major, &minor) == 0 ? 1000 * major + 10 * minor : 0;
}

#define MOST_ARCHITECTURES 128

static int list_architectures(int list[MOST_ARCHITECTURES])
{
	const char *reason;
	int count = 0;

	if (nvrtc_version(&reason) == NULL || api.architecture_count(&count) != 0 || count <= 0 ||
	    count > MOST_ARCHITECTURES || api.architectures(list) != 0)
		return 0;
	return count;
}

int nvrtc_architecture(int wanted)
{
	int list[MOST_ARCHITECTURES], count = list_architectures(list), best = 0;

	for (int k = 0; k < count; ++k)
		if (list[k] <= wanted && list[k] / 10 == wanted / 10 && list[k] > best)
			best = list[k];
	return best;
}

int nvrtc_oldest_architecture(int least)
{
	int list[MOST_ARCHITECTURES], count = list_architectures(list), best = 0;

	for (int k = 0; k < count; ++k)
		if (list[k] >= least && (best == 0 || list[k] < best))
			best = list[k];
	return best;
}

/* The compiler's log, to be released with free(); null if it is empty. */
static char *read_log(nvrtc_program program)
{
	size_t length = 0;
	char *log = NULL;

	if (api.log_size(program, &length) != 0 || length <= 1 || (log = calloc(length + 1, 1)) == NULL ||
	    api.log(program, log) != 0) {
		free(log);
		return NULL;
	}
	return log;
}

/* The first line of the compiler's log with an error. */
static void first_error(nvrtc_program program, char *line, size_t size)
{
	char *log = read_log(program);

	snprintf(line, size, "no message");
	if (log != NULL) {
		const char *start = strstr(log, "error");
		while (start != NULL && start > log && start[-1] != '\n')
			--start;
		start = start != NULL ? start : log;
		snprintf(line, size, "%.*s", (int)strcspn(start, "\n"), start);
	}
	free(log);
}

static sonde_status read_code(nvrtc_program program, const char *name, bool ptx, void **code, size_t *size)
{
	int (*get_size)(nvrtc_program, size_t *) = ptx ? api.ptx_size : api.cubin_size;
	int (*get)(nvrtc_program, char *) = ptx ? api.ptx : api.cubin;

	if (get_size(program, size) != 0 || *size == 0)
		return status_fail(SONDE_RESOURCE, "%s made no machine code of kernel %s", version, name);
	CHECK(memory_allocate(code, *size + 1, 1, "a kernel"));
	if (get(program, *code) == 0)
		return SONDE_OK;
	free(*code);
	*code = NULL;
	return status_fail(SONDE_RESOURCE, "%s made no machine code of kernel %s", version, name);
}

#define MOST_OPTIONS 32

sonde_status nvrtc_compile(const struct device_kernel_source *source, const struct device_define *defines,
			   size_t define_count, const struct nvrtc_target *target, void **code, size_t *size,
			   char **log)
{
	char buffers[MOST_OPTIONS][96], message[256];
	const char *options[MOST_OPTIONS], *reason;
	nvrtc_program program = NULL;
	int count = 0;
	sonde_status status;

	*code = NULL;
	if (log != NULL)
		*log = NULL;
	if (nvrtc_version(&reason) == NULL)
		return status_fail(SONDE_RESOURCE, "%s", reason);
	snprintf(buffers[count++], sizeof buffers[0], "--gpu-architecture=%s_%d", target->ptx ? "compute" : "sm",
		 target->architecture);
	snprintf(buffers[count++], sizeof buffers[0], "--fmad=false");
	snprintf(buffers[count++], sizeof buffers[0], "-default-device");
	if (log != NULL && !target->ptx)
		snprintf(buffers[count++], sizeof buffers[0], "--ptxas-options=-v");
	for (size_t k = 0; k < define_count && count < MOST_OPTIONS; ++k)
		snprintf(buffers[count++], sizeof buffers[0], "-D%.64s=%u", defines[k].name, defines[k].value);
	for (int k = 0; k < count; ++k)
		options[k] = buffers[k];
	int error = api.create(&program, source->text, source->name, 0, NULL, NULL);
	if (error != 0)
		return status_fail(SONDE_RESOURCE, "%s: %s", version, api.error_text(error));
	error = api.compile(program, count, options);
	if (error == 0) {
		status = read_code(program, source->name, target->ptx, code, size);
	} else {
		first_error(program, message, sizeof message);
		status =
		    status_fail(SONDE_RESOURCE, "%s cannot compile kernel %s: %s", version, source->name, message);
	}
	if (log != NULL && status == SONDE_OK)
		*log = read_log(program);
	(void)api.destroy(&program);
	return status;
}
