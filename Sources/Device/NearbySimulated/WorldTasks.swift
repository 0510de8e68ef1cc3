import NearbyBluetooth
import NearbyDeviceMachine
import NearbySchedule

/// What somebody wants done at a time of the world.
enum WorldTask: Sendable {
  case wake(device: Int)
  case command(device: Int, DeviceMachine.Command)
  /// The actions that a device's machine collected during an app's call are due.
  case settle(device: Int)
  case perform(Performance)
  /// The next frame of a camera that somebody listens to.
  case cameraFrame(device: Int)
  /// Something happens on the peer network.
  case network(NetworkTask)
  /// Indirect: the event is large, and every wake is handed on in a task's size.
  indirect case bluetooth(device: Int, BluetoothUser, BluetoothEvent)
  /// The person at a device says whether the app may use Bluetooth.
  case answerBluetooth(device: Int, BluetoothAuthorization)
  /// The person at a device answers a question about location of one launch of its app.
  indirect case answerLocation(device: Int, launch: Int, LocationQuestion, LocationAnswer)
}

/// Code that runs when the world's time comes there, as the app of a device or as nobody's.
struct Performance: Sendable {
  let device: Int?
  let body: @Sendable () -> Void
}

/// What waits for its time; tasks of one time leave in the order in which they came.
///
/// Wakes, of which there are thousands at any time, are entries of the heap and nothing else; the few others
/// stand in a table of their own.
struct WorldTasks: Sendable {
  /// Subjects: a device to wake, or the complement of a place in `others`.
  private var heap = EventHeap<Duration, Int32>()
  private var others: [WorldTask?] = []
  private var free: [Int32] = []

  var firstTime: Duration? { heap.first?.time }

  mutating func insert(_ task: WorldTask, at time: Duration) {
    switch task {
    case .wake(let device): heap.insert(Int32(device), at: time)
    case .command, .settle, .perform, .cameraFrame, .network, .bluetooth, .answerBluetooth, .answerLocation:
      heap.insert(~store(task), at: time)
    }
  }

  mutating func removeFirst() -> (time: Duration, task: WorldTask)? {
    guard let entry = heap.removeFirst() else { return nil }
    guard entry.event < 0 else { return (entry.time, .wake(device: Int(entry.event))) }
    let place = ~entry.event
    free.append(place)
    guard let task = others[Int(place)].take() else { return nil }
    return (entry.time, task)
  }

  private mutating func store(_ task: WorldTask) -> Int32 {
    if let place = free.popLast() {
      others[Int(place)] = task
      return place
    }
    others.append(task)
    return Int32(others.count - 1)
  }
}
