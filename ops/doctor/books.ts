import { booksReport } from '../../api/observability/readiness.ts'
import { type Books, findBooks } from '../../api/read-model/books.queries.ts'
import { defineCheck, type Observation } from './check.ts'

type Name = 'differ' | 'not_compared'

/**
 * The doctor check that reports the most recent comparison of the amounts in the database with those in the contracts.
 */
export const booksCheck = defineCheck<Name>({
  name: 'books',
  looksAt: 'the last comparison of rows and contracts, which a running service makes: its differences and its age',
  follows: ['database', 'logins'],
  faults: {
    differ: {
      result: 'wrong',
      meaning: 'rows and contracts differ',
      remedy: 'docs/operate/books.md: first compare with a second node; npm run books -- URL prints both sides.',
    },
    not_compared: {
      result: 'warning',
      meaning: 'rows and contracts were not compared for five minutes',
      remedy: 'Start the service, or look at its loops `books` and `books of tasks`, its node and the indexer.',
    },
    no_answer: {
      result: 'wrong',
      meaning: 'the books could not be read',
      remedy: 'Look at the load of the database, and run doctor again.',
    },
  },
  find: async (context) => {
    const { database } = context
    if (database === null) return [{ unchecked: 'the database of the service is not set here' }]
    if (!(await context.hasTables())) return [{ unchecked: 'the first start of the service makes its tables' }]
    return judgeBooks(await findBooks(database))
  },
})

/**
 * Converts the last comparisons to observations. The rules are those of the readiness report: a difference is a fault,
 * and so is a comparison that never ran or is too old.
 */
export function judgeBooks(books: Books): Observation<Name>[] {
  const { status, reason, differences } = booksReport(
    { ok: true, value: books, at: Date.now(), milliseconds: 0 },
    Number.POSITIVE_INFINITY,
  )
  if (status === 'ok') {
    const age = Math.round(Math.max(books.sumsAge ?? 0, books.tasksAge ?? 0))
    return [{ ok: `rows and contracts are equal, compared ${age} s ago` }]
  }
  if (differences === undefined) return [{ fault: 'not_compared' }]
  const amounts = (differences as { sum: string; of: string | null; amount: string }[]).map(
    ({ sum, of, amount }) => `${sum}${of === null ? '' : ` of ${of}`} by ${amount}`,
  )
  return [{ fault: 'differ', detail: `${reason}: ${amounts.join(', ')}` }]
}
