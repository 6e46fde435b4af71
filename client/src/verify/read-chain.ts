import { type Address, decodeEventLog, decodeFunctionResult, encodeFunctionData, type Hex, numberToHex } from 'viem'
import { type AskNode, CallReverted } from '../chain/node.ts'
import { describeFailure } from '../http/reach.ts'
import { isRecord } from '../http/shape.ts'
import { marketAbi } from './market-abi.ts'

/** Thrown when a node cannot answer a read that the verification needs. */
export class VerifyError extends Error {
  override name = 'VerifyError'
}

/** Functions that read one task from a market at one block. */
export interface MarketAt {
  /** Reads the task; null if the market has no such task. */
  task(): Promise<TaskView | null>
  hooks(): Promise<{ hooks: readonly Address[]; defaultCount: number }>
  termsHash(): Promise<Hex>
}

/** The fields of a block that the verification needs. `time` is in Unix seconds. */
export interface Block {
  number: number
  time: bigint
}

/** A decoded log of the task, with its block and transaction. Logs are listed in the order of the chain. */
export type TaskLog = ReturnType<typeof decode> & { block: Block; txHash: Hex }

/** The initial number of blocks in one `eth_getLogs` call. Most nodes allow this range. */
const LOG_BLOCKS = 5_000
/** The node's error codes for a pruned block (EIP-4444) and for a block that the node cannot find (EIP-1474). */
const ABSENT: readonly unknown[] = [4444, -32001]

/** Reports whether an error is an error answer of the node, rather than a failure to reach the node. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && 'cause' in error && !(error.cause instanceof Error)
}

function isAbsence(error: unknown): boolean {
  if (!isRefusal(error)) return false
  return error.cause == null || (isRecord(error.cause) && ABSENT.includes(error.cause.code))
}

/**
 * Wraps a function that calls a node. Rethrows an error answer of the node unchanged.
 * @throws VerifyError when the node does not answer
 */
export function insistOnAnswers(ask: AskNode): AskNode {
  return async (method, params) => {
    try {
      return await ask(method, params)
    } catch (error) {
      if (error instanceof CallReverted || isRefusal(error)) throw error
      throw new VerifyError(describeFailure('The node', error))
    }
  }
}

export type TaskView = Awaited<ReturnType<typeof readView<'getTask'>>>

/** Returns functions that read a task from the market at a block. */
export function openMarketAt(
  ask: AskNode,
  { market, taskId, block }: { market: Address; taskId: Hex; block: number },
): MarketAt {
  const at = { market, taskId, block }
  return {
    task: async () => {
      try {
        const task = await readView(ask, 'getTask', at)
        return task.status === 0 ? null : task
      } catch (error) {
        if (error instanceof CallReverted) return null
        throw error
      }
    },
    hooks: async () => {
      const [hooks, defaultCount] = await readView(ask, 'hooksOf', at)
      return { hooks, defaultCount: Number(defaultCount) }
    },
    termsHash: () => readView(ask, 'taskTermsHash', at),
  }
}

async function readView<Name extends 'getTask' | 'hooksOf' | 'taskTermsHash'>(
  ask: AskNode,
  functionName: Name,
  { market, taskId, block }: { market: Address; taskId: Hex; block: number },
) {
  const data = encodeFunctionData({ abi: marketAbi, functionName, args: [taskId] } as never)
  let answer: unknown
  try {
    answer = await ask('eth_call', [{ to: market, data }, numberToHex(block)])
  } catch (error) {
    if (!isRefusal(error)) throw error
    const hint = 'a node that keeps older states is needed, or name a newer block'
    throw new VerifyError(`The node does not have the state of block ${block}: ${hint}. ${error.message}`)
  }
  if (answer === '0x') throw new VerifyError(`The node has no market at ${market} in block ${block}.`)
  return decodeFunctionResult<typeof marketAbi, Name>({ abi: marketAbi, functionName, data: answer as Hex } as never)
}

/** Reads the latest block of a node. */
export async function readHead(ask: AskNode): Promise<Block> {
  const head = await findBlock(ask, 'latest')
  if (head === null) throw new VerifyError('The node names no newest block.')
  return head
}

/** Reads a block; null if the node does not have the block. */
export async function findBlock(ask: AskNode, block: number | 'latest'): Promise<Block | null> {
  const tag = typeof block === 'number' ? numberToHex(block) : block
  const answer = await ask('eth_getBlockByNumber', [tag, false]).catch((error) => {
    if (isAbsence(error)) return null
    throw error
  })
  if (!isRecord(answer)) return null
  return { number: Number(answer.number), time: BigInt(String(answer.timestamp)) }
}

interface LogRange {
  market: Address
  taskId: Hex
  /** The time of the task's first log, in Unix seconds. */
  from: bigint
  to: Block
  onProgress: (doneBlocks: number, of: number) => void
}

/**
 * Reads all logs of a task up to the block `to`, in block ranges that the node allows.
 * @throws VerifyError
 */
export async function readTaskLogs(
  ask: AskNode,
  { market, taskId, from, to, onProgress }: LogRange,
): Promise<TaskLog[]> {
  const first = await findBlockAt(ask, from, to)
  const rows: RawLog[] = []
  let [size, tooMany] = [LOG_BLOCKS, LOG_BLOCKS + 1]
  for (let start = first; start <= to.number; ) {
    const end = Math.min(start + size - 1, to.number)
    const range = { fromBlock: numberToHex(start), toBlock: numberToHex(end) }
    const answer = await ask('eth_getLogs', [{ address: market, topics: [null, taskId], ...range }]).catch(
      (error: Error) => {
        if (isRefusal(error)) return error
        throw error
      },
    )
    if (Array.isArray(answer)) {
      rows.push(...(answer as RawLog[]))
      start = end + 1
      if (size * 2 < tooMany) size *= 2
    } else if (size > 1) {
      tooMany = size
      size = Math.ceil(size / 4)
    } else
      throw new VerifyError(`The node does not answer the logs of block ${start}: ${String((answer as Error).message)}`)
    onProgress(start - first, to.number - first + 1)
  }
  const numbers = new Set(rows.map(({ blockNumber }) => Number(blockNumber)))
  const blocks = new Map<number, Block>()
  for (const number of numbers) {
    const block = await findBlock(ask, number)
    if (block === null) throw new VerifyError(`The node does not have block ${number}, whose log it has.`)
    blocks.set(number, block)
  }
  return rows.flatMap((row) => {
    const block = blocks.get(Number(row.blockNumber))
    return block === undefined ? [] : [{ ...decode(row), block, txHash: row.transactionHash }]
  })
}

interface RawLog {
  blockNumber: Hex
  transactionHash: Hex
  topics: [Hex, ...Hex[]]
  data: Hex
}

function decode({ topics, data }: RawLog) {
  return decodeEventLog({ abi: marketAbi, topics, data })
}

/** Finds the number of the first block whose time is `time` (Unix seconds) or later, by bisection. */
async function findBlockAt(ask: AskNode, time: bigint, to: Block): Promise<number> {
  let [low, high] = [0, to.number]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const block = await findBlock(ask, middle)
    // A block that the node does not have is older than those it has.
    if (block === null || block.time < time) low = middle + 1
    else high = middle
  }
  return low
}
