import Foundation

/// Scenarios included in this package.
package enum WorldScenes {
  /// Two visitors in a museum: the file's text, and its name for errors.
  ///
  /// `nil` if the package's resources are not next to the program.
  package static var museum: (text: Data, name: String)? {
    let file = Bundle.module.bundleURL.appendingPathComponent("Scenes/museum.json")
    return (try? Data(contentsOf: file)).map { ($0, file.lastPathComponent) }
  }
}
