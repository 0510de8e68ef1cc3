import Foundation

/// Ends a connection without a word to the program at its other end but RST.
package func reset(_ descriptor: Int32) {
  var linger = linger(l_onoff: 1, l_linger: 0)
  setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
  close(descriptor)
}
