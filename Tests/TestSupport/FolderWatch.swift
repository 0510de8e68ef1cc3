import Foundation

/// Waits for changes of a folder's entries, by inotify.
package final class FolderWatch: Sendable {
  private let descriptor: Int32

  package init(_ path: String) throws {
    descriptor = inotify_init1(O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXError(.ENFILE) }
    let events = IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE
    guard inotify_add_watch(descriptor, path, UInt32(events)) >= 0 else {
      close(descriptor)
      throw POSIXError(.ENOENT)
    }
  }

  deinit { close(descriptor) }

  /// Blocks until `isTrue`, which is looked at now and after each change.
  ///
  /// - Returns: False if it is still false after a minute.
  package func wait(until isTrue: () -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while !isTrue() {
      let left = (end - .now) / .milliseconds(1)
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard left > 0, poll(&entry, 1, Int32(left.rounded(.up))) > 0 else { return isTrue() }
      // Every event that has come so far: one look is enough for all of them.
      var octets = [UInt8](repeating: 0, count: 65_536)
      _ = read(descriptor, &octets, octets.count)
    }
    return true
  }
}
