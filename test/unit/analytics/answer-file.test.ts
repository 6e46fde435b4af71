import { closeSync, existsSync, fstatSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { createAnswerFile } from '../../../api/analytics/answer-file.ts'
import { type AnswerStore, createAnswerStore } from '../../../api/analytics/answer-store.ts'
import type { WrittenAnswer } from '../../../api/analytics/engine.ts'
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
  const onePage = { snapshot: null, columns, pages: [{ start: 0, end: 8, rows: 1 }] }
  const twoPages = (bytes: number) => ({
    snapshot: null,
    columns,
    pages: [
      { start: 0, end: 1, rows: 1 },
      { start: 1, end: bytes, rows: 1 },
    ],
  })
  const facts = { type: 'text/csv', note: undefined } as const
  const keptLimits = { keptMs: 600_000, takenMs: 60_000, maxOfClient: 3, maxBytesOfClient: 10, maxBytes: 25, max: 5 }
  const textOf = async (body: AsyncIterable<Uint8Array>) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of body) chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  }
  /** True when the number names the file no more: another file may have got it. */
  const isClosed = ({ fd, inode }: { fd: number; inode: bigint }) => {
    try {
      return fstatSync(fd, { bigint: true }).ino !== inode
    } catch {
      return true
    }
  }
  /** An answer of a client in a file of its own, whose content is known. */
  const keepIn = (answers: AnswerStore, client: string, written: WrittenAnswer) => {
    const { fd, path } = answers.open()
    // As the engine takes it.
    rmSync(dirname(path), { recursive: true })
    writeSync(fd, '12345678', 0)
    const file = { fd, inode: fstatSync(fd, { bigint: true }).ino }
    return { file, answer: answers.keep(client, fd, written, facts) }
  }
  const firstPage = ({ pages }: WrittenAnswer) => pages[0] ?? { start: 0, end: 0, rows: 0 }

  afterEach(() => {
    vi.useRealTimers()
  })

  test('when a client keeps more than its share, then its oldest goes, and those of others stay', () => {
    const answers = createAnswerStore(keptLimits)
    const keep = (client: string, bytes: number) => keepIn(answers, client, twoPages(bytes)).answer.id
    const ids = [keep('a', 8), keep('b', 8), keep('a', 8), keep('a', 2)]
    expect(ids.map((id) => answers.find(id) !== null)).toEqual([false, true, true, true])
    const more = [keep('a', 2), keep('a', 2), keep('a', 2)]
    expect(more.map((id) => answers.find(id) !== null)).toEqual([true, true, true])
    expect(ids.slice(2).map((id) => answers.find(id))).toEqual([null, null])
    answers.stop()
    expect([...ids, ...more].filter((id) => answers.find(id) !== null)).toEqual([])
  })

  test('when all clients keep too much, then the next one is refused until one is dropped', () => {
    const answers = createAnswerStore(keptLimits)
    keepIn(answers, 'a', twoPages(20))
    const file = answers.open()
    expect(() => answers.keep('b', file.fd, twoPages(20), facts)).toThrow(/keeps too many answers/)
    answers.discard(file)
    expect(existsSync(dirname(file.path))).toBe(false)
    keepIn(answers, 'a', twoPages(9))
    expect(answers.find(keepIn(answers, 'b', twoPages(9)).answer.id)).not.toBeNull()
    answers.stop()
  })

  test('when so many are kept as there may be files, then the next one is refused', () => {
    const answers = createAnswerStore(keptLimits)
    for (const client of ['a', 'b', 'c', 'd', 'e']) keepIn(answers, client, twoPages(2))
    expect(() => keepIn(answers, 'f', twoPages(2))).toThrow(/keeps too many answers/)
    answers.stop()
  })

  test('when an answer of one page was read, then its file is closed', async () => {
    const answers = createAnswerStore(keptLimits)
    const { file, answer } = keepIn(answers, 'a', onePage)
    expect(await textOf(answer.read(firstPage(answer)))).toBe('12345678')
    expect(answers.find(answer.id)).toBeNull()
    await expect.poll(() => isClosed(file)).toBe(true)
  })

  test('when a body is never read, as of HEAD, then its file is closed when its time is over', async () => {
    vi.useFakeTimers()
    const answers = createAnswerStore(keptLimits)
    const { file, answer } = keepIn(answers, 'a', onePage)
    answer.read(firstPage(answer))
    vi.advanceTimersByTime(keptLimits.takenMs)
    vi.useRealTimers()
    expect(answers.find(answer.id)).toBeNull()
    await expect.poll(() => isClosed(file)).toBe(true)
  })

  test('when a client stops in the middle of a page, then its file is closed when its time is over, and its body breaks', async () => {
    const answers = createAnswerStore(keptLimits)
    const { file, answer } = keepIn(answers, 'a', twoPages(8))
    const chunks = answer.read({ start: 0, end: 8, rows: 2 })[Symbol.asyncIterator]()
    expect(Buffer.from((await chunks.next()).value ?? []).toString()).toBe('12345678')
    const late = answer.read(firstPage(answer))
    answers.stop()
    await expect.poll(() => isClosed(file)).toBe(true)
    await expect(textOf(late)).rejects.toThrow(/no longer kept/)
  })
})
