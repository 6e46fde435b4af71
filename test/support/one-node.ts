import { createNodeSet, type NodeSet } from '../../api/nodes/node-set.ts'
import { localNetwork } from '../../scripts/contracts/network.ts'

/** The set of one node of a local chain. */
export function oneNode(url: string): NodeSet {
  return createNodeSet({ urls: [url], chainId: localNetwork.chainId, isLocal: true })
}
