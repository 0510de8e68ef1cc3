import Foundation
import NearbyFiles

/// Scenarios included in this package.
package enum WorldScenes {
  /// Two visitors in a museum: the file's text, and its name for errors.
  ///
<<<<<<< HEAD
  /// Throws if the package's files are not installed with the program, or cannot be read.
  package static func museum() throws -> (text: Data, name: String) {
    let file = try ResourceFolder.find("NearbyWorld").appendingPathComponent("Scenes/museum.json")
    return (try Data(contentsOf: file), file.lastPathComponent)
=======
  /// `nil` if the package's resources are not next to the program.
  package static var museum: (text: Data, name: String)? {
    let file = Bundle.module.bundleURL.appendingPathComponent("Scenes/museum.json")
    return (try? Data(contentsOf: file)).map { ($0, file.lastPathComponent) }
>>>>>>> 97e20b59fd9ea5f0e734a89a67207fbced6ff3e2
  }
}
