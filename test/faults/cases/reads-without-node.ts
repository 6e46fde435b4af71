import { setTimeout as pause } from 'node:timers/promises'
import type { Replica } from '../environment/replica.ts'
import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import type { RpcRule } from '../inject/rpc-faults.ts'
import { staleHead } from '../inject/stale-head.ts'
import { expectAll, firstOf, performAll } from '../inject/steps.ts'
import { tryWrite } from '../inject/try-write.ts'

/** How long the node fails, milliseconds. */
const OUTAGE_MS = 60_000
/** Between two reads, milliseconds. */
const PAUSE_MS = 25
/** Reads of the quiet service, which the others are compared with. */
const QUIET_READS = 300
/** From the begin of the outage to refusals of writes that do not wait, milliseconds. */
const SETTLED_MS = 5_000
/** Longest time of an answer that counts as at once, milliseconds. */
const AT_ONCE_MS = 500

const faults: readonly { name: string; rule: RpcRule; refusesWrites: boolean }[] = [
  { name: 'it refuses', rule: { fault: { kind: 'drop-request' } }, refusesWrites: true },
  { name: 'it hangs', rule: { fault: { kind: 'hang', reachesNode: false } }, refusesWrites: true },
  {
    name: 'it answers 429',
    rule: { fault: { kind: 'status', status: 429, retryAfterSeconds: 30 } },
    refusesWrites: true,
  },
  { name: 'its head is far below the indexed one', rule: staleHead({ blocksBehind: 50n }), refusesWrites: false },
]

/** Whatever the node does, reads are the same answers as before, as fast as before; also in a process that starts then. */
export const faultCases: readonly FaultCase[] = [
  {
    name: 'reads without a node: a process starts',
    topology: 1,
    isOutage: true,
    short: false,
    run: startWithout,
  },
  ...faults.map(
    (fault): FaultCase => ({
      name: `reads without a node: ${fault.name}`,
      topology: 1,
      isOutage: true,
      // Each takes longer than a minute.
      short: false,
      deadlineMs: 150_000,
      run: (context) => readThrough(context, fault),
    }),
  ),
]

async function startWithout(context: FaultCaseContext): Promise<void> {
  const replica = firstOf(context)
  expectAll(await performAll(context, await context.prepare('create', 2)), 'completed')
  const paths = await pathsOf(replica)
  const quiet = await Promise.all(paths.map((_, turn) => readOnce(replica, paths, turn)))
  const writes = await context.prepare('create', 1)
  await replica.stop()
  replica.rpc.inject({ fault: { kind: 'drop-request' } })
  await replica.start()
  compare(quiet, await Promise.all(paths.map((_, turn) => readOnce(replica, paths, turn))))
  const refused = await tryWrite(replica)
  if (refused.status !== 503) throw new Error(`a write without a checked chain was answered ${refused.status}`)
  replica.rpc.clear()
  const clearedAt = performance.now()
  expectAll(await performAll(context, writes), 'completed')
  context.noteRecovery(performance.now() - clearedAt)
}

interface ReadOnce {
  path: string
  milliseconds: number
  status: number
  text: string
}

async function readThrough(context: FaultCaseContext, { rule, refusesWrites }: (typeof faults)[number]): Promise<void> {
  const replica = firstOf(context)
  expectAll(await performAll(context, await context.prepare('create', 4)), 'completed')
  const paths = await pathsOf(replica)
  const quiet: ReadOnce[] = []
  for (let turn = 0; turn < QUIET_READS; turn += 1) quiet.push(await readOnce(replica, paths, turn))
  replica.rpc.inject(rule)
  const began = performance.now()
  const during: ReadOnce[] = []
  const refusals: { status: number; milliseconds: number }[] = []
  for (let turn = 0; performance.now() - began < OUTAGE_MS; turn += 1) {
    during.push(await readOnce(replica, paths, turn))
    if (refusesWrites && turn % 100 === 99 && performance.now() - began > SETTLED_MS)
      refusals.push(await tryWrite(replica))
  }
  replica.rpc.clear()
  compare(quiet, during)
  const [before, after] = [p99(quiet), p99(during)]
  context.note(`${during.length} reads, p99 ${after.toFixed(1)} ms (quiet ${before.toFixed(1)} ms)`)
  if (after > before * 1.5 + 5) throw new Error(`p99 of reads is ${after} ms; it was ${before} ms`)
  const slow = refusals.filter(({ status, milliseconds }) => status !== 503 || milliseconds > AT_ONCE_MS)
  if (slow.length > 0) throw new Error(`writes were not refused at once: ${JSON.stringify(slow)}`)
  if (refusesWrites && refusals.length === 0) throw new Error('no write was tried')
  expectAll(await performAll(context, await context.prepare('create', 2)), 'completed')
}

/** Lists and a detail of what is there. */
async function pathsOf({ url }: Replica): Promise<string[]> {
  const { tasks } = (await (await fetch(`${url}/api/tasks?limit=5`)).json()) as { tasks: { id: string }[] }
  const [task] = tasks
  if (task === undefined) throw new Error('there is no task to read')
  return [
    '/api/tasks?limit=20',
    `/api/tasks/${task.id}`,
    '/api/tasks?status=open&sort=reward_desc',
    '/api/agents/leaderboard',
    '/ready',
  ]
}

async function readOnce({ url }: Replica, paths: readonly string[], turn: number): Promise<ReadOnce> {
  await pause(PAUSE_MS)
  const path = paths[turn % paths.length] ?? ''
  const began = performance.now()
  const response = await fetch(url + path)
  const text = await response.text()
  return { path, milliseconds: performance.now() - began, status: response.status, text }
}

/** Whole answers, but of readiness, which tells of the node; every status. */
function compare(quiet: readonly ReadOnce[], during: readonly ReadOnce[]): void {
  for (const { path, status, text } of during) {
    const known = quiet.findLast((read) => read.path === path)
    const isSame = path === '/ready' ? status === 200 : status === known?.status && text === known.text
    if (!isSame)
      throw new Error(
        `GET ${path} was answered ${status} ${text.slice(0, 500)}\ninstead of ${known?.text.slice(0, 500)}`,
      )
  }
}

/** Of what is made of rows, milliseconds. */
function p99(reads: readonly ReadOnce[]): number {
  const ofRows = reads.filter(({ path }) => path !== '/ready')
  const sorted = ofRows.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length * 0.99)] ?? 0
}
