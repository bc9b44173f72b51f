# nix-build contrib/nix builds this checkout.
{ pkgs ? import <nixpkgs> { } }:
pkgs.stdenv.mkDerivation {
  pname = "sonde";
  version = "0.2.0";
  src = pkgs.lib.cleanSourceWith {
    src = pkgs.lib.cleanSource ../..;
    # not build, build-dev and other folders of builds
    filter = path: type: !(type == "directory" && pkgs.lib.hasPrefix "build" (baseNameOf path) && dirOf path == toString ../..);
  };
  nativeBuildInputs = with pkgs; [ cmake ninja pkg-config ];
  buildInputs = with pkgs; [ hdf5 libyaml zlib libpng cairo freetype eigen gemmi ];
  cmakeFlags = [ "-DSONDE_MPI=OFF" "-DSONDE_NONCOMMERCIAL_DATA=OFF" "-DSONDE_PYTHON=OFF" ];
  doInstallCheck = true;
  installCheckPhase = ''
    runHook preInstallCheck
    $out/bin/sonde --version | grep -F 0.2.0
    $out/bin/sonde build --cell fcc --species Au --a 4.0782 --sphere 8 -o au.xyz
    $out/bin/sonde debye au.xyz --q 0.5:20:50 --device cpu -o au.h5 --plot au.svg
    runHook postInstallCheck
  '';
  # the program finds drivers of GPUs at run time
  meta = {
    description = "What a probe sees of matter: powder patterns, potentials, ions, light";
    # of Sonde, of what draws reports, and of the font of pictures
    license = [
      pkgs.lib.licenses.bsd3
      pkgs.lib.licenses.mit
      { shortName = "bitstreamVera"; spdxId = "Bitstream-Vera"; fullName = "Bitstream Vera Font License"; free = true; }
    ];
    mainProgram = "sonde";
    platforms = pkgs.lib.platforms.linux;
  };
}
