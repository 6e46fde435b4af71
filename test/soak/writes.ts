import type { Hex } from 'viem'
import { operations } from '../faults/client/classes.ts'
import { requestUpload } from '../faults/client/uploads.ts'
import { openSession } from '../faults/environment/session.ts'
import type { FaultCaseContext } from '../faults/fault-case.ts'
import type { Random } from '../faults/random.ts'
import type { Latencies } from './latencies.ts'
import type { ReadSubjects } from './read-subjects.ts'
import { remember } from './read-subjects.ts'
import type { Stage } from './stage.ts'

/** Kinds of writes: those of the fault suite, and those that leave something behind which jobs must take away. */
const kinds = [
  ...Object.keys(operations),
  'a payment that never comes',
  'an upload that is never submitted',
  'a challenge',
] as const

/** Sends one random write, of a wallet of its own, and follows it to its outcome. */
export async function sendWrite(
  stage: Stage,
  {
    random,
    subjects,
    latencies,
    noteOutcome,
  }: {
    random: Random
    subjects: ReadSubjects
    latencies: Latencies
    /** Gets `null` for a write that a client gave up. */
    noteOutcome(kind: string | null): void
  },
): Promise<void> {
  const kind = random.pick(kinds as unknown as readonly [string, ...string[]])
  const { context } = openSession(stage.environment, stage.soakCase, random)
  if (!(kind in operations)) return await latencies.time(null, kind, () => leaveBehind(context, kind))
  let [write] = [undefined as Awaited<ReturnType<typeof context.prepare>>[0] | undefined]
  // What it needs is made by writes that are no part of its time.
  await latencies.time(null, `what ${kind} needs`, async () => {
    ;[write] = await context.prepare(kind)
  })
  if (write === undefined) return
  const prepared = write
  await latencies.time('writes', kind, async () => {
    const outcome = await context.perform(prepared)
    noteOutcome(outcome.kind === 'undecided' ? null : outcome.kind)
    if (outcome.kind !== 'completed') throw new Error(JSON.stringify(outcome))
    remember(subjects.wallets, prepared.account, random.integer(0, 1e9) / 1e9)
    const taskId = outcome.taskId ?? (prepared.effect.args.taskId as Hex | undefined)
    if (typeof taskId === 'string') remember(subjects.tasks, taskId, random.integer(0, 1e9) / 1e9)
  })
}

async function leaveBehind(context: FaultCaseContext, kind: string): Promise<void> {
  const { random } = context
  const { url, fetch } = await context.reach()
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }
    return (await fetch(url + path, init)).status
  }
  const wallet = await context.wallet(0n)
  if (kind === 'a challenge') {
    const status = await post('/api/legal/challenge', { walletAddress: wallet.address })
    if (status !== 200) throw new Error(`answered ${status}`)
    return
  }
  if (kind === 'a payment that never comes') {
    const body = { description: `Never paid ${random.uuid()}`, reward: '1000000', duration: 24, tags: ['t'] }
    const status = await post('/api/tasks', body, { 'X-Service-Idempotency-Key': random.uuid() })
    if (status !== 402) throw new Error(`answered ${status}`)
    return
  }
  const [create] = await context.prepare('create')
  if (create === undefined) return
  const outcome = await context.perform(create)
  if (outcome.kind !== 'completed' || outcome.taskId === null) throw new Error(JSON.stringify(outcome))
  const bytes = Buffer.from(random.bytes32().repeat(20))
  const upload = await requestUpload({ url, fetch }, { taskId: outcome.taskId, account: wallet, bytes })
  const { pathname, search } = new URL(upload.url)
  const put = await fetch(`${url}${pathname}${search}`, {
    method: 'PUT',
    headers: upload.headers,
    body: new Uint8Array(bytes),
  })
  if (put.status !== 200) throw new Error(`the upload was answered ${put.status}`)
}
