import { show } from '../figures/statistics.ts'
import { type CaseResult, contenders, type Quotient, type ThroughputResult } from './measure.ts'
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

/** What each quotient of pages a second should be at least. */
const targets = {
  serviceByGraphql: { least: 14, means: "a page that all ask for, by Ponder's GraphQL" },
  anewByGraphql: { least: 8, means: "never asked before, by Ponder's GraphQL" },
  movingByGraphql: { least: 4.5, means: 'the same while a block a second changes 5 of the newest 100 tasks' },
  coldByGraphql: { least: 3, means: "at a random place of the list, by Ponder's GraphQL at one" },
  anewByBare: { least: 0.6, means: 'never asked before, by a bare server' },
  listPageByCold: { least: 0.67, means: 'for people, at a random place of the list, by the JSON of one' },
  taskPageByTask: { least: 0.5, means: 'of a random task for people, by its JSON' },
} as const satisfies Record<Quotient, { least: number; means: string }>

/** And pages a second. */
export function toThroughputTable(throughput: ThroughputResult): string {
  const lines = Object.entries(targets).map(([name, { least, means }]) => {
    const quotient = throughput[name as Quotient]
    return `${verdict(quotient.median >= least)} ${means}, >= ${least}: ${show(quotient)}`
  })
  const rates = contenders.map((name) => {
    const { bytes, requests } = throughput.pages[name]
    return `       ${name.padEnd(14)} ${show(throughput[name])} pages a second; one page: ${bytes} bytes, ${requests} request${requests > 1 ? 's' : ''}`
  })
  return [...lines, ...rates, `       ${WHAT_PAGES_HOLD}`].join('\n')
}

const WHAT_PAGES_HOLD =
  'A page is 20 tasks. Ours: the whole view, with texts, identities, offers and rewards. GraphQL: the columns of the ' +
  'tasks in one request, their awards in a second one. The bare server: the columns of the tasks and their texts. ' +
  'For people: HTML, as browsers get it, with the whole of the other reads that it needs.'

function verdict(isMet: boolean): string {
  return isMet ? 'met   ' : 'MISSED'
}
