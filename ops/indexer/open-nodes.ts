import { readFileSync } from 'node:fs'
import { createNodeSet } from '../../api/nodes/node-set.ts'
import { type NodeProxy, startNodeProxy } from './node-proxy.ts'

export interface NodesOptions {
  /** URLs of the chain's nodes, in the order of preference. */
  rpcUrls: readonly string[]
  deploymentFile: string
  /** True for a chain on this machine. The time of such a chain may differ from the machine's clock. */
  isLocal: boolean
  log: (line: string) => void
}

/**
 * Opens the URL that Ponder and its supervisor use: the node's own URL for one node, or the URL of a local proxy for
 * several nodes.
 */
export async function openNodes({ rpcUrls, deploymentFile, isLocal, log }: NodesOptions): Promise<NodeProxy> {
  const [onlyUrl, ...others] = rpcUrls
  if (onlyUrl === undefined) throw new Error('the indexer needs a node')
  if (others.length === 0) return { url: onlyUrl, stop: async () => {} }
  const { chainId } = JSON.parse(readFileSync(deploymentFile, 'utf8')) as { chainId: number }
  const nodes = createNodeSet({
    urls: rpcUrls,
    chainId,
    isLocal,
    onChange: ({ node, verdict, isCurrent, block }) =>
      log(`node ${node}: ${verdict}${isCurrent ? ', current' : ''}${block === null ? '' : `, block ${block}`}`),
  })
  const proxy = await startNodeProxy(nodes)
  return {
    url: proxy.url,
    stop: async () => {
      nodes.close()
      await proxy.stop()
    },
  }
}
