import NearbyPeerLink
import NearbyPeerRelay

/// Messages of peers through a server, and what is done with them: the numbers of a stream never trap, and never let more
/// in than the window.
func fuzzRelayFrames(_ octets: [UInt8]) {
  var stream = RelayStream()
  var taken: UInt64 = 0
  for start in stride(from: 0, to: octets.count, by: RelayFrame.headerOctets) {
    guard let frame = try? RelayFrame(parsing: octets[start...].prefix(RelayFrame.headerOctets)) else {
      continue
    }
    guard frame.octets.elementsEqual(octets[start...].prefix(RelayFrame.headerOctets)) else {
      preconditionFailure("a header that was read is written otherwise")
    }
    let count = Int(octets[start + 16]) << 12
    guard (try? stream.receive(frame, count: count)) != nil else { continue }
    taken += UInt64(count)
    precondition(taken <= RelayStream.window, "more than a window was taken")
    if octets[start + 15] % 2 == 0 {
      _ = stream.consume(Int(taken))
      taken = 0
    }
    if stream.room > 1000 { _ = stream.next(.data, count: 1000) }
  }
}

/// An announcement that was read is written and read again as the same.
func fuzzRelayAnnouncement(_ octets: [UInt8]) {
  guard let found = try? RelayAnnouncement(parsing: octets) else { return }
  precondition((try? RelayAnnouncement(parsing: found.octets)) == found, "an announcement changes")
}

/// A subject that names a stream is that stream's only name.
func fuzzRelaySubject(_ octets: [UInt8]) {
  let subject = String(decoding: octets, as: UTF8.self)
  guard let (peer, stream) = RelaySubject.parse(subject) else { return }
  precondition(RelaySubject.stream(stream, to: peer) == subject, "two names of one stream")
}
