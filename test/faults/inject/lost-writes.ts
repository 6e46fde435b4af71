import { privateKeyToAccount } from 'viem/accounts'
import { usdcAbi } from '../../../abis/usdc.ts'
import { mintLocalUsdc } from '../../../scripts/contracts/deploy.ts'
import { aKey, createPayingClient, type PayingClient, type Reply, type WriteCall } from '../../support/paying-client.ts'
import type { Payment } from '../../support/payment.ts'
import type { FaultCaseContext } from '../fault-case.ts'
import { seconds } from './outage.ts'
import { expectAll, firstOf, performAll } from './steps.ts'

const REWARD = 1_000_000n
/** From the step back to a service that knows the lost tasks from the chain, milliseconds: a busy machine needs a minute. */
const LONGEST_MS = 180_000

/** A paid write that the database loses. */
interface LostWrite {
  call: WriteCall
  payment: Payment
  reply: Reply
}

/**
 * Has the database lose two creations that were answered, one of them private, and proves what the service says of them then.
 * @param notePoint of time to which the database goes back. @returns what takes it there
 */
export async function loseWrites(
  context: FaultCaseContext,
  notePoint: () => Promise<() => Promise<void>>,
): Promise<void> {
  const { environment } = context
  const { client: chain, deployment } = environment
  expectAll(await performAll(context, await context.prepare('create', 2)), 'completed')
  // The checker does not know this wallet: it would look for the writes that the database has lost.
  const account = privateKeyToAccount(context.random.bytes32())
  await mintLocalUsdc(environment.anvil.url, account.address, REWARD * 10n)
  const balance = () =>
    chain.readContract({ address: deployment.usdc, abi: usdcAbi, functionName: 'balanceOf', args: [account.address] })
  const payer = createPayingClient({
    baseUrl: firstOf(context).url,
    account,
    now: () => BigInt(Math.floor(Date.now() / 1000)),
  })

  const pointAt = performance.now()
  const goBack = await notePoint()
  const lost = await create(payer)
  const lostPrivate = await create(payer, { taskVisibility: 'private', allowedViewers: [account.address] })
  const left = await balance()
  const lostAt = performance.now()
  await goBack()

  await expectKnownFromChain(context, payer, lost)
  const [lostTime, repair] = [lostAt - pointAt, performance.now() - lostAt].map(seconds)
  context.note(`RPO ${lostTime}: 2 writes; RTO ${repair}: then rows and payments are right again`)
  // Its visibility was with its text: the task is unlisted now, as one of a direct call.
  await expectKnownFromChain(context, payer, lostPrivate)
  if ((await balance()) !== left) throw new Error('a lost write was charged again')
  // As docs/internals/failure-modes.md lists them for an operator.
  const unrecorded = await environment.sql<{ actor: string }[]>`
    select actor from market.relayed_intent r
    where not exists (select from service.intents i where i.chain_intent_id = r.intent_id)`
  if (unrecorded.length !== 2 || unrecorded.some(({ actor }) => actor !== account.address.toLowerCase())) {
    throw new Error(`lost writes are listed as ${JSON.stringify(unrecorded)}`)
  }
  // The nonces that the relayer's row gives out now are used.
  expectAll(await performAll(context, await context.prepare('create', 2)), 'completed')
  const owed = await environment.sql`select id from service.intents where refund_status is not null`
  if (owed.length > 0 || (await balance()) !== left) throw new Error('a lost write is paid back')
  await expectRepeatable(payer, lost)
}

/**
 * Its task is there, without its text, and is shown to every caller; its key is unknown; its payment is refused, and the
 * sentence says that it acted.
 */
async function expectKnownFromChain(context: FaultCaseContext, payer: PayingClient, lost: LostWrite): Promise<void> {
  const { taskId } = lost.reply.body
  const read = async () => (await payer.get(`/tasks/${taskId}`)).body
  await context.until('the lost task to be read from the chain', async () => (await read())?.id === taskId, LONGEST_MS)
  const { description, escrowTxHash } = await read()
  context.noteForeignTransaction(escrowTxHash)
  context.noteForeignSettlement(lost.payment.authorization.nonce)
  const record = await payer.get(`/intents?idempotencyKey=${lost.call.key}`, {
    'PAYMENT-SIGNATURE': lost.payment.header,
  })
  const { status, body } = await payer.sendPaid(lost.call, lost.payment)
  const said = { description, record: record.status, status, reason: body.service?.reason, error: body.error }
  const isKnown =
    description === '' && record.status === 404 && status === 409 && said.reason === 'payment_already_spent'
  if (!isKnown || !/spent on chain by a write that this service has no record of/.test(said.error)) {
    throw new Error(`a lost write is ${JSON.stringify(said)}`)
  }
}

/** The requester writes the text of an open task again, for the fee of an update. */
async function expectRepeatable(payer: PayingClient, { call, reply }: LostWrite): Promise<void> {
  const { description } = call.body as { description: string }
  const { status, body } = await payer.pay({
    path: `/tasks/${reply.body.taskId}/update`,
    key: aKey(),
    body: { description },
  })
  if (status !== 200 || body.description !== description) {
    throw new Error(`the text of a lost write was answered ${status} ${JSON.stringify(body)}`)
  }
}

async function create(payer: PayingClient, visibility: object = {}): Promise<LostWrite> {
  const call = {
    path: '/tasks',
    key: aKey(),
    body: { description: `Name it ${aKey()}`, reward: String(REWARD), duration: 24, tags: [], ...visibility },
  }
  const payment = await payer.sign(await payer.challenge(call))
  const reply = await payer.sendPaid(call, payment)
  if (reply.status !== 200) throw new Error(`a creation was answered ${reply.status} ${JSON.stringify(reply.body)}`)
  return { call, payment, reply }
}
