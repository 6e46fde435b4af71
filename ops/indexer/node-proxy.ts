import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import type { NodeSet } from '../../api/nodes/node-set.ts'

/** One URL of this machine before several nodes. */
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
 * Serves JSON-RPC of a set of nodes to Ponder. Given several URLs, Ponder spreads its requests over them, takes a lower block of one
 * for a reorg, and caches the empty logs of a node that lags.
 */
export async function startNodeProxy(nodes: NodeSet): Promise<NodeProxy> {
  const answer = async ({ id = null, method, params }: z.infer<typeof request>) => {
    const { error, result } = await nodes.request({ method, params: params ?? [] })
    return error ? { jsonrpc: '2.0', id, error } : { jsonrpc: '2.0', id, result: result ?? null }
  }
  const server = createServer(async (incoming, response) => {
    const headers = { 'Content-Type': 'application/json' }
    try {
      const parsed = body.parse(JSON.parse(await text(incoming)))
      const answers = Array.isArray(parsed) ? await Promise.all(parsed.map(answer)) : await answer(parsed)
      response.writeHead(200, headers).end(JSON.stringify(answers))
    } catch {
      // The cause names URLs of nodes, and keys in them. Ponder asks again after this code and status.
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
