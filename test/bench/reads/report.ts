import { show } from '../figures/statistics.ts'
import type { CaseResult, ThroughputResult } from './measure.ts'
import type { WorklistResult } from './worklists.ts'

/** The table a person reads: what pages cost by size. */
export function toCaseTable(cases: readonly CaseResult[]): string {
  return cases
    .map(({ name, bySize, ratio }) => {
      const columns = Object.entries(bySize).map(([size, { p50, items }]) => `${size}: ${p50.toFixed(1)} ms (${items})`)
      return `${verdict(ratio.median <= 3)} ${name.padEnd(30)} ${show(ratio).padEnd(22)} ${columns.join(', ')}`
    })
    .join('\n')
}

/** What inbox and action queue cost by the number of a wallet's tasks. */
export function toWorklistTable(worklists: readonly WorklistResult[]): string {
  return worklists
    .map(({ name, caller, p50, ratio }) => {
      const columns = Object.entries(p50).map(([tasks, time]) => `${tasks} tasks: ${time.toFixed(1)} ms`)
      return `${verdict(ratio <= 3)} ${`${name} for ${caller}`.padEnd(30)} ${ratio.toFixed(2).padEnd(22)} ${columns.join(', ')}`
    })
    .join('\n')
}

/** And pages a second. */
export function toThroughputTable(throughput: ThroughputResult): string {
  const { service, anew, bare, graphql, anewByBare, serviceByGraphql, anewByGraphql } = throughput
  return [
    `${verdict(serviceByGraphql.median >= 10)} pages a second by Ponder's GraphQL, >= 10: ${show(serviceByGraphql)}; ${show(service)} by ${show(graphql)}`,
    `       never asked before, by Ponder's GraphQL: ${show(anewByGraphql)}; ${show(anew)} by ${show(graphql)}`,
    `${verdict(anewByBare.median >= 0.6)} never asked before, by a bare server, >= 0.6: ${show(anewByBare)}; ${show(anew)} by ${show(bare)}`,
  ].join('\n')
}

function verdict(isMet: boolean): string {
  return isMet ? 'met   ' : 'MISSED'
}
