import Combine
import NearbyInteraction
import SwiftUI

enum Phase: String, CaseIterable, Codable {
  case idle, searching
  case ranging = "in range"
}

class NearbyModel: NSObject, ObservableObject {
  @Published var distance: Float?
  @Published private(set) var phase = Phase.idle
  var title: String { phase == .ranging ? String(format: "%.1f m", distance ?? 0) : phase.rawValue.capitalized }
  let measured = PassthroughSubject<(token: NIDiscoveryToken, metres: Float), Never>()
  private var bag = Set<AnyCancellable>()
  private var sessions: [NIDiscoveryToken: NISession] = [:]

  func start() {
    phase = .searching
    $distance.compactMap { $0 }.removeDuplicates().receive(on: DispatchQueue.main)
      .sink { [weak self] metres in
        self?.phase = metres > 0 ? .ranging : .idle
      }
      .store(in: &bag)
    measured.map(\.metres).sink { print("measured \($0)") }.store(in: &bag)
  }

  func add(_ token: NIDiscoveryToken) {
    let session = NISession()
    session.delegate = self
    sessions[token] = session
    session.run(NINearbyPeerConfiguration(peerToken: token))
  }
}

extension NearbyModel: NISessionDelegate {
  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    for object in nearbyObjects where object.distance != nil {
      distance = object.distance
      measured.send((token: object.discoveryToken, metres: object.distance ?? -1))
    }
  }
}
