/* The mesh sum: the fast sum for arbitrary points.
 *
 * A charge's potential g(r) is split into a smooth part and the rest. The smooth part is g itself from a cut-off on
 * and a polynomial in r^2 below, whose Fourier transform is, within the tolerance, limited to c/cutoff: for 1/r
 *
 *     s(r) = 1/r int_0^(r/cutoff) psi,
 *
 * with psi the prolate function of bandwidth c whose integral over [0, 1] is 1 (Liang, Lu, Barnett, Greengard and
 * Jiang, arXiv:2505.09727). A mesh with a step just below pi cutoff/c represents it: each charge is spread over
 * width^3 points of it, by a window that is a product of three prolate functions, convolved with s, and the result is
 * interpolated with the same window (Hockney and Eastwood, Computer Simulation Using Particles, 1988, chapter 8). The
 * rest, g - s, is 0 from the cut-off on, and is summed over the near charges.
 *
 * The convolution uses samples of s itself, at the distances between mesh points, so that boundaries are open,
 * kernels have any form and boxes any shape. The mesh is padded by as many zeros, in the middle of which the distance
 * has its turning point, smoothed by another prolate function. Transforms are matrix products with cosines and sines,
 * which skip the zeros and need no powers of two.
 */
#ifndef SONDE_COULOMB_MESH_MESH_H
#define SONDE_COULOMB_MESH_MESH_H

#include "coulomb/charges.h"
#include "coulomb/kernels/mesh_layout.h"
#include "coulomb/mesh/prolate.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "device/device.h"

/* Accuracy: the width of the window, and the bandwidth of the smooth part. */
struct mesh_order {
	uint32_t width;
	double c;
	double error; /* approximate root mean square relative to the potential */
};
extern const struct mesh_order mesh_orders[];
extern const int mesh_order_count;

/* The smooth part below the cut-off: coefficients of powers of 2 (r/cutoff)^2 - 1, highest first. */
struct mesh_smooth {
	double cutoff;
	int terms;
	double even[MESH_MOST_EVEN];
};
void mesh_smooth_make(const struct coulomb_plan *plan, const struct mesh_order *order, double cutoff,
		      struct mesh_smooth *smooth);
/* The smooth part at a distance given by its square, without softening. */
double mesh_smooth_at(const struct coulomb_plan *plan, const struct mesh_smooth *smooth, double square);

#define MESH_WINDOW_NODES 64

/* The window of `width` mesh points: polynomials of its values at the points around a position
 * (kernels/mesh_window.h), and nodes for integrals over it, by which the convolution compensates spreading and
 * interpolation (influence()). */
struct mesh_window {
	uint32_t width;
	double places[MESH_WINDOW_NODES], weights[MESH_WINDOW_NODES]; /* for integrals over the window */
	int degree;
	double rows[(MESH_MOST_DEGREE + 1) * MESH_MOST_WIDTH];
};
void mesh_window_make(const struct mesh_order *order, struct mesh_window *window);
/* Correction factor of a wave that was spread and interpolated, with phase `angle` from mesh point to mesh point. */
double mesh_window_influence(const struct mesh_window *window, double angle);

/* Points sorted into cells, x fastest. */
struct mesh_cells {
	double origin[3], edges[3];
	uint32_t size[3], count; /* number of cells along each edge; of points */
	uint32_t *starts;        /* start of each cell, and the end */
	uint32_t *numbers;       /* index of the n-th point */
};
/* Sorts points with coordinates x[i stride], ... within a box into cells of these edges or, if there were too
 * many, larger ones. */
sonde_status mesh_cells_make(int threads, const double *const coordinates[3], size_t stride, uint32_t count,
			     const double low[3], const double high[3], const double edges[3],
			     struct mesh_cells *cells);
void mesh_cells_free(struct mesh_cells *cells);

/* Parameters of a mesh sum, and its cost. */
struct mesh_choice {
	double cutoff, step; /* of the smooth part and the mesh, Angstrom */
	double
	    outer; /* of a part: the cut-off of the smooth part that is computed elsewhere, including everything beyond it */
	double
	    near_charges; /* approximate number in a cube of the cut-off, for a point whose near charges are summed */
	double near_points; /* the same for points */
	double seconds;     /* estimate for one core, or for the GPU */
	bool possible;
	bool parts; /* dense regions have their own meshes, mesh_parts.c */
};
/* Basis of the choice: the bounding boxes of all charges and of all points, and a sample of their positions, all
 * of them if they are few. */
struct mesh_box {
	double low[3], high[3];
};
struct mesh_survey {
	struct mesh_box boxes[2];
	uint32_t count[2]; /* numbers of sampled charges and points */
	double all[2];     /* total numbers */
	double *places[2]; /* x, y, z of each in the sample */
};
#define MESH_SURVEYED 32768 /* charges, and points, in a sample: gives numbers of pairs within a few percent */
/* A sample of at most `most` charges and points each. */
sonde_status mesh_survey_make(int threads, const struct charges *charges, const struct targets *targets,
			      uint32_t most, struct mesh_survey *survey);
void mesh_survey_free(struct mesh_survey *survey);
/* Where the sum runs: whether on a GPU, and the available bytes. */
struct mesh_place {
	bool gpu;
	double memory;
};
/* The CPU, before the devices are known, and the first device of the context. */
struct mesh_place mesh_place_cpu(const sonde_context *context);
sonde_status mesh_find_place(sonde_context *context, struct mesh_place *place);
/* Whether a device runs the kernels for work-groups. */
bool mesh_has_groups(const struct device *device);
/* The cut-off with the least work whose mesh fits into memory; for a part with the
 * cut-off `outer`, else 0. */
sonde_status mesh_choose(const struct mesh_place *place, const struct mesh_survey *survey,
			 const struct charges *charges, const struct coulomb_plan *plan,
			 const struct mesh_order *order, double outer, struct mesh_choice *choice);
/* Estimated seconds of the direct sum on one core or on the GPU. */
double mesh_direct_seconds(const struct mesh_place *place, const struct charges *charges,
			   const struct targets *targets, const struct coulomb_plan *plan);
void mesh_find_boxes(int threads, const struct charges *charges, const struct targets *targets,
		     struct mesh_box boxes[2]);
struct mesh_box mesh_box_of_both(const struct mesh_box boxes[2]);
/* Mesh points along each edge, waves, and, for a part, the mesh points needed by its points (otherwise all). */
struct mesh_shape {
	uint32_t nodes[3], waves[3], first[3], wanted[3];
};
/* Mesh points for charges and points in these boxes, and waves: twice as many if all of them interact, or, for
 * a part, fewer, as the interaction ends at `outer`. */
void mesh_extent(const struct mesh_order *order, const struct mesh_box boxes[2], double step, double outer,
		 struct mesh_shape *shape);

/* Costs in seconds on one core of summing near charges, and of the alternative for points with many of them. */
struct mesh_costs {
	double pair;     /* of a point and a charge in the 27 cubes of the cut-off around it */
	double point;    /* of a point, in addition */
	double spread;   /* of a charge on a separate mesh */
	double read;     /* of a point on this mesh */
	double convolve; /* of a cube of the cut-off on this mesh */
	double sets;     /* number of sets of charges */
	bool parts;      /* whether such meshes are allowed */
};
struct mesh_costs mesh_find_costs(const struct charges *charges, const struct coulomb_plan *plan,
				  const struct mesh_order *order);
/* Cost of the points of a cube: by the sum over the near charges, or, approximately, by separate meshes. */
double mesh_near_cost(const struct mesh_costs *costs, double points, double near_charges);
double mesh_parts_cost(const struct mesh_costs *costs, double points, double charges, double near_charges);
#define CUBES_OF_CUBE 6.0 /* of half the edge, non-empty; near pairs decrease by the same factor */
/* Seconds for the near charges of all points, if dense regions have separate meshes wherever this is less work:
 * for cut-offs of `edge`, half of it, a quarter of it, ... */
#define MESH_ESTIMATES 16
struct mesh_estimate {
	double edge, seconds[MESH_ESTIMATES];
};
sonde_status mesh_estimate_make(const struct mesh_survey *survey, const struct mesh_costs *costs,
				struct mesh_estimate *estimate);
double mesh_estimate_at(const struct mesh_estimate *estimate, double cutoff);
/* Cost of a mesh with half the cut-off for this many cubes along x, y, z, and for charges in and around them. */
double mesh_block_seconds(const struct mesh_order *order, const struct mesh_costs *costs, const uint32_t cubes[3],
			  double charges);
/* Replaces each cell by the sum over it and its neighbors along one direction. */
void mesh_add_neighbors(double *numbers, const int64_t size[3], int along);
/* Multiply-adds of one direction of a convolution of this many mesh points and waves. */
double mesh_products(const double nodes[3], const double waves[3]);

/* Number of waves with room for the turning point, for this many mesh points. */
uint32_t mesh_open_waves(const struct mesh_order *order, uint32_t nodes);

/* The convolution: a mesh of charges becomes one of potentials. */
struct mesh_transform {
	struct device *device;
	bool groups; /* uses the kernels for GPUs */
	int threads; /* of the host */
	struct mesh_shape extent;
	uint32_t row, columns,
	    back_row; /* padded lengths of a row of points, of waves along x, and of requested points */
	struct device_kernel product, columns_kernel, samples;
	struct device_buffer forward[3], back[3]; /* cosines and sines: [nodes][waves] and the transpose */
	struct device_buffer weights, numbers[3]; /* of the kernel; numbers of the waves along y and z */
	struct device_buffer shape, half, mesh, all, spectrum; /* `spectrum` on GPUs only */
};
/* For a mesh of this extent: `mesh` is a buffer of its points, all 0, replaced by the requested ones. near_frame:
 * the smooth part in the layout of the kernels. */
/* outer: to be subtracted from the smooth part, or null. */
sonde_status mesh_transform_make(struct device *device, int threads, const struct coulomb_plan *plan,
				 const struct mesh_order *order, const struct mesh_smooth *smooth,
				 const struct mesh_smooth *outer, const struct device_buffer *near_frame,
				 const struct mesh_window *window, const struct mesh_shape *extent, double step,
				 struct mesh_transform *transform);
sonde_status mesh_transform_run(struct mesh_transform *transform);
void mesh_transform_free(struct mesh_transform *transform);

/* Seconds of the stages of a sum. */
enum mesh_stage {
	MESH_PREPARE, /* kernels, the smooth part and its waves, and memory */
	MESH_SORT,
	MESH_COPY,
	MESH_NEAR,
	MESH_SPREAD,
	MESH_CONVOLVE,
	MESH_READ,
	MESH_PARTS, /* sums by separate meshes */
	MESH_STAGES
};
extern const char *const mesh_stage_names[MESH_STAGES];
struct mesh_times {
	double seconds[MESH_STAGES];
	double parts;      /* number of meshes in addition to the first one */
	double near_pairs; /* pairs of points and charges in the 27 cubes around them, in near sums */
};
/* The sum on a device. The context may be null. If `times` is not null, each stage is completed before the next. */
sonde_status mesh_sum_on(sonde_context *context, struct device *device, const struct charges *charges,
			 const struct targets *targets, const struct coulomb_plan *plan, struct values *values,
			 uint64_t *coincident, struct mesh_times *times);

#endif
