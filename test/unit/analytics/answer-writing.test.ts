import { describe, expect, test } from 'vitest'
import { AnswerTooLarge } from '../../../api/analytics/reader-session.ts'
import type { QueryAnswer } from '../../../api/analytics/run-query.ts'
import { type AnswerType, answerTypes, streamOf, writeAnswer } from '../../../api/features/sql/answer-formats.ts'

const TEXT = 25
const JSON_TYPE = 114
const JSON_ARRAY = 199
const INTEGER_ARRAY = 1007
const TIMES = 1185

const characters = 524_288
/** One turn of the event loop at least for this many characters of values. */
const charactersOfTurn = 65_536
const elementsOf = (element: string) =>
  `{${Array.from({ length: characters / (element.length + 1) }, () => element).join(',')}}`

function anAnswer(typeId: number, values: readonly (string | null)[]): QueryAnswer {
  return { snapshot: null, columns: values.map((_, index) => ({ name: `c${index}`, typeId })), rows: [[...values]] }
}

/** Counts the turns of the event loop that other work gets until `writing` settles. */
async function turnsDuring(writing: Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await writing
    .catch(() => {})
    .finally(() => {
      isOver = true
    })
  return turns
}

const limits = (type: AnswerType, maxBytes = Number.POSITIVE_INFINITY) => ({
  type,
  maxBytes,
  signal: new AbortController().signal,
})

async function textOf(answer: QueryAnswer, type: AnswerType): Promise<string> {
  return await new Response(streamOf(await writeAnswer(answer, limits(type)))).text()
}

describe('given one row of large values', () => {
  const values: [string, number, string][] = [
    ['json array', JSON_ARRAY, elementsOf('"{}"')],
    ['integer array', INTEGER_ARRAY, elementsOf('1')],
    ['array of times', TIMES, elementsOf('"2026-01-02 03:04:05+00"')],
    ['text of markup', TEXT, '<'.repeat(characters)],
    ['text of hidden characters', TEXT, '\u202e'.repeat(characters)],
    ['json of line breaks', JSON_TYPE, `[${'\n'.repeat(characters)}]`],
  ]
  const cases = values.flatMap((value) => answerTypes.map((type): [...typeof value, AnswerType] => [...value, type]))

  test.each(cases)(
    'when it is a %s, then other work continues while it is written (%#)',
    async (_name, typeId, text, type) => {
      const turns = await turnsDuring(writeAnswer(anAnswer(typeId, [text]), limits(type)))
      expect(turns).toBeGreaterThanOrEqual(text.length / charactersOfTurn)
    },
  )

  test.each(answerTypes)('when escapes make %s too large, then the writing stops there', async (type) => {
    const answer = anAnswer(
      TEXT,
      Array.from({ length: 10 }, () => '\u202e'.repeat(characters)),
    )
    const writing = writeAnswer(answer, limits(type, 1_000_000))
    const turns = await turnsDuring(writing)
    await expect(writing).rejects.toThrow(AnswerTooLarge)
    expect(turns).toBeLessThan(10)
  })

  test.each(answerTypes)(
    'when the signal aborts while %s is written, then the writing ends with its reason',
    async (type) => {
      const deadline = new AbortController()
      const reason = new Error('the deadline')
      const answer = anAnswer(TEXT, ['a'.repeat(characters)])
      const writing = writeAnswer(answer, { ...limits(type), signal: deadline.signal })
      setImmediate(() => deadline.abort(reason))
      await expect(writing).rejects.toBe(reason)
    },
  )

  test('when characters of two units are at every offset, then none is split', async () => {
    const text = `a${'😀'.repeat(100_000)}`
    for (const value of [text, `a${text}`]) {
      const json = JSON.parse(await textOf(anAnswer(TEXT, [value]), 'application/json'))
      expect(json.rows[0].c0 === value).toBe(true)
      const csv = await textOf(anAnswer(TEXT, [value]), 'text/csv')
      expect(csv === `c0\r\n"${value}"\r\n`).toBe(true)
    }
  })
})

test('given an answer of many megabytes, when it is written, then with pauses between small parts', async () => {
  const text = 'x'.repeat(1024 * 1024)
  const begin = performance.now()
  const { parts, bytes } = await writeAnswer(anAnswer(TEXT, Array(4).fill(text)), limits('application/json'))
  expect(parts.reduce((sum, part) => sum + part.length, 0)).toBe(bytes)
  expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(128 * 1024)
  // Three megabytes with a pause after each part.
  expect(performance.now() - begin).toBeGreaterThan(150)
})

describe('given texts of callers in CSV', () => {
  const csvOf = async (...values: (string | null)[]) =>
    (await textOf(anAnswer(TEXT, values), 'text/csv')).split('\r\n').slice(1).join('\r\n')

  test.each([
    ['a\u202eb', 'a\\u202eb'],
    ['a\u0085\u0000b', 'a\\u0085\\u0000b'],
    ['\u001b[2J', '\\u001b[2J'],
    ['a\tb', 'a\tb'],
    ['a\nb\r\nc', '"a\nb\r\nc"'],
    ['a\rb', 'a\\u000db'],
    ['👩‍🚀', '👩‍🚀'],
    ['\u200b=1', "'\\u200b=1"],
    [' \u200b\u2060 +1', "' \\u200b\\u2060 +1"],
    ['\u200d@x', "'\u200d@x"],
    ['\u3164=1', "'\u3164=1"],
    ['\ttab', "'\ttab"],
  ])('when it is %j, then the cell is %j', async (text, cell) => {
    expect(await csvOf(text)).toBe(`${cell}\r\n`)
  })

  test('when it is long, then it is guarded, escaped and quoted the same way', async () => {
    const long = 'a"\u202e\r\n'.repeat(20_000)
    expect(await csvOf(`\u200b=${long}`, null, long)).toBe(
      `"'\\u200b=${'a""\\u202e\r\n'.repeat(20_000)}",,"${'a""\\u202e\r\n'.repeat(20_000)}"\r\n`,
    )
  })

  test('when a text looks like a time, then it is not changed', async () => {
    expect(await csvOf('2026-01-02 03:04:05')).toBe('2026-01-02 03:04:05\r\n')
  })
})
