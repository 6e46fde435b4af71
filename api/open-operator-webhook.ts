import { randomUUID } from 'node:crypto'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import type { FoundStates } from './events/operator/operator-message.ts'
import { createOperatorWebhook, type OperatorWebhook } from './events/operator/operator-webhook.ts'
import { nameServers } from './events/webhooks/post-message.ts'
import { listHeldIntents } from './intents/held.queries.ts'
import { type BookSum, bookSums, differencesOf, findBooks } from './read-model/books.queries.ts'
import { readRelayerRunway } from './relayer/transactions/read-relayer-runway.ts'

/**
 * The bounds of the webhook message about a relayer's low balance, in wei. Below `LOW_BALANCE_WEI`, the balance is
 * reported as low (alerts use the same number). From `FULL_BALANCE_WEI` on, it is no longer low.
 */
const LOW_BALANCE_WEI = 5n * 10n ** 15n
const FULL_BALANCE_WEI = 6n * 10n ** 15n
/**
 * The largest number of differences between rows and contracts in one message. Each message is about one compared sum.
 */
const DIFFERENCES_AT_MOST = 10

type OperatorDeps = Pick<Deps, 'sql' | 'log' | 'chain' | 'relayer' | 'deployment'> & {
  config: Pick<Config, 'OPERATOR_WEBHOOK_URL' | 'OPERATOR_WEBHOOK_SECRET' | 'PUBLIC_BASE_URL'>
}

/** Creates the operator's webhook, or returns null if `OPERATOR_WEBHOOK_URL` is not set. */
export function openOperatorWebhook(deps: OperatorDeps): OperatorWebhook | null {
  const { OPERATOR_WEBHOOK_URL: url, OPERATOR_WEBHOOK_SECRET: secret, PUBLIC_BASE_URL } = deps.config
  if (url === undefined || secret === undefined) return null
  const { sql, log, deployment } = deps
  const origin = { chainId: deployment.chainId, url: PUBLIC_BASE_URL }
  const findStates = [() => findLowBalances(deps), () => findHeldIntents(deps), () => findDifferences(deps)]
  return createOperatorWebhook({ sql, log, network: nameServers, url, secret, origin, findStates }, randomUUID())
}

/** Returns the relayers of this process whose balance is low. */
export async function findLowBalances({
  sql,
  chain,
  relayer,
}: Pick<OperatorDeps, 'sql' | 'chain' | 'relayer'>): Promise<FoundStates> {
  const funds = await relayer.balances.read(chain)
  const runways = await readRelayerRunway(sql, funds)
  const kind = 'relayer.balance_low'
  return {
    kind,
    states: funds
      .filter(({ balanceWei }) => balanceWei < LOW_BALANCE_WEI)
      .map(({ address, balanceWei }) => {
        const days = runways.find((runway) => runway.address === address)?.days ?? null
        return { kind, subject: address, data: { relayer: address, balanceWei: String(balanceWei), runwayDays: days } }
      }),
    // Another process may have other relayers.
    isOver: (subject) => funds.some(({ address, balanceWei }) => address === subject && balanceWei >= FULL_BALANCE_WEI),
  }
}

/** Returns the writes with the status `held` that wait for an operator's decision. */
export async function findHeldIntents({ sql }: Pick<OperatorDeps, 'sql'>): Promise<FoundStates> {
  const kind = 'intent.held'
  const { intents, isComplete } = await listHeldIntents(sql)
  const states = intents.map(({ id, operation, statusAt }) => {
    const data = { intentId: id, operation, heldAt: statusAt.toISOString() }
    return { kind, subject: id, data } as const
  })
  return { kind, states, isOver: () => isComplete }
}

/** Returns the sums in which the indexed rows and the contracts differ. */
export async function findDifferences({ sql }: Pick<OperatorDeps, 'sql'>): Promise<FoundStates> {
  const kind = 'books.differ'
  const differences = differencesOf(await findBooks(sql))
  const of = (sum: BookSum) => differences.filter((difference) => difference.sum === sum)
  const states = bookSums
    .filter((sum) => of(sum).length > 0)
    .map((sum) => {
      const namedDifferences = of(sum).slice(0, DIFFERENCES_AT_MOST)
      const data = { sum, differences: namedDifferences.map(({ of: subject, amount }) => ({ of: subject, amount })) }
      return { kind, subject: sum, data } as const
    })
  return { kind, states, isOver: () => true }
}
