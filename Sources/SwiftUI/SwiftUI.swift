// What Apple's module brings along for code without views. There are no views here.
@_exported import AppleFoundation
@_exported import Combine
@_exported import UIKit
