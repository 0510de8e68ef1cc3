@_exported import Combine
// What Apple's module brings along for code without views. There are no views here.
@_exported import NearbyFoundation
@_exported import UIKit
