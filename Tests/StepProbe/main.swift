// A program of a stepped world, for tests. Its argument says what it does; it prints what it finds.
import Foundation

switch CommandLine.arguments.dropFirst().first {
case "waits": Waits.printAll()
case "timers": TimerDescriptors.printAll()
case "random": for _ in 0..<4 { print(UInt64.random(in: .min ... .max), UUID()) }
case "hashes": print(Set(0..<20).map(\.description).joined(separator: " "))
case "spin":
  // Until the clock shows another second, as careless code does.
  let start = Date()
  while Date().timeIntervalSince(start) < 0.01 {}
  print("spun")
case "compute": while true {}
case "join": Sessions.joinOnly()
case "meet": Sessions.meet()
default:
  print("expected waits, timers, random, hashes, spin, compute, join or meet")
  exit(64)
}
