import Foundation
import NearbyPeerNetwork

// A peer in its own process, for tests. It registers, browses, echoes what it receives, and prints its events
// as lines. Usage: PeerHost TYPE NAME [meet] [late]. With `meet` it connects to each peer whose name is
// lower. With `late` it prints whether keys can still be created while the process exits. It ends when its
// input ends.

let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
  FileHandle.standardError.write(Data("usage: PeerHost TYPE NAME [meet] [late]\n".utf8))
  exit(64)
}
if arguments.contains("late") {
  // Registered before OpenSSL's exit handlers, so that it is called after them.
  atexit { HostedPeer.say("at exit \((try? PeerKey.generate()) != nil)") }
}
do {
  let peer = try HostedPeer(type: arguments[1], name: arguments[2], meets: arguments.contains("meet"))
  while let line = readLine() { peer.execute(line) }
  peer.stop()
} catch {
  HostedPeer.say("failed \(error)")
  exit(1)
}
