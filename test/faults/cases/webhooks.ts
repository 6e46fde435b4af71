import type { ServerResponse } from 'node:http'
import { privateKeyToAccount } from 'viem/accounts'
import { accept, type Received, type Receiver, startReceiver } from '../../support/webhooks/receiver.ts'
import { creationBody } from '../../support/webhooks/signed-webhooks.ts'
import type { Replica } from '../environment/replica.ts'
import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { expectAll, performAll } from '../inject/steps.ts'

/** The lease of the process that died, and the start of the other one, milliseconds. */
const TAKEOVER_MS = 60_000
/** Entries at which the delivering process dies: before an answer, and after one that it may not have noted. */
const [UNANSWERED, UNNOTED] = [2, 4]
const filters = { mode: 'bounty' }

/** The process that delivers is killed in the middle: no entry is lost, their order stays, and one comes twice at most. */
export const faultCases: readonly FaultCase[] = [
  {
    name: 'kill in the middle of a delivery to a webhook',
    topology: 2,
    short: false,
    isOutage: true,
    deadlineMs: 240_000,
    run: killWhileDelivering,
  },
]

async function killWhileDelivering(context: FaultCaseContext): Promise<void> {
  const [first, second] = context.replicas
  if (first === undefined || second === undefined) throw new Error('another process must go on with the deliveries')
  await second.stop()
  const receiver = await startReceiver()
  try {
    const [writes, later] = [await context.prepare('create', UNNOTED), await context.prepare('create', 2)]
    const begin = await subscribe(context, first, receiver.url)
    await context.until('the test of the webhook', () => receiver.received.length > 0)
    const deaths = dieAt(receiver)
    const outcomes = performAll(context, writes)
    await context.until('a delivery that is not answered', () => deaths.unanswered.aborted, TAKEOVER_MS)
    await first.kill()
    const delivered = receiver.received.length
    const launchedAt = await second.start()
    await context.until('the delivery to come again', () => receiver.received.length > delivered, TAKEOVER_MS)
    context.noteRecovery(performance.now() - launchedAt)
    expectAll(await outcomes, 'completed')
    await context.until('an answered delivery', () => deaths.unnoted.aborted, TAKEOVER_MS)
    await second.kill()
    await first.start()
    expectAll(await performAll(context, later), 'completed')
    const isAll = async () => {
      const ids = await readIds(first, begin)
      const hasAll = ids.length === writes.length + later.length
      return hasAll && ids.join() === [...new Set(idsOf(receiver.received))].join()
    }
    await context.until('every entry to be delivered in order', isAll, TAKEOVER_MS)
    checkRepeated(idsOf(receiver.received))
    await second.start()
    context.note(`${receiver.received.length - 1} deliveries`)
  } finally {
    await receiver.stop()
  }
}

/** Creates a webhook of a new wallet. @returns the place of the log at which its entries begin */
async function subscribe(context: FaultCaseContext, { url }: Replica, to: string): Promise<string> {
  const account = privateKeyToAccount(context.random.bytes32())
  const owner = { account, address: account.address.toLowerCase() as `0x${string}` }
  const { host } = new URL(url)
  const more = { kinds: ['task.created'], filters }
  const body = await creationBody(owner, { url: to, ...more }, { host, now: await context.now() })
  const headers = { 'Content-Type': 'application/json' }
  const begin = await readEnd(url)
  const { status } = await fetch(`${url}/api/webhooks`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (status !== 200) throw new Error(`a webhook was answered ${status}`)
  return begin
}

/** Signals that abort when a delivery has come that is not answered, and when one was answered a moment ago. */
function dieAt(receiver: Receiver): { unanswered: AbortSignal; unnoted: AbortSignal } {
  const [unanswered, unnoted] = [new AbortController(), new AbortController()]
  const seen = new Set<string>()
  receiver.answerBy((received: Received, response: ServerResponse) => {
    const { id } = received.message
    const isNew = id !== undefined && !seen.has(id)
    if (isNew) seen.add(id)
    if (isNew && seen.size === UNANSWERED) return unanswered.abort()
    if (isNew && seen.size === UNNOTED) response.once('finish', () => unnoted.abort())
    return accept(received, response)
  })
  return { unanswered: unanswered.signal, unnoted: unnoted.signal }
}

function idsOf(received: readonly Received[]): string[] {
  return received.flatMap(({ message }) => (message.kind === 'test' ? [] : [message.id]))
}

/** @throws Error when an entry came again after a later one */
function checkRepeated(ids: readonly string[]): void {
  const late = ids.filter((id, place) => ids.indexOf(id) < place && ids[place - 1] !== id)
  if (late.length > 0) throw new Error(`entries came again after later ones: ${late.join()}`)
  const repeated = ids.length - new Set(ids).size
  if (repeated === 0) throw new Error('the entry that was not answered did not come again')
}

async function readEnd(url: string): Promise<string> {
  let after = ''
  for (;;) {
    const response = await fetch(`${url}/api/events?limit=500${after}`)
    const { next } = (await response.json()) as { next: string }
    if (after === `&after=${next}`) return next
    after = `&after=${next}`
  }
}

/** The ids of the entries that the webhook asks for. */
async function readIds({ url }: Replica, after: string): Promise<string[]> {
  const response = await fetch(`${url}/api/events?limit=500&kind=task.created&mode=${filters.mode}&after=${after}`)
  const { events } = (await response.json()) as { events: { id: string }[] }
  return events.map(({ id }) => id)
}
