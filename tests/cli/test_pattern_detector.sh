# The detector of sonde pattern: geometry files, rotations, factors of I, masks, counts, means of rings.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

pattern() { sonde pattern "$data/C60.xyz" "$@"; }
body() { grep -v '^#' "$1"; }
same_bodies() { cmp -s <(body "$1") <(body "$2"); }
flat=(--detector 5,3 --distance 50 --pixel-size 10 --wavelength 1)

# rotations and geometry files
ok "detector" pattern "${flat[@]}" -o flat.csv
check "flat: no axes in the header" eval '! grep -q "e_n" flat.csv'
ok "rotated" pattern "${flat[@]}" --detector-rotation 20,-10,30 --write-poni rotated.poni -o rotated.csv
check "rotated: the file is named" has_line "$out" '^rotated\.poni: written$'
check "rotated: axes in the header" has_line rotated.csv '^# detector: pixels at x e_x \+ y e_y \+ 50 mm e_n, e_x = [-0-9.]+,[-0-9.]+,[-0-9.]+, e_y = '
check "rotated: other numbers" eval '! same_bodies flat.csv rotated.csv'
check "poni: version" has_line rotated.poni '^poni_version: 2\.1$'
check "poni: detector" has_line rotated.poni '^Detector_config: \{"pixel1": 0\.01, "pixel2": 0\.01, "max_shape": \[3, 5\], "orientation": 3\}$'
check "poni: distance" has_line rotated.poni '^Distance: 0\.05$'
check "poni: rotation in radians" has_line rotated.poni '^Rot1: 0\.349065850399$'
check "poni: wavelength in m" has_line rotated.poni '^Wavelength: 1e-10$'
ok "from the file" pattern --poni rotated.poni -o again.csv
check "from the file: the same numbers" awk -F, 'FNR == 1 { file++ } /^[#x]/ { next } file == 1 { i[n++] = $3; next } { d = $3/i[m++] - 1; if (d > 1e-8 || d < -1e-8) bad = 1 }
	END { exit bad || n != 15 || m != n }' rotated.csv again.csv
ok "another wavelength than that of the file" pattern --poni rotated.poni --energy 9keV -o other.csv
check "another wavelength: in the header" has_line other.csv '^# Ewald sphere: wavelength 1\.3776'
printf 'Detector: Pilatus100k\nDistance: 0.5\nPoni1: 0.01\nPoni2: 0.02\nRot1: 0\nRot2: 0\nRot3: 0\nWavelength: 1e-10\n' >"$inputs/pilatus.poni"
ok "a detector by its name" pattern --poni "$inputs/pilatus.poni" --plan
check "a detector by its name: points" has_line "$out" '^points +195 \(y\) x 487 \(x\)$'
ok "a detector that the beam does not meet" pattern "${flat[@]}" --detector-rotation 120,0,0 --normal-incidence 2,1 -o back.csv
ok "upper left first" pattern "${flat[@]}" --detector-orientation 2 -o upper.csv
check "upper left first: rows upside down" [ "$(body flat.csv | sort)" = "$(body upper.csv | sort)" ]
check "upper left first: y decreases" has_line <(body upper.csv | sed -n 2p) '^-20,10,'

# factors of I
ok "solid angle" pattern "${flat[@]}" --solid-angle relative -o relative.csv
check "solid angle: in the header" has_line relative.csv '^# I times the solid angle of the pixel, relative to that at the point of normal incidence$'
check "solid angle: cos^3" awk -F, 'FNR == 1 { file++ } /^[#x]/ { next } file == 1 { i[n++] = $3; next }
	{ d = $3/i[m++]*(1 + ($1*$1 + $2*$2)/2500)^1.5 - 1; if (d > 1e-12 || d < -1e-12) bad = 1 } END { exit bad || m != 15 }' flat.csv relative.csv
ok "solid angle in sr" pattern "${flat[@]}" --solid-angle absolute -o absolute.csv
check "solid angle in sr: unit" has_line absolute.csv 'I in electron units sr$'
check "solid angle in sr: pixel area over the square of the distance" near \
	"$(awk -F, '/^0,0,/ { printf "%.17g", $3/0.04 }' absolute.csv)" "$(awk -F, '/^0,0,/ { print $3 }' flat.csv)" 1e-9
ok "polarization" pattern "${flat[@]}" --polarization 1 -o polarized.csv
check "polarization: in the header" has_line polarized.csv '^# I times the polarization factor .*, p = 1, angle = 0 degrees$'
check "polarization: cos^2 along x, 1 along y" awk -F, 'FNR == 1 { file++ } /^[#x]/ { next } file == 1 { i[n++] = $3; next }
	{ d = $3/i[m++] - (1 - $1*$1/($1*$1 + $2*$2 + 2500)); if (d > 1e-12 || d < -1e-12) bad = 1 } END { exit bad || m != 15 }' flat.csv polarized.csv
ok "polarization: of circles" pattern --q 1:3:3 --phi 2 --wavelength 1 --polarization unpolarized
check "polarization: of circles, in the header" has_line "$out" 'p = 0, angle = 0 degrees$'

# masks
printf '0 1 0 0 0\n0 0 0 0 0\n1 0 0 0 0\n' >"$inputs/mask.txt"
ok "mask" pattern "${flat[@]}" --mask "$inputs/mask.txt" --beam-stop 5 -o masked.csv
check "mask: counted" has_line "$out" '^masked: 3 pixels$'
check "mask: in the header" has_line masked.csv '^# masked: 3 pixels, with I = nan$'
check "mask: its pixels" [ "$(grep nan masked.csv | grep -v '^#' | tr '\n' ' ')" = "-10,-10,nan 0,0,nan -20,10,nan " ]
ok "mask in HDF5" pattern "${flat[@]}" --mask "$inputs/mask.txt" --beam-stop 5 -o masked.h5
ok "mask from HDF5" pattern "${flat[@]}" --mask masked.h5 --mask-dataset /pattern/data/pixel_mask -o masked2.csv
check "mask from HDF5: the same" same_bodies masked.csv masked2.csv
ok "info of masked pixels" sonde info masked.h5
check "info of masked pixels: detector" has_line "$out" '^detector +50 mm from the sample, masked pixels$'

# counts
counted=("${flat[@]}" --fluence 3e18 --beam-stop 5)
ok "counts" pattern "${counted[@]}" --threads 1 -o counts.csv
check "counts: names" has_line counts.csv '^x,y,I,counts$'
check "counts: photons" has_line "$out" '^counts: [1-9][0-9]+ photons, at most [1-9][0-9]* in a pixel$'
check "counts: whole numbers" awk -F, '!/^[#x]/ && $4 !~ /^[0-9]+$/ && !($3 == "nan" && $4 == "-1") { bad = 1 } END { exit bad }' counts.csv
ok "counts: three threads" pattern "${counted[@]}" --threads 3 -o counts3.csv
check "counts: the same" same_bodies counts.csv counts3.csv
ok "counts: another seed" pattern "${counted[@]}" --noise-seed 2 -o counts2.csv
check "counts: others" eval '! same_bodies counts.csv counts2.csv'

# means of rings
ok "rings" pattern --q 1:3:5 --phi 32 --wavelength 1 --radial rings.csv
check "rings: the file is named" has_line "$out" '^rings\.csv: written$'
check "rings: names" has_line rings.csv '^q,I,I_error,points$'
check "rings: those of the circles" [ "$(body rings.csv | cut -d, -f1,4 | tr '\n' ' ')" = "q,points 1,32 1.5,32 2,32 2.5,32 3,32 " ]
ok "rings of a detector" pattern --detector 41,41 --distance 50 --pixel-size 2 --wavelength 1 --fluence 1e18 --radial rings.dat --radial-bins 10 -o d.csv
check "rings of a detector: counts" has_line rings.dat '^# q I I_error points counts I_counts I_counts_error$'
check "rings of a detector: all pixels" [ "$(body rings.dat | awk '{ n += $4 } END { print NR, n }')" = "10 1681" ]
check "rings of a detector: all photons" [ "$(body rings.dat | awk '{ n += $5 } END { print n }')" = "$(body d.csv | awk -F, 'NR > 1 { n += $4 } END { print n }')" ]

ok "picture" pattern --detector 40,30 --distance 50 --pixel-size 2 --wavelength 1 --detector-rotation 30,10,0 --beam-stop 6 --plot rotated.png
check "picture: a PNG file" [ "$(head -c 4 rotated.png | tail -c 3)" = PNG ]
ok "picture of counts" pattern --detector 40,30 --distance 50 --pixel-size 2 --wavelength 1 --fluence 1e18 --plot counts.png

# refusals
for option in '--distance 5' '--pixel-size 1' '--pixel-height 1' '--beam-center 1,1' '--normal-incidence 1,1' '--detector-rotation 1,0,0' '--detector-orientation 4'; do
	name=${option%% *}
	# shellcheck disable=SC2086
	fails 2 "${name#--}: --poni determines it as well" pattern --poni rotated.poni $option
done
fails 2 'detector: rotated\.poni has 5 columns and 3 rows' pattern --poni rotated.poni --detector 3,5
printf 'PixelSize1: 1e-4\nPixelSize2: 1e-4\nDistance: 0.5\nPoni1: 0.01\nPoni2: 0.02\n' >"$inputs/shape.poni"
fails 2 'detector: .*shape\.poni does not contain the numbers of pixels' pattern --poni "$inputs/shape.poni" --wavelength 1
fails 2 'wavelength: ' pattern --poni "$inputs/shape.poni" --detector 3,5
sed 's/^Rot2.*/Rot2: turned/' "$inputs/pilatus.poni" >"$inputs/wrong.poni"
fails 2 "wrong\.poni:6: Rot2: 'turned' is not a number" pattern --poni "$inputs/wrong.poni"
sed 's/Pilatus100k/Cirpad/' "$inputs/pilatus.poni" >"$inputs/unknown.poni"
fails 2 "unknown\.poni: Detector: 'Cirpad' is not one flat grid of equal pixels" pattern --poni "$inputs/unknown.poni"
fails 2 'is not a geometry file|has no Distance' pattern --poni "$inputs/mask.txt" --detector 3,3
fails 2 'detector-rotation: the beam does not meet the detector; give --normal-incidence' pattern "${flat[@]}" --detector-rotation 120,0,0
fails 2 'beam-stop: the beam does not meet the detector' pattern "${flat[@]}" --detector-rotation 120,0,0 --normal-incidence 1,1 --beam-stop 1
fails 2 'normal-incidence: --beam-center determines this point as well' pattern "${flat[@]}" --normal-incidence 1,1 --beam-center 1,1
for option in '--solid-angle relative' '--beam-stop 1' "--mask $inputs/mask.txt" '--fluence 1' '--write-poni x.poni'; do
	name=${option%% *}
	# shellcheck disable=SC2086
	fails 2 "${name#--}: this is about pixels; give --detector, or --poni" pattern --q 1:2:2 --phi 1 --wavelength 1 $option
done
fails 2 'radial-bins: has no effect without --radial' pattern "${flat[@]}" --radial-bins 3
fails 2 'beam-stop: all pixels are masked' pattern "${flat[@]}" --beam-stop 1000
printf '11111\n11111\n11111\n' >"$inputs/all.txt"
fails 2 'mask: all pixels are masked' pattern "${flat[@]}" --mask "$inputs/all.txt"
fails 2 'mask-dataset: has no effect without --mask' pattern "${flat[@]}" --mask-dataset /m
fails 2 'polarization-angle: has no effect without --polarization' pattern "${flat[@]}" --polarization-angle 5
fails 2 'radial-bins: has no effect without --detector: the rings of a polar picture are its circles' \
	pattern --q 1:2:2 --phi 1 --wavelength 1 --radial x.dat --radial-bins 3
fails 2 'mask-dataset: has no effect with a --mask that is not an HDF5 file' pattern "${flat[@]}" --mask "$inputs/mask.txt" --mask-dataset /m
for factor in unpolarized 0; do
	fails 2 'polarization-angle: has no effect with --polarization unpolarized, or 0' pattern "${flat[@]}" --polarization $factor --polarization-angle 5
done
fails 2 'noise-seed: has no effect without --fluence' pattern "${flat[@]}" --noise-seed 3
for option in '--distance 5' '--pixel-size 1' '--detector-orientation 1' '--beam-center 1,1' '--normal-incidence 1,1' '--detector-rotation 1,0,0' '--pixel-height 1'; do
	name=${option%% *}
	# shellcheck disable=SC2086
	fails 2 "${name#--}: has no effect without --detector" pattern --q 1:2:2 --phi 1 --wavelength 1 $option
done
fails 2 "polarization: 'much' is neither unpolarized nor a number from -1 to 1" pattern "${flat[@]}" --polarization much
fails 2 "polarization: '1\.1' is neither" pattern "${flat[@]}" --polarization 1.1
fails 2 'polarization: this factor is for X-rays' pattern "${flat[@]}" --polarization 1 --radiation neutron
fails 2 'polarization: the directions' pattern --h 0:1:2 --u 1,0,0 --polarization 1
fails 2 'fluence: counts need amplitudes in their units' pattern "${flat[@]}" --fluence 1 --factors unit
fails 2 'fluence: pixels would count more than' pattern "${flat[@]}" --fluence 1e30
fails 2 'radial: rings are those of a detector or of circles' pattern --h 0:1:2 --u 1,0,0 --radial x.csv
fails 2 'radial: .*x\.h5' pattern "${flat[@]}" --radial x.h5
fails 2 'mask\.txt:1: has more than the 3 columns of the detector' pattern --detector 3,3 --distance 5 --wavelength 1 --mask "$inputs/mask.txt"
fails 2 'mask\.txt: has 3 rows, the detector 4' pattern --detector 5,4 --distance 5 --wavelength 1 --mask "$inputs/mask.txt"
fails 2 'masked\.h5: has no dataset /mask; give --mask-dataset' pattern "${flat[@]}" --mask masked.h5
fails 2 'masked\.h5: .*replace|masked\.h5: is an input' pattern "${flat[@]}" --mask masked.h5 --mask-dataset /pattern/data/pixel_mask -f -o masked.h5
fails 2 'rotated\.poni: would replace another file of the same run' pattern --poni rotated.poni --write-poni rotated.poni -f
fails 2 'x\.dat: would replace another file' pattern "${flat[@]}" --write-poni x.dat --radial x.dat
fails 2 'rotated\.poni: exists already' pattern "${flat[@]}" --write-poni rotated.poni
printf 'qx,qy,qz\n1,0,0\n' >"$inputs/names.csv"
ok "a list with names" pattern --q-list "$inputs/names.csv"
finish
