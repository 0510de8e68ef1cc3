import CNearbyVirtualTime
import Foundation
import NearbyTesting
import Testing

@Suite("Waits of the C library")
struct ClockTests {
  @Test("select and clock_nanosleep wait in virtual time")
  func waits() async throws {
    let scene = Scene()
    let log = scene.log
    let pipe = try #require(OctetPipe())
    scene.phone.launch {
      Thread.detachNewThread {
        var readable = fd_set()
        withUnsafeMutableBytes(of: &readable) { $0[Int(pipe.input / 8)] = 1 << UInt8(pipe.input % 8) }
        var limit = timeval(tv_sec: 0, tv_usec: 250_000)
        log("select \(select(pipe.input + 1, &readable, nil, nil, &limit))")
        var time = timespec(tv_sec: 1, tv_nsec: 500_000_000)
        log("relative \(clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nil))")
        for clock in [CLOCK_MONOTONIC, CLOCK_REALTIME] {
          clock_gettime(clock, &time)
          time.tv_sec += 2
          log("absolute \(clock_nanosleep(clock, TIMER_ABSTIME, &time, nil))")
        }
        time.tv_sec -= 10
        log("past \(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &time, nil))")
        pipe.write(1)
        withUnsafeMutableBytes(of: &readable) { $0[Int(pipe.input / 8)] = 1 << UInt8(pipe.input % 8) }
        log("ready \(select(pipe.input + 1, &readable, nil, nil, nil))")
      }
    }
    await scene.world.advance(by: .seconds(10))
    #expect(
      scene.history.lines == [
        "250 select 0", "1750 relative 0", "3750 absolute 0", "5750 absolute 0", "5750 past 0",
        "5750 ready 1",
      ])
    #expect(scene.world.stalls == 0)
  }

  @Test(
    "A deadline beyond 64 bits is never reached, and one in the far past at once",
    arguments: [
      (Int.max, 0, Int64.max), (Int.max, 999_999_999, .max), (9_223_372_036, 999_999_999, .max),
      (Int.min, -999_999_999, 5), (0, Int.min, 5), (0, Int.max, .max), (1, 7, 1_000_000_007),
    ])
  func saturates(seconds: Int, nanoseconds: Int, expected: Int64) {
    var clock = nvt_clock(now: 5, uptime_at_zero: 0, wall_at_zero: 0)
    #expect(nvt_time_of(&clock, 0, Int64(seconds), Int64(nanoseconds)) == expected)
    // The zero of a clock that starts long before 1970 adds to the time.
    let early = nvt_time_of(&clock, -4_000_000_000_000_000_000, Int64(seconds), Int64(nanoseconds))
    #expect(early == (expected == .max ? .max : max(expected, early)))
    #expect(nvt_after(&clock, Int64(seconds), Int64(nanoseconds)) >= expected)
  }

  @Test("Waits with absurd deadlines neither return nor trap", arguments: [Int.max, 1 << 40])
  func absurd(seconds: Int) {
    let scene = Scene()
    let log = scene.log
    scene.phone.launch {
      Thread.detachNewThread {
        var time = timespec(tv_sec: seconds, tv_nsec: 999_999_999)
        clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &time, nil)
        log("slept")
      }
      Thread.detachNewThread {
        // NSCondition itself traps for a date like this.
        var (condition, mutex) = (pthread_cond_t(), pthread_mutex_t())
        var time = timespec(tv_sec: seconds, tv_nsec: 999_999_999)
        pthread_mutex_lock(&mutex)
        log("waited \(pthread_cond_timedwait(&condition, &mutex, &time))")
      }
      Task {
        try? await Task.sleep(until: .now + .seconds(seconds / 4))
        log("awaited")
      }
      log("started")
    }
    advance(scene.world)
    #expect(scene.history.lines == ["0 started"])
  }

  @Test("Apps can live before 1970")
  func early() {
    let date = Date(timeIntervalSince1970: -1_000_000_000.5)
    let world = World(seed: 1, startDate: date)
    let phone = world.addPhone("Ann", at: [0, 0, 0])
    var time = timespec()
    phone.run { _ = clock_gettime(CLOCK_REALTIME, &time) }
    #expect(time.tv_sec == -1_000_000_001)
    #expect(time.tv_nsec == 500_000_000)
  }

  private func advance(_ world: World) { world.advance(by: .seconds(3600)) }
}
