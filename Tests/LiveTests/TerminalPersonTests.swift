import Foundation
import NearbyAccessorySetup
import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import TestSupport
import Testing

@testable import NearbyLive

/// A machine whose picker is answered at a terminal, without a device around it.
private final class Desk: Sendable {
  static let service = BluetoothUUID(UInt16(0x180D))
  let terminal: TestTerminal
  let questions: TerminalQuestions
  private let person: TerminalPerson
  private let machine: Guarded<AccessorySetupMachine>
  private let user: SetupUser

  init() throws {
    let terminal = try #require(TestTerminal())
    let questions = TerminalQuestions(preset: nil) { FileHandle(fileDescriptor: terminal.program) }
    (self.terminal, self.questions) = (terminal, questions)
    person = TerminalPerson { questions.ask($0) }
    var machine = AccessorySetupMachine(
      usage: SetupUsage(services: [Self.service], companies: [], names: []))
    user = machine.makeUser()
    machine.activate(user)
    self.machine = Guarded(machine)
  }

  var accessories: [String] { machine.withLock { $0.accessories.map(\.name) } }
  var isOpen: Bool { machine.withLock { $0.question != nil } }

  func change(_ body: (inout AccessorySetupMachine) -> Void) {
    let question = machine.withLock { machine in
      body(&machine)
      return machine.question
    }
    person.ask(question) { [weak self] reply in
      if let question { self?.change { $0.received(reply, to: question.number) } }
    }
  }

  func show(allowsRename: Bool = false) {
    var descriptor = SetupDescriptor()
    descriptor.service = Self.service
    let item = SetupItem(name: "Lamp", descriptor: descriptor, allowsRename: allowsRename)
    change { _ = $0.showPicker([item], for: user) }
  }

  func find(_ number: UInt64) {
    var advertisement = Advertisement()
    advertisement.services = [Self.service]
    advertisement.name = "L\(number)"
    let sighting = BluetoothSighting(
      peer: BluetoothPeer(high: 0, low: number), advertisement: advertisement, rssi: -60, time: .zero)
    change { $0.sighted(sighting) }
  }

  func rename(_ number: UInt64) {
    change { _ = $0.rename(BluetoothPeer(high: 0, low: number), for: user) }
  }
}

@Suite("Accessory pickers on a terminal", .ownThreads)
struct TerminalPersonTests {
  @Test("The terminal asks about one accessory after the other; yes sets it up")
  func choosing() async throws {
    let desk = try Desk()
    desk.show()
    desk.find(1)
    #expect(await desk.terminal.read(until: "? [y]es, [n]o? ") == "Set up “Lamp” (L1)? [y]es, [n]o? ")
    desk.find(2)
    desk.terminal.write("n\n")
    #expect(await desk.terminal.read(until: "? [y]es, [n]o? ").hasSuffix("Set up “Lamp” (L2)? [y]es, [n]o? "))
    desk.terminal.write("y\n")
    desk.questions.finish()
    #expect(desk.accessories == ["Lamp"] && !desk.isOpen)
  }

  @Test("Declining everything that is offered closes the picker")
  func declining() async throws {
    let desk = try Desk()
    desk.show()
    desk.find(1)
    _ = await desk.terminal.read(until: "[n]o? ")
    desk.terminal.write("no\n")
    desk.questions.finish()
    #expect(desk.accessories.isEmpty && !desk.isOpen)
  }

  @Test("The terminal asks for a name in the picker and when the app renames; an empty line keeps the name")
  func naming() async throws {
    let desk = try Desk()
    desk.show(allowsRename: true)
    desk.find(1)
    _ = await desk.terminal.read(until: "[n]o? ")
    desk.terminal.write("y\n")
    #expect(await desk.terminal.read(until: "): ") == "Name of “Lamp” (leave empty to keep it): ")
    desk.terminal.write("Desk lamp\n")
    desk.questions.finish()
    #expect(desk.accessories == ["Desk lamp"] && !desk.isOpen)
    desk.rename(1)
    #expect(await desk.terminal.read(until: "): ") == "Name of “Desk lamp” (leave empty to keep it): ")
    desk.terminal.write("\n")
    desk.questions.finish()
    #expect(desk.accessories == ["Desk lamp"] && !desk.isOpen)
  }

  @Test("A picker that closes withdraws its question, and the next one asks again about what was declined")
  func withdrawing() async throws {
    let desk = try Desk()
    for _ in 0..<2 {
      desk.show()
      desk.find(1)
      #expect(await desk.terminal.read(until: "[n]o? ").contains("Set up “Lamp” (L1)?"))
      desk.change { $0.cancelPicker() }
      #expect(await desk.terminal.read(until: "any more)").contains("nobody waits"))
    }
    desk.questions.finish()
    #expect(desk.accessories.isEmpty)
  }
}
