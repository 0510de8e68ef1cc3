/// The version of this package, which the changelog's first heading has too.
enum NearbyVersion {
  static let version = "0.1.0"
}
