import { setTimeout as pause } from 'node:timers/promises'
import { findIndexedHead } from '../../../ops/indexer/indexed-head.ts'
import type { PreparedWrite } from '../client/operations.ts'
import type { Environment } from '../environment/environment.ts'
import type { HttpEntry } from '../environment/evidence-log.ts'
import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { startBlocks } from '../inject/chain.ts'
import { type NodeFault, nodeFaults } from '../inject/node-faults.ts'
import { startReadLoad } from '../inject/read-load.ts'
import type { Passage, RpcProxy } from '../inject/rpc-proxy.ts'
import { firstOf, untilStatus } from '../inject/steps.ts'
import { startTrying, type TriedWrite } from '../inject/try-write.ts'
import { startWriteLoad } from '../inject/write-load.ts'

/** Classes of writes with each way of payment that need little preparation. */
const CLASSES = ['create', 'fee-paid', 'free', 'stake', 'withdraw']
/** How long the node fails, and how long the load goes on afterwards, milliseconds. */
const FAULT_MS = 5_000
const AFTER_MS = 2_000
/** Time between two blocks, milliseconds. */
const BLOCK_EVERY_MS = 300
/** Time between two writes that ask for their price, milliseconds. */
const TRY_EVERY_MS = 100
/** How long rows may be older than the chain, milliseconds. */
const MOST_BEHIND_MS = 8_000

/** One of three nodes fails during reads and writes: no client sees it. */
export const faultCases: readonly FaultCase[] = nodeFaults.flatMap((fault) =>
  // The third is used as the second is.
  [1, 2].map(
    (place): FaultCase => ({
      name: `several nodes: ${fault.name}, node ${place}`,
      topology: 1,
      short: false,
      hasSeveralNodes: true,
      run: (context) => runThrough(context, { fault, place }),
    }),
  ),
)

interface Place {
  fault: NodeFault
  /** Place of the node in the list, from 1. */
  place: number
}

async function runThrough(context: FaultCaseContext, { fault, place }: Place): Promise<void> {
  const { environment } = context
  const [first, ...others] = environment.nodes
  const node = environment.nodes[place - 1]
  if (first === undefined || node === undefined) throw new Error(`there is no node ${place}`)
  await useFirstNode(context)
  if (node === first) startedWithFirst.delete(environment)
  const armed = await fault.arm(node, context)
  const burst = await prepareEach(context)
  const users = watchUsers(environment.nodes)
  const stopBlocks = startBlocks(environment.anvil, BLOCK_EVERY_MS)
  const rows = watchRows(context)
  const reads = startReadLoad(context)
  const writes = startWriteLoad(context, CLASSES)
  const stopTrying = startTrying(firstOf(context), TRY_EVERY_MS)
  let beganAt = Number.NaN
  const failForAWhile = async () => {
    await context.until(
      'the service and the indexer at the first node',
      () => users.isServiceAt([first]) && users.isIndexerAt([first]),
    )
    if (users.isServiceAt(others) || users.isIndexerAt(others)) {
      throw new Error('another node than the first was used before the fault')
    }
    const outcomes = writes.add(burst)
    await untilStatus(context, burst, ['recorded', 'broadcast', 'completed'])
    await armed.begin()
    beganAt = Date.now()
    noteTimes(context, outcomes)
    if (node === first) noteSwitch(context, others)
    await pause(FAULT_MS)
    await armed.end()
    await pause(AFTER_MS)
  }
  const [failed] = await Promise.allSettled([failForAWhile()])
  await armed.end()
  const ended = await Promise.allSettled([
    stopTrying().then((tries) => expectPrices(context, tries)),
    writes.stop(),
    reads.stop(),
    rows.stop(),
    stopBlocks(),
  ])
  expectSuccess(context, beganAt)
  for (const each of [failed, ...ended]) if (each.status === 'rejected') throw each.reason
}

/** Environments whose service and indexer have used the first node since they started. */
const startedWithFirst = new WeakSet<Environment>()

/** Both users of the nodes begin with the first one. They are started again after it failed. */
async function useFirstNode(context: FaultCaseContext): Promise<void> {
  const { environment } = context
  if (environment.isIndexerBehindNodes && startedWithFirst.has(environment)) return
  const replica = firstOf(context)
  const settings = replica.settings() ?? {}
  const restartReplica = async () => {
    await replica.stop()
    await replica.start(settings)
  }
  const restartIndexer = async () => {
    await environment.indexer.stop()
    await environment.restartIndexer(true)
  }
  await Promise.all([restartReplica(), restartIndexer()])
  startedWithFirst.add(environment)
}

const isOfService = ({ method }: Passage) => method === 'eth_call'
/** Only Ponder asks for the logs of all addresses. */
const isOfIndexer = ({ method, params }: Passage) => method === 'eth_getLogs' && !('address' in (params[0] as object))

/** Tells which nodes answer calls that no check of a node makes, from now on. */
function watchUsers(nodes: readonly RpcProxy[]) {
  const before = new Map(nodes.map((node) => [node, node.passages().length]))
  const isUsed = (node: RpcProxy, isOf: (passage: Passage) => boolean) =>
    node.passages().slice(before.get(node)).some(isOf)
  return {
    isServiceAt: (of: readonly RpcProxy[]) => of.some((node) => isUsed(node, isOfService)),
    isIndexerAt: (of: readonly RpcProxy[]) => of.some((node) => isUsed(node, isOfIndexer)),
  }
}

/** Notes when the service and the indexer use another node than the first. */
function noteSwitch({ until, note }: FaultCaseContext, others: readonly RpcProxy[]): void {
  const users = watchUsers(others)
  const beganAt = performance.now()
  const noteWhen = async (what: string, isThere: () => boolean): Promise<void> => {
    const hasMoved = await until(what, isThere, FAULT_MS).catch(() => false)
    note(hasMoved ? `${what} after ${(performance.now() - beganAt).toFixed(0)} ms` : `not ${what}`)
  }
  noteWhen('the service at another node', () => users.isServiceAt(others))
  noteWhen('the indexer at another node', () => users.isIndexerAt(others))
}

/** Notes the time from the fault to the outcome of each. */
function noteTimes({ noteRecovery }: FaultCaseContext, outcomes: readonly Promise<unknown>[]): void {
  const beganAt = performance.now()
  for (const outcome of outcomes) outcome.then(() => noteRecovery(performance.now() - beganAt)).catch(() => {})
}

/** One write of each class. */
async function prepareEach(context: FaultCaseContext): Promise<PreparedWrite[]> {
  const writes: PreparedWrite[] = []
  for (const name of CLASSES) writes.push(...(await context.prepare(name)))
  return writes
}

interface RowWatch {
  /** @throws when rows went back, or were too old for too long */
  stop(): Promise<void>
}

/** Watches how far the rows follow the chain. */
function watchRows({ environment, note }: FaultCaseContext): RowWatch {
  const { client, sql, indexer } = environment
  const stopping = new AbortController()
  let [indexed, mostBehindMs, undone] = [0n, 0, 0n]
  /** Heads without rows, with the time at which each was seen. */
  let unindexed: { height: bigint; at: number }[] = []
  const look = async (): Promise<void> => {
    const height = await client.getBlockNumber()
    const at = performance.now()
    if (height > (unindexed.at(-1)?.height ?? indexed)) unindexed.push({ height, at })
    const { blockNumber } = (await findIndexedHead(sql, indexer.schema)) ?? { blockNumber: 0n }
    if (blockNumber < indexed) undone += indexed - blockNumber
    indexed = blockNumber
    unindexed = unindexed.filter((each) => each.height > indexed)
    mostBehindMs = Math.max(mostBehindMs, performance.now() - (unindexed[0]?.at ?? at))
  }
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      await look()
      await pause(50)
    }
  })()
  watching.catch(() => {})
  return {
    stop: async () => {
      stopping.abort()
      await watching
      note(`rows at most ${mostBehindMs.toFixed(0)} ms behind, ${undone} blocks of them undone`)
      if (undone > 0n) throw new Error(`rows of ${undone} blocks were undone`)
      if (mostBehindMs > MOST_BEHIND_MS) throw new Error(`the rows were ${mostBehindMs.toFixed(0)} ms behind the chain`)
    },
  }
}

/**
 * Throws when a request to write had another answer than success, the challenge of a payment apart: also one that asks for a
 * repetition is a failure while two nodes are well.
 */
function expectSuccess({ environment: { log }, note }: FaultCaseContext, beganAt: number): void {
  const current = log.faultCases.at(-1)?.name
  const requests = log.http.filter(({ faultCase, method }) => faultCase === current && method === 'POST')
  const isFailure = ({ status, carriesPayment }: HttpEntry) =>
    status === null || (status >= 400 && (status !== 402 || carriesPayment))
  const failures = requests.filter(isFailure)
  const count = (wanted: number) => failures.filter(({ status }) => status === wanted).length
  note(`${requests.length} requests to write, ${count(503)} times 503, ${failures.length - count(503)} other failures`)
  if (failures.length === 0) return
  const texts = failures.map(
    ({ path, status, startedAt, endedAt, body, failure }) =>
      `POST ${path} at ${startedAt - beganAt} to ${endedAt - beganAt} ms: ${status} ${JSON.stringify(body ?? failure)}`,
  )
  throw new Error(`${failures.length} requests to write failed:\n${texts.join('\n')}`)
}

/** Throws when a write that is paid was not answered with its price. */
function expectPrices({ note }: FaultCaseContext, tries: readonly TriedWrite[]): void {
  const slowest = Math.max(...tries.map(({ milliseconds }) => milliseconds))
  const others = tries.filter(({ status }) => status !== 402)
  note(`${tries.length} prices, the slowest after ${slowest.toFixed(0)} ms, ${others.length} refused`)
  if (others.length > 0) throw new Error(`${others.length} prices were refused: ${JSON.stringify(others.slice(0, 5))}`)
}
