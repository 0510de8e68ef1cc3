import NearbyAccessorySetup
import NearbyBluetooth
import NearbyDeviceMachine
import NearbySchedule

/// An event that is scheduled for a time of the world.
enum WorldTask: Sendable {
  case wake(device: Int)
  case command(device: Int, DeviceMachine.Command)
  /// The actions from an app's call of the device's machine are due.
  case runUntilIdle(device: Int)
  case perform(ScheduledBlock)
  /// The next frame of a camera whose user wants frames.
  case cameraFrame(device: Int)
  /// An event on the peer network.
  case network(NetworkTask)
  /// Indirect: the event is large, and every wake is as large as the largest task.
  indirect case bluetooth(device: Int, BluetoothUser, BluetoothEvent)
  /// The device's user answers whether the app may use Bluetooth.
  case answerBluetooth(device: Int, BluetoothAuthorization)
  /// The device's user answers a question about location that one launch of the app asked.
  indirect case answerLocation(device: Int, launch: Int, LocationQuestion, LocationAnswer)
  /// The actions from a call of the device's accessory set-up are due.
  case updateSetup(device: Int)
  /// The device's user replies to what the accessory set-up asks.
  case answerSetup(device: Int)
  /// The time that a picker's discovery or pairing may take is over.
  case setupWait(device: Int, SetupWait)
}

/// A block that is scheduled for a time of the world, and the device, if any, whose app it belongs to.
struct ScheduledBlock: Sendable {
  let device: Int?
  let body: @Sendable () -> Void
}

/// The scheduled tasks; simultaneous ones leave in the order in which they were inserted.
///
/// Wakes, of which there may be thousands, are entries of the heap and nothing else; the few other tasks are kept in
/// a table.
struct WorldTasks: Sendable {
  /// An event is a device to wake, or the complement of an index into `others`.
  private var heap = EventHeap<Duration, Int32>()
  private var others: [WorldTask?] = []
  private var free: [Int32] = []

  var firstTime: Duration? { heap.first?.time }

  mutating func insert(_ task: WorldTask, at time: Duration) {
    switch task {
    case .wake(let device): heap.insert(Int32(device), at: time)
    case .command, .runUntilIdle, .perform, .cameraFrame, .network, .bluetooth, .answerBluetooth,
      .answerLocation,
      .updateSetup, .answerSetup, .setupWait:
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
