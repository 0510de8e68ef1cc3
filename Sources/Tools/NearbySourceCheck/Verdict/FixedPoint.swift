/// Which files build once those are gone that have obstacles, and those that need them, and so on.
struct FixedPoint {
  private let hasOwnObstacles: [[String]]
  /// For each list of providers, the files that need one of them.
  private var needers: [[Int]]
  /// For each file, the lists it is in.
  private var lists: [[Int]]
  private let sizes: [Int]

  init(files: [ProjectCheck.File], providers: [[Int]]) {
    hasOwnObstacles = files.map { Array(Set($0.obstacles.map(\.group))) }
    needers = Array(repeating: [], count: providers.count)
    lists = Array(repeating: [], count: files.count)
    sizes = providers.map(\.count)
    for (number, file) in files.enumerated() {
      for need in file.needs { needers[need.list].append(number) }
    }
    for (list, members) in providers.enumerated() where !needers[list].isEmpty {
      for file in members { lists[file].append(list) }
    }
  }

  /// - Parameters:
  ///   - ignored: Groups of obstacles that are thought away.
  ///   - freed: A file whose own obstacles are thought away.
  ///   - moved: A file whose declarations are thought to be in a file that builds.
  func alive(ignoring ignored: Set<String> = [], freeing freed: Int? = nil, moving moved: Int? = nil)
    -> [Bool]
  {
    var alive = hasOwnObstacles.indices.map {
      $0 == freed || hasOwnObstacles[$0].allSatisfy(ignored.contains)
    }
    var left = sizes
    var gone = alive.indices.filter { !alive[$0] }
    while let file = gone.popLast() {
      if file == moved { continue }
      for list in lists[file] {
        left[list] -= 1
        guard left[list] == 0 else { continue }
        for needer in needers[list] where alive[needer] {
          alive[needer] = false
          gone.append(needer)
        }
      }
    }
    return alive
  }
}
