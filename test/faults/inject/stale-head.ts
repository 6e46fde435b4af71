import { type Hex, hexToBigInt, isHash, numberToHex } from 'viem'
import type { RpcAnswer, RpcCall } from './rpc-call.ts'
import type { AskNode, RpcRule } from './rpc-faults.ts'

/** Index of the block among the parameters of a method that reads state. */
const stateParameter: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_estimateGas: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_getStorageAt: 2,
  eth_feeHistory: 1,
}

const blockParameter: Readonly<Record<string, number>> = {
  ...stateParameter,
  eth_getBlockByNumber: 0,
  eth_getBlockReceipts: 0,
}

/** Methods whose answer names a block, or is null. */
const located = new Set(['eth_getTransactionReceipt', 'eth_getTransactionByHash', 'eth_getBlockByHash'])

/**
 * A node that lags: its head follows the chain's at a distance; it accepts transactions, and every answer is true for its
 * head. (`safe` and `finalized` are the chain's: they are older.)
 */
export function staleHead({ blocksBehind }: { blocksBehind: bigint }): RpcRule {
  const headOf = async (node: AskNode): Promise<bigint> => {
    const newest = hexToBigInt((await node('eth_blockNumber')) as Hex)
    return newest < blocksBehind ? 0n : newest - blocksBehind
  }
  return {
    methods: [...Object.keys(blockParameter), ...located, 'eth_blockNumber', 'eth_getLogs'],
    fault: {
      kind: 'lie',
      ask: async (call, node) => askAt(call, await headOf(node)),
      answer: async (answer, call, node) => {
        const head = await headOf(node)
        if (await namesBlockAbove(call, head, node)) return lackingAnswer(call)
        return 'error' in answer ? answer : answerAt(answer, call, head)
      },
    },
  }
}

function askAt(call: RpcCall, head: bigint): RpcCall {
  if (call.method === 'eth_getLogs') {
    const [filter] = call.params
    const { fromBlock, toBlock } = filter as { fromBlock?: unknown; toBlock?: unknown }
    const bounded = { ...(filter as object), fromBlock: atMost(fromBlock, head), toBlock: atMost(toBlock, head) }
    return 'blockHash' in bounded ? call : { ...call, params: [bounded] }
  }
  const index = blockParameter[call.method]
  if (index === undefined) return call
  // A block above its head does not exist for it.
  if (call.method === 'eth_getBlockByNumber' && isHeight(call.params[0])) return call
  const params = [...call.params]
  params[index] = atMost(params[index], head)
  return { ...call, params }
}

function answerAt(answer: { result: unknown }, call: RpcCall, head: bigint): RpcAnswer {
  const { result } = answer
  if (call.method === 'eth_blockNumber') return { result: numberToHex(head) }
  if (call.method === 'eth_getLogs') {
    return { result: (result as { blockNumber: Hex }[]).filter((log) => hexToBigInt(log.blockNumber) <= head) }
  }
  const isBlock = call.method === 'eth_getBlockByNumber' || call.method === 'eth_getBlockByHash'
  if (!isBlock && !located.has(call.method)) return answer
  const height = (result as { number?: Hex; blockNumber?: Hex | null } | null)?.[isBlock ? 'number' : 'blockNumber']
  return height !== undefined && height !== null && hexToBigInt(height) > head ? { result: null } : answer
}

/** Heights above the head, and every tag of the newest state, become the head. */
function atMost(block: unknown, head: bigint): unknown {
  if (block === undefined || block === 'latest' || block === 'pending') return numberToHex(head)
  return isHeight(block) && hexToBigInt(block) > head ? numberToHex(head) : block
}

function isHeight(block: unknown): block is Hex {
  return typeof block === 'string' && /^0x[0-9a-f]{1,16}$/i.test(block)
}

/** The hash by which a call names its block; null: it names none, or by height or tag. */
function hashIn({ method, params }: RpcCall): Hex | null {
  const named = params[stateParameter[method] ?? 0] as { blockHash?: Hex } | Hex | null | undefined
  const isBlock = method === 'eth_getBlockByHash' || method === 'eth_getBlockReceipts'
  if (typeof named === 'string') return isBlock && isHash(named) ? named : null
  return named?.blockHash ?? null
}

/** True for a call that names a block above the height by its hash. */
async function namesBlockAbove(call: RpcCall, height: bigint, node: AskNode): Promise<boolean> {
  const hash = hashIn(call)
  if (hash === null) return false
  const block = (await node('eth_getBlockByHash', [hash, false])) as { number: Hex } | null
  return block !== null && hexToBigInt(block.number) > height
}

/** The answer of a node that does not have the block that a call names. */
function lackingAnswer({ method }: RpcCall): RpcAnswer {
  const isNull = method === 'eth_getBlockByHash' || method === 'eth_getBlockReceipts'
  return isNull ? { result: null } : { error: { code: -32_000, message: 'header not found' } }
}
