# sonde match: fits, files, pictures, series, bad input.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# candidates of carbon, and a film made of two of them
ok "C60" sonde build --fullerene C60 -o "$inputs/c60.xyz"
ok "flake" sonde build --graphene hexagon=12 -o "$inputs/flake.xyz"
ok "tube" sonde build --nanotube 6,6 --length 25 -o "$inputs/tube.xyz"
for name in c60 flake tube; do
	ok "curve of $name" sonde debye "$inputs/$name.xyz" --q 0.5:15:400 -o "$inputs/$name.h5"
	ok "table of $name" sonde debye "$inputs/$name.xyz" --q 0.5:15:400 -o "$inputs/$name.dat"
done
paste -d ' ' "$inputs/c60.dat" "$inputs/tube.dat" | awk '
	/^[0-9.]/ { y = 5 * $3 + 2 * $8 + 200; printf "%s %.9g %.6g\n", $1, y + sqrt(y) * sin(++n * n * 0.7) * 1.4142, sqrt(y) }' >"$inputs/film.xy"
check "film" [ "$(wc -l <"$inputs/film.xy")" -eq 400 ]

candidates=("$inputs/c60.h5" "$inputs/flake.h5" "$inputs/tube.h5")
ok "fit" sonde match "$inputs/film.xy" "${candidates[@]}" -o fit.h5
check "fit: curve" has_line "$out" '^curve +.*film.xy: I_per_atom, 400 points from 0.5 to 15 1/Angstrom, weights sigma'
check "fit: first weight" has_line "$out" '^weight +(4\.[89]|5\.[01]).*: .*c60.h5'
check "fit: second weight" has_line "$out" '^weight +(1\.[89]|2\.[01]).*: .*tube.h5'
ok "description" sonde info fit.h5
check "description: weights" has_line "$out" '^weight +.*c60.h5'
sonde match "$inputs/film.xy" "${candidates[@]}" --json --bootstrap 50 --sparsity bic >"$out" 2>/dev/null
check "JSON" has_line "$out" '"weights": \[\{"candidate": 1, "name": "[^"]*c60.h5"'
ok "table" sonde match "$inputs/film.xy" "${candidates[@]}" -o fit.csv --sparsity bic --quiet
check "table: rows" [ "$(grep -vc '^#' fit.csv)" -eq 3 ]
check "table: columns" has_line fit.csv '^candidate,name,key,atoms,size,weight,error,low,high,fraction,inflation,alternatives$'
ok "series" sonde match "$inputs/film.xy" "$inputs/film.xy" "${candidates[@]}" -o series.csv
check "series: rows" [ "$(grep -vc '^#' series.csv)" -eq 3 ]
ok "series as HDF5" sonde match "$inputs/film.xy" "$inputs/film.xy" "${candidates[@]}" -o series.h5
ok_warned '1 of 3 candidates are not among those of all curves' "two curves" \
	sonde match "$inputs/film.xy" "${candidates[@]}" --with "$inputs/film.xy,$inputs/tube.h5,$inputs/c60.h5"
check "two curves: common candidates" has_line "$out" '^candidates +2$'
fails 2 'range: 5:1 ends before it begins' sonde match "$inputs/film.xy" "${candidates[@]}" --range 5:1
awk 'BEGIN { for (k = 1; k < 30; ++k) printf "%g 3\n", k / 2 }' >"$inputs/flat.xy"
ok_warned 'none of them explains the curve' "constant curve" sonde match "$inputs/flat.xy" "${candidates[@]}"
check "constant curve: nothing is unexplained" [ "$(grep -c '^unexplained' "$out")" -eq 0 ]
awk 'BEGIN { for (k = 1; k < 30; ++k) printf "%g 1e300 1e-9\n", k / 2 }' >"$inputs/large.xy"
fails 2 'large\.xy: has 1e\+300 at x = 0\.5, which is too large' sonde match "$inputs/large.xy" "${candidates[@]}"
cp "$inputs/film.xy" film.h5
fails 2 'film\.h5: would replace' sonde match "$inputs/film.xy" "${candidates[@]}" --with "film.h5,$inputs/tube.h5" -o film.h5 --force
rm film.h5
cp "$inputs/film.xy" "$inputs/film_2.xy"
for name in 1 2; do cp "$inputs/film.xy" "$inputs/other_$name.xy"; done
ok_warned 'film.xy: 1 of 3 candidates are not among' "series of two curves" sonde match "$inputs/film.xy" "$inputs/film_2.xy" "${candidates[@]}" \
	--with "$inputs/other_?.xy,$inputs/tube.h5,$inputs/c60.h5" --bootstrap 20 --bootstrap-all -o rows.csv
check "series of two curves: report" has_line "$out" '^series +2 rows of curves, the first of which is described above$'
check "series of two curves: columns" has_line rows.csv '^file,file_2,"[^"]*c60.h5",error,low,high,"[^"]*tube.h5",error,low,high,chi_square,Rwp$'
check "series of two curves: files" has_line rows.csv '^"[^"]*film_2.xy","[^"]*other_2.xy",'
fails 2 'with: has 2 measured curves, .*other_1.xy, ..., and the series has 3: one for all curves is needed, or one for each' \
	sonde match "$inputs/film.xy" "$inputs/film_2.xy" "$inputs/film.xy" "${candidates[@]}" --with "$inputs/other_?.xy,$inputs/tube.h5" -o no.csv
fails 2 'bootstrap-all: needs the number of synthetic curves' sonde match "$inputs/film.xy" "${candidates[@]}" --bootstrap-all -o no.csv
fails 2 'qmax: is that of a measured G\(r\)' sonde match "$inputs/film.xy" "${candidates[@]}" --qmax 20 -o no.csv
ok "structure factor" sonde match "$inputs/tube.h5" "${candidates[@]}" --curve S --background -1 --peak 1000
check "structure factor: numerical errors of a result are not those of a measurement" has_line "$out" '^curve .*: S, 400 points .*, weights uniform'
check "structure factor: its own" has_line "$out" '^weight +(1|0\.9999.*|1\.0000.*) .*100 %: .*tube.h5'
for threads in 1 2 3; do
	sonde match "$inputs/film.xy" "${candidates[@]}" -o t.csv --threads $threads --bootstrap 20 --force --quiet
	grep -v '^#' t.csv >"$scratch/threads$threads"
done
check "the same for any number of threads" cmp -s "$scratch/threads1" "$scratch/threads3"
ok "picture" sonde match "$inputs/film.xy" "${candidates[@]}" --plot fit.png
ok "picture of a series" sonde match "$inputs/film.xy" "$inputs/film.xy" "${candidates[@]}" --plot series.png

# refined candidates: a strain and displacements that were put in, X-rays with their form factors; sizes
printf '%s\n' 'curves: [I_per_atom]' 'debye: {q: 0.5:15:600, displacement: 0.005}' 'structures:' '- family: gold' '  name: gold ${r}' \
	'  build: {cell: fcc, species: Au, a: 4.08, sphere: "${r}"}' '  vary: {r: [5, 7, 9]}' '  size: ${r}' >"$inputs/gold.yaml"
ok "library of gold" sonde library "$inputs/gold.yaml" -o "$inputs/gold.h5"
sed 's/displacement: 0.005/displacement: 0.005, radiation: neutron/' "$inputs/gold.yaml" >"$inputs/gold_n.yaml"
ok "library of gold for neutrons" sonde library "$inputs/gold_n.yaml" -o "$inputs/gold_n.h5"
ok "ball of gold" sonde build --cell fcc --species Au --a 4.08 --sphere 7 -o "$inputs/ball.xyz"
for radiation in xray neutron; do
	ok "its curve, $radiation" sonde debye "$inputs/ball.xyz" --q 0.8:14:500 --displacement 0.005 --radiation $radiation -o "$inputs/ball.dat" --force
	awk '!/^#/ {print $1, 3 * $3 + 50, 1}' "$inputs/ball.dat" >"$inputs/ball_$radiation.xy"
done
ok "libraries of two radiations" sonde match "$inputs/ball_xray.xy" "$inputs/gold.h5" --with "$inputs/ball_neutron.xy,$inputs/gold_n.h5" --sparsity bic --peak 1000
check "libraries of two radiations: weight" has_line "$out" '^weight +(3|2\.999|3\.000)[0-9]* .*: gold 7$'
ok "strained gold" sonde build --cell fcc --species Au --a 4.1208 --sphere 7.07 -o "$inputs/strained.xyz"
ok "its curve" sonde debye "$inputs/strained.xyz" --q 0.8:14:500 --displacement 0.01 -o "$inputs/strained.dat"
awk '!/^#/ {print $1, 3 * $3 + 50, 1}' "$inputs/strained.dat" >"$inputs/strained.xy"
ok "refined" sonde match "$inputs/strained.xy" "$inputs/gold.h5" --refine strain,B --sparsity bic --peak 1000 -o refined.h5
# 8 pi^2 (0.01 - 0.005 1.01^2)
check "refined: strain" has_line "$out" '^refined +strain 0\.0(0?99999|1)[0-9]* \+- [0-9.e-]+ \(.*\): gold 7$'
check "refined: B" has_line "$out" '^ +B 0\.386[6-9][0-9]* .* angstrom\^2: gold 7$'
check "refined: weight" has_line "$out" '^weight +(3|2\.999|3\.000)[0-9]* .*: gold 7$'
ok "refined: description" sonde info refined.h5
check "refined: description of parameters" has_line "$out" '^refined +strain 0\.0(0?99999|1)[0-9]* '
sonde match "$inputs/strained.xy" "$inputs/gold.h5" --refine strain,B --sparsity bic --json >"$out" 2>"$err"
check "refined: correlations" has_line "$out" '"correlations": \[\[1, '
ok_warned 'width of gold, log-normal sizes is at its bound' "sizes" sonde match "$inputs/strained.xy" "$inputs/gold.h5" --refine strain,B --sizes gold --peak 1000 -o sizes.csv
check "sizes: mean" grep -qE '^# mean_size of gold, log-normal sizes = (6\.9|7\.0)' sizes.csv
awk '{print $1, 1.5 * $2, 1}' "$inputs/strained.xy" >"$inputs/later.xy"
ok "refined series" sonde match "$inputs/strained.xy" "$inputs/later.xy" "$inputs/gold.h5" --refine strain,B --sparsity bic --peak 1000 \
	--bootstrap 10 -o refined_series.h5 --plot refined_series.png
check "refined series: strains" has_line "$out" '^ +strain 0\.0(0?99999|1)[0-9]* to 0\.0(0?99999|1)[0-9]* in 2 curves: gold 7$'
check "refined series: interval" has_line "$out" '^refined +strain 0\.0(0?99999|1)[0-9]* \+- [0-9.e-]+ \(0\.00?999.* to 0\.01.*\): gold 7$'
ok "refined series: description" sonde info refined_series.h5
check "refined series: described" has_line "$out" '^series +2 curves, weights of 3 candidates in each, and refined parameters$'
ok "refined series: table" sonde match "$inputs/strained.xy" "$inputs/later.xy" "$inputs/gold.h5" --refine strain --quiet --peak 1000 -o refined_series.csv
check "refined series: columns" has_line refined_series.csv '^file,.*,"strain of gold 7",error,.*,chi_square,Rwp$'
fails 2 "refine: has 'stress'" sonde match "$inputs/strained.xy" "$inputs/gold.h5" --refine stress
fails 2 "sizes: the family 'silver' has 0 candidates" sonde match "$inputs/strained.xy" "$inputs/gold.h5" --sizes silver

fails 2 'no measured curve is given' sonde match
fails 2 'no candidates are given' sonde match "$inputs/film.xy"
fails 2 'absent.xy: cannot' sonde match "$inputs/absent.xy" "${candidates[@]}"
fails 2 'neither a library nor a result of sonde debye' sonde match "$inputs/film.xy" fit.h5
printf 'not HDF5' >"$inputs/broken.h5"
fails 2 'is not an HDF5 file, or is damaged' sonde match "$inputs/film.xy" "$inputs/broken.h5"
sed 's/^1\.0.*/nan 1 1/' "$inputs/film.xy" >"$inputs/nan.xy"
fails 2 'nan.xy:[0-9]+: ' sonde match "$inputs/nan.xy" "${candidates[@]}" -o no.h5
printf '1 1 1\n2 2 -1\n' >"$inputs/sigma.xy"
fails 2 'sigma.xy:2: a standard deviation of -1' sonde match "$inputs/sigma.xy" "${candidates[@]}" -o no.h5
printf '20 1\n21 2\n' >"$inputs/far.xy"
fails 2 'points from 20 to 21 1/Angstrom, and the candidates have curves from 0.5 to 15: they have no range in common' \
	sonde match "$inputs/far.xy" "${candidates[@]}" -o no.h5
ok "neutrons" sonde debye "$inputs/c60.xyz" --q 0.5:15:400 --radiation neutron -o "$inputs/neutron.h5"
fails 2 'has curves of neutron, and the candidates before it of x-ray' sonde match "$inputs/film.xy" "${candidates[@]}" "$inputs/neutron.h5"
fails 2 "neutron.h5: was measured with radiation 'neutron', as it states, and the candidates' curves are those of 'x-ray'" \
	sonde match "$inputs/neutron.h5" "${candidates[@]}" -o no.h5
(echo "# film 7"; cat "$inputs/film.xy") >"$inputs/unnamed.xy"
ok_warned 'the header does not name the first column, which is taken to be q in 1/Angstrom; --axis says what it is' "an unnamed axis" \
	sonde match "$inputs/unnamed.xy" "${candidates[@]}"
sed 5,9d "$inputs/film.xy" >"$inputs/fewer.xy"
fails 2 'fewer.xy: has other points than .*film.xy, the first curve of the series: 395 from 0.5 to 15 with errors, and there are 400 from 0.5 to 15 with errors' \
	sonde match "$inputs/film.xy" "$inputs/fewer.xy" "${candidates[@]}" -o no.h5
check "nothing is written" [ ! -e no.h5 ]
fails 2 'fit.doc' sonde match "$inputs/film.xy" "${candidates[@]}" -o fit.doc
fails 2 'fit.h5' sonde match "$inputs/film.xy" "${candidates[@]}" -o fit.h5
fails 2 'background' sonde match "$inputs/film.xy" "${candidates[@]}" --background 99

finish
