import CNearbyTimePage
import Foundation

/// A network of their own for a world's programs: they find each other, and neither the machine's other programs nor
/// other worlds' find them. It has nothing but a loopback interface.
package final class ProgramNetwork {
  /// The port in it at which the world's listener is.
  static let port: UInt16 = 7100

  /// Becomes the connections'.
  let listener: Int32
  private let process: pid_t
  /// The network ends when this is closed.
  private let channel: Int32

  /// - Parameter library: `TimeLibrary.path`.
  /// - Throws: `.noNetwork` if this system lets this user make none.
  init(library: String) throws(SteppedWorldFailure) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .system(call: "socketpair", errno: errno) }
    do throws(SteppedWorldFailure) {
      process = try ProgramSpawn.spawn(
        ":", ["LD_PRELOAD": library, "NEARBY_NETWORK": "make:3"], descriptors: [3: ends[1]])
    } catch {
      close(ends[0])
      close(ends[1])
      throw error
    }
    close(ends[1])
    let listener = ntp_receive_descriptor(ends[0])
    let failure = errno
    channel = ends[0]
    self.listener = listener
    guard listener >= 0 else { throw .noNetwork(errno: failure) }
  }

  deinit {
    close(channel)
    var result: Int32 = 0
    while waitpid(process, &result, 0) < 0, errno == EINTR {}
  }

  /// For the programs that are to be in it.
  var variable: (key: String, value: String) { ("NEARBY_NETWORK", "join:\(process)") }

  /// Why there can be no such networks here; `nil` if there can.
  package static func unavailability(library: String) -> SteppedWorldFailure? {
    do throws(SteppedWorldFailure) {
      let network = try ProgramNetwork(library: library)
      close(network.listener)
      return nil
    } catch {
      return error
    }
  }
}
