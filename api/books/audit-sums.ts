import type { Hex } from 'viem'
import { mapWithLimit } from '../concurrency/map-with-limit.ts'
import type { CountedFlows, Flow, SumsRound } from '../read-model/books.queries.ts'
import { claimAudit, releaseAudit, storeAudit } from './audits.queries.ts'
import { type CountedSums, compareSums, listSumCalls, type SumRows, type SumViews, toSumViews } from './compare-sums.ts'
import { inOneSnapshot } from './indexed-block.queries.ts'
import { sumLedger } from './ledger-sums.ts'
import {
  type BooksDeps,
  CONFIRM_MS,
  confirm,
  countUnread,
  findComparedBlock,
  foundBefore,
  LONGEST_PAUSE_MS,
  logNew,
  POLL_MS,
  RETRY_MS,
  unlessUnavailable,
} from './run-round.ts'
import {
  countFlows,
  listCredits,
  listRequesters,
  listVaults,
  nextCursor,
  sumBonuses,
  sumTasks,
} from './sums.queries.ts'

/**
 * The shortest pause in milliseconds after a round that found no new difference. PAUSE_FACTOR can make the pause
 * longer.
 */
const PAUSE_MS = 10_000
/**
 * The ratio of the shortest pause after a round to the duration of the round. The ratio is large, because each round
 * reads the rows of all tasks.
 */
const PAUSE_FACTOR = 20
/** The number of token balances that are read at the same time. */
const BALANCES_AT_ONCE = 4
/**
 * The milliseconds in which one round may read token balances. Balances that are not read in this time count as unread.
 */
const BALANCES_MS = 10_000

/**
 * Runs one round. Does nothing if no round is due or another process runs one. A round compares sums of the indexer's
 * rows with the values that the contracts return for the same block.
 * @returns the pause until the next check, in milliseconds
 */
export async function auditSums(deps: BooksDeps): Promise<number> {
  const audit = await claimAudit(deps.sql, 'sums')
  if (audit === null) return POLL_MS
  const { claim, state: before } = audit
  const startedAt = performance.now()
  const state = await unlessUnavailable(() => compareRound(deps, before))
  if (state === null) {
    await releaseAudit(deps.sql, 'sums', { claim, pauseMs: RETRY_MS })
    return RETRY_MS
  }
  logNew(deps, state.differences, before)
  const pauseMs = Math.max(
    state.suspects.length > 0 ? CONFIRM_MS : PAUSE_MS,
    (performance.now() - startedAt) * PAUSE_FACTOR,
  )
  await storeAudit(deps.sql, 'sums', { claim, state, pauseMs: Math.round(pauseMs) })
  return Math.min(pauseMs, LONGEST_PAUSE_MS)
}

async function compareRound(deps: BooksDeps, before: SumsRound | null): Promise<SumsRound | null> {
  const { vault = '', credit = '', requester = '' } = before?.cursors ?? {}
  const pages = {
    vaults: { after: vault, again: [...foundBefore(before, 'vault_totals'), ...foundBefore(before, 'vault_balance')] },
    credits: { after: credit, again: foundBefore(before, 'credits') },
    requesters: { after: requester, again: foundBefore(before, 'nonces') },
  }
  const snapshot = await inOneSnapshot(deps.sql, async (tx, block) => {
    const contracts = [deps.deployment.market, deps.deployment.forwarder, deps.deployment.bonusHook].filter(
      (address) => address !== undefined,
    )
    const { flows, counted } = await countFlows(tx, {
      contracts,
      block,
      before: before?.counted ?? null,
      now: Date.now(),
    })
    const rows: SumRows = {
      tasks: await sumTasks(tx),
      bonuses: await sumBonuses(tx),
      ledger: toCountedSums(deps.deployment, flows),
      vaults: await listVaults(tx, pages.vaults),
      credits: await listCredits(tx, pages.credits),
      requesters: await listRequesters(tx, pages.requesters),
    }
    return { rows, counted }
  })
  const block = await findComparedBlock(deps, snapshot?.block ?? null)
  if (snapshot === null || block === null) return null
  const { rows, counted }: { rows: SumRows; counted: CountedFlows } = snapshot.rows
  const views = await readViews(deps, block.hash, rows)
  const comparison = compareSums(rows, views)
  const confirmation = confirm(comparison, before)
  // A finding of a single round is not reported yet.
  const isTold = confirmation.suspects.length === 0 || before === null
  const { number, timestamp } = block
  const { assets } = comparison
  return {
    ...(isTold
      ? { block: String(number), timestamp: String(timestamp), assets }
      : { block: before.block, timestamp: before.timestamp, assets: before.assets }),
    ...confirmation,
    unread: countUnread(comparison.unread),
    cursors: {
      vault: nextCursor(
        rows.vaults.map(({ vaultId }) => vaultId),
        pages.vaults,
        'vaults',
      ),
      credit: nextCursor(
        rows.credits.map(({ account }) => account),
        pages.credits,
        'credits',
      ),
      requester: nextCursor(
        rows.requesters.map(({ account }) => account),
        pages.requesters,
        'requesters',
      ),
    },
    counted,
  }
}

async function readViews({ chain, deployment }: BooksDeps, blockHash: Hex, rows: SumRows): Promise<SumViews> {
  const answers = await chain.readContractsAt(blockHash, listSumCalls(deployment, rows))
  const results = answers.map((answer) => (answer.status === 'success' ? answer.result : null))
  const holdings = [
    ...rows.ledger.map(({ asset, address }) => ({ token: asset, account: address })),
    ...rows.vaults.map(({ token, vault }) => ({ token, account: vault })),
  ]
  const balances: (bigint | null)[] = holdings.map(() => null)
  const end = performance.now() + BALANCES_MS
  await mapWithLimit(BALANCES_AT_ONCE, [...holdings.entries()], async ([index, holding]) => {
    if (performance.now() < end) balances[index] = await chain.findTokenBalanceAt(blockHash, holding)
  })
  return {
    ...toSumViews(deployment, rows, results),
    balances: { ledger: balances.slice(0, rows.ledger.length), vaults: balances.slice(rows.ledger.length) },
  }
}

/**
 * Returns the sums of the ledger at each contract, for `compareSums`.
 * @param flows null until all movements of money are counted; `counted` is then null in every sum
 */
function toCountedSums(deployment: BooksDeps['deployment'], flows: readonly Flow[] | null): CountedSums[] {
  return sumLedger(deployment, flows ?? []).map(({ name, asset, address, ...sums }) => ({
    name,
    asset,
    address,
    counted: flows === null ? null : sums,
  }))
}
