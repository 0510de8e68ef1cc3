import NearbyInteraction
import UIKit

let closeDistance: Float = 0.3

class PeekViewController: UIViewController {
  @IBOutlet weak var distanceLabel: UILabel!
  var ranger: Ranger?

  override func viewDidLoad() {
    super.viewDidLoad()
    ranger = Ranger()
    NotificationCenter.default.addObserver(
      self, selector: #selector(pause), name: UIApplication.willResignActiveNotification, object: nil)
  }

  @objc func pause() { ranger?.stop() }
}
