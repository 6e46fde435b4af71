import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SqlApi, startSqlApi } from './sql-api.ts'

let api: SqlApi

beforeAll(async () => {
  api = await startSqlApi()
})

afterAll(() => api.stop())

describe('given an invalid query', () => {
  test.each([
    ['SELECT nope FROM task', /^query: Column "nope" does not exist\./, 8, 'sql_syntax'],
    ['SELECT 1 FROM nowhere', /^query: Relation "nowhere" does not exist\. \(character 15\)$/, 15, 'sql_syntax'],
    [
      'SELECT 1 FROM market.tasks',
      /"market\.tasks" does not exist\. Perhaps you meant the table "market\.task"\. \(character 15\)$/,
      15,
      'sql_syntax',
    ],
    ['SELECT 1 FROM analytics.tsk', /Perhaps you meant the table "analytics\.task"\./, 15, 'sql_syntax'],
    ["SELECT 'é' AS é, nope FROM task", /Column "nope" does not exist/, 18, 'sql_syntax'],
    ['SELECT sum(id) FROM task', /Function sum\(text\) does not exist/, 8, 'sql_syntax'],
    ['SELECT (', /^query: syntax error at end of input\. \(character 9\)$/, 9, 'sql_syntax'],
    ['SELECT pg_sleep(1)', /"pg_sleep" is not admitted; docs\/build\/analytics\.md/, 8, 'sql_refused'],
  ])('when it is %s, then 400 with a message, the position and a detail', async (query, sentence, position, detail) => {
    const { status, body } = await api.ask(query)
    expect(status).toBe(400)
    expect(body.error).toMatch(sentence)
    expect(body.issues).toEqual([{ path: 'query', message: expect.any(String), position }])
    expect(body.service).toMatchObject({ reason: 'unclassified', detail })
  })

  test.each([
    ['SELECT 1 / 0', /^query: Division by zero\.$/],
    ["SELECT 'x'::int", /Invalid input syntax for type integer/],
    ['SELECT 1 AS a, 2 AS a', /^query: Two columns are named "a": give/],
    [
      `WITH q AS (SELECT string_agg('${'x'.repeat(7_000)}', '') AS x FROM generate_series(1, 1700)) SELECT x AS a, x AS b, x AS c FROM q`,
      /rows that are too large/,
    ],
    [
      `WITH RECURSIVE r(n, t) AS (SELECT 1, '${'x'.repeat(4_000)}' UNION ALL SELECT n + 1, t || n FROM r) SELECT count(t) FROM r`,
      /memory or temporary space/,
    ],
  ])('when it fails in the database (%#), then 400 with a message', async (query, sentence) => {
    const { status, body } = await api.ask(query)
    expect([status, body.error]).toEqual([400, expect.stringMatching(sentence)])
  })

  test.each([
    ['too few parameters', { query: 'SELECT $1', params: [] }, /^params: must have as many values .*: 1, not 0\.$/],
    ['too many parameters', { query: 'SELECT 1', params: [1] }, /^params: must have .*: 0, not 1\.$/],
    ['a hole in the parameters', { query: 'SELECT $3', params: [1, 2] }, /^params: must have .*: 3, not 2\.$/],
    ['an empty query', { query: '' }, /^query: must not be empty\.$/],
    ['a blank query', { query: '  \n' }, /^query: must not be empty\.$/],
    ['no query', {}, /^query: is required\.$/],
    ['a number as query', { query: 7 }, /^query: must be a string\.$/],
    ['NUL', { query: 'SELECT 1\0; DELETE FROM task' }, /^query: must be well-formed text without NUL\.$/],
    ['a lone surrogate', { query: 'SELECT 1 -- \ud800' }, /^query: must be well-formed text/],
    ['8193 characters', { query: `SELECT '${'x'.repeat(8_192)}'` }, /^query: a query must have at most 8192 bytes\.$/],
    [
      '8193 bytes of two each',
      { query: `SELECT '${'é'.repeat(4_092)}'` },
      /^query: a query must have at most 8192 bytes\.$/,
    ],
    ['a long parameter', { query: 'SELECT $1', params: ['x'.repeat(8_193)] }, /^params\.0: .*at most 8192 bytes/],
    [
      'NUL in a parameter',
      { query: 'SELECT $1', params: ['a\0b'] },
      /^params\.0: must be well-formed text without NUL/,
    ],
    [
      'an object as parameter',
      { query: 'SELECT $1', params: [{}] },
      /^params\.0: must be a text, a number, true, false or null/,
    ],
    ['101 parameters', { query: 'SELECT $1', params: Array(101).fill(1) }, /^params: must have at most 100 items\.$/],
    ['a number that JSON changes', { query: 'SELECT $1', params: [2 ** 53] }, /^params\.0: .*string/],
    ['text as parameters', { query: 'SELECT $1', params: 'x' }, /^params: /],
  ] as [string, object, RegExp][])('%s: 400 names the field', async (_name, body, sentence) => {
    const answer = await api.post('/api/sql', body)
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringMatching(sentence)])
    expect(answer.body.service.detail).toBe('invalid_input')
  })

  test('when it has more than 200 columns, then it is refused', async () => {
    const columns = Array.from({ length: 201 }, (_, index) => `1 AS c${index}`)
    const { status, body } = await api.ask(`SELECT ${columns.join(', ')}`)
    expect([status, body.error]).toEqual([400, 'query: The answer has more than 200 columns.'])
    expect((await api.ask(`SELECT ${columns.slice(1).join(', ')}`)).status).toBe(200)
  })

  test('when it is nested too deeply for the server, then it is refused with a message of the service', async () => {
    const { status, body } = await api.ask(
      "SELECT json_array_length(string_agg('[', '')::json) AS n FROM generate_series(1, 100000)",
    )
    expect([status, body.error]).toEqual([400, 'query: The query is nested too deeply; write it in fewer levels.'])
  })

  test('when its text has the maximum length, then it is executed', async () => {
    const text = 'x'.repeat(8_192 - "SELECT '' AS x".length)
    expect((await api.ask(`SELECT '${text}' AS x`)).body.rows).toEqual([{ x: text }])
  })

  test('when the message quotes it, then without control and bidirectional characters', async () => {
    const { body } = await api.ask('SELECT "a\u001b[31m\u202eb" FROM task')
    expect(body.error).toContain('Column "a?[31m?b" does not exist')
  })
})

describe('given a client that closes its connection', () => {
  test.each(['/api/sql', '/api/sql/explain'])(
    'when it requested %s, then no failure of the service is reported',
    async (path) => {
      const gone = new AbortController()
      const query = 'SELECT count(*) FROM generate_series(1, 1000000) AS a, generate_series(1, 1000000) AS b'
      const answer = api.app.request(path, {
        method: 'POST',
        body: JSON.stringify({ query }),
        headers: { 'Content-Type': 'application/json' },
        signal: gone.signal,
      })
      // As the HTTP adapter does it: the reason is a text.
      gone.abort('Client connection prematurely closed.')
      const response = await answer
      expect([response.status, await response.json()]).toEqual([
        400,
        expect.objectContaining({ error: 'The client closed the connection before its answer.' }),
      ])
    },
  )
})
