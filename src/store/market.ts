import type { Abi } from 'viem'
import { getEventAbi, toEventArgsJson } from '../../protocol/rules/event-args.ts'
import { marketConfig, marketEvent, marketStats } from '../schema/market.ts'
import { relayTrace } from '../schema/relay.ts'
import { type PositionedEvent, positionOf } from './event-position.ts'
import type { Store } from './store.ts'

/** The key of the only row of `market_config` and of `market_stats`. */
const id = 'market'

export type MarketStatsRow = typeof marketStats.$inferSelect
export type MarketConfigRow = typeof marketConfig.$inferSelect

/**
 * Creates the rows for the market's settings and running totals, before the first event. The settings are empty until
 * the market logs them.
 */
export async function insertMarket(
  store: Store,
  contracts: Pick<MarketConfigRow, 'market' | 'forwarder' | 'usdc'>,
): Promise<void> {
  await store
    .insert(marketConfig)
    .values({ id, ...contracts, feeBps: 0, defaultHooks: [], paused: false, eventCount: 0 })
  await store.insert(relayTrace).values({ id, escrowAmount: 0n })
  await store.insert(marketStats).values({
    id,
    taskCount: 0,
    totalRewards: 0n,
    listedTaskCount: 0,
    listedTotalRewards: 0n,
    totalEscrow: 0n,
    totalWorkerPayments: 0n,
    totalPlatformFees: 0n,
    agentCount: 0,
    listedEarnings: 0n,
    bonusLiability: 0n,
    lastCreatedAtMs: 0n,
  })
}

/**
 * Returns the market's settings.
 * @throws if the settings do not exist; the setup creates them before the first event
 */
export async function getMarketConfig(store: Store): Promise<MarketConfigRow> {
  const row = await store.find(marketConfig, { id })
  if (row === null) throw new Error('the market has no settings')
  return row
}

/** Changes running totals of the market. Returns the row after the change. */
export async function updateMarketStats(
  store: Store,
  change: (row: MarketStatsRow) => Partial<Omit<MarketStatsRow, 'id'>>,
): Promise<MarketStatsRow> {
  return store.update(marketStats, { id }).set(change)
}

export interface MarketEventRecord {
  event: PositionedEvent & { args: Readonly<Record<string, unknown>> }
  contract: 'market' | 'forwarder' | 'bonus'
  abi: Abi
  /** The Solidity name of the event. */
  name: string
  /** Changes of the market's settings by the event; absent if it changes none. */
  patch?: Partial<Omit<MarketConfigRow, 'id' | 'eventCount'>>
}

/** Stores an event that belongs to no task in the table `market_event`, and applies it to the market's settings. */
export async function recordMarketEvent(store: Store, record: MarketEventRecord): Promise<void> {
  const { event, contract, abi, name, patch = {} } = record
  const config = await store.update(marketConfig, { id }).set((row) => ({ ...patch, eventCount: row.eventCount + 1 }))
  await store.insert(marketEvent).values({
    ordinal: config.eventCount - 1,
    contract,
    name,
    args: toEventArgsJson(getEventAbi(abi, name), event.args),
    ...positionOf(event),
  })
}
