import Foundation

/// Scenarios that are part of this package.
package enum WorldScenes {
  /// Two visitors in a museum: the file's text, and its name for errors.
  ///
  /// `nil` where the package's resources are not beside the program.
  package static var museum: (text: Data, name: String)? {
    let file = Bundle.module.bundleURL.appendingPathComponent("Scenes/museum.json")
    return (try? Data(contentsOf: file)).map { ($0, file.lastPathComponent) }
  }
}
