import { setTimeout as pause } from 'node:timers/promises'
import type { Replica } from '../environment/replica.ts'
import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { type DirectRequester, openRequester } from '../inject/direct-requester.ts'
import { firstOf } from '../inject/steps.ts'

/** Most blocks that Ponder takes back when it starts: with one more, it makes the older half of them final. */
const BLOCKS = 59
/** Longest time without reads, milliseconds. */
const LONGEST_MS = 10_000
/** Between two reads, milliseconds. */
const PAUSE_MS = 10
/** Number of reads of an indexer that is stopped. */
const READS_WHILE_STOPPED = 50
const PATH = '/api/tasks?limit=50'

/** Ponder takes rows back when it starts: readers see all of them, or a 503 for some seconds, and never fewer. */
export const faultCases: readonly FaultCase[] = [
  {
    name: 'indexer: takes 59 blocks back after a crash',
    topology: 1,
    short: false,
    endsEnvironment: true,
    run: (context) =>
      readThrough(context, async () => {
        const { indexer } = context.environment
        const { pid } = indexer
        process.kill(pid, 'SIGKILL')
        await context.until('the indexer to be started again', () => indexer.pid !== pid, 30_000)
      }),
  },
  {
    name: 'indexer: is stopped well, and started again later',
    topology: 1,
    short: false,
    endsEnvironment: true,
    run: (context) =>
      readThrough(context, async (reads) => {
        await context.environment.indexer.stop()
        const stoppedAt = reads.length
        await context.until('reads without an indexer', () => reads.length > stoppedAt + READS_WHILE_STOPPED)
        if (reads.some(({ status }) => status !== 200)) throw new Error('rows of a stopped indexer were not served')
        await context.environment.restartIndexer()
      }),
  },
]

interface Read {
  atMs: number
  status: number
  text: string
  retryAfter: string | null
}

/** @param restart resolves when the indexer runs again */
async function readThrough(
  context: FaultCaseContext,
  restart: (reads: readonly Read[]) => Promise<void>,
): Promise<void> {
  const height = await fillUnsafeBlocks(context, await openRequester(context))
  const replica = firstOf(context)
  const whole = await readTasks(replica)
  const reads: Read[] = []
  const stopping = new AbortController()
  const reading = (async () => {
    while (!stopping.signal.aborted) {
      reads.push(await readTasks(replica))
      await pause(PAUSE_MS)
    }
  })()
  await restart(reads)
  const isWhole = ({ status, text }: Read) => status === 200 && text === whole.text
  const restartedAt = reads.length
  await context.until('rows that are there again', () => reads.slice(restartedAt).some(isWhole), LONGEST_MS)
  stopping.abort()
  await reading

  const others = reads.filter((read) => !isWhole(read))
  const wrong = others.find((read) => !isRecovering(read, height))
  if (wrong !== undefined) throw new Error(`a read was answered ${JSON.stringify(wrong)}`)
  const [first] = others
  if (first === undefined) throw new Error('no read was refused: the fault case injects nothing')
  const end = reads.find((read) => isWhole(read) && read.atMs > first.atMs)
  const milliseconds = (end?.atMs ?? Number.POSITIVE_INFINITY) - first.atMs
  context.note(`${others.length} reads were refused, for ${(milliseconds / 1000).toFixed(1)} s`)
  context.noteRecovery(milliseconds)
  if (milliseconds > LONGEST_MS) throw new Error(`reads were refused for ${milliseconds} ms`)
}

/** Creates tasks until a start takes as many blocks back as it ever does. @returns the height of the rows */
async function fillUnsafeBlocks(context: FaultCaseContext, requester: DirectRequester): Promise<bigint> {
  const { sql, indexer, client } = context.environment
  /** Number of blocks above the safe one, once all are indexed; the rest of the chain's are final then. */
  const countUnsafe = async (): Promise<number | null> => {
    const [row] = await sql<{ latest: string; safe: string }[]>`
      SELECT substr(latest_checkpoint, 27, 16)::bigint AS latest, substr(safe_checkpoint, 27, 16)::bigint AS safe
      FROM ${sql(indexer.schema)}._ponder_checkpoint`
    const [latest, safe] = [BigInt(row?.latest ?? 0), BigInt(row?.safe ?? 0)]
    const unsafe = Number(latest - safe)
    return latest === (await client.getBlockNumber()) && unsafe <= BLOCKS ? unsafe : null
  }
  for (;;) {
    const unsafe = Number(await context.until('the blocks to be indexed', countUnsafe))
    if (unsafe === BLOCKS) return await client.getBlockNumber()
    await requester.create(BLOCKS - unsafe)
  }
}

async function readTasks({ url }: Replica): Promise<Read> {
  const response = await fetch(url + PATH)
  const text = await response.text()
  return {
    atMs: Math.round(performance.now()),
    status: response.status,
    text,
    retryAfter: response.headers.get('retry-after'),
  }
}

function isRecovering({ status, text, retryAfter }: Read, height: bigint): boolean {
  const { error, service } = JSON.parse(text) as { error?: string; service?: { detail?: string } }
  const saysHeight = error?.includes(`up to block ${height} `) === true
  return status === 503 && service?.detail === 'index_recovering' && retryAfter === '2' && saysHeight
}
