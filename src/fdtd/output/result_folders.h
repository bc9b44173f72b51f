/* Pictures and VTK files of results: folders of files. */
#ifndef SONDE_FDTD_OUTPUT_RESULT_FOLDERS_H
#define SONDE_FDTD_OUTPUT_RESULT_FOLDERS_H

#include <limits.h>

#include "base/text.h"
#include "sonde/fdtd.h"

/* Checks before the run that the folders of the options `frames` and `vtk` can be created and contain no files of its
 * monitors, unless `overwrite`, and that there are monitors for them. */
sonde_status fdtd_check_folders(const sonde_fdtd_job *job, bool overwrite);

/* Files written, for messages. */
struct fdtd_folder_report {
	int64_t files;
	struct text
	    films; /* for each film a line with the ffmpeg command that makes it; to be freed by text_free() */
};

/* result_frames.c: a PNG picture for each time of each snapshot and of each component, and a list for a film.
 * `context`, which can stop it, may be null. */
sonde_status fdtd_write_frames(const sonde_context *context, const sonde_fdtd_result *result, bool overwrite,
			       struct fdtd_folder_report *report);
/* result_vtk.c: an image for each time of each snapshot and for each frequency of fields, and their list. */
sonde_status fdtd_write_vtk(const sonde_context *context, const sonde_fdtd_result *result, bool overwrite,
			    struct fdtd_folder_report *report);

#endif
