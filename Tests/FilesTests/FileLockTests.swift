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

  @Test("One at a time holds a lock; its file says who, goes with it, and is then free for the next")
  func held() throws {
    let lock = path("lock")
    var first = try FileLock.hold(lock)
    #expect(first != nil)
    #expect(FileLock.holder(of: lock) == getpid())
    #expect(try FileLock.hold(lock) == nil)
    #expect(names == ["lock"], "whoever was refused took the holder's file away")
    first = nil
    #expect(names.isEmpty)
    let next = try FileLock.hold(lock)
    #expect(next != nil)
  }

  @Test(
    "A lock that waits too long is an error that names the file; a shared one keeps others from having it alone"
  )
  func waiting() throws {
    let (first, second) = (try FileLock(path("lock")), try FileLock(path("lock")))
    first.takeShared()
    #expect(!second.tryAlone())
    #expect(throws: FileFailure(call: "flock", path: path("lock"), number: EWOULDBLOCK)) {
      try second.takeAlone(within: .milliseconds(20))
    }
    first.release()
    try second.takeAlone(within: .zero)
    #expect(!first.tryAlone())
  }

  @Test("A lock in a folder that does not exist is an error")
  func nowhere() {
    let place = path("nowhere/lock")
    #expect(throws: FileFailure(call: "open", path: place, number: ENOENT)) { _ = try FileLock(place) }
  }
}

@Suite("Folders of the XDG specification")
struct XDGFolderTests {
  private let home = URL(fileURLWithPath: "/home/anna")

  @Test("A variable moves a folder where it holds an absolute path, and nowhere else")
  func places() {
    #expect(
      XDGFolder.configuration.url(["XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s"], home: home).path == "/c")
    #expect(XDGFolder.state.url(["XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s"], home: home).path == "/s")
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
