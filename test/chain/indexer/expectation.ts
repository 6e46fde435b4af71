import type postgres from 'postgres'
import type { Address } from 'viem'
import type { MarketChain } from './market-chain.ts'
import type { MarketLog, MarketLogs } from './market-logs.ts'

/** The compared data: the rows of the read model, the contracts' views, and the logs of the node. */
export interface Subject {
  sql: postgres.Sql
  chain: MarketChain
  logs: MarketLogs
}

export type LogOf<Name extends MarketLog['eventName']> = Extract<MarketLog, { eventName: Name }>

/** The market's logs of these names, in order. */
export function logsOf<Name extends MarketLog['eventName']>(logs: MarketLogs, ...names: Name[]): LogOf<Name>[] {
  return logs.market.filter((log): log is LogOf<Name> => names.some((name) => name === log.eventName))
}

/** An address in the format of rows. */
export function lower(address: Address): string {
  return address.toLowerCase()
}

/** A row's nullable number in the format of views: zero for null. */
export function orZero(value: unknown): bigint {
  return BigInt(String(value ?? 0))
}
