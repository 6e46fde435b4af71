import type { Measured } from './samples.ts'

/** Renders the line of a minute. */
export function toProgress(
  measured: Readonly<Record<string, Measured>>,
  facts: Readonly<Record<string, unknown>>,
): string {
  const of = (name: string) => measured[name]?.value.toFixed(0) ?? '-'
  const memory = [
    'an API process that is killed at times',
    'an API process that is never restarted',
    'the indexer',
    'GraphQL',
  ]
  return [
    `API ${of(`memory of ${memory[0]}, MB`)} ${of(`memory of ${memory[1]}, MB`)} indexer ${of(`memory of ${memory[2]}, MB`)} GraphQL ${of(`memory of ${memory[3]}, MB`)} MB`,
    `p99 writes ${of('p99 of writes, ms')} reads ${of('p99 of reads, ms')} ms`,
    `WAL ${of('log of Postgres, MB')} MB`,
    `overdue ${of('rows that should be pruned')}`,
    Object.entries(facts)
      .map(([name, value]) => `${name} ${typeof value === 'number' ? Math.round(value) : JSON.stringify(value)}`)
      .join(' '),
  ].join('; ')
}
