#include "device/opencl_api.h"

#include <pthread.h>

#include "device/dynamic_library.h"

static struct opencl_api api;
static const struct opencl_api *opened;
static char why[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_loader(void)
{
	static const char *const names[] = {"libOpenCL.so.1", "libOpenCL.so", NULL};
	const struct symbol symbols[] = {
	    SYMBOL(&api, platforms, "clGetPlatformIDs"),
	    SYMBOL(&api, platform_info, "clGetPlatformInfo"),
	    SYMBOL(&api, devices, "clGetDeviceIDs"),
	    SYMBOL(&api, device_info, "clGetDeviceInfo"),
	    SYMBOL(&api, context_create, "clCreateContext"),
	    SYMBOL(&api, context_release, "clReleaseContext"),
	    SYMBOL(&api, queue_create, "clCreateCommandQueue"),
	    SYMBOL(&api, queue_release, "clReleaseCommandQueue"),
	    SYMBOL(&api, buffer_create, "clCreateBuffer"),
	    SYMBOL(&api, memory_release, "clReleaseMemObject"),
	    SYMBOL(&api, write, "clEnqueueWriteBuffer"),
	    SYMBOL(&api, read, "clEnqueueReadBuffer"),
	    SYMBOL(&api, fill, "clEnqueueFillBuffer"),
	    SYMBOL(&api, program_from_source, "clCreateProgramWithSource"),
	    SYMBOL(&api, program_from_binary, "clCreateProgramWithBinary"),
	    SYMBOL(&api, program_build, "clBuildProgram"),
	    SYMBOL(&api, build_info, "clGetProgramBuildInfo"),
	    SYMBOL(&api, program_info, "clGetProgramInfo"),
	    SYMBOL(&api, program_release, "clReleaseProgram"),
	    SYMBOL(&api, kernel_create, "clCreateKernel"),
	    SYMBOL(&api, kernel_release, "clReleaseKernel"),
	    SYMBOL(&api, kernel_info, "clGetKernelWorkGroupInfo"),
	    SYMBOL(&api, kernel_argument, "clSetKernelArg"),
	    SYMBOL(&api, launch, "clEnqueueNDRangeKernel"),
	    SYMBOL(&api, marker, "clEnqueueMarkerWithWaitList"),
	    SYMBOL(&api, wait_for_events, "clWaitForEvents"),
	    SYMBOL(&api, profiling, "clGetEventProfilingInfo"),
	    SYMBOL(&api, event_release, "clReleaseEvent"),
	    SYMBOL(&api, finish, "clFinish"),
	};

	if (dynamic_library_open(names, symbols, sizeof symbols / sizeof *symbols, why, sizeof why) != NULL)
		opened = &api;
}

const struct opencl_api *opencl_api_get(const char **reason)
{
	pthread_once(&once, open_loader);
	*reason = why;
	return opened;
}
