#include "io/picture/balls.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

#define FINER 2          /* pixels drawn for one of the picture, along each side */
#define MARGIN 1.04      /* of the square around the balls */
#define AMBIENT 0.42     /* light from everywhere; the rest comes from the upper left */
#define FADED 0.35       /* of the color of the farthest balls, which white replaces */
#define LOOK 65536       /* balls between two looks at the request to stop */
#define SMALL_RADIUS 0.5 /* pixels: smaller balls are single pixels */

/* Views -------------------------------------------------------------------------------------- */

static double product(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

struct extent {
	double low[2], high[2];
};

static void reach(const struct balls_view *view, const double r[3], double radius, struct extent *extent)
{
	const double at[2] = {product(r, view->right), product(r, view->up)};

	for (int k = 0; k < 2; ++k) {
		extent->low[k] = fmin(extent->low[k], at[k] - radius);
		extent->high[k] = fmax(extent->high[k], at[k] + radius);
	}
}

void balls_find_view(const struct balls *balls, const double (*corners)[3], int corner_count, struct balls_view *view)
{
	struct extent extent = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};

	for (int64_t i = 0; i < balls->count; ++i)
		reach(view, balls->centers + 3 * i, balls->radii[balls->kinds[i]], &extent);
	for (int k = 0; k < corner_count; ++k)
		reach(view, corners[k], 0.0, &extent);
	view->half = 0.0;
	for (int k = 0; k < 2; ++k) {
		view->middle[k] = 0.5 * (extent.low[k] + extent.high[k]);
		view->half = fmax(view->half, MARGIN * 0.5 * (extent.high[k] - extent.low[k]));
	}
}

/* Drawing ------------------------------------------------------------------------------------ */

/* Pixels finer than those of the picture, with the depth of what is seen there, toward the viewer. */
struct canvas {
	int size;
	double scale; /* pixels per unit of length */
	float *depth; /* -INFINITY: nothing */
	struct color *pixels;
};

static unsigned char shade(unsigned char part, double light, double gleam)
{
	return (unsigned char)fmin(255.0, part * light + 255.0 * gleam);
}

/* The color of a ball where its normal has these components to the right, up, and toward the viewer. */
static struct color light_up(struct color color, double x, double y, double z)
{
	/* Lambert's law, and a highlight; the light comes from (-0.45, 0.55, 0.70) */
	const double toward = fmax(0.0, -0.45 * x + 0.55 * y + 0.70 * z), light = AMBIENT + (1.0 - AMBIENT) * toward;
	const double gleam = 0.35 * pow(toward, 24.0);

	return (struct color){shade(color.red, light, gleam), shade(color.green, light, gleam),
			      shade(color.blue, light, gleam)};
}

static void draw_ball(struct canvas *canvas, const double center[3], double radius, struct color color)
{
	const int low_x = (int)fmax(0.0, floor(center[0] - radius)),
		  low_y = (int)fmax(0.0, floor(center[1] - radius)),
		  high_x = (int)fmin(canvas->size - 1.0, floor(center[0] + radius)),
		  high_y = (int)fmin(canvas->size - 1.0, floor(center[1] + radius));

	for (int y = low_y; y <= high_y; ++y)
		for (int x = low_x; x <= high_x; ++x) {
			const double dx = (x + 0.5 - center[0]) / radius, dy = (y + 0.5 - center[1]) / radius,
				     square = 1.0 - dx * dx - dy * dy;
			const size_t at = (size_t)y * (size_t)canvas->size + (size_t)x;
			if (square < 0.0 && radius > SMALL_RADIUS)
				continue;
			const double dz = sqrt(fmax(square, 0.0));
			const float depth = (float)(center[2] + dz * radius / canvas->scale);
			if (!(depth > canvas->depth[at]))
				continue;
			canvas->depth[at] = depth;
			canvas->pixels[at] = light_up(color, dx, -dy, square < 0.0 ? 1.0 : dz);
		}
}

/* Balls that are far away are lighter: the depth of the picture becomes visible. */
static void fade(struct canvas *canvas)
{
	const size_t count = (size_t)canvas->size * (size_t)canvas->size;
	float low = INFINITY, high = -INFINITY;

	for (size_t k = 0; k < count; ++k)
		if (canvas->depth[k] > -INFINITY) {
			low = fminf(low, canvas->depth[k]);
			high = fmaxf(high, canvas->depth[k]);
		}
	for (size_t k = 0; k < count && high > low; ++k) {
		struct color *pixel = &canvas->pixels[k];
		const double away = canvas->depth[k] > -INFINITY
					? FADED * (double)(high - canvas->depth[k]) / (double)(high - low)
					: 0.0;
		*pixel = (struct color){(unsigned char)(pixel->red + away * (255 - pixel->red)),
					(unsigned char)(pixel->green + away * (255 - pixel->green)),
					(unsigned char)(pixel->blue + away * (255 - pixel->blue))};
	}
}

static void average(const struct canvas *canvas, struct picture *picture)
{
	for (int y = 0; y < picture->height; ++y)
		for (int x = 0; x < picture->width; ++x) {
			int sum[3] = {0};
			for (int n = 0; n < FINER * FINER; ++n) {
				const struct color *from =
				    &canvas->pixels[(size_t)(FINER * y + n / FINER) * (size_t)canvas->size +
						    (size_t)(FINER * x + n % FINER)];
				sum[0] += from->red;
				sum[1] += from->green;
				sum[2] += from->blue;
			}
			picture->pixels[(size_t)y * (size_t)picture->width + (size_t)x] = (struct color){
			    (unsigned char)(sum[0] / (FINER * FINER)), (unsigned char)(sum[1] / (FINER * FINER)),
			    (unsigned char)(sum[2] / (FINER * FINER))};
		}
}

static sonde_status draw_all(const struct balls *balls, const struct balls_view *view, struct canvas *canvas)
{
	for (int64_t i = 0; i < balls->count; i += balls->stride) {
		const double *r = balls->centers + 3 * i, radius = balls->radii[balls->kinds[i]] * canvas->scale;
		const double u = product(r, view->right) - view->middle[0],
			     v = product(r, view->up) - view->middle[1];
		const double center[3] = {0.5 * canvas->size + u * canvas->scale,
					  0.5 * canvas->size - v * canvas->scale, product(r, view->toward)};
		draw_ball(canvas, center, fmax(radius, SMALL_RADIUS), balls->colors[balls->kinds[i]]);
		if (i / balls->stride % LOOK == 0 && balls->cancelled != NULL && balls->cancelled(balls->user))
			return status_fail(SONDE_CANCELLED, "stopped on request while the picture was drawn");
	}
	return SONDE_OK;
}

sonde_status balls_draw(const struct balls *balls, const struct balls_view *view, struct picture *picture)
{
	struct canvas canvas = {.size = FINER * picture->width,
				.scale = 0.5 * FINER * picture->width / (view->half > 0.0 ? view->half : 1.0)};
	const size_t count = (size_t)canvas.size * (size_t)canvas.size;
	sonde_status status;

	CHECK_GOTO(status, memory_allocate(&canvas.depth, count, sizeof *canvas.depth, "a picture"), done);
	CHECK_GOTO(status, memory_allocate(&canvas.pixels, count, sizeof *canvas.pixels, "a picture"), done);
	for (size_t k = 0; k < count; ++k) {
		canvas.depth[k] = -INFINITY;
		canvas.pixels[k] = (struct color){255, 255, 255};
	}
	CHECK_GOTO(status, draw_all(balls, view, &canvas), done);
	fade(&canvas);
	average(&canvas, picture);
done:
	free(canvas.depth);
	free(canvas.pixels);
	return status;
}
