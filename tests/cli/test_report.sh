#!/usr/bin/env bash
# Reports: what a page contains, that nothing in a file becomes markup, and, if there is Chromium, that it works in a browser.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# the numbers of a dataset in a page, one a line; they are float64 in base64
numbers_of() { # PAGE DATASET
	sed -nE 's|^\{"path":"'"$2"'".*"type":"f8","data":"([^"]*)".*|\1|p' "$1" | base64 -d | od -An -v -t f8 -w8 | tr -d ' '
}
is_closed() { [[ $(tail -c 15 "$1") == '</body></html>' ]]; }

ok "a result" sonde debye "$data/C60.xyz" --q 0.5:12:47 -o c60.h5 --quiet
ok "a page" sonde report c60.h5 "$data/C60.xyz" -o c60.html
check "a page: said" has_line "$out" '^c60\.html: 2 files, 2\.[0-9] MB$'
check "a page: complete" is_closed c60.html
check "a page: less than 5 MB" [ "$(stat -c %s c60.html)" -lt 5000000 ]
check "a page: nothing is fetched" contains c60.html "content=\"default-src 'none';"
check "a page: no address is loaded" [ -z "$(sed '/id="plotly"/d' c60.html | grep -E '(src|href)="?https?:')" ]
ok "the same numbers as a table" sonde debye "$data/C60.xyz" --q 0.5:12:47 -o c60.xy --quiet
columns() { grep -v '^#' c60.xy | awk '{print $1, $3}'; }
check "the numbers of the page are those of the table" awk 'function near(a, b) {d = a - b; s = b < 0 ? -b : b; return d <= 1e-14*s && -d <= 1e-14*s}
	{++n; if (!near($1, $3) || !near($2, $4)) bad = 1} END {exit bad || n != 47}' \
	<(paste -d ' ' <(numbers_of c60.html /debye/intensity/q) <(numbers_of c60.html /debye/intensity/I_per_atom) <(columns))
check "errors" [ "$(numbers_of c60.html /debye/intensity/I_per_atom_errors | wc -l)" = 47 ]
check "provenance" grep -q '"path":"/debye/process/command","kind":"text","texts":\["sonde debye ' c60.html
check "options" grep -q '"path":"/debye/process/options/q","kind":"text","units":"1/Angstrom","texts":\["0.5:12:47"\]' c60.html
check "atoms" grep -q '"kind":"atoms","count":60,"each":1,"species":\[{"label":"C","count":60,' c60.html

# every engine
ok "ions" sonde ions --ion He --energy 5keV --target Si:50nm -n 60 --trajectories 3 -o ions.h5 --quiet
ok "stopping" sonde stopping --ion He --target Si -o stopping.h5 --quiet
ok "coulomb" sonde coulomb "$data/C60.xyz" --charges C=1 --spacing 0.5 -o coulomb.h5 --quiet
ok "pattern" sonde pattern "$data/C60.xyz" --h -3:3:601 --k -3:3:501 --u 1,0,0 --v 0,1,0 -o pattern.h5 --quiet
cat >"$inputs/slab.yaml" <<'END'
fdtd:
  size: [400 nm, 400 nm, 0]
  cell: 20 nm
  time: 20 fs
  materials: [{name: "</script><script>hacked()</script>", permittivity: 2}]
  bodies: [{shape: sphere, radius: 40 nm, material: "</script><script>hacked()</script>"}]
  sources: [{kind: plane-wave, direction: [1,0,0], polarization: [0,0,1], frequency: 500 THz, bandwidth: 300 THz}]
  monitors:
    - {name: "<img src=x onerror=hacked()>", kind: point, center: [50 nm, 0, 0]}
    - {name: map, kind: fields, size: [200 nm, 200 nm, 0], wavelengths: 600 nm}
END
ok "fdtd" sonde fdtd "$inputs/slab.yaml" -o fdtd.h5 --quiet
for engine in ions stopping coulomb pattern fdtd; do
	ok "$engine: a page" sonde report $engine.h5 -o $engine.html --quiet
	check "$engine: a curve or map" grep -q '"kind":"group","NX_class":"NXdata".*"signal":' $engine.html
	check "$engine: axes" grep -q '"NX_class":"NXdata".*"axes":\["' $engine.html
done
check "ions: trajectories" grep -q '"path":"/ions/trajectories/position","kind":"numbers","units":"angstrom"' ions.html
# means of 2 x 2 and 3 x 2 neighbors and so on, until 160,000 are left
check "pattern: reduced, which the page knows" grep -q '"sizes":\[1,501,601\],"shape":\[1,[0-9]*,[0-9]*\],"thinned":false' pattern.html
check "coulomb: units" grep -q '"path":"/coulomb/potential/potential","kind":"numbers","units":"V"' coulomb.html
check "fdtd: the job" grep -q '"path":"/fdtd/process/job_file","kind":"text"' fdtd.html

# texts of files stay texts
# shellcheck disable=SC2016
printf '# sonde 0.2.0, debye\n# </script><script>hacked()</script>\nx,"<img src=x onerror=hacked()>",\xff\n1,2,3\n2,3,4\n' >"$inputs/table.csv"
cp "$data/C60.xyz" 'x<img src=x onerror=hacked()>.xyz'
ok "hostile texts" sonde report fdtd.h5 "$inputs/table.csv" 'x<img src=x onerror=hacked()>.xyz' -o hostile.html --quiet
check "hostile texts: no element is made of them" [ "$(grep -c -e '<script>hacked' -e '<img src' hostile.html)" = 0 ]
check "hostile texts: they are there" grep -q 'u003cscript\\u003ehacked()' hostile.html
check "hostile texts: bytes that are no UTF-8" grep -q 'ufffd' hostile.html

# in a browser: a script at the end reports what the page shows, and moves the pointer over the first figures
browser=
for name in chromium chromium-browser google-chrome; do
	command -v $name >/dev/null && browser=$name && break
done
look() { # PAGE: facts of the page as JSON
	sed '$d' "$1" >look.html
	cat >>look.html <<'END'
</script><script>
(async () => {
	const root = document.documentElement, wait = ms => new Promise(done => setTimeout(done, ms));
	for (let n = 0; n < 600 && !root.dataset.ready; ++n) await wait(50);
	const plots = [...document.querySelectorAll(".plot")], hover = [];
	for (const plot of plots.slice(0, 2)) {
		const target = plot.querySelector(".nsewdrag");
		if (!target) continue;
		target.scrollIntoView({block: "center"});
		const box = target.getBoundingClientRect();
		let text = "";
		for (let k = 1; k < 400 && !text; ++k) {
			target.dispatchEvent(new MouseEvent("mousemove", {bubbles: true,
				clientX: box.left + box.width * (k % 20) / 20, clientY: box.top + box.height * Math.floor(k / 20) / 20}));
			await wait(20);
			text = [...plot.querySelectorAll(".hoverlayer .hovertext")].map(e => e.textContent).join(" ");
		}
		hover.push(text);
	}
	const facts = document.createElement("pre");
	facts.textContent = "FACTS " + ["ready=" + root.dataset.ready, "errors=" + root.dataset.errors, "figures=" + plots.length,
		"curves=" + document.querySelectorAll(".scatterlayer path.js-line").length,
		"maps=" + document.querySelectorAll(".heatmaplayer image").length,
		"images=" + document.querySelectorAll("img").length, "hover=" + hover.join(" | ")].join("; ") + ";";
	document.body.append(facts);
})();
</script></body></html>
END
	timeout 60 "$browser" --headless --no-sandbox --disable-gpu --use-angle=swiftshader --enable-unsafe-swiftshader --user-data-dir="$scratch/browser" \
		--virtual-time-budget=40000 --window-size=1200,1400 --dump-dom "file://$PWD/look.html" 2>/dev/null | grep -o 'FACTS .*;' || echo none
}
if [[ -n $browser && $sanitized = 0 ]]; then
	# one page, since a browser takes seconds to start
	ok "a page of all" sonde report c60.h5 pattern.h5 fdtd.h5 "$inputs/table.csv" 'x<img src=x onerror=hacked()>.xyz' -o all.html --quiet
	facts=$(look all.html)
	check "browser: opens without errors: $facts" grep -q 'errors=0;' <<<"$facts"
	check "browser: curves: $facts" grep -qE 'curves=([3-9]|[1-9][0-9]);' <<<"$facts"
	check "browser: a map: $facts" grep -q 'maps=[1-9]' <<<"$facts"
	check "browser: the value and its error under the pointer: $facts" grep -qE 'hover=I\(q\)/N[0-9.]+ Å⁻¹[0-9.]+ ± [0-9.]+.* electron²' <<<"$facts"
	check "browser: texts of files make no elements: $facts" grep -q 'images=0;' <<<"$facts"
else
	skip "browser" "no Chromium here"
fi

# refusals
fails 2 'name a result: sonde report' sonde report
fails 2 'no output is given; add -o REPORT\.html' sonde report c60.h5
fails 2 'a report is an HTML file' sonde report c60.h5 -o c60.pdf
fails 2 'c60\.html: exists already' sonde report c60.h5 -o c60.html
fails 2 'absent\.h5: cannot' sonde report absent.h5 -o new.html
head -c 3000 c60.h5 >"$inputs/cut.h5"
fails 2 'cut\.h5: ' sonde report "$inputs/cut.h5" -o new.html
fails 2 'absent\.h5: cannot' sonde report c60.h5 absent.h5 -o new.html
cp c60.h5 same.html
fails 2 'same\.html: would replace' sonde report same.html -o same.html --force
finish
