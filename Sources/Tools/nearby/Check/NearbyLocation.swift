import Foundation
import NearbyCommandLine

extension CheckPackage {
  /// Where the written package finds swift-nearby.
  func location() throws(CommandError) -> CheckManifest.Location {
    if let nearby, nearby.contains("://") || nearby.hasPrefix("git@") { return .address(nearby) }
    if let nearby {
      let path = URL(fileURLWithPath: nearby).standardizedFileURL.path
      if let modules = try PrebuiltModules(folder: path) { return .prebuilt(modules) }
      guard FileManager.default.fileExists(atPath: path + "/Package.swift") else {
        throw .noInput(
          "\(nearby): no Package.swift there; \(CheckCommand.Options.nearby) expects swift-nearby's folder or git URL, or a folder that Scripts/prebuild made"
        )
      }
      return .folder(path)
    }
    var place = URL(fileURLWithPath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
    while place.path != "/", !place.path.isEmpty {
      place.deleteLastPathComponent()
      let manifest = FileManager.default.contents(atPath: place.path + "/Package.swift")
      if let manifest, String(decoding: manifest, as: UTF8.self).contains("\"swift-nearby\"") {
        return .folder(place.path)
      }
    }
    throw .noInput(
      "can't find swift-nearby's own folder; give it with \(CheckCommand.Options.nearby) FOLDER or \(CheckCommand.Options.nearby) URL"
    )
  }
}

extension CheckManifest.Location {
  /// Names that an app's targets can't have. SwiftPM can rename targets that it builds, so those are free.
  var names: Set<String> { mustBuild ? [] : EngineTargets.names }

  var mustBuild: Bool {
    if case .prebuilt = self { false } else { true }
  }
}
