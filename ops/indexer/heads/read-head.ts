import { type BlockHeader, parseHeader } from './block-header.ts'

const REQUEST_TIMEOUT_MS = 5_000
const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['latest', false] })

/** The newest header of a node; null while it gives none. */
export async function readHead(rpcUrl: string, stopping: AbortSignal): Promise<BlockHeader | null> {
  try {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: request,
      signal: AbortSignal.any([stopping, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    })
    const { result } = (await response.json()) as { result?: unknown }
    return parseHeader(result)
  } catch {
    return null
  }
}
