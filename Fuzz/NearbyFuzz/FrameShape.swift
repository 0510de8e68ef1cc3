/// How an entry's input is divided into frames, for mutations that repeat, move, remove and resize whole
/// frames.
///
/// Every octet belongs to one piece: a frame whose length exceeds the input ends with the input.
struct FrameShape: Sendable {
  /// How many octets precede the first frame. They select the entry's options.
  var prefix: Int
  var headerSize: Int
  /// The payload's length in the header, little-endian: offset and size in octets.
  var lengthOffset: Int
  var lengthSize: Int

  /// UCI packets. Data packets have a length of two octets, of which this uses only the lower one.
  static func uci(after prefix: Int) -> FrameShape {
    FrameShape(prefix: prefix, headerSize: 4, lengthOffset: 3, lengthSize: 1)
  }

  /// Frames between peers: a type, and a length of four octets.
  static func peer(after prefix: Int) -> FrameShape {
    FrameShape(prefix: prefix, headerSize: 5, lengthOffset: 1, lengthSize: 4)
  }

  /// Frames between a world and a device.
  static func world(after prefix: Int) -> FrameShape {
    FrameShape(prefix: prefix, headerSize: 16, lengthOffset: 0, lengthSize: 4)
  }

  /// The frames' octets, including headers. The last one may be cut off.
  func frames(of octets: some Collection<UInt8>) -> [[UInt8]] {
    let octets = Array(octets)
    var frames: [[UInt8]] = []
    var start = min(prefix, octets.count)
    while start < octets.count {
      var length = 0
      for place in 0..<lengthSize where start + lengthOffset + place < octets.count {
        length |= Int(octets[start + lengthOffset + place]) << (8 * place)
      }
      let end = min(start + headerSize + length, octets.count)
      frames.append(Array(octets[start..<end]))
      start = end
    }
    return frames
  }

  /// Changes the sequence of frames, or one frame, whose header then gets the new length.
  ///
  /// - Parameter change: Changes a payload.
  func mutate(
    _ octets: [UInt8], using random: inout FuzzRandom, change: ([UInt8], inout FuzzRandom) -> [UInt8]
  ) -> [UInt8] {
    var frames = frames(of: octets)
    guard !frames.isEmpty else { return change(octets, &random) }
    let index = random.below(frames.count)
    let other = random.below(frames.count)
    switch random.below(8) {
    case 0: frames.insert(frames[index], at: other)
    case 1: frames.remove(at: index)
    case 2: frames.swapAt(index, other)
    case 3: frames.insert(contentsOf: frames[min(index, other)...max(index, other)], at: index)
    case 4: frames[index] = resized(frames[index])
    case 5: return change(Array(octets.prefix(prefix)), &random) + frames.joined()
    case 6: frames[index][random.below(min(headerSize, frames[index].count))] = random.octet()
    case _:
      frames[index] = resized(
        frames[index].prefix(headerSize) + change(Array(frames[index].dropFirst(headerSize)), &random))
    }
    return Array(octets.prefix(prefix)) + frames.joined()
  }

  /// The beginning of one input and the end of another, divided between frames.
  func cross(_ first: [UInt8], _ second: [UInt8], using random: inout FuzzRandom) -> [UInt8] {
    let (head, tail) = (frames(of: first), frames(of: second))
    return Array(first.prefix(prefix)) + head.prefix(random.below(head.count + 1)).joined()
      + tail.dropFirst(random.below(tail.count + 1)).joined()
  }

  /// The frame with its actual length in the header.
  private func resized(_ frame: [UInt8]) -> [UInt8] {
    guard frame.count >= headerSize else { return frame }
    var frame = frame
    let length = frame.count - headerSize
    for place in 0..<lengthSize {
      frame[lengthOffset + place] = UInt8(truncatingIfNeeded: length >> (8 * place))
    }
    return frame
  }
}
