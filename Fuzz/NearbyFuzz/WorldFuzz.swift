import NearbyScenarios
import NearbyWorld
import NearbyWorldProtocol

/// Parses octets as a client's stream. The messages must not depend on how it is divided, and a world must
/// handle them all.
func fuzzWorldFrame(_ octets: [UInt8]) {
  func read(_ pieces: [ArraySlice<UInt8>]) -> (messages: [DeviceMessage], error: WorldProtocolError?) {
    var reader = WorldFrameReader()
    var messages: [DeviceMessage] = []
    do throws(WorldProtocolError) {
      for piece in pieces {
        reader.append(Array(piece))
        while let frame = try reader.next() {
          // Devices parse what a world sends.
          _ = try? WorldMessage(frame)
          messages.append(try DeviceMessage(frame))
        }
      }
      return (messages, nil)
    } catch {
      precondition(!error.description.contains("\n"), "an error's text has more than one line: \(error)")
      return (messages, error)
    }
  }
  let whole = read([octets[...]])
  let size = 1 + Int(octets.last ?? 0) % 40
  let pieces = read(
    stride(from: 0, to: octets.count, by: size).map { octets[$0..<min($0 + size, octets.count)] })
  precondition(
    whole.messages == pieces.messages && whole.error == pieces.error,
    "messages depend on how octets are divided into chunks")
  for message in whole.messages {
    let again = try? DeviceMessage(message.frame(at: .zero))
    precondition(again == message, "a message changes when it is written and read back: \(message)")
  }
  var world = emptyWorld
  let client = WorldClient(number: 1)
  for message in whole.messages {
    world.received(message, from: client)
    world.advance(to: world.time + .milliseconds(30))
    for case .close(client, reason: _) in world.takeActions() { world.left(client) }
  }
  world.left(client)
  world.advance(to: world.time + .milliseconds(30))
}

/// Created once. Every input starts with a copy.
let emptyWorld = HostedWorld(.empty)

private let annasWorld: HostedWorld = {
  var world = emptyWorld
  let hello = DeviceHello(token: "", device: "anna", program: "fuzz")
  world.received(.hello(hello), from: WorldClient(number: 1))
  return world
}()

/// Parses octets as an order of the page. An accepted one must be carried out; a rejected one must have a
/// reason.
func fuzzPageOrder(_ octets: [UInt8]) {
  var world = annasWorld
  do throws(PageOrderError) {
    let order = try PageOrderReader.read(String(decoding: octets, as: UTF8.self))
    if case .world(let order) = order { world.perform(order) }
  } catch {
    precondition(!error.description.isEmpty, "an error's text is empty")
  }
  world.advance(to: world.time + .milliseconds(50))
}
