// What Apple's module brings along for code without views. There are no views here.
@_exported import Combine
@_exported import Foundation
@_exported import Observation
@_exported import UIKit
