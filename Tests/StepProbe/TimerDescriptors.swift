import CNearbyLinux
import Foundation

/// timerfd, epoll and semaphores of the C library.
enum TimerDescriptors {
  static func printAll() {
    repeated()
    setting()
    watched()
    semaphore()
  }

  private static func milliseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }

  private static func timer(first: Int, every interval: Int) -> Int32 {
    let descriptor = timerfd_create(CLOCK_MONOTONIC, 0)
    var setting = itimerspec(
      it_interval: timespec(tv_sec: 0, tv_nsec: interval * 1_000_000),
      it_value: timespec(tv_sec: 0, tv_nsec: first * 1_000_000))
    timerfd_settime(descriptor, 0, &setting, nil)
    return descriptor
  }

  /// A repeating timer counts the expirations that have not been read.
  private static func repeated() {
    let descriptor = timer(first: 5, every: 10)
    let start = milliseconds()
    var count: UInt64 = 0
    read(descriptor, &count, 8)
    print("first after", milliseconds() - start, "count", count)
    usleep(35_000)
    read(descriptor, &count, 8)
    print("later", milliseconds() - start, "count", count)
    close(descriptor)
  }

  private static func setting() {
    let descriptor = timer(first: 20, every: 0)
    usleep(5_000)
    var left = itimerspec()
    timerfd_gettime(descriptor, &left)
    print("left", left.it_value.tv_nsec / 1_000_000)
    var none = itimerspec()
    var before = itimerspec()
    timerfd_settime(descriptor, 0, &none, &before)
    print("was", before.it_value.tv_nsec / 1_000_000)
    timerfd_gettime(descriptor, &left)
    print("stopped", left.it_value.tv_sec, left.it_value.tv_nsec)
    close(descriptor)
  }

  private static func watched() {
    let (set, descriptor) = (epoll_create1(0), timer(first: 8, every: 0))
    var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data(fd: descriptor))
    epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event)
    let start = milliseconds()
    print("too early", epoll_wait(set, &event, 1, 3), "after", milliseconds() - start)
    print("ready", epoll_wait(set, &event, 1, 100), "after", milliseconds() - start)
    close(descriptor)
    close(set)
  }

  private static func semaphore() {
    let start = milliseconds()
    var semaphore = sem_t()
    sem_init(&semaphore, 0, 1)
    var until = timespec()
    clock_gettime(CLOCK_REALTIME, &until)
    until.tv_sec += 2
    print("taken", sem_timedwait(&semaphore, &until), "after", milliseconds() - start)
    print("not taken", sem_timedwait(&semaphore, &until), errno == ETIMEDOUT, "after", milliseconds() - start)
  }
}
