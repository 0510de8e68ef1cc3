import Synchronization

/// Accumulates results, so that the optimizer can't remove the work that computed them.
let consumed = Atomic<UInt64>(0)

/// Uses a result.
func consume(_ value: UInt64) { consumed.wrappingAdd(value, ordering: .relaxed) }

/// Uses a result.
func consume(_ value: Double) { consume(value.bitPattern) }

/// The least time of several runs, after a warm-up run.
///
/// - Parameter body: Does the same work each time and returns a value computed from it.
func leastTime(of runs: Int = 20, _ body: () -> UInt64) -> Duration {
  consume(body())
  var least = Duration.seconds(1_000_000)
  for _ in 0..<runs {
    let start = ContinuousClock.now
    let result = body()
    least = min(least, ContinuousClock.now - start)
    consume(result)
  }
  return least
}

extension Duration {
  var nanoseconds: Double { self / .nanoseconds(1) }
  var microseconds: Double { self / .microseconds(1) }
  var seconds: Double { self / .seconds(1) }
}
