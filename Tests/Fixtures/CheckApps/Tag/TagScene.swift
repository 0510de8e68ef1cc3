import ARKit
import SceneKit

final class TagScene: NSObject, ARSCNViewDelegate {
  let view = ARSCNView()
  func place(_ transform: simd_float4x4) {
    let node = SCNNode(geometry: SCNSphere(radius: 0.05))
    node.simdTransform = transform
    view.scene.rootNode.addChildNode(node)
  }
}
