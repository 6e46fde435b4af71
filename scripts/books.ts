/**
 * `npm run books [-- <url>]`: prints the books of a running service as a table: the amounts that each contract owes,
 * the contract's balance, and the differences. With `--account <account>` or `--task <task id>`, it prints the
 * movements of money of this account or task, with their transactions and balances. Without a URL, it reads from the
 * stack that `npm start` runs in this clone. The exit code is 1 if something differs or nothing was compared.
 */
import { readOptions } from '../ops/process/read-options.ts'
import { type Books, type BooksCheck, toBooksText } from './stack/books-text.ts'
import { findWrongBalances, toMovementsText } from './stack/movements-text.ts'
import { readMovements } from './stack/read-movements.ts'
import { findStackUrl } from './stack/stack-file.ts'

const { values, positionals } = readOptions({
  allowPositionals: true,
  options: { account: { type: 'string' }, task: { type: 'string' } },
})
const url = (positionals[0] ?? findStackUrl() ?? '').replace(/\/$/, '')
if (url === '') {
  console.error('no stack runs in this clone; name the URL of a service: npm run books -- <url>')
  process.exit(1)
}
const { account, task: taskId } = values
const isOfAccounts = account !== undefined || taskId !== undefined
await (isOfAccounts ? printMovements({ ...(account && { account }), ...(taskId && { taskId }) }) : printBooks())

async function printBooks(): Promise<void> {
  const books = await getJson<Books>('/api/books')
  const readiness = (await (await fetch(`${url}/ready`)).json()) as { checks?: { books?: BooksCheck } }
  const check = readiness.checks?.books ?? {}
  console.log(toBooksText(books, check))
  const isEqual = books.assets.every(({ contracts }) => contracts.every(({ difference }) => difference === '0'))
  process.exitCode = isEqual && check.reason === undefined ? 0 : 1
}

async function printMovements(filters: Record<string, string>): Promise<void> {
  const books = await readMovements((cursor) => {
    const query = new URLSearchParams({ ...filters, limit: '100', ...(cursor !== null && { cursor }) })
    return getJson(`/api/books?${query}`)
  })
  console.log(toMovementsText(books))
  process.exitCode = findWrongBalances(books).length === 0 ? 0 : 1
}

async function getJson<Answer>(path: string): Promise<Answer> {
  const answer = await fetch(url + path)
  if (answer.ok) return (await answer.json()) as Answer
  console.error(`${url}${path} answered ${answer.status}: ${await answer.text()}`)
  process.exit(1)
}
