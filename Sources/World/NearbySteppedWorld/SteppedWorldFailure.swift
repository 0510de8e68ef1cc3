import Foundation
import NearbyRadioLinks

/// Why a world can't run its programs.
package enum SteppedWorldFailure: Error, Equatable, Sendable, CustomStringConvertible {
  case system(call: String, errno: Int32)
  case link(LinkError)
  /// This system lets this user make no network for the programs.
  case noNetwork(errno: Int32)
  /// The library that programs load was not found in these places.
  case noLibrary(searched: [String])

  package var description: String {
    switch self {
    case .system(let call, let number): "\(call): \(String(cString: strerror(number)))"
    case .link(let error): "\(error)"
    case .noNetwork(let number): "can't make a network for the programs: \(String(cString: strerror(number)))"
    case .noLibrary(let searched):
      "\(TimeLibrary.name) is missing, through which programs follow a world's time; searched: "
        + "\(searched.joined(separator: ", ")); build it with 'swift build --product NearbyProgramTime', "
        + "or name it in \(TimeLibrary.variable)"
    }
  }
}

/// Finds the library that programs load.
package enum TimeLibrary {
  static let name = "libNearbyProgramTime.so"
  static let variable = "NEARBY_TIME_LIBRARY"

  /// - Parameter folder: Where this program is.
  package static func path(
    environment: [String: String], programFolder folder: String
  ) throws(SteppedWorldFailure) -> String {
    var places = ["\(folder)/\(name)", "\(folder)/../lib/nearby/\(name)"]
    if let given = environment[variable], !given.isEmpty { places = [given] }
    for place in places where access(place, R_OK) == 0 {
      return URL(fileURLWithPath: place).standardizedFileURL.path
    }
    throw .noLibrary(searched: places)
  }
}
