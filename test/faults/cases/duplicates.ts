import { createPayingClient, type Reply } from '../../support/paying-client.ts'
import type { Payment } from '../../support/payment.ts'
import type { PreparedWrite } from '../client/operations.ts'
import { createRecordingFetch } from '../client/recording-fetch.ts'
import type { Replica } from '../environment/replica.ts'
import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { describe, expectAll, topologies } from '../inject/steps.ts'

const stormSize = 64

/** Many requests for one write, and one payment for many writes. */
export const faultCases: readonly FaultCase[] = [
  ...topologies.flatMap((topology) =>
    (['one payment', 'a payment each'] as const).map((kind): FaultCase => {
      const name = `duplicates: ${stormSize} with one key and ${kind}, ${describe(topology)}`
      const run = (context: FaultCaseContext) =>
        storm(context, { faultCase: name, isOnePayment: kind === 'one payment' })
      return { name, topology, short: false, run }
    }),
  ),
  ...topologies.map((topology): FaultCase => {
    const name = `duplicates: one payment under two keys, ${describe(topology)}`
    return { name, topology, short: false, run: (context) => twoKeys(context, name) }
  }),
]

interface Sender {
  challenge(): Promise<Payment>
  send(payment: Payment): Promise<Reply>
}

/** What a client sends to one process for one write; all of it is recorded. */
async function senderFor(
  context: FaultCaseContext,
  write: PreparedWrite,
  via: { replica: Replica; faultCase: string },
) {
  const { replica, faultCase } = via
  const { client: chain, log } = context.environment
  const client = createPayingClient({
    baseUrl: replica.url,
    account: write.account,
    fetch: createRecordingFetch(log, faultCase, replica),
  })
  const { timestamp } = await chain.getBlock({ blockTag: 'latest' })
  const sender: Sender = {
    challenge: async () => {
      const requirement = await client.challenge(write.call)
      const validBefore = String(timestamp + BigInt(requirement.maxTimeoutSeconds))
      return await client.sign(requirement, { validBefore })
    },
    send: (payment) => client.sendPaid(write.call, payment),
  }
  return sender
}

/** Exactly one is answered with the result, all others immediately with the state of the one write. */
async function storm(
  context: FaultCaseContext,
  { faultCase, isOnePayment }: { faultCase: string; isOnePayment: boolean },
): Promise<void> {
  const [write] = await context.prepare('create')
  if (write === undefined) throw new Error('no write was prepared')
  const senders = await Promise.all(
    context.replicas.map((replica) => senderFor(context, write, { replica, faultCase })),
  )
  const first = senders[0]
  if (first === undefined) throw new Error('a fault case has a process')
  const payments: Payment[] = [await first.challenge()]
  while (!isOnePayment && payments.length < stormSize) payments.push(await first.challenge())
  const answers = await Promise.all(
    Array.from({ length: stormSize }, async (_, index) => {
      const [sender, payment] = [senders[index % senders.length], payments[index % payments.length]]
      if (sender === undefined || payment === undefined) throw new Error('there is no sender')
      const before = performance.now()
      const reply = await sender.send(payment)
      return { reply, milliseconds: performance.now() - before }
    }),
  )
  const winners = answers.filter(({ reply }) => reply.status === 200)
  if (winners.length !== 1) throw new Error(`${winners.length} of ${stormSize} won`)
  for (const { reply } of answers.filter(({ reply }) => reply.status !== 200)) {
    const reason = reply.body.service?.reason
    if (reply.status !== 409 || reason !== 'idempotency_key_reused') {
      throw new Error(`a duplicate was answered ${reply.status} ${reason}`)
    }
  }
  noteQuantiles(
    context,
    answers.filter(({ reply }) => reply.status !== 200).map(({ milliseconds }) => milliseconds),
  )
  await settle(context, write, payments)
}

function noteQuantiles(context: FaultCaseContext, milliseconds: readonly number[]): void {
  const sorted = milliseconds.toSorted((a, b) => a - b)
  const [half, most] = [0.5, 0.99].map((quantile) => sorted[Math.ceil(sorted.length * quantile) - 1]?.toFixed(0))
  context.note(`losers' p50 ${half} ms, p99 ${most} ms`)
}

/** One write completes; the other request is answered which write has the payment. */
async function twoKeys(context: FaultCaseContext, faultCase: string): Promise<void> {
  const [first] = await context.prepare('create')
  if (first === undefined) throw new Error('no write was prepared')
  const second: PreparedWrite = { ...first, call: { ...first.call, key: context.random.uuid() } }
  const [here, there] = [context.replicas[0], context.replicas.at(-1)]
  if (here === undefined || there === undefined) throw new Error('a fault case has a process')
  const senders = [
    await senderFor(context, first, { replica: here, faultCase }),
    await senderFor(context, second, { replica: there, faultCase }),
  ]
  const [payment] = await Promise.all(senders.map(({ challenge }) => challenge()))
  if (payment === undefined) throw new Error('nothing was signed')
  const replies = await Promise.all(senders.map(({ send }) => send(payment)))
  const winner = replies.findIndex(({ status }) => status === 200)
  const [won, lost] = [replies[winner], replies[1 - winner]]
  if (won === undefined || lost === undefined) throw new Error(`no request won: ${JSON.stringify(replies.map(bodyOf))}`)
  const facts = lost.body.service
  if (lost.status !== 409 || facts?.reason !== 'payment_already_spent' || facts.intentId !== won.body.intentId) {
    throw new Error(`the second key was answered ${lost.status} ${JSON.stringify(facts)}`)
  }
  await settle(context, winner === 0 ? first : second, [payment])
}

function bodyOf({ body }: Reply): unknown {
  return body
}

/** Records the write with every payment that was signed for it: the checker evaluates it like any other. */
async function settle(context: FaultCaseContext, write: PreparedWrite, payments: readonly Payment[]): Promise<void> {
  expectAll([await context.perform(write)], 'completed')
  const entry = context.environment.log.writes.find(({ key }) => key === write.call.key)
  entry?.nonces.push(...payments.map(({ authorization }) => authorization.nonce))
}
