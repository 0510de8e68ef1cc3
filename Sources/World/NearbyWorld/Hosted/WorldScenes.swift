import Foundation
import NearbyFiles

/// Scenarios included in this package.
package enum WorldScenes {
  /// Two visitors in a museum: the file's text, and its name for errors.
  ///
  /// Throws if the package's files are not installed with the program, or cannot be read.
  package static func museum() throws -> (text: Data, name: String) {
    let file = try ResourceFolder.find("NearbyWorld").appendingPathComponent("Scenes/museum.json")
    return (try Data(contentsOf: file), file.lastPathComponent)
  }
}
