import { createTransport, RpcRequestError, type Transport } from 'viem'
import type { RpcRequest } from './exchange.ts'
import type { NodeSet } from './node-set.ts'

/**
 * Creates a viem transport over a set of nodes. If the set has several nodes, a failed request goes to the next node,
 * whatever `retryCount` is, and a signed transaction goes to all nodes at once.
 * @param options.retryCount how often a failed request is repeated if the set has only one node; 0 for requests that
 * must not be repeated
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
