import { createTransport, RpcRequestError, type Transport } from 'viem'
import type { RpcRequest } from './exchange.ts'
import type { NodeSet } from './node-set.ts'

/**
 * JSON-RPC of a set of nodes for viem's clients. Of several nodes the set itself asks the next one.
 * @param options.retryCount repetitions of a request to the only node of a set; 0 where it must be sent once
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
