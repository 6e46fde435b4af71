import { createTransport, RpcRequestError, type Transport } from 'viem'
import type { RpcRequest } from './exchange.ts'
import type { NodeSet } from './node-set.ts'

/**
 * Creates a viem transport over a set of nodes. If the set has several nodes, it sends a failed request to the next
 * node.
 * @param options.retryCount the number of times that a failed request is sent again if the set has only one node; 0 for
 * requests that must not be sent twice
 */
export function nodesTransport(nodes: NodeSet, { retryCount }: { retryCount: number }): Transport {
  const ask = async (body: RpcRequest): Promise<unknown> => {
    const { error, result } = await nodes.request(body)
    // Some nodes send `error: null` with every result.
    if (error) throw new RpcRequestError({ body: { ...body }, error, url: '' })
    return result
  }
  return () =>
    createTransport({
      key: 'nodes',
      name: 'JSON-RPC',
      type: 'http',
      request: ask as never,
      retryCount: nodes.size === 1 ? retryCount : 0,
      retryDelay: 100,
    })
}
