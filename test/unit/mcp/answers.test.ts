import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toJsonText } from '../../../api/text/json-text.ts'
import { callRead, type ReadAnswer } from '../../../mcp/call-read.ts'
import { RESULT_LIMIT_BYTES, wrapAnswer } from '../../../mcp/envelope.ts'
import { fitAnswer } from '../../../mcp/fit-answer.ts'
import { byDepth } from '../../support/depth.ts'

const sizeOf = (data: unknown) => Buffer.byteLength(JSON.stringify(data))

/** A task of a list with a brief of `length` characters. */
const aTask = (id: number, length: number) => ({
  id: `0x${id}`,
  description: 'é'.repeat(length),
  tags: ['x'.repeat(200)],
  pendingActions: [],
})

describe('An answer within its bound', () => {
  test('given 20 tasks with the longest briefs, then each is there, with the first 300 characters of its brief', () => {
    const tasks = Array.from({ length: 20 }, (_, id) => aTask(id, 10_000))
    const { data, cut } = fitAnswer({ tasks, nextCursor: null }, { sizeOf, limitBytes: 80_000 })
    const shown = (data as { tasks: { id: string; description: string }[] }).tasks
    expect(shown.map(({ id }) => id)).toEqual(tasks.map(({ id }) => id))
    expect(shown[0]?.description).toBe(`${'é'.repeat(300)}… (9700 characters more)`)
    expect(cut).toEqual([])
  })

  test('given one task, then its brief is whole', () => {
    const task = aTask(1, 10_000)
    expect(fitAnswer(task, { sizeOf, limitBytes: 80_000 })).toEqual({ data: task, cut: [] })
  })

  test('given rows that do not fit, then the shortened list is named, and shorter lists stay whole', () => {
    const items = Array.from({ length: 200 }, (_, id) => ({ id, text: 'x'.repeat(2000) }))
    const waiting = [{ id: 'w' }]
    const { data, cut } = fitAnswer({ items, waiting, total: 200 }, { sizeOf, limitBytes: 80_000 })
    const shown = data as { items: unknown[]; waiting: unknown[] }
    expect(shown.items).toEqual(items.slice(0, shown.items.length))
    expect(shown.items.length).toBeGreaterThan(25)
    expect(cut).toEqual([{ path: 'items', shown: shown.items.length, of: 200 }])
    expect(shown.waiting).toEqual(waiting)
  })

  test('given any answer, in text or structured, then its result is never above the bound', () => {
    const part = fc.string({ unit: 'binary', maxLength: 30 })
    const text = fc.tuple(part, fc.oneof(fc.constant(1), fc.nat(1000))).map(([piece, times]) => piece.repeat(times))
    const row = fc.dictionary(fc.constantFrom('id', 'description', 'text', 'list'), fc.oneof(text, fc.array(text)))
    const answer = fc.oneof(
      row,
      fc.array(row, { maxLength: 30 }),
      fc.record({ tasks: fc.array(row, { maxLength: 30 }), total: fc.nat() }),
    )
    fc.assert(
      fc.property(answer, fc.boolean(), (data, isStructured) => {
        const { result } = wrapAnswer(data, { toText: toJsonText, isStructured })
        expect(sizeOf(result)).toBeLessThanOrEqual(RESULT_LIMIT_BYTES)
      }),
      { numRuns: byDepth(12, 60), examples: [[Array(20).fill({ text: '<é'.repeat(5000) }), false]] },
    )
  })
})

describe('A page that does not fit', () => {
  const rows = Array.from({ length: 100 }, (_, id) => ({ id: String(id), text: 'x'.repeat(3000) }))
  const operation = {
    path: '/api/rows',
    pathArguments: [],
    inputSchema: { properties: { limit: { type: 'integer' }, after: { type: 'string' } } },
  }
  /** The route: rows behind `after`, with the link of the next page. */
  const request = async (pathAndQuery: string): Promise<ReadAnswer> => {
    const query = new URL(pathAndQuery, 'http://x').searchParams
    const from = query.has('after') ? Number(query.get('after')) + 1 : 0
    const limit = Number(query.get('limit') ?? 100)
    const page = rows.slice(from, from + limit)
    const link = `<http://x/api/rows?limit=${limit}&after=${page.at(-1)?.id}>; rel="next"`
    return { ok: true, data: page, link: from + limit < rows.length ? link : null }
  }
  const ports = { request, toText: toJsonText, isStructured: true }

  test('is asked for again with fewer rows: by its next pages every row is seen once', async () => {
    const seen: string[] = []
    let given: Record<string, unknown> | undefined = {}
    while (given !== undefined) {
      const { structuredContent } = await callRead(operation, given, ports)
      const { data, nextPages } = structuredContent as {
        data: { id: string }[]
        nextPages: { arguments: Record<string, unknown> }[]
      }
      seen.push(...data.map(({ id }) => id))
      given = nextPages[0]?.arguments
    }
    expect(seen).toEqual(rows.map(({ id }) => id))
  })

  test('goes on by a cursor in the answer itself as well', async () => {
    const listed = {
      ...operation,
      inputSchema: { properties: { cursor: { type: 'string' }, limit: { type: 'integer' } } },
    }
    const request = async (pathAndQuery: string): Promise<ReadAnswer> => {
      const query = new URL(pathAndQuery, 'http://x').searchParams
      const from = Number(query.get('cursor') ?? 0)
      const next = from + Number(query.get('limit') ?? 100)
      const nextCursor = next < rows.length ? String(next) : null
      return { ok: true, data: { tasks: rows.slice(from, next), nextCursor }, link: null }
    }
    const seen: string[] = []
    let given: Record<string, unknown> | undefined = {}
    while (given !== undefined) {
      const { structuredContent } = await callRead(listed, given, { ...ports, request })
      const { data, nextPages } = structuredContent as {
        data: { tasks: { id: string }[] }
        nextPages: { arguments: Record<string, unknown> }[]
      }
      seen.push(...data.tasks.map(({ id }) => id))
      given = nextPages[0]?.arguments
    }
    expect(seen).toEqual(rows.map(({ id }) => id))
  })
})
