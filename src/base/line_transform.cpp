/* Eigen's transform, applied to lines in SIMD registers in place of numbers. As in dense.cpp, no exception leaves this file, and its
 * copy of Eigen has its own namespace. */
#define Eigen sonde_eigen
#define EIGEN_MPL2_ONLY
#define EIGEN_NO_DEBUG
#include <complex>
#include <new>

#include <unsupported/Eigen/FFT>

#include "base/line_transform.h"

namespace
{

/* One number of each line. */
struct lines {
	typedef double pair __attribute__((vector_size(16)));
	pair a, b;

	lines() = default;
	lines(double x) : a{x, x}, b{x, x}
	{
	}
	lines(pair first, pair second) : a(first), b(second)
	{
	}
	lines operator+(const lines &other) const
	{
		return lines(a + other.a, b + other.b);
	}
	lines operator-(const lines &other) const
	{
		return lines(a - other.a, b - other.b);
	}
	lines operator*(const lines &other) const
	{
		return lines(a * other.a, b * other.b);
	}
	lines operator-() const
	{
		return lines(-a, -b);
	}
};

static_assert(sizeof(lines) == LINES_AT_ONCE * sizeof(double), "a number of each line");

} // namespace

namespace std
{

/* Complex numbers of lines, with what the transform needs; the general template is for numbers only. */
template <> class complex<lines>
{
	lines re, im;

      public:
	complex() = default;
	complex(const lines &real, const lines &imaginary = lines(0.0)) : re(real), im(imaginary)
	{
	}
	lines real() const
	{
		return re;
	}
	lines imag() const
	{
		return im;
	}
	complex &operator+=(const complex &other)
	{
		re = re + other.re;
		im = im + other.im;
		return *this;
	}
	complex &operator*=(const lines &factor)
	{
		re = re * factor;
		im = im * factor;
		return *this;
	}
	complex operator+(const complex &other) const
	{
		return complex(re + other.re, im + other.im);
	}
	complex operator-(const complex &other) const
	{
		return complex(re - other.re, im - other.im);
	}
	complex operator*(const complex &other) const
	{
		return complex(re * other.re - im * other.im, re * other.im + im * other.re);
	}
};

} // namespace std

struct line_transform {
	Eigen::internal::kiss_cpx_fft<lines> transform;
};

struct line_transform *line_transform_make(int size)
{
	struct line_transform *made = nullptr;

	try {
		made = new line_transform;
		made->transform.make_twiddles(size, true);
		made->transform.factorize(size);
		return made;
	} catch (...) {
		delete made;
		return nullptr;
	}
}

void line_transform_free(struct line_transform *transform)
{
	delete transform;
}

int64_t line_transform_size(double least)
{
	for (int64_t size = least > 2.0 ? 2 * static_cast<int64_t>((least + 1.0) / 2.0) : 2;; size += 2) {
		int64_t left = size;
		for (int factor : {2, 3, 5})
			while (left % factor == 0)
				left /= factor;
		if (left == 1 && static_cast<double>(size) >= least)
			return size;
	}
}

void line_transform_run(const struct line_transform *transform, const double *from, double *to)
{
	typedef std::complex<lines> number;

	/* with factors up to 5, nothing of the plan changes */
	const_cast<struct line_transform *>(transform)->transform.work(0, reinterpret_cast<number *>(to),
								       reinterpret_cast<const number *>(from), 1, 1);
}
