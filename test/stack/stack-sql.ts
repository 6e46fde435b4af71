import { expect } from 'vitest'
import type { StackDescription } from '../../scripts/stack/stack-file.ts'

/** A row of an answer in JSON: amounts are decimal strings. */
export type Row = Record<string, unknown>

/** Asks the service of a stack with SQL. Example: `await sqlOf(stack)('SELECT count(*) FROM market.task')`. */
export function sqlOf({ urls }: StackDescription): (query: string) => Promise<Row[]> {
  return async (query) => {
    const response = await fetch(urls.sql, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const answer = (await response.json()) as { rows: Row[] }
    expect([query, response.status, answer]).toEqual([query, 200, expect.anything()])
    return answer.rows
  }
}
