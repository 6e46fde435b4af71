import { type Hex, hexToBigInt, isHash, numberToHex } from 'viem'
import type { RpcAnswer, RpcCall } from './rpc-call.ts'
import type { AskNode } from './rpc-faults.ts'

/** Index of the block among the parameters of a method that reads state. */
export const stateParameter: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_estimateGas: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_getStorageAt: 2,
  eth_feeHistory: 1,
}

/** Heights above the head, and every tag of the newest state, become the head. */
export function atMost(block: unknown, head: bigint): unknown {
  if (block === undefined || block === 'latest' || block === 'pending') return numberToHex(head)
  return isHeight(block) && hexToBigInt(block) > head ? numberToHex(head) : block
}

export function isHeight(block: unknown): block is Hex {
  return typeof block === 'string' && /^0x[0-9a-f]{1,16}$/i.test(block)
}

/** The hash by which a call names its block; null: it names none, or by height or tag. */
export function hashIn({ method, params }: RpcCall): Hex | null {
  const named = params[stateParameter[method] ?? 0] as { blockHash?: Hex } | Hex | null | undefined
  const isBlock = method === 'eth_getBlockByHash' || method === 'eth_getBlockReceipts'
  if (typeof named === 'string') return isBlock && isHash(named) ? named : null
  return named?.blockHash ?? null
}

/** True for a call that names a block above the height by its hash. */
export async function namesBlockAbove(call: RpcCall, height: bigint, node: AskNode): Promise<boolean> {
  const hash = hashIn(call)
  if (hash === null) return false
  const block = (await node('eth_getBlockByHash', [hash, false])) as { number: Hex } | null
  return block !== null && hexToBigInt(block.number) > height
}

/** The answer of a node that does not have the block that a call names. */
export function lackingAnswer({ method }: RpcCall): RpcAnswer {
  const isNull = method === 'eth_getBlockByHash' || method === 'eth_getBlockReceipts'
  return isNull ? { result: null } : { error: { code: -32_000, message: 'header not found' } }
}
