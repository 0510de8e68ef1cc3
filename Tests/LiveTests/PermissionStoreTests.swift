import Foundation
import NearbyDeviceMachine
import NearbyHome
import NearbyLive
import NearbyRadioLinks
import Synchronization
import TestSupport
import Testing

/// Collects lines that any thread may add.
private final class Notes: Sendable {
  private let lines = Mutex<[String]>([])
  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }
}

@Suite("Permission stored between runs")
struct PermissionStoreTests {
  private let notes = Notes()
  private let file: URL

  init() throws { file = try RangingFolders.temporary().appendingPathComponent("deep/permissions.json") }

  private func store(_ program: String = "app", file: URL? = nil) -> PermissionStore {
    PermissionStore(
      file: file ?? self.file, program: program, asker: { _ in .denied },
      notice: { [notes] in notes.add($0) })
  }

  @Test(
    "Allowed and denied are stored; \"once\" and not determined are not",
    arguments: [
      (Permission.allowed, Permission.allowed), (.denied, .denied), (.allowedOnce, .notDetermined),
      (.notDetermined, .notDetermined),
    ])
  func stored(given: Permission, read: Permission) {
    #expect(store().answer == .notDetermined)
    store().store(.allowed)
    store().store(given)
    PermissionStore.flush()
    #expect(store().answer == read)
    #expect(notes.all.isEmpty)
  }

  @Test("Each program has its own stored permission")
  func programs() {
    for index in 0..<10 { store("app \(index)").store(index % 2 == 0 ? .allowed : .denied) }
    PermissionStore.flush()
    for index in 0..<10 { #expect(store("app \(index)").answer == (index % 2 == 0 ? .allowed : .denied)) }
  }

  @Test(
    "A damaged file is reported, treated as missing and overwritten",
    arguments: ["", "{", "[]", "{\"app\": 3}", "\u{0}\u{1}", "null"])
  func damaged(text: String) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    #expect(store().answer == .notDetermined)
    #expect(notes.all.count == 1)
    #expect(notes.all.first?.contains(file.path) == true)
    store().store(.allowed)
    PermissionStore.flush()
    #expect(store().answer == .allowed)
  }

  @Test("Unknown entries in the file are ignored and preserved")
  func foreignWords() throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("{\"app\": \"allowedOnce\", \"other\": \"whileUsing\"}".utf8).write(to: file)
    #expect(store().answer == .notDetermined)
    #expect(store("other").answer == .notDetermined)
    store().store(.denied)
    PermissionStore.flush()
    #expect(try String(contentsOf: file, encoding: .utf8).contains("whileUsing"))
    #expect(notes.all.isEmpty)
  }

  @Test("If the file cannot be written, that is reported once with its path")
  func unwritable() throws {
    // A file in place of the folder prevents even root from writing there.
    let blocked = file.deletingLastPathComponent()
    try Data().write(to: blocked)
    store().store(.allowed)
    PermissionStore.flush()
    #expect(notes.all.count == 1)
    #expect(notes.all.first?.contains(file.path) == true)
    #expect(store().answer == .notDetermined)
  }
}

@Suite("Device settings of the process")
struct ProcessSettingsTests {
  private static let home = URL(fileURLWithPath: "/home/ann")
  private static let key = ProcessSettings.usageKey

  private func settings(
    _ environment: [String: String] = [:], bundled: String? = nil, besideProgram: String? = nil
  ) -> ProcessSettings {
    ProcessSettings(
      environment: environment, bundled: { $0 == Self.key ? bundled : nil },
      besideProgram: besideProgram.map { Data($0.utf8) },
      home: Self.home)
  }

  private static func list(_ text: String) -> String {
    "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>\(key)</key><string>\(text)</string></dict></plist>"
  }

  @Test("Background modes come from the environment, otherwise from the property list")
  func backgroundModes() {
    let list =
      "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>UIBackgroundModes</key>"
      + "<array><string>bluetooth-central</string></array></dict></plist>"
    #expect(settings(besideProgram: list).backgroundModes == ["bluetooth-central"])
    let both = ["UIBackgroundModes": "nearby-interaction,bluetooth-central"]
    #expect(settings(both).backgroundModes == ["nearby-interaction", "bluetooth-central"])
    #expect(settings(["UIBackgroundModes": ""], besideProgram: list).backgroundModes.isEmpty)
    #expect(settings().backgroundModes.isEmpty)
  }

  @Test("An empty environment gives a device without a radio, and no notice")
  func nothing() {
    let settings = settings()
    #expect(settings.radio == nil)
    #expect(settings.usageDescription == nil)
    #expect(settings.answer == nil)
    #expect(settings.notices.isEmpty)
    #expect(settings.permissionFile.path == "/home/ann/.config/swift-nearby/permissions.json")
    #expect(self.settings(["NEARBY_RADIO": "", "NEARBY_PERMISSION": ""]) == settings)
  }

  @Test(
    "NEARBY_RADIO names the radio; an invalid value is reported and gives no radio",
    arguments: [
      ("tcp:host:7000", RadioAddress.tcp(host: "host", port: 7000)),
      ("serial:/dev/ttyACM0", .serial(device: "/dev/ttyACM0", baud: 115_200)),
      ("host:7000", nil), ("tcp:host", nil), ("tcp:host:0", nil), ("serial:", nil), ("yes", nil),
    ] as [(String, RadioAddress?)])
  func radio(text: String, address: RadioAddress?) {
    let settings = settings(["NEARBY_RADIO": text, Self.key: "to test"])
    #expect(settings.radio == address)
    #expect(settings.notices.count == (address == nil ? 1 : 0))
    #expect(settings.notices.allSatisfy { $0.contains("NEARBY_RADIO=\(text)") && $0.contains("expected") })
  }

  @Test("NEARBY_CAMERA names the source of poses; the camera has its own usage description and permission")
  func camera() {
    let settings = settings([
      "NEARBY_CAMERA": "tcp:localhost:7100,frame=optical", ProcessSettings.cameraUsageKey: "to see",
      "NEARBY_CAMERA_PERMISSION": "allowed",
    ])
    #expect(settings.camera?.place == .tcp(host: "localhost", port: 7100))
    #expect(settings.camera?.frame == .optical)
    #expect(settings.cameraUsageDescription == "to see")
    #expect(settings.cameraAnswer == .allowed)
    #expect(settings.answer == nil)
    #expect(settings.notices.isEmpty)
    #expect(
      self.settings(["NEARBY_CAMERA": "stdin"]).notices.count == 1,
      "expected a notice about the missing usage description")
    let wrong = self.settings(["NEARBY_CAMERA": "webcam"])
    #expect(wrong.camera == nil)
    #expect(wrong.notices.allSatisfy { $0.contains("NEARBY_CAMERA=webcam") && $0.contains("expected") })
    #expect(wrong.notices.count == 1)
  }

  @Test(
    "NEARBY_PERMISSION answers in place of the user; an invalid value is reported and counts as denied",
    arguments: [
      ("allowed", Permission.allowed, 0), ("allowedOnce", .allowedOnce, 0), ("denied", .denied, 0),
      ("notDetermined", .denied, 1), ("yes", .denied, 1), ("ALLOWED", .denied, 1),
    ])
  func permission(text: String, answer: Permission, notices: Int) {
    let settings = settings(["NEARBY_PERMISSION": text])
    #expect(settings.answer == answer)
    #expect(settings.notices.count == notices)
  }

  @Test(
    "The usage description comes from the environment, then the bundle, then the file next to the program")
  func usageDescription() {
    let list = Self.list("beside")
    #expect(settings([Self.key: "env"], bundled: "bundle", besideProgram: list).usageDescription == "env")
    #expect(settings(bundled: "bundle", besideProgram: list).usageDescription == "bundle")
    #expect(settings(besideProgram: list).usageDescription == "beside")
    #expect(settings([Self.key: ""], bundled: "", besideProgram: list).usageDescription == "beside")
    #expect(settings(besideProgram: Self.list("")).usageDescription == nil)
  }

  @Test("With a radio but no usage description, a notice names the missing key and the effect")
  func missingUsageDescription() {
    let notices = settings(["NEARBY_RADIO": "tcp:host:7000"]).notices
    #expect(notices.count == 1)
    #expect(notices.first?.contains(Self.key) == true)
    #expect(notices.first?.contains("userDidNotAllow") == true)
  }

  @Test("An invalid property list is reported", arguments: ["", "<plist>", "<plist><array/></plist>"])
  func damagedList(text: String) {
    let settings = settings(besideProgram: text)
    #expect(settings.usageDescription == nil)
    #expect(settings.notices.count == 1)
  }

  @Test("XDG_CONFIG_HOME moves the permission file if it is an absolute path")
  func configurationFolder() {
    #expect(
      settings(["XDG_CONFIG_HOME": "/etc/x"]).permissionFile.path == "/etc/x/swift-nearby/permissions.json")
    for wrong in ["", "relative/path"] {
      #expect(settings(["XDG_CONFIG_HOME": wrong]).permissionFile == settings().permissionFile)
    }
  }
}
