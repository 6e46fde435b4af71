import type { RpcRequest } from './exchange.ts'
import type { BlockId } from './judge-nodes.ts'

/** Index of the block among the parameters of a request that reads a state. */
const blockIndex: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
}

/**
 * Names the newest block that was taken from the nodes by its hash (EIP-1898), where a request reads the newest state or that at
 * its height. A node that lags, is on a fork or serves another chain has no answer then, instead of one that refuses what the chain
 * admits.
 *
 * Example: `eth_getBalance` of `[account, 'latest']` becomes one of `[account, { blockHash: '0xaa…' }]`.
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
