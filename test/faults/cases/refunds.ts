import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { submitAlone } from '../../chain/writes/usdc-calls.ts'
import { putScriptedWallet, type ScriptedWallet } from '../../support/scripted-contracts.ts'
import type { PreparedWrite } from '../client/operations.ts'
import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { switchWhileSent } from '../inject/between-simulation-and-block.ts'
import { findBoundPayment, sendAsStranger } from '../inject/payments.ts'
import { describe, expectAll, firstOf, topologies, untilStatus } from '../inject/steps.ts'

/** Base units. A smaller payment may be worth less than its gas at any price of ether. */
const LEAST_REWARD = 200_000n
const MAX_ATTEMPTS = 30
/** Every refund is worth its gas: only their reverts bound them. */
const settings = { WEI_PER_USDC: String(Number.MAX_SAFE_INTEGER) }

/**
 * How a wallet that refused everything accepts its refund in a simulation and refuses it in a block.
 */
interface Deceit {
  begin(context: FaultCaseContext, wallet: ScriptedWallet): Promise<void>
  /** Transactions that no simulation can prevent. */
  leastAttempts: number
}

const rows: (Deceit & { name: string })[] = [
  {
    name: 'refuses where gas has a price',
    leastAttempts: 0,
    begin: (_, wallet) => wallet.refuse('priced'),
  },
  { name: 'refuses between simulation and block', leastAttempts: 1, begin: refuseWhileSent },
]

/** A contract wallet whose refund succeeds in a simulation and reverts in a block. */
export const faultCases: readonly FaultCase[] = rows.flatMap(({ name, ...deceit }) =>
  topologies.map((topology) => ({
    name: `refunds: a payer that ${name}, ${describe(topology)}`,
    topology,
    short: false,
    settings,
    run: (context: FaultCaseContext) => run(context, deceit),
  })),
)

/** Another account settles the payment, the payer makes the write fail, and then lets the refund revert on chain. */
async function run(context: FaultCaseContext, deceit: Deceit): Promise<void> {
  const { environment, replicas } = context
  const write = await prepareForContract(context)
  const wallet = await putScriptedWallet(environment.anvil, write.account.address)
  const [victim, other] = [firstOf(context), replicas[1]]
  await victim.stop()
  if (other !== undefined) await other.pause()
  await victim.start({ ...settings, FAILPOINT: 'after-bind' })
  const performed = context.perform(write)
  await victim.untilDead()
  const payment = await findBoundPayment(context, write)
  await sendAsStranger(context, submitAlone(environment.deployment, payment))
  await wallet.refuse('always')
  if (other === undefined) await victim.start(settings)
  else other.resume()
  await untilStatus(context, [write], ['failed'])
  const seen = await versionOf(context, payment.intentId)
  await deceit.begin(context, wallet)
  // The payer reads its intent by its signature, which is valid again outside of transactions.
  expectAll([await performed], 'failed')
  const since = { seen, leastAttempts: deceit.leastAttempts }
  const { attempts, backoffSeconds } = await untilBackoff(context, payment.intentId, since)
  if (attempts > 1) throw new Error(`${attempts} transactions for one refund before its first backoff`)
  context.note(`${attempts} refund reverted on chain, then a backoff of ${Math.round(backoffSeconds)} s`)
  for (const { rpc } of replicas) rpc.clear()
  await wallet.refuse('never')
  if (victim.state === 'down') await victim.start(settings)
}

/** A create whose payer is a contract; another account's key signs for it. */
async function prepareForContract(context: FaultCaseContext): Promise<PreparedWrite> {
  for (let time = 0; time < MAX_ATTEMPTS; time += 1) {
    const [write] = await context.prepare('create')
    if (write === undefined || write.charge < LEAST_REWARD) continue
    return { ...write, account: { ...devAccount('carol').account, address: write.account.address } }
  }
  throw new Error(`no create of ${LEAST_REWARD} base units in ${MAX_ATTEMPTS}`)
}

/** The wallet refuses while the transaction is sent to the node, which mines it immediately. */
async function refuseWhileSent(context: FaultCaseContext, wallet: ScriptedWallet): Promise<void> {
  switchWhileSent(context, (isOn) => wallet.refuse(isOn ? 'always' : 'never'))
  await wallet.refuse('never')
}

async function versionOf({ environment }: FaultCaseContext, intentId: string): Promise<string> {
  const [row] = await environment.sql<{ version: string }[]>`select version from service.intents where id = ${intentId}`
  if (row === undefined) throw new Error(`there is no intent ${intentId}`)
  return row.version
}

/** Resolves when the refund waits some seconds for its next attempt, after a change of its row. */
async function untilBackoff(
  context: FaultCaseContext,
  intentId: string,
  { seen, leastAttempts }: { seen: string; leastAttempts: number },
): Promise<{ attempts: number; backoffSeconds: number }> {
  const { sql } = context.environment
  return await context.until(
    'the backoff of the refund',
    async () => {
      const [row] = await sql<{ attempts: number; backoffSeconds: number }[]>`
        select extract(epoch from relay_after - now())::float8 as "backoffSeconds",
          (select count(*)::int from service.attempts a where a.intent_id = i.id and a.purpose = 'refund') as attempts
        from service.intents i
        where id = ${intentId} and refund_status = 'pending' and version > ${seen}
          and relay_after > now() + interval '3 seconds'`
      return row !== undefined && row.attempts >= leastAttempts ? row : null
    },
    30_000,
  )
}
