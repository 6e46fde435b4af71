import { createNodeSet, type NodeSet } from '../../api/nodes/node-set.ts'

/** The set of one node of a local chain. */
export function oneNode(url: string): NodeSet {
  return createNodeSet({ urls: [url], chainId: 8453, isLocal: true })
}
