import { type Hex, hexToBigInt, numberToHex } from 'viem'
import { atMost, isHeight, lackingAnswer, namesBlockAbove, stateParameter } from './block-of-call.ts'
import type { RpcAnswer, RpcCall } from './rpc-call.ts'
import type { AskNode, RpcRule } from './rpc-faults.ts'

const blockParameter: Readonly<Record<string, number>> = {
  ...stateParameter,
  eth_getBlockByNumber: 0,
  eth_getBlockReceipts: 0,
}

/** Methods whose answer names a block, or is null. */
const located = new Set(['eth_getTransactionReceipt', 'eth_getTransactionByHash', 'eth_getBlockByHash'])

type Blocks = { blocksBehind: bigint } | { stoppedAt: bigint }

/**
 * A node that lags: its head is older than the chain's; it accepts transactions, and every answer is true for its head. The
 * head follows the chain's at a distance, or stays. (`safe` and `finalized` are the chain's: they are older.)
 */
export function staleHead(blocks: Blocks): RpcRule {
  const headOf = async (node: AskNode): Promise<bigint> => {
    const newest = hexToBigInt((await node('eth_blockNumber')) as Hex)
    const wanted = 'stoppedAt' in blocks ? blocks.stoppedAt : newest - blocks.blocksBehind
    if (wanted > newest) return newest
    return wanted < 0n ? 0n : wanted
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
