import { show } from '../figures/statistics.ts'
import type { CaseResult, ThroughputResult } from './measure.ts'

export interface ReadResults {
  cases: CaseResult[]
  throughput: ThroughputResult
}

/** The table a person reads. */
export function toTable({ cases, throughput }: ReadResults): string {
  const { service, anew, bare, graphql, anewByBare, serviceByGraphql, anewByGraphql } = throughput
  return [
    ...cases.map(({ name, bySize, ratio }) => {
      const columns = Object.entries(bySize).map(([size, { p50, tasks }]) => `${size}: ${p50.toFixed(1)} ms (${tasks})`)
      return `${verdict(ratio.median <= 3)} ${name.padEnd(30)} ${show(ratio).padEnd(22)} ${columns.join(', ')}`
    }),
    `${verdict(serviceByGraphql.median >= 10)} pages a second by Ponder's GraphQL, >= 10: ${show(serviceByGraphql)}; ${show(service)} by ${show(graphql)}`,
    `       never asked before, by Ponder's GraphQL: ${show(anewByGraphql)}; ${show(anew)} by ${show(graphql)}`,
    `${verdict(anewByBare.median >= 0.6)} never asked before, by a bare server, >= 0.6: ${show(anewByBare)}; ${show(anew)} by ${show(bare)}`,
  ].join('\n')
}

function verdict(isMet: boolean): string {
  return isMet ? 'met   ' : 'MISSED'
}
