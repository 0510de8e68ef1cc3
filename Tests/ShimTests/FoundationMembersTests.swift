import Foundation
import NearbyTesting
import NearbyURLSession
import SwiftUI
import Testing

/// A protocol as apps declare it, in order to replace URLSession in tests.
private protocol Loader {
  func data(for request: URLRequest) async throws -> (Data, URLResponse)
}

extension URLSession: Loader {}

/// Answers requests with the paths of their URLs.
private final class Echo: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "echo" }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  override func startLoading() {
    guard let url = request.url else { return }
    let response = URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Data(url.path.utf8))
    client?.urlProtocolDidFinishLoading(self)
  }
  override func stopLoading() {}
}

@Suite("Members that Apple's Foundation, UIKit and SwiftUI add")
struct FoundationMembersTests {
  @Test("Key-value coding of user defaults is another spelling of set and object")
  func userDefaults() throws {
    let suite = "swift-nearby.tests.\(UUID().uuidString)"
    let defaults = try #require(UserDefaults(suiteName: suite))
    defer { defaults.removePersistentDomain(forName: suite) }
    defaults.setValue("Ann", forKey: "name")
    defaults.setValue(3, forKeyPath: "count")
    #expect(defaults.string(forKey: "name") == "Ann" && defaults.integer(forKey: "count") == 3)
    #expect(defaults.value(forKey: "name") as? String == "Ann")
    #expect(defaults.value(forKeyPath: "count") as? Int == 3)
    defaults.setValue(nil, forKey: "name")
    #expect(defaults.value(forKey: "name") == nil && defaults.object(forKey: "name") == nil)
  }

  @Test("There is no iCloud account")
  func iCloud() {
    #expect(FileManager.default.ubiquityIdentityToken == nil)
    #expect(FileManager().url(forUbiquityContainerIdentifier: nil) == nil)
    #expect(FileManager().containerURL(forSecurityApplicationGroupIdentifier: "group.app") == nil)
  }

  @Test("URLSession conforms to a protocol with its method, and its other methods take no delegate")
  func urlSession() async throws {
    let settings = URLSessionConfiguration.ephemeral
    settings.protocolClasses = [Echo.self]
    let session = URLSession(configuration: settings)
    let url = try #require(URL(string: "echo://example/text"))
    let loader: any Loader = session
    #expect(try await loader.data(for: URLRequest(url: url)).0 == Data("/text".utf8))
    #expect(try await session.data(from: url).0 == Data("/text".utf8))
  }

  @Test("Localized texts take their arguments, and are themselves without a translation")
  func localizedTexts() {
    #expect(String(localized: "Hello", comment: "greeting") == "Hello")
    #expect(String(localized: "50 % of \(3) for \("Ann")", table: "Other") == "50 % of 3 for Ann")
    #expect(String(localized: "100 %") == "100 %")
    #expect(String(localized: "key", defaultValue: "Room \(7)", comment: "a room") == "Room 7")
  }

  @Test("Units of time fit each other")
  func unitsOfTime() {
    #expect(NSEC_PER_SEC == 1_000_000_000)
    #expect(NSEC_PER_MSEC * MSEC_PER_SEC == NSEC_PER_SEC)
    #expect(NSEC_PER_USEC * USEC_PER_SEC == NSEC_PER_SEC)
    #expect(DispatchTime(uptimeNanoseconds: 2 * NSEC_PER_SEC).uptimeNanoseconds == 2_000_000_000)
  }

  @Test("Index paths of tables and collections have a section, and a row or item")
  func indexPaths() {
    var path = IndexPath(row: 2, section: 1)
    #expect(path == IndexPath(indexes: [1, 2]) && path == IndexPath(item: 2, section: 1))
    #expect(path.section == 1 && path.row == 2 && path.item == 2)
    path.row = 5
    path.section = 4
    #expect(path == IndexPath(indexes: [4, 5]))
    path.item = 0
    #expect(path.row == 0)
  }

  @Test("An index path of another length has no row")
  func shortPath() async {
    await #expect(processExitsWith: .failure) { _ = IndexPath(index: 1).row }
  }

  @Test("Elements at offsets are removed from arrays and other collections")
  func removed() {
    var letters = Array("abcdef")
    letters.remove(atOffsets: IndexSet([0, 2, 3, 5]))
    #expect(String(letters) == "be")
    letters.remove(atOffsets: IndexSet())
    #expect(String(letters) == "be")
    var slice = Array("abcdef")[2...]
    slice.remove(atOffsets: IndexSet(integer: 1))
    #expect(String(slice) == "cef")
  }

  @Test(
    "Moved elements keep their order and arrive before the element at the destination",
    arguments: [
      ([0], 3, "bcadef"), ([5], 0, "fabcde"), ([0], 0, "abcdef"), ([1], 2, "abcdef"),
      ([0, 2, 5], 4, "bdacfe"),
      ([4, 5], 1, "aefbcd"), ([0, 1, 2], 6, "defabc"), ([], 3, "abcdef"),
    ])
  func moved(source: [Int], destination: Int, result: String) {
    var letters = Array("abcdef")
    letters.move(fromOffsets: IndexSet(source), toOffset: destination)
    #expect(String(letters) == result)
    var slice = Array("xabcdef")[1...]
    slice.move(fromOffsets: IndexSet(source), toOffset: destination)
    #expect(String(slice) == result)
  }

  @Test("An offset behind the end stops the process")
  func behindTheEnd() async {
    await #expect(processExitsWith: .failure) {
      var letters = ["a"]
      letters.remove(atOffsets: IndexSet(integer: 1))
    }
    await #expect(processExitsWith: .failure) {
      var letters = ["a"]
      letters.move(fromOffsets: IndexSet(integer: 0), toOffset: 2)
    }
  }
}
