/// Finds the files of a module that the compiler accepts together.
///
/// The owner compiles `files` and passes the outcome to `received`, until `state` is no longer `compiling`. Each
/// rejected round drops the files with errors, or first only those whose errors cause others. Before a file is
/// dropped its owner may change it, for example by withdrawing an answer to `#if os(iOS)`.
///
/// Invariant: every round drops or changes a file, so a trial ends; the limit on rounds is for time.
package struct ModuleTrial: Sendable {
  package enum State: Equatable, Sendable {
    case compiling
    /// The compiler accepts the files that are left.
    case accepted
    /// No files are left, or the trial was given up; the reason is with the dropped files.
    case rejected
  }

  package enum Outcome: Equatable, Sendable {
    case accepted
    case rejected([CompilerMessage])
    /// The compiler ended by a signal or an internal error, with its output.
    case crashed(output: String)
    /// The compiler was stopped after this many seconds.
    case timedOut(seconds: Int)
  }

  package struct Dropped: Equatable, Sendable {
    package var file: String
    package var place: SourcePlace
    /// The compiler's first error in the file.
    package var reason: String

    package init(file: String, place: SourcePlace, reason: String) {
      self.file = file
      self.place = place
      self.reason = reason
    }
  }

  package private(set) var state: State
  /// The files to compile next.
  package private(set) var files: [String]
  package private(set) var dropped: [Dropped] = []
  private var round = 0
  private let mostRounds: Int

  private static let start = SourcePlace(line: 1, column: 1)

  package init(files: [String], mostRounds: Int = 20) {
    self.files = files
    self.mostRounds = mostRounds
    state = files.isEmpty ? .rejected : .compiling
  }

  /// - Parameter change: Changes a file so that the error at a line may go away; returns whether it did.
  package mutating func received(_ outcome: Outcome, change: (String, Int) -> Bool = { _, _ in false }) {
    round += 1
    switch outcome {
    case .accepted: state = .accepted
    case .rejected(let messages): reject(messages, change)
    case .crashed(let output): crash(output)
    case .timedOut(let seconds): giveUp("the compiler did not end within \(seconds) s")
    }
    guard state == .compiling else { return }
    if files.isEmpty {
      state = .rejected
    } else if round >= mostRounds {
      giveUp("the compiler still found errors after \(round) rounds")
    }
  }

  private mutating func reject(_ messages: [CompilerMessage], _ change: (String, Int) -> Bool) {
    let known = Set(files)
    let placed = messages.filter { $0.path.map(known.contains) ?? false }
    guard !placed.isEmpty else {
      return giveUp(messages.first?.text ?? "the compiler failed without an error")
    }
    let causes = placed.filter(\.isCause)
    var seen: Set<String> = []
    var changed: Set<String> = []
    for message in causes.isEmpty ? placed : causes {
      guard let file = message.path else { continue }
      if change(file, message.place.line) {
        changed.insert(file)
      } else if !changed.contains(file), seen.insert(file).inserted {
        dropped.append(Dropped(file: file, place: message.place, reason: message.text))
      }
    }
    // A file that was changed is compiled again, whatever else is wrong with it.
    dropped.removeAll { changed.contains($0.file) }
    files.removeAll { seen.subtracting(changed).contains($0) }
  }

  /// Drops the file that the compiler was working on; without one, all files.
  private mutating func crash(_ output: String) {
    let lines = output.split(whereSeparator: \.isNewline)
    let stack = lines.drop { !$0.hasPrefix("Stack dump:") }.filter { !$0.contains("Program arguments:") }
    for line in stack.reversed() {
      guard let file = files.first(where: { line.contains($0) }) else { continue }
      dropped.append(Dropped(file: file, place: Self.start, reason: "the compiler crashed on this file"))
      files.removeAll { $0 == file }
      return
    }
    giveUp("the compiler crashed and did not say on which file")
  }

  private mutating func giveUp(_ reason: String) {
    dropped += files.map { Dropped(file: $0, place: Self.start, reason: reason) }
    files = []
    state = .rejected
  }
}
