import Foundation
import NearbyFiles
import TestSupport
import Testing

@Suite("Locks on files")
struct FileLockTests {
  private let folder: URL

  init() throws { folder = try RangingFolders.temporary() }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
  private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }

  @Test("A lock has one holder at a time; its file names the holder's process and is removed on release")
  func held() throws {
    let lock = path("lock")
    var first = try FileLock.hold(lock)
    #expect(first != nil)
    #expect(FileLock.holder(of: lock) == getpid())
    #expect(try FileLock.hold(lock) == nil)
    #expect(names == ["lock"], "the refused attempt removed the holder's file")
    first = nil
    #expect(names.isEmpty)
    let next = try FileLock.hold(lock)
    #expect(next != nil)
  }

  @Test(
    "Waiting too long for a lock throws an error that names the file; a shared lock blocks an exclusive one"
  )
  func waiting() throws {
    let (first, second) = (try FileLock(path("lock")), try FileLock(path("lock")))
    first.lockShared()
    #expect(!second.tryAlone())
    #expect(throws: FileFailure(call: "flock", path: path("lock"), number: EWOULDBLOCK)) {
      try second.lockExclusively(within: .milliseconds(20))
    }
    first.release()
    try second.lockExclusively(within: .zero)
    #expect(!first.tryAlone())
  }

  @Test("Creating a lock in a missing folder throws an error")
  func nowhere() {
    let place = path("nowhere/lock")
    #expect(throws: FileFailure(call: "open", path: place, number: ENOENT)) { _ = try FileLock(place) }
  }
}

@Suite("Folders of the XDG specification")
struct XDGFolderTests {
  private let home = URL(fileURLWithPath: "/home/anna")

  @Test("A variable with an absolute path moves its folder; any other value is ignored")
  func places() {
    #expect(
      XDGFolder.configuration.url(["XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s"], home: home).path == "/c")
    #expect(XDGFolder.state.url(["XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s"], home: home).path == "/s")
    #expect(XDGFolder.state.url(["HOME": "/h"], home: home).path == "/h/.local/state")
    #expect(XDGFolder.configuration.url(["HOME": "h"], home: home).path == home.path + "/.config")
    for wrong in [
      [:], ["XDG_CONFIG_HOME": "", "XDG_STATE_HOME": ""], ["XDG_CONFIG_HOME": "c", "XDG_STATE_HOME": "~/s"],
    ] {
      #expect(XDGFolder.configuration.url(wrong, home: home).path == "/home/anna/.config")
      #expect(XDGFolder.state.url(wrong, home: home).path == "/home/anna/.local/state")
    }
    #expect(XDGFolder.runtimePath(["XDG_RUNTIME_DIR": "/run/user/7"]) == "/run/user/7")
    #expect(XDGFolder.runtimePath(["XDG_RUNTIME_DIR": "user"]) == nil)
    #expect(XDGFolder.runtimePath([:]) == nil)
  }
}
