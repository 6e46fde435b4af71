import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import type { RpcAnswer, RpcRequest } from '../../api/nodes/exchange.ts'
import { toHead } from '../../api/nodes/node.ts'
import type { NodeSet } from '../../api/nodes/node-set.ts'

/** A local HTTP server with one URL, which forwards requests to several nodes. */
export interface NodeProxy {
  url: string
  stop(): Promise<void>
}

const request = z.looseObject({
  id: z.union([z.number(), z.string(), z.null()]).optional(),
  method: z.string(),
  params: z.unknown().optional(),
})
const body = z.union([request, z.array(request)])

/**
 * Serves JSON-RPC from a set of nodes to Ponder, under one URL. If several nodes answer, a request for the latest block
 * returns a block that two nodes have.
 *
 * With several URLs, Ponder would mistake a lower block of one node for a reorg. If a lagging node lacks logs, Ponder
 * would also cache that there are no logs.
 */
export async function startNodeProxy(nodes: NodeSet): Promise<NodeProxy> {
  /** Hash of the newest block that two nodes have; null until a block is known to be on two nodes. */
  let confirmedHash: string | null = null
  /**
   * Sends a request to the nodes. If the request asks for the latest block, the answer is a block that two nodes have.
   * A block that only one node has may be undone a moment later.
   */
  const askConfirmed = async (rpcRequest: RpcRequest): Promise<RpcAnswer> => {
    const answer = await nodes.request(rpcRequest)
    const head = isHeadRequest(rpcRequest) ? toHead(answer.result) : null
    if (head === null || head.hash === confirmedHash) return answer
    const sharedHead = await nodes.findConfirmedHead(head)
    if (sharedHead === null) throw new Error('the nodes do not agree on the newest blocks')
    confirmedHash = sharedHead.hash
    return sharedHead.hash === head.hash
      ? answer
      : await nodes.request({ method: 'eth_getBlockByHash', params: [sharedHead.hash, false] })
  }
  const answer = async ({ id = null, method, params = [] }: z.infer<typeof request>) => {
    const { error, result } = await askConfirmed({ method, params })
    return error ? { jsonrpc: '2.0', id, error } : { jsonrpc: '2.0', id, result: result ?? null }
  }
  const server = createServer(async (incomingRequest, response) => {
    const headers = { 'Content-Type': 'application/json' }
    try {
      const rpcBody = body.parse(JSON.parse(await text(incomingRequest)))
      const answers = Array.isArray(rpcBody) ? await Promise.all(rpcBody.map(answer)) : await answer(rpcBody)
      response.writeHead(200, headers).end(JSON.stringify(answers))
    } catch {
      // The cause contains URLs of nodes with their keys. Ponder retries after this code and status.
      const error = { code: -32603, message: 'no node answers' }
      response.writeHead(503, headers).end(JSON.stringify({ jsonrpc: '2.0', id: null, error }))
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function isHeadRequest({ method, params }: RpcRequest): boolean {
  return method === 'eth_getBlockByNumber' && Array.isArray(params) && params[0] === 'latest'
}
