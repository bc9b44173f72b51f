# nix-build contrib/nix builds this checkout.
{ pkgs ? import <nixpkgs> { } }:
pkgs.stdenv.mkDerivation {
  pname = "sonde";
  version = "0.2.0";
  src = pkgs.lib.cleanSource ../..;
  nativeBuildInputs = with pkgs; [ cmake ninja pkg-config ];
  buildInputs = with pkgs; [ hdf5 libyaml zlib libpng cairo freetype eigen gemmi ];
  cmakeFlags = [ "-DSONDE_MPI=OFF" "-DSONDE_NONCOMMERCIAL_DATA=OFF" ];
  # the program finds drivers of GPUs at run time
  meta = {
    description = "What a probe sees of matter: powder patterns, potentials, ions, light";
    license = pkgs.lib.licenses.bsd3;
    mainProgram = "sonde";
    platforms = pkgs.lib.platforms.linux;
  };
}
