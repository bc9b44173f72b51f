/* A libnvrtc.so that simulates faults. Its output is for the fake of CUDA's driver only: the name of the kernel and
 * the options.
 *
 *     FAKE_NVRTC=ok      the default
 *                error   every kernel has an error
 *                noarch  it compiles for newer devices only
 *                empty   it makes no machine code
 *                newer   it is newer than the driver, which takes nothing from it (the fake of CUDA knows) */
#include "fakes/fake.h"

#define INVALID_INPUT 3
#define INVALID_PROGRAM 4
#define INVALID_OPTION 5
#define COMPILATION 6

static const int old_ones[] = {75, 80, 90, 100}, new_ones[] = {100, 120};

struct program {
	char name[64], options[1024];
	const char *log;
};

static bool plays(const char *behaviour)
{
	return fake_plays("FAKE_NVRTC", behaviour);
}

EXPORT(int, nvrtcVersion, int *major, int *minor)
{
	*major = plays("newer") ? 13 : 12;
	*minor = 8;
	return 0;
}

EXPORT(int, nvrtcGetNumSupportedArchs, int *count)
{
	*count = plays("noarch") ? 2 : 4;
	return 0;
}

EXPORT(int, nvrtcGetSupportedArchs, int *list)
{
	memcpy(list, plays("noarch") ? new_ones : old_ones, plays("noarch") ? sizeof new_ones : sizeof old_ones);
	return 0;
}

EXPORT(int, nvrtcCreateProgram, struct program **program, const char *text, const char *name, int headers,
       const char *const *header_texts, const char *const *header_names)
{
	(void)header_texts;
	(void)header_names;
	*program = NULL;
	if (text == NULL || headers != 0 || name == NULL || strstr(text, name) == NULL)
		return INVALID_INPUT;
	*program = calloc(1, sizeof **program);
	if (*program == NULL)
		abort();
	snprintf((*program)->name, sizeof(*program)->name, "%s", name);
	return 0;
}

EXPORT(int, nvrtcDestroyProgram, struct program **program)
{
	if (*program == NULL)
		return INVALID_PROGRAM;
	free(*program);
	*program = NULL;
	return 0;
}

EXPORT(int, nvrtcCompileProgram, struct program *program, int count, const char *const *options)
{
	static char log[512];
	size_t size = 0;

	for (int k = 0; k < count; ++k) {
		if (options[k][0] != '-' || size + strlen(options[k]) + 2 > sizeof program->options) {
			program->log = "nvrtc: error: invalid option";
			return INVALID_OPTION;
		}
		size += (size_t)sprintf(program->options + size, " %s", options[k]);
	}
	if (plays("error")) {
		snprintf(log, sizeof log,
			 "%s(7): warning #177-D: variable \"unused\" was declared but never referenced\n\n"
			 "%s(12): error: identifier \"nonsense\" is undefined\n      x = nonsense;\n          ^\n\n"
			 "1 error detected in the compilation of \"%s\".\n",
			 program->name, program->name, program->name);
		program->log = log;
		return COMPILATION;
	}
	return 0;
}

static size_t write_code(const struct program *program, char *code, size_t size)
{
	return plays("empty") ? 0
			      : (size_t)snprintf(code, size, "fake cubin %s%s", program->name, program->options) + 1;
}

EXPORT(int, nvrtcGetCUBINSize, struct program *program, size_t *size)
{
	*size = write_code(program, NULL, 0);
	return 0;
}

EXPORT(int, nvrtcGetCUBIN, struct program *program, char *code)
{
	(void)write_code(program, code, write_code(program, NULL, 0));
	return 0;
}

EXPORT(int, nvrtcGetPTXSize, struct program *program, size_t *size)
{
	(void)program;
	*size = 0;
	return INVALID_INPUT;
}

EXPORT(int, nvrtcGetPTX, struct program *program, char *code)
{
	(void)program;
	(void)code;
	return INVALID_INPUT;
}

EXPORT(int, nvrtcGetProgramLogSize, struct program *program, size_t *size)
{
	*size = (program->log != NULL ? strlen(program->log) : 0) + 1;
	return 0;
}

EXPORT(int, nvrtcGetProgramLog, struct program *program, char *log)
{
	strcpy(log, program->log != NULL ? program->log : "");
	return 0;
}

EXPORT(const char *, nvrtcGetErrorString, int error)
{
	switch (error) {
	case 0:
		return "NVRTC_SUCCESS";
	case INVALID_INPUT:
		return "NVRTC_ERROR_INVALID_INPUT";
	case INVALID_PROGRAM:
		return "NVRTC_ERROR_INVALID_PROGRAM";
	case INVALID_OPTION:
		return "NVRTC_ERROR_INVALID_OPTION";
	case COMPILATION:
		return "NVRTC_ERROR_COMPILATION";
	default:
		return "NVRTC_ERROR unknown";
	}
}
