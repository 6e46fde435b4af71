/**
 * `npm run books [-- <url>]`: both sides of the books of a running service as a table, and what differs. Without a URL, of
 * the stack that `npm start` runs in this clone. Ends with 1 where something differs, or nothing was compared.
 */
import { type Books, type BooksCheck, toBooksText } from './stack/books-text.ts'
import { findStackUrl } from './stack/stack-file.ts'

const url = (process.argv[2] ?? findStackUrl() ?? '').replace(/\/$/, '')
if (url === '') {
  console.error('no stack runs in this clone; name the URL of a service: npm run books -- <url>')
  process.exit(1)
}
const answer = await fetch(`${url}/api/books`)
if (answer.ok) {
  const books = (await answer.json()) as Books
  const ready = (await (await fetch(`${url}/ready`)).json()) as { checks?: { books?: BooksCheck } }
  const check = ready.checks?.books ?? {}
  console.log(toBooksText(books, check))
  const isEqual = books.assets.every(({ contracts }) => contracts.every(({ difference }) => difference === '0'))
  process.exitCode = isEqual && check.reason === undefined ? 0 : 1
} else {
  console.error(`${url}/api/books answered ${answer.status}: ${await answer.text()}`)
  process.exitCode = 1
}
