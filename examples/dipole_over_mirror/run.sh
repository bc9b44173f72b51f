#!/bin/sh
# The power radiated by a dipole above a mirror as a function of its height, relative to that without the mirror: the relative decay rate of an atom there.
#     examples/dipole_over_mirror/run.sh [SONDE [FOLDER]]
set -eu
sonde=${1:-sonde}
folder=${2:-.}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"

power() { # HEIGHT DIRECTION MIRROR: in nm; conductor or absorbing
	sed -e "s/-300 nm/$(($1 - 600)) nm/g; s/polarization: \[0, 0, 1\]/polarization: [$2]/; s/kind: conductor/kind: $3/" \
		"$here/job.yaml" >"$folder/one.yaml"
	"$sonde" fdtd "$folder/one.yaml" --force --quiet -o "$folder/one.csv"
	awk -F, '/^[0-9]/ { print $3 }' "$folder/one.csv"
}
{
	free_up=$(power 600 0,0,1 absorbing)
	free_flat=$(power 600 1,0,0 absorbing)
	echo '# height (nm), upright, in closed form, flat, in closed form'
	for height in 60 120 180 240 300 420 540; do
		echo "$height $(power $height 0,0,1 conductor) $free_up $(power $height 1,0,0 conductor) $free_flat"
	done
} | awk '/^#/ { print; next }
	# its image: 1 - 3 (cos u/u^2 - sin u/u^3) upright, 1 - 3/2 (sin u/u + cos u/u^2 - sin u/u^3) flat, u = 4 pi h/lambda
	{ u = 4*3.14159265358979*$1/600; c = cos(u)/u^2 - sin(u)/u^3
	  printf "%g %.4f %.4f %.4f %.4f\n", $1, $2/$3, 1 - 3*c, $4/$5, 1 - 1.5*(sin(u)/u + c) }' >"$folder/mirror.xy"
cat "$folder/mirror.xy"
rm "$folder/one.yaml" "$folder/one.csv"

if ! command -v gnuplot >/dev/null 2>&1; then
	echo "table: $folder/mirror.xy (no picture: gnuplot is not installed)"
	exit 0
fi
cd "$folder"
gnuplot <<'SCRIPT'
set terminal pngcairo size 900,500 font 'Sans,12'
set output 'mirror.png'
set xlabel 'height above the mirror (nm), the wavelength being 600 nm'
set ylabel 'power over that in free space'
set xrange [0:600]
set yrange [0:2.1]
u(h) = 4*pi*h/600
c(h) = cos(u(h))/u(h)**2 - sin(u(h))/u(h)**3
set samples 500
plot 1 - 3*c(x) lc rgb '#888888' title 'closed form', 1 - 1.5*(sin(u(x))/u(x) + c(x)) lc rgb '#888888' notitle, \
     'mirror.xy' using 1:2 with points pt 7 lc rgb '#1f4e9a' title 'upright', \
     '' using 1:4 with points pt 7 lc rgb '#c8642d' title 'flat'
SCRIPT
echo "picture: $folder/mirror.png"
