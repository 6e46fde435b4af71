import type { RpcRequest } from './exchange.ts'
import type { BlockId } from './judge-nodes.ts'

/** The position of the block among the parameters of a request, for each method that reads a state. */
const blockIndex: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
}

/**
 * Replaces the block parameter of a request by the hash of the newest accepted block (EIP-1898). Only the parameter
 * `latest`, or the height of the newest accepted block, is replaced. A node without that block then returns an error.
 * Example: the parameters `[account, 'latest']` of `eth_getBalance` become `[account, { blockHash: '0xaa…' }]`.
 */
export function pinState(body: RpcRequest, newest: BlockId | null): RpcRequest {
  const index = blockIndex[body.method]
  if (newest === null || index === undefined || !Array.isArray(body.params)) return body
  const block: unknown = body.params[index] ?? 'latest'
  if (block !== 'latest' && block !== `0x${newest.number.toString(16)}`) return body
  const params: unknown[] = [...body.params]
  params[index] = { blockHash: newest.hash }
  return { ...body, params }
}
