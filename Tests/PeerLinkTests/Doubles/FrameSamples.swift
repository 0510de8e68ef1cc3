import NearbyPeerLink
import Testing

/// One frame of each type, and the octets it must have.
struct FrameSample: CustomTestStringConvertible, Sendable {
  let frame: PeerFrame
  let hexadecimal: String
  var testDescription: String { "\(frame.type)" }

  static let identity = PeerWorld.identity(1)
  static let session = PeerSessionID(stamp: 0x0102, secret: 0xFF)
  static let sessionText = "0201000000000000ff00000000000000"
  static let name: DisplayName = {
    guard let name = try? DisplayName("Zoë") else { preconditionFailure("a name") }
    return name
  }()
  static let id = TransferID(number: 6)

  static let all: [FrameSample] = [
    FrameSample(
      frame: .hello(Hello(displayName: name, contact: [9, 8])),
      hexadecimal: "0110000000" + "504c4e4b" + "0100" + "04005a6fc3ab" + "02000908"),
    FrameSample(
      frame: .invite(
        Invite(
          number: 5, session: session, preference: .required, timeoutMilliseconds: 30_000,
          serviceType: PeerWorld.type, context: [1, 2])),
      hexadecimal: "0226000000" + "0500000000000000" + sessionText + "01" + "30750000" + "040074657374"
        + "010102"),
    FrameSample(
      frame: .invite(
        Invite(
          number: 5, session: session, preference: .optional, timeoutMilliseconds: 0,
          serviceType: PeerWorld.type, context: nil)),
      hexadecimal: "0224000000" + "0500000000000000" + sessionText + "00" + "00000000" + "040074657374" + "00"
    ),
    FrameSample(
      frame: .answer(Acceptance(session: session, preference: .none)),
      hexadecimal: "0311000000" + sessionText + "02"),
    FrameSample(frame: .refuse(.declined), hexadecimal: "040100000001"),
    FrameSample(
      frame: .join(Join(target: session, session: session, preference: .required, connection: 7)),
      hexadecimal: "0529000000" + sessionText + sessionText + "01" + "0700000000000000"),
    FrameSample(
      frame: .ready(Ready(connection: 1, ended: 2, received: 3)),
      hexadecimal: "0618000000" + "0100000000000000" + "0200000000000000" + "0300000000000000"),
    FrameSample(
      frame: .use(LinkChoice(connection: 1, generation: 2, resumesAt: 3, received: 4)),
      hexadecimal: "071c000000" + "0100000000000000" + "02000000" + "0300000000000000" + "0400000000000000"),
    FrameSample(frame: .ping(258), hexadecimal: "0808000000" + "0201000000000000"),
    FrameSample(frame: .pong(258), hexadecimal: "0908000000" + "0201000000000000"),
    FrameSample(frame: .acknowledgement(received: 9), hexadecimal: "0a08000000" + "0900000000000000"),
    FrameSample(
      frame: .members([
        IntroducedMember(peer: PeerID(identity: identity, displayName: name), session: session, contact: [4])
      ]),
      hexadecimal: "0b3b000000" + "0100" + "de" + String(repeating: "01", count: 31) + sessionText
        + "04005a6fc3ab" + "010004"),
    FrameSample(frame: .looseData([1]), hexadecimal: "0c0100000001"),
    FrameSample(frame: .proof([1, 2]), hexadecimal: "0d020000000102"),
    FrameSample(frame: .data([1, 2, 3]), hexadecimal: "4003000000010203"),
    FrameSample(frame: .data([]), hexadecimal: "4000000000"),
    FrameSample(frame: .goodbye(.left), hexadecimal: "41010000000f"),
    FrameSample(
      frame: .resourceOffer(id, size: 258, name: "a"),
      hexadecimal: "500f000000" + "06000000" + "0201000000000000" + "010061"),
    FrameSample(
      frame: .resourceOffer(id, size: nil, name: ""),
      hexadecimal: "500e000000" + "06000000" + "ffffffffffffffff" + "0000"),
    FrameSample(
      frame: .resourceCredit(id, octets: 1), hexadecimal: "510c000000" + "06000000" + "0100000000000000"),
    FrameSample(frame: .resourceChunk(id, [5]), hexadecimal: "5205000000" + "0600000005"),
    FrameSample(frame: .resourceComplete(id), hexadecimal: "5304000000" + "06000000"),
    FrameSample(frame: .resourceStored(id), hexadecimal: "5404000000" + "06000000"),
    FrameSample(frame: .resourceCancel(id, .cancelled), hexadecimal: "5505000000" + "060000000b"),
    FrameSample(frame: .streamOpen(id, name: "a"), hexadecimal: "6007000000" + "06000000" + "010061"),
    FrameSample(frame: .streamData(id, [5]), hexadecimal: "6105000000" + "0600000005"),
    FrameSample(frame: .streamEnd(id), hexadecimal: "6204000000" + "06000000"),
    FrameSample(frame: .streamClose(id, .cancelled), hexadecimal: "6305000000" + "060000000b"),
    FrameSample(
      frame: .streamCredit(id, octets: 1), hexadecimal: "640c000000" + "06000000" + "0100000000000000"),
  ]

  var octets: [UInt8] {
    var octets: [UInt8] = []
    frame.write(to: &octets)
    return octets
  }
}

/// The result of parsing a stream: frames, and the error at the end.
struct ParsedStream: Equatable {
  var frames: [PeerFrame] = []
  var error: PeerLinkError?
  var isBetweenFrames = true

  init(_ octets: [UInt8], chunk: Int, limits: PeerLimits = PeerLimits()) {
    var parser = FrameParser()
    var rest = octets[...]
    do throws(PeerLinkError) {
      while !rest.isEmpty {
        var found: [PeerFrame] = []
        let piece = Array(rest.prefix(chunk))
        defer { frames += found }
        try parser.parse(
          piece.span,
          admit: { (type, count, offset) throws(PeerLinkError) in
            try type.check(count, limits, at: offset)
          },
          view: { (type, payload, offset) throws(PeerLinkError) in
            found.append(try PeerFrame(type, parsing: payload, at: offset))
          },
          whole: { (type, payload, offset) throws(PeerLinkError) in
            found.append(try PeerFrame(type, parsing: payload.span, at: offset))
          })
        rest = rest.dropFirst(chunk)
      }
    } catch {
      self.error = error
    }
    isBetweenFrames = error == nil && parser.isBetweenFrames
  }
}
