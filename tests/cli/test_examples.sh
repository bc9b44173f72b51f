# The examples of the documentation run as they stand.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
examples=$(cd "$here/../../examples" && pwd)
pictures=$(command -v gnuplot || true)

is_png() { [[ $(head -c 4 "$1") == $'\x89PNG' ]]; }

ok "coo_sphere" "$examples/coo_sphere/run.sh" "$program" demo
check "coo_sphere: 27,633 atoms" has_line "$out" '^demo/coo\.xyz: 27633 atoms: 13835 Co 13798 O$'
check "coo_sphere: says where the result is" has_line "$out" '^result: +demo/coo\.h5 '
ok "coo_sphere: info" sonde info demo/coo.h5
check "coo_sphere: atoms" has_line "$out" '^atoms +27633: 13835 Co, 13798 O$'
check "coo_sphere: estimated error below 1e-6" awk '/^error/ {found = $3 + 0 < 1e-6} END {exit !found}' "$out"

ok "gold_shapes" "$examples/gold_shapes/run.sh" "$program" gold
for shape in sphere cube rod; do
	check "gold_shapes: $shape has 1199 points" test "$(grep -vc '^#' gold/$shape.xy)" -eq 1199
done

ok "nacl_potential" "$examples/nacl_potential/run.sh" "$program" salt
# 2 pi sqrt(2)/5.64 an Angstrom: one layer's chessboard of charges
check "nacl_potential: falls off by 4.83 an Angstrom" awk -F, '$3 == 27.4 {a = $4} $3 == 28.4 {b = $4} END {exit !(a/b > 4.7 && a/b < 4.95)}' salt/line.csv

ok "helix_potential" "$examples/helix_potential/run.sh" "$program" helix
check "helix_potential: positive below, negative above" awk -F, '!/^#/ && !/x/ {if ($3 < -12) low += $4; if ($3 > 12) high += $4}
	END {exit !(low > 0 && high < 0)}' helix/surface.csv
check "helix_potential: converted" test -s helix/helix.cube
ok "classic_slice" "$examples/classic_slice/run.sh" "$program" classic
check "classic_slice: fast" has_line "$out" '16777216 points, fast sum'

if [[ -n $pictures ]]; then
	check "helix_potential: picture" is_png helix/helix.png
	check "coo_sphere: picture" is_png demo/coo.png
	check "gold_shapes: picture" is_png gold/gold_shapes.png
	ok "job" sonde debye "$examples/coo_sphere/coo.yaml"
	check "job: picture" is_png coo.png
else
	skip "pictures" "no gnuplot here"
fi
finish
