import Foundation
import PeerNetwork

// One peer in a process of its own, for tests: registers, browses, echoes what it is sent, and says in lines
// what happens. Usage: PeerHost TYPE NAME [meet]. With `meet` it connects to each peer whose name is lower.
// It ends when its input does.

let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
  FileHandle.standardError.write(Data("usage: PeerHost TYPE NAME [meet]\n".utf8))
  exit(64)
}
do {
  let peer = try HostedPeer(type: arguments[1], name: arguments[2], meets: arguments.contains("meet"))
  while let line = readLine() { peer.obey(line) }
  peer.stop()
} catch {
  HostedPeer.say("failed \(error)")
  exit(1)
}
