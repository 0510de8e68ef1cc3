import Dispatch
import Foundation

let probe = try Probe(try ProbeSettings(Array(CommandLine.arguments.dropFirst())))
probe.say("ready \(probe.id(probe.peer))")
Thread.detachNewThread {
  while let line = readLine() { probe.queue.async { probe.execute(line) } }
  // The process that started this one is gone.
  exit(0)
}
dispatchMain()
