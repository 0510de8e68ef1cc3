import Dispatch

/// Opens the link that an address names.
package enum UCILinks {
  /// Blocks until the link is there, for TCP at most `timeout`.
  ///
  /// - Parameter queue: The serial queue of the link's calls; a queue of its own when `nil`.
  package static func open(_ address: RadioAddress, timeout: Duration, queue: DispatchQueue? = nil)
    throws(LinkError) -> any UCILink
  {
    let descriptor =
      switch address {
      case .tcp(let host, let port): try TCPSockets.connect(host: host, port: port, timeout: timeout)
      case .serial(let device, let baud): try SerialPort.open(device: device, baud: baud)
      }
    return DescriptorLink(descriptor: descriptor, queue: queue)
  }
}
