/// Ranks possible changes by the number of files they let build.
struct Fixes {
  private let files: [ProjectCheck.File]
  private let verdicts: [FileVerdict]
  private let builds: FixedPoint
  private let alive: [Bool]

  /// Maximum number of candidates tried, so that ranking a large project takes no longer than scanning it.
  private static let most = 200

  init(_ files: [ProjectCheck.File], _ verdicts: [FileVerdict], _ builds: FixedPoint, _ alive: [Bool]) {
    self.files = files
    self.verdicts = verdicts
    self.builds = builds
    self.alive = alive
  }

  func ranked() -> [Fix] {
    let fixes = groups() + moves() + singles()
    let sorted = fixes.enumerated().sorted { left, right in
      left.element.freedCount != right.element.freedCount
        ? left.element.freedCount > right.element.freedCount : left.offset < right.offset
    }
    var titles: Set<String> = []
    return sorted.map(\.element).filter { $0.freedCount > 0 && titles.insert($0.title).inserted }
  }

  private func gain(_ other: [Bool]) -> Int { other.count { $0 } - alive.count { $0 } }

  /// Removing one kind of obstacle everywhere.
  private func groups() -> [Fix] {
    var places: [String: (count: Int, file: Int, obstacle: BuildObstacle)] = [:]
    for (number, file) in files.enumerated() where verdicts[number].state != .view {
      for obstacle in file.obstacles where obstacle.kind != .view {
        places[obstacle.group, default: (0, number, obstacle)].count += 1
      }
    }
    let order = places.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    return order.prefix(Self.most).map { group, found in
      Fix(
        title: Self.title(found.obstacle), freedCount: gain(builds.alive(ignoring: [group])),
        path: files[found.file].path, place: found.obstacle.place)
    }
  }

  private static func title(_ obstacle: BuildObstacle) -> String {
    switch obstacle.kind {
    case .objectiveC: "Objective-C's \(obstacle.symbol) and its like: \(obstacle.advice)"
    case .module: "import \(obstacle.symbol): \(obstacle.advice)"
    case .missingImport: "\(obstacle.group): \(obstacle.advice)"
    case .compiler: obstacle.reason
    case .view, .symbol, .inactive, .syntax, .dependency, .unreadable:
      "\(obstacle.symbol): \(obstacle.advice)"
    }
  }

  /// Moving declarations out of a file that does not build.
  private func moves() -> [Fix] {
    var wanted: [String: (count: Int, names: Set<String>)] = [:]
    for verdict in verdicts where verdict.state != .view {
      for obstacle in verdict.obstacles where obstacle.kind == .dependency {
        guard let provider = obstacle.provider else { continue }
        wanted[provider, default: (0, [])].count += 1
        wanted[provider, default: (0, [])].names.insert(obstacle.symbol)
      }
    }
    let numbers = Dictionary(
      files.indices.map { (files[$0].path, $0) }, uniquingKeysWith: { first, _ in first })
    let order = wanted.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    return order.prefix(Self.most).compactMap { path, found in
      guard let number = numbers[path] else { return nil }
      let names = found.names.sorted()
      let shown = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
      return Fix(
        title: "move \(shown) out of \(ProjectCheck.lastPart(path)) into a file that builds",
        freedCount: gain(builds.alive(moving: number)), path: path, place: SourcePlace(line: 1, column: 1))
    }
  }

  /// Removing all obstacles of one file.
  private func singles() -> [Fix] {
    // A file with a single kind of obstacle is already covered by `groups()`.
    let blocked = verdicts.indices.filter { number in
      verdicts[number].state == .blocked && Set(files[number].obstacles.map(\.group)).count > 1
    }
    return blocked.prefix(Self.most).map { number in
      let obstacles = files[number].obstacles
      let shown =
        obstacles.prefix(3).map(\.symbol).joined(separator: ", ") + (obstacles.count > 3 ? ", …" : "")
      return Fix(
        title: "clear \(ProjectCheck.lastPart(files[number].path)) of \(shown)",
        freedCount: gain(builds.alive(freeing: number)), path: files[number].path,
        place: obstacles.first?.place ?? SourcePlace(line: 1, column: 1))
    }
  }
}
