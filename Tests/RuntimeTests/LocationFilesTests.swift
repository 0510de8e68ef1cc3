import Foundation
import NearbyRuntime
import Testing

@Suite("Files of the location side")
struct LocationFilesTests {
  private struct Folder: ~Copyable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("location-\(UUID().uuidString)")
    deinit { try? FileManager.default.removeItem(at: url) }
  }

  private static func settings(_ folder: URL, _ environment: [String: String] = [:]) -> LocationSettings {
    LocationSettings(
      environment: environment.merging([
        "XDG_STATE_HOME": folder.path, "XDG_CONFIG_HOME": folder.path,
      ]) { $1 }, program: "hunt/er", bundled: { _ in nil }, besideProgram: nil, home: folder)
  }

  @Test("Answers are kept for the program; once is not", arguments: [
    (LocationAuthorization.always, LocationAuthorization.always), (.whenInUse, .whenInUse), (.denied, .denied),
    (.notDetermined, .notDetermined),
  ])
  func permission(stored: LocationAuthorization, read: LocationAuthorization) {
    let folder = Folder()
    let files = LocationFiles(Self.settings(folder.url), program: "hunter") { _, _ in .deny }
    files.store(LocationPermission(stored))
    LocationFiles.flush()
    #expect(files.permission.authorization == read)
    var once = LocationPermission(.whenInUse)
    once.isOnce = true
    files.store(once)
    LocationFiles.flush()
    #expect(files.permission.authorization == .notDetermined)
  }

  @Test("A file that holds something else gives nothing")
  func broken() throws {
    let folder = Folder()
    let settings = Self.settings(folder.url)
    #expect(settings.regionsFile.lastPathComponent == "hunt_er.json")
    try FileManager.default.createDirectory(
      at: settings.regionsFile.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("{".utf8).write(to: settings.regionsFile)
    let files = LocationFiles(settings, program: "hunter") { _, _ in .deny }
    #expect(files.stored == StoredLocation())
    #expect(LocationFiles(Self.settings(folder.url.appendingPathComponent("none")), program: "x") { _, _ in .deny }
      .stored == StoredLocation())
  }

  @Test("Descriptions come from the environment and the property lists; an unknown answer is a refusal")
  func environment() {
    let folder = Folder()
    let plain = Self.settings(folder.url)
    #expect(!plain.usage.describesWhenInUse && !plain.usage.describesAlways && plain.preset == nil)
    let list = try? PropertyListSerialization.data(
      fromPropertyList: [
        "NSLocationWhenInUseUsageDescription": "To hunt.",
        "NSLocationTemporaryUsageDescriptionDictionary": ["Hunt": "Exactly."],
      ] as [String: Any], format: .xml, options: 0)
    let listed = LocationSettings(
      environment: [
        "NSLocationAlwaysAndWhenInUseUsageDescription": "Always.", "NEARBY_LOCATION_PERMISSION": "perhaps",
        "NEARBY_LOCATION_ACCURACY": "reduced",
      ], program: "hunter", bundled: { _ in nil }, besideProgram: list, home: folder.url)
    #expect(listed.usage.describesWhenInUse && listed.usage.describesAlways)
    #expect(listed.usage.purposes == ["Hunt"])
    #expect(listed.preset == .denied && listed.notices.count == 1 && listed.isReduced)
  }
}
