import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createAnswerFile } from '../../../api/analytics/answer-file.ts'
import { createAnswerStore } from '../../../api/analytics/answer-store.ts'
import { QueryFailed } from '../../../api/analytics/query-failure.ts'

const directory = mkdtempSync(join(tmpdir(), 'task-market-answer-file-'))
afterAll(() => rmSync(directory, { recursive: true }))

const columns = [{ name: 'a', typeId: 25 }]
const limits = { pageRows: 2, pageBytes: 10, maxRows: 5, maxBytes: 60 }

function writeRows(texts: readonly string[], name = 'file') {
  const path = join(directory, name)
  const fd = openSync(path, 'w+')
  try {
    const file = createAnswerFile(fd, { columns, type: 'application/x-ndjson', limits })
    for (const text of texts) file.add([text])
    return { pages: file.end(), text: readFileSync(path, 'utf8') }
  } finally {
    closeSync(fd)
  }
}

test('given rows, then a page ends at its rows or its bytes, and a large row has a page of its own', () => {
  const { pages, text } = writeRows(['1', '2', '3', '12345678901', '5'])
  expect(pages.map(({ start, end, rows }) => [text.slice(start, end).split('\n').length - 1, rows])).toEqual([
    [2, 2],
    [1, 1],
    [1, 1],
    [1, 1],
  ])
  expect(pages.at(-1)?.end).toBe(text.length)
})

test('given no rows, then there is one page, and it is empty', () => {
  expect(writeRows([]).pages).toEqual([{ start: 0, end: 0, rows: 0 }])
})

test.each([
  ['rows', ['1', '2', '3', '4', '5', '6'], /more than 5 rows: add LIMIT/],
  ['bytes', ['12345678', '12345678', '12345678', '12345678'], /more than .* MB: add LIMIT/],
])('given an answer of too many %s, then it is refused', (_name, texts, sentence) => {
  expect(() => writeRows(texts)).toThrow(QueryFailed)
  expect(() => writeRows(texts)).toThrow(sentence)
})

describe('given answers that are kept', () => {
  const answer = (bytes: number) => ({
    snapshot: null,
    columns,
    pages: [{ start: 0, end: bytes, rows: 1 }],
  })
  const facts = { type: 'text/csv', note: undefined } as const
  const keptLimits = { keptMs: 600_000, maxBytesOfClient: 10, maxBytes: 25 }

  test('when a client keeps more than its share, then its oldest goes, and those of others stay', () => {
    const answers = createAnswerStore(keptLimits)
    const keep = (client: string, bytes: number) => answers.keep(client, answers.open(), answer(bytes), facts).id
    const ids = [keep('a', 8), keep('b', 8), keep('a', 8), keep('a', 1)]
    expect(ids.map((id) => answers.find(id) !== null)).toEqual([false, true, true, true])
    answers.stop()
    expect(ids.map((id) => answers.find(id))).toEqual([null, null, null, null])
  })

  test('when all clients keep too much, then the next one is refused until one is dropped', () => {
    const answers = createAnswerStore(keptLimits)
    const keep = (client: string, bytes: number) => answers.keep(client, answers.open(), answer(bytes), facts).id
    keep('a', 20)
    const fd = answers.open()
    expect(() => answers.keep('b', fd, answer(20), facts)).toThrow(/keeps too many large answers/)
    answers.discard(fd)
    keep('a', 9)
    expect(answers.find(keep('b', 9))).not.toBeNull()
    answers.stop()
  })
})
