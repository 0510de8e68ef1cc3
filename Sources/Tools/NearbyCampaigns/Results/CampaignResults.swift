import Foundation
import NearbyFiles
import NearbyScenarios

/// Results of one campaign, from one or more files. Each job counts once.
package struct CampaignResults: Sendable {
  package enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
    case system(FileFailure)
    case noResult(path: String, line: Int, JobResult.Failure)
    case tooLong(path: String, line: Int)
    case empty(paths: [String])

    package var description: String {
      switch self {
      case .system(let failure): "\(failure.path): can't \(failure.call): \(failure.reason)"
      case .noResult(let path, let line, let failure): "\(path):\(line): \(failure)"
      case .tooLong(let path, let line): "\(path):\(line): longer than \(JobResult.longestLine) octets"
      case .empty(let paths): "\(paths.joined(separator: ", ")): no results"
      }
    }
  }

  /// In the order of their scenario, settings and seed.
  package let results: [JobResult]
  /// Results that came again, with the same digest.
  package let duplicates: Int
  /// Files whose last line is cut, as a process that was killed leaves it; the line does not count.
  package let cutFiles: [String]

  package init(reading paths: [String]) throws(Failure) {
    var found: [String: JobResult] = [:]
    var duplicates = 0
    var cut: [String] = []
    for path in paths {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .system(FileFailure(call: "open", path: path, number: errno)) }
      defer { close(descriptor) }
      let reader = LineReader(descriptor, path)
      var number = 0
      while let line = try Self.next(reader) {
        number += 1
        guard line.octets.count <= JobResult.longestLine else { throw .tooLong(path: path, line: number) }
        if line.octets.isEmpty { continue }
        do throws(JobResult.Failure) {
          let result = try JobResult(parsing: line.octets)
          if found.updateValue(result, forKey: result.digest) != nil { duplicates += 1 }
        } catch {
          guard !line.isWhole else { throw .noResult(path: path, line: number, error) }
          cut.append(path)
        }
      }
    }
    guard !found.isEmpty else { throw .empty(paths: paths) }
    self.init(Array(found.values), duplicates: duplicates, cutFiles: cut)
  }

  package init(_ results: [JobResult], duplicates: Int = 0, cutFiles: [String] = []) {
    self.results = results.sorted { Self.key($0) < Self.key($1) }
    self.duplicates = duplicates
    self.cutFiles = cutFiles
  }

  private static func key(_ result: JobResult) -> (String, String, String, String, UInt64, String) {
    (
      result.file, result.settings.map { "\($0.key)=\($0.text)" }.joined(separator: " "), result.version,
      CampaignJob.json(result.programs), result.seed, result.digest
    )
  }

  private static func next(_ reader: LineReader) throws(Failure) -> LineReader.Line? {
    do throws(FileFailure) { return try reader.next() } catch { throw .system(error) }
  }
}
