import Foundation
import NearbyPeerNetwork

// One peer in a process of its own, for tests: registers, browses, echoes what it is sent, and says in lines
// what happens. Usage: PeerHost TYPE NAME [meet] [late]. With `meet` it connects to each peer whose name is lower;
// with `late` it says whether keys can still be made while it ends.
// It ends when its input does.

let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
  FileHandle.standardError.write(Data("usage: PeerHost TYPE NAME [meet] [late]\n".utf8))
  exit(64)
}
if arguments.contains("late") {
  // Registered before all of OpenSSL's, so that it is called after them.
  atexit { HostedPeer.say("at exit \((try? PeerKey.generate()) != nil)") }
}
do {
  let peer = try HostedPeer(type: arguments[1], name: arguments[2], meets: arguments.contains("meet"))
  while let line = readLine() { peer.obey(line) }
  peer.stop()
} catch {
  HostedPeer.say("failed \(error)")
  exit(1)
}
