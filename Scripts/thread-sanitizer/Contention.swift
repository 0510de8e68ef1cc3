// Threads that contend for a `Mutex`: `contention` has no race, `contention race` has one outside the lock.
// `contention continuation` awaits a continuation that another thread has already resumed, and has no race.
// The script `self-test` builds and runs this program.

import Glibc
import Synchronization

struct Guarded {
  private(set) var count = 0

  // Not inlined, so that the access is not in the frame of the closure that `withLock` calls.
  @inline(never)
  mutating func add() {
    count += 1
    // Long enough that the other thread finds the lock taken and waits in the kernel.
    usleep(1_000)
  }
}

let guarded = Mutex(Guarded())
nonisolated(unsafe) var unguarded = 0
let hasRace = CommandLine.arguments.dropFirst().contains("race")

func contend(_: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  for round in 0..<100 {
    if round.isMultiple(of: 5) {
      _ = guarded.withLockIfAvailable { $0.add() }
    } else {
      guarded.withLock { $0.add() }
    }
  }
  // After the last unlock of either thread, so that no lock orders the two.
  if hasRace { unguarded += 1 }
  return nil
}

nonisolated(unsafe) var continuation: UnsafeContinuation<Void, Never>?

func resume(_: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  unguarded += 1
  continuation?.resume()
  return nil
}

@main
enum Contention {
  static func main() async {
    if CommandLine.arguments.dropFirst().contains("continuation") {
      await withUnsafeContinuation {
        continuation = $0
        var thread = pthread_t()
        pthread_create(&thread, nil, resume, nil)
        pthread_detach(thread)
        // Not joined, because that would order the two threads. The other thread has resumed by then.
        usleep(300_000)
      }
      unguarded += 1
    } else {
      contendTwice()
    }
  }

  static func contendTwice() {
    var threads = [pthread_t](repeating: 0, count: 2)
    for index in threads.indices { pthread_create(&threads[index], nil, contend, nil) }
    for thread in threads { pthread_join(thread, nil) }
    print("Locked \(guarded.withLock { $0.count }) times")
  }
}
