// Apple's `simd` brings the C maths library with it: an app that imports only `simd` still calls the
// scalar `asin` and `atan2`. Foundation is left out on purpose, so that engines stay free of it.
#if canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#elseif canImport(Android)
  @_exported import Android
#endif
