import Foundation
import NearbyBeacons
import NearbyBluetooth
import NearbyDeviceMachine
import NearbyLive
import Testing

@Suite("Stored location permission and regions")
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

  @Test(
    "Location permission is stored for each program, except \"once\"",
    arguments: [
      (LocationAuthorization.always, LocationAuthorization.always), (.whenInUse, .whenInUse),
      (.denied, .denied),
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

  @Test("A damaged or missing region file restores no regions")
  func broken() throws {
    let folder = Folder()
    let settings = Self.settings(folder.url)
    #expect(settings.regionsFile.lastPathComponent == "hunt_er.json")
    try FileManager.default.createDirectory(
      at: settings.regionsFile.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("{".utf8).write(to: settings.regionsFile)
    let files = LocationFiles(settings, program: "hunter") { _, _ in .deny }
    #expect(files.stored == StoredLocation())
    #expect(
      LocationFiles(Self.settings(folder.url.appendingPathComponent("none")), program: "x") { _, _ in .deny }
        .stored == StoredLocation())
  }

  @Test("Regions and conditions are restored in another process of the program")
  func restart() throws {
    let folder = Folder()
    let files = LocationFiles(Self.settings(folder.url), program: "hunter") { _, _ in .deny }
    let uuid = try #require(BluetoothUUID("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"))
    let region = MonitoredRegion(
      identifier: "hall", constraint: BeaconConstraint(uuid: uuid, major: 1), notifiesOnExit: false)
    func machine(_ stored: StoredLocation) -> LocationMachine {
      LocationMachine(
        permission: LocationPermission(.always),
        usage: LocationUsage(describesWhenInUse: true, describesAlways: true), stored: stored,
        dateAtZero: 1000,
        at: .zero)
    }
    var first = machine(files.stored)
    let manager = first.makeUser(.manager, at: .zero)
    first.startMonitoring(region, of: manager, at: .zero)
    first.add(
      .beacon(BeaconConstraint(uuid: uuid)), identifier: "ä", toMonitor: "2:x", assuming: .unknown, at: .zero)
    first.add(
      .circle(latitude: 1, longitude: 2, radius: 3), identifier: "c", toMonitor: "", assuming: .unknown,
      at: .zero)
    first.received(.state(.poweredOn), at: .zero)
    first.received(.sighted(Self.sighting(of: uuid)), at: .seconds(1))
    files.store(first.stored)
    LocationFiles.flush()
    var second = machine(files.stored)
    #expect(second.monitoredRegions == [region])
    #expect(second.identifiers(ofMonitor: "2:x") == ["ä"])
    #expect(second.identifiers(ofMonitor: "") == ["c"])
    let event = second.record("ä", ofMonitor: "2:x")?.lastEvent
    #expect(event?.state == .satisfied)
    #expect(event?.date == 1001)
    #expect(event?.refinement?.minor == 7)
    #expect(second.record("c", ofMonitor: "")?.lastEvent.trouble == .unsupported)
    let next = second.makeUser(.manager, at: .zero)
    _ = second.takeActions()
    second.requestState(of: region, by: next, at: .zero)
    let told = second.takeActions().compactMap { action -> RegionState? in
      guard case .notify(next, .determined(let state, region)) = action else { return nil }
      return state
    }
    #expect(told == [.inside])
  }

  private static func sighting(of uuid: BluetoothUUID) -> BluetoothSighting {
    var advertisement = Advertisement()
    advertisement.manufacturerData = [
      Advertisement.ManufacturerData(
        company: 0x004C, octets: [0x02, 0x15] + uuid.octets + [0, 1, 0, 7, 0xC5])
    ]
    return BluetoothSighting(
      peer: BluetoothPeer(high: 1, low: 2), advertisement: advertisement, rssi: -60, time: .seconds(1))
  }

  @Test(
    "Usage descriptions come from the environment and property lists; an unknown permission counts as denied")
  func environment() {
    let folder = Folder()
    let plain = Self.settings(folder.url)
    #expect(!plain.usage.describesWhenInUse)
    #expect(!plain.usage.describesAlways)
    #expect(plain.preset == nil)
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
    #expect(listed.usage.describesWhenInUse)
    #expect(listed.usage.describesAlways)
    #expect(listed.usage.purposes == ["Hunt"])
    #expect(listed.preset == .denied)
    #expect(listed.notices.count == 1)
    #expect(listed.isReduced)
  }
}
