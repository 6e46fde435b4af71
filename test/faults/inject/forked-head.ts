import { concat, type Hex, hexToBigInt, numberToHex, slice } from 'viem'
import { atMost, hashIn, lackingAnswer, namesBlockAbove, stateParameter } from './block-of-call.ts'
import type { RpcCall } from './rpc-call.ts'
import type { AskNode, RpcRule } from './rpc-faults.ts'

/** First bytes of the hash of a fork's block; its fork point and its height follow. */
const FORK_MARK: Hex = `0x${'f0'.repeat(16)}`
/** Root of a trie without entries. */
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

const locatedMethods = ['eth_getTransactionReceipt', 'eth_getTransactionByHash', 'eth_getBlockReceipts', 'eth_getLogs']
const blockMethods = ['eth_getBlockByNumber', 'eth_getBlockByHash']

/**
 * A node on the fork of a minority: after `forkPoint` it has other blocks, as many as the chain and with the same times. They
 * are empty, so its state stays that of the fork point, and transactions above it wait in its pool. It accepts transactions and
 * passes them on to the others. All its answers agree. Without the rule it is back on the chain, by a reorg.
 *
 * Example: while the head is 103, `forkedHead({ forkPoint: 100n })` replaces three blocks at once.
 */
export function forkedHead({ forkPoint }: { forkPoint: bigint }): RpcRule {
  return {
    methods: [...Object.keys(stateParameter), ...locatedMethods, ...blockMethods],
    fault: {
      kind: 'lie',
      ask: (call, node) => askOn(call, { forkPoint, node }),
      answer: async (answer, call, node) => {
        if (await namesBlockAbove(call, forkPoint, node)) return lackingAnswer(call)
        return 'error' in answer ? answer : { result: await answerOn(answer.result, call, { forkPoint, node }) }
      },
    },
  }
}

interface Fork {
  forkPoint: bigint
  node: AskNode
}

function hashOf(height: bigint, forkPoint: bigint): Hex {
  return concat([FORK_MARK, numberToHex(forkPoint, { size: 8 }), numberToHex(height, { size: 8 })])
}

/** Null: no block of a fork. */
function heightOf(hash: Hex): bigint | null {
  return slice(hash, 0, 16) === FORK_MARK ? hexToBigInt(slice(hash, 24)) : null
}

/** Asks the node, which is on the chain, for what the answer is made of. */
async function askOn(call: RpcCall, { forkPoint, node }: Fork): Promise<RpcCall> {
  const hash = hashIn(call)
  const height = hash === null ? null : heightOf(hash)
  const index = stateParameter[call.method]
  if (index !== undefined) {
    const head = hexToBigInt((await node('eth_blockNumber')) as Hex)
    const params = [...call.params]
    params[index] =
      height === null ? atMost(params[index], head < forkPoint ? head : forkPoint) : numberToHex(forkPoint)
    return { ...call, params }
  }
  if (height === null) return call
  const block = numberToHex(height)
  if (call.method === 'eth_getLogs') return { ...call, params: [{ fromBlock: block, toBlock: block }] }
  return { ...call, method: call.method.replace('ByHash', 'ByNumber'), params: [block, ...call.params.slice(1)] }
}

async function answerOn(result: unknown, { method }: RpcCall, { forkPoint, node }: Fork): Promise<unknown> {
  const isAbove = ({ number, blockNumber }: Located) => {
    const height = number ?? blockNumber
    return height !== undefined && height !== null && hexToBigInt(height) > forkPoint
  }
  switch (method) {
    case 'eth_getLogs':
    case 'eth_getBlockReceipts':
      return (result as Located[] | null)?.filter((each) => !isAbove(each)) ?? null
    case 'eth_getTransactionReceipt':
      return result !== null && isAbove(result as Located) ? null : result
    case 'eth_getTransactionByHash':
      if (result === null || !isAbove(result as Located)) return result
      return { ...(result as object), blockHash: null, blockNumber: null, transactionIndex: null }
    case 'eth_getBlockByNumber':
    case 'eth_getBlockByHash':
      return result !== null && isAbove(result as Located)
        ? await toForked(result as Block, { forkPoint, node })
        : result
    default:
      return result
  }
}

interface Located {
  number?: Hex
  blockNumber?: Hex | null
}

type Block = Record<string, unknown> & { number: Hex; parentHash: Hex }

/** The fork's block at the height of a block of the chain. */
async function toForked(block: Block, { forkPoint, node }: Fork): Promise<Block> {
  const height = hexToBigInt(block.number)
  const last = (await node('eth_getBlockByNumber', [numberToHex(forkPoint), false])) as { hash: Hex; stateRoot: Hex }
  return {
    ...block,
    hash: hashOf(height, forkPoint),
    parentHash: height - 1n === forkPoint ? last.hash : hashOf(height - 1n, forkPoint),
    stateRoot: last.stateRoot,
    transactionsRoot: EMPTY_ROOT,
    receiptsRoot: EMPTY_ROOT,
    logsBloom: `0x${'00'.repeat(256)}`,
    gasUsed: '0x0',
    transactions: [],
  }
}
