import { transferTypedData } from '../../../protocol/signed/transfer-authorization.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { cancelAuthorization, submitAlone, submitTo } from '../../chain/writes/usdc-calls.ts'
import type { PreparedWrite } from '../client/operations.ts'
import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { mine, setMining } from '../inject/chain.ts'
import { type BoundPayment, findBoundPayment, sendAsStranger } from '../inject/payments.ts'
import { noLogs, revertsLookFine } from '../inject/rpc-lies.ts'
import { describe, expectAll, firstOf, topologies } from '../inject/steps.ts'

/** What another account or the payer does with a payment between its bind and its relay. */
const actions: {
  name: string
  class: 'create' | 'bound'
  outcome: 'completed' | 'failed'
  act: Action
  lie?: boolean
}[] = [
  { name: 'another account submits it alone', class: 'create', outcome: 'completed', act: submit },
  {
    name: 'another account submits it alone, and the node shows no logs',
    class: 'create',
    outcome: 'completed',
    act: submit,
    lie: true,
  },
  { name: 'its payer cancels it', class: 'create', outcome: 'failed', act: cancel },
  { name: 'its payer uses it for another account', class: 'create', outcome: 'failed', act: useElsewhere },
  { name: 'its payer spends the money', class: 'create', outcome: 'failed', act: spend },
  { name: 'another account submits a bound one in vain', class: 'bound', outcome: 'completed', act: submitInVain },
  { name: 'its payer cancels a bound one', class: 'bound', outcome: 'failed', act: cancel },
  { name: 'its payer uses the nonce of a bound one', class: 'bound', outcome: 'failed', act: useElsewhere },
  { name: 'its payer spends the money of a bound one', class: 'bound', outcome: 'failed', act: spend },
]

/** More blocks than anvil needs to report a block as safe. */
const BLOCKS_UNTIL_SAFE = 128

type Action = (context: FaultCaseContext, write: PreparedWrite, payment: BoundPayment) => Promise<void>

/** A payment that is used while its write is bound and not relayed. */
export const faultCases: readonly FaultCase[] = [
  ...actions.flatMap((row) =>
    topologies.map((topology) => ({
      name: `authorizations: ${row.name}, ${describe(topology)}`,
      topology,
      short: false,
      run: (context: FaultCaseContext) => between(context, row),
    })),
  ),
  {
    name: 'authorizations: cancelled in the block of the relay, and the revert is reported as a success',
    topology: 1 as const,
    short: false,
    needsOwnEnvironment: true,
    run: cancelUnderRelay,
  },
]

/** The process ends when the write is bound; the action follows before the relay. */
async function between(
  context: FaultCaseContext,
  { class: name, outcome, act, lie }: (typeof actions)[number],
): Promise<void> {
  const [write] = await context.prepare(name)
  if (write === undefined) throw new Error('no write was prepared')
  const [victim, other] = [firstOf(context), context.replicas[1]]
  await victim.stop()
  if (other !== undefined) await other.pause()
  await victim.start({ FAILPOINT: 'after-bind' })
  const performed = context.perform(write)
  await victim.untilDead()
  await act(context, write, await findBoundPayment(context, write))
  const repairedAt = performance.now()
  // Two reads of the logs find nothing: absent logs prove neither use nor absence of the payment.
  if (lie === true) for (const { rpc } of context.replicas) rpc.inject({ ...noLogs, times: 2 })
  if (other === undefined) await victim.start()
  else other.resume()
  expectAll([await performed], outcome)
  context.noteRecovery(performance.now() - repairedAt)
  if (victim.state === 'down') await victim.start()
}

async function submit(context: FaultCaseContext, _write: PreparedWrite, payment: BoundPayment): Promise<void> {
  await sendAsStranger(context, submitAlone(context.environment.deployment, payment))
}

/** USDC takes a bound payment from its receiver alone: it never becomes prepaid money. */
async function submitInVain(context: FaultCaseContext, write: PreparedWrite, payment: BoundPayment): Promise<void> {
  const problem = await submit(context, write, payment).then(
    () => 'nothing',
    (error: unknown) => String(error),
  )
  if (!problem.includes('revert')) throw new Error(`a stranger submitted a bound payment, and ${problem} stopped it`)
}

async function cancel(context: FaultCaseContext, { account }: PreparedWrite, { nonce }: BoundPayment): Promise<void> {
  await sendAsStranger(context, await cancelAuthorization(context.environment.deployment, account, nonce))
}

/** The same nonce, signed for another receiver, in a block that is safe when the service reads it. */
async function useElsewhere(
  context: FaultCaseContext,
  { account }: PreparedWrite,
  payment: BoundPayment,
): Promise<void> {
  const { anvil, deployment } = context.environment
  const [value, validAfter] = [BigInt(payment.value), BigInt(payment.validAfter)]
  const to = devAccount('carol').account.address
  const { from, nonce } = payment
  const message = { from, to, value, validAfter, validBefore: BigInt(payment.validBefore), nonce }
  const signature = await account.signTypedData({ ...transferTypedData(deployment), message })
  await sendAsStranger(context, submitTo(deployment, { ...message, signature }))
  await mine(anvil, BLOCKS_UNTIL_SAFE)
}

/** By another authorization, to another account: the payer needs no gas for it. */
async function spend(context: FaultCaseContext, write: PreparedWrite, payment: BoundPayment): Promise<void> {
  const { deployment, log } = context.environment
  const nonce = context.random.bytes32()
  const from = write.account.address
  const balance = log.minted.get(payment.from) ?? 0n
  const message = { from, to: devAccount('carol').account.address, value: balance, nonce, validAfter: 0n }
  const dated = { ...message, validBefore: BigInt(payment.validBefore) }
  const signature = await write.account.signTypedData({ ...transferTypedData(deployment), message: dated })
  // The checker explains the wallet's balance by the nonces of its writes.
  log.writes.find(({ key }) => key === write.call.key)?.nonces.push(nonce)
  await sendAsStranger(context, submitTo(deployment, { ...dated, signature }))
}

/** The cancellation precedes the relay in its block, the relay reverts; for a while the node reports a success. */
async function cancelUnderRelay(context: FaultCaseContext): Promise<void> {
  const { anvil, deployment, sql } = context.environment
  const [write] = await context.prepare('create')
  if (write === undefined) throw new Error('no write was prepared')
  const lie = firstOf(context).rpc.inject(revertsLookFine)
  await setMining(anvil, false)
  const performed = context.perform(write)
  const isSent = async () => {
    const rows = await sql`
      select 1 from service.intents i join service.attempts a on a.intent_id = i.id
      where i.idempotency_key = ${write.call.key} and a.sent_at is not null`
    return rows.length > 0
  }
  await context.until('the relay to wait in the mempool', isSent)
  const { nonce } = await findBoundPayment(context, write)
  await sendAsStranger(context, await cancelAuthorization(deployment, write.account, nonce), '0x2540be4000')
  await mine(anvil)
  await setMining(anvil, true)
  await context.until('the false receipt to be read', () => lie.hits() > 5)
  const [row] = await sql<{ status: string }[]>`
    select status from service.intents where idempotency_key = ${write.call.key}`
  if (row?.status === 'completed') throw new Error('a success without its event was accepted')
  lie.remove()
  expectAll([await performed], 'failed')
}
