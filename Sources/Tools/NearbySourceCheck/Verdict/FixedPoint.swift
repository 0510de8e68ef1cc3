/// Computes which files build, by removing files with obstacles, then those that need them, and so on.
struct FixedPoint {
  private let hasOwnObstacles: [[String]]
  /// For each list of providers, the files that need a name from it.
  private var needers: [[Int]]
  /// For each file, the lists of providers that contain it.
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
  ///   - ignored: Groups of obstacles to disregard.
  ///   - freed: A file whose own obstacles are disregarded.
  ///   - moved: A file whose declarations count as being in a file that builds.
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
