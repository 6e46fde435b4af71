import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { captureLog } from '../../support/captured-log.ts'
import { largestReward, type SqlApi, startSqlApi } from './sql-api.ts'

let api: SqlApi

beforeAll(async () => {
  api = await startSqlApi()
})

afterAll(() => api.stop())

describe('given a SELECT', () => {
  test('then rows come as objects, with block, deployment and column types', async () => {
    const { status, body, headers } = await api.ask('SELECT id, reward, stake_bps, listed FROM market.task')
    expect(status).toBe(200)
    expect(body).toEqual({
      block: { number: 77, timestamp: '2023-11-14T22:13:20.000Z' },
      schemaVersion: 'idx_00000000000000aa',
      columns: [
        { name: 'id', type: 'text' },
        { name: 'reward', type: 'numeric' },
        { name: 'stake_bps', type: 'integer' },
        { name: 'listed', type: 'boolean' },
      ],
      rowCount: 1,
      next: null,
      rows: [{ id: api.taskId, reward: largestReward, stake_bps: 0, listed: true }],
    })
    expect(headers.get('X-Service-Block-Number')).toBe('77')
    expect(headers.get('X-Service-Block-Timestamp')).toBe('1700000000')
    expect(headers.get('X-Service-Schema-Version')).toBe('idx_00000000000000aa')
    expect(headers.get('X-Service-Column-Types')).toBe('text,numeric,integer,boolean')
    expect(headers.get('Cache-Control')).toBe('private, no-cache')
  })

  test('when it has hundreds of columns, then the headers of an answer still fit into a proxy’s 4,000 bytes', async () => {
    const columns = Array.from({ length: 200 }, (_, index) => `to_timestamp(${index}) AS c${index}`)
    const { status, headers } = await api.ask(`SELECT ${columns.join(', ')}`)
    expect(status).toBe(200)
    expect(headers.get('X-Service-Column-Types')).toBeNull()
    expect([...headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0)).toBeLessThan(4000)
  })

  test('when it has parameters, then each has the type that its position requires', async () => {
    const query = 'SELECT $1::numeric + $2::bigint AS sum, $3::text AS text, $4::boolean AS is, $5::text AS none'
    const { body } = await api.ask(query, ['340282366920938463463374607431768211455', 1, "'; DROP TABLE x", true, null])
    expect(body.rows).toEqual([
      { sum: '340282366920938463463374607431768211456', text: "'; DROP TABLE x", is: true, none: null },
    ])
  })

  test('when it compares with an address in capitals, then the answer has a note, and otherwise none', async () => {
    const address = `0x${'aB'.repeat(20)}`
    const noteOf = async (query: string, params?: unknown[]) => (await api.ask(query, params)).body.note
    const note = `addresses are stored in lower case: ${address} has capitals`
    expect(await noteOf(`SELECT id FROM market.task WHERE requester = '${address}'`)).toBe(note)
    expect(await noteOf('SELECT id FROM market.task WHERE requester = $1', [address])).toBe(note)
    expect(await noteOf(`SELECT id FROM market.task WHERE requester = $$${address}$$`)).toBe(note)
    expect(await noteOf(`SELECT id FROM market.task WHERE 'it''s' = $a$b$a$ OR requester = $a$${address}$a$`)).toBe(
      note,
    )
    for (const accept of ['text/csv', 'application/x-ndjson']) {
      const { headers } = await api.askText(`SELECT id FROM market.task WHERE requester = '${address}'`, accept)
      expect(headers.get('X-Service-Query-Note')).toBe(note)
    }
    for (const comment of [`-- of '${address}'\n`, `/* of '${address}' */`, `AS "'${address}'"`]) {
      expect(await noteOf(`SELECT 1 ${comment}`)).toBeUndefined()
    }
    for (const literal of [`'${address.toLowerCase()}'`, `lower('${address}')`, `'${address}AB'`, "'0xAB'"]) {
      expect(await noteOf(`SELECT id FROM market.task WHERE requester = ${literal}`)).toBeUndefined()
    }
  })

  test('then each type is written without loss', async () => {
    const { body } = await api.ask(`
      SELECT 9223372036854775807::bigint AS big, 1.50::numeric AS amount, 0.1::float8 AS real, 'NaN'::float8 AS nan,
        '-Infinity'::float8 AS least, to_timestamp(1700000000.123) AS at, '2026-01-02 03:04:05'::timestamp AS local,
        '0044-03-15 BC'::date AS day, interval '1 day 2 hours' AS span, '\\x00ff'::bytea AS bytes,
        '{"a": [1, "<b>"]}'::jsonb AS doc, E'{"a":\\n 1}'::json AS lines, ARRAY['a"b', NULL, ''] AS texts,
        ARRAY[[1, 2], [3, 4]]::bigint[] AS grid, ARRAY[true, false] AS flags, ARRAY['{"a":1}']::jsonb[] AS docs,
        ARRAY['NULL', 'a,b', '{}', E'\\\\"', ' ', '😀'] AS quoted, '[0:1]={1,2}'::int[] AS bounds, ARRAY[]::int[] AS nothing,
        ARRAY[to_timestamp(1700000000.123), NULL] AS times, ARRAY['NaN', '1.5']::float8[] AS reals,
        ROW(1, 'x') AS record, E'line\\nbreak' AS broken`)
    expect(body.rows).toEqual([
      {
        big: '9223372036854775807',
        amount: '1.50',
        real: 0.1,
        nan: 'NaN',
        least: '-Infinity',
        at: '2023-11-14T22:13:20.123Z',
        local: '2026-01-02T03:04:05',
        day: '0044-03-15 BC',
        span: 'P1DT2H',
        bytes: '\\x00ff',
        doc: { a: [1, '<b>'] },
        lines: { a: 1 },
        texts: ['a"b', null, ''],
        grid: [
          ['1', '2'],
          ['3', '4'],
        ],
        flags: [true, false],
        docs: [{ a: 1 }],
        quoted: ['NULL', 'a,b', '{}', '\\"', ' ', '😀'],
        bounds: [1, 2],
        nothing: [],
        times: ['2023-11-14T22:13:20.123Z', null],
        reals: ['NaN', 1.5],
        record: '(1,x)',
        broken: 'line\nbreak',
      },
    ])
  })

  test('when NDJSON is asked for, then each row is a line', async () => {
    const response = await api.askText(
      `SELECT g AS n, E'{"a":\\n"<"}'::json AS doc FROM generate_series(1, 1200) AS g`,
      'application/x-ndjson',
    )
    expect(response.headers.get('Content-Type')).toBe('application/x-ndjson')
    expect(response.headers.get('X-Service-Column-Types')).toBe('integer,json')
    const text = await response.text()
    const lines = text.split('\n')
    expect(lines.pop()).toBe('')
    expect(lines).toHaveLength(1200)
    expect(lines.map((line) => JSON.parse(line).n)).toEqual(Array.from({ length: 1200 }, (_, index) => index + 1))
    expect(lines[0]).toBe('{"n":1,"doc":{"a": "\\u003c"}}')
  })

  test('when CSV is asked for, then cells are quoted and none begins a formula', async () => {
    const response = await api.askText(
      `SELECT * FROM (VALUES (1, 'plain', -5), (2, 'with "quotes", commas', NULL), (3, '=HYPERLINK("x")', 0), (4, '', 1), (5, NULL, 2), (6, '-1+cmd', 3), (7, '@x', 4), (8, ' =1', 5), (9, '＝1', 6)) AS t (n, "a, b", c)`,
      'text/csv;q=0.9, application/json;q=0.1',
    )
    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8; header=present')
    expect(await response.text()).toBe(
      [
        'n,"a, b",c',
        '1,plain,-5',
        '2,"with ""quotes"", commas",',
        `3,"'=HYPERLINK(""x"")",0`,
        '4,"",1',
        '5,,2',
        "6,'-1+cmd,3",
        "7,'@x,4",
        "8,' =1,5",
        "9,'＝1,6",
        '',
      ].join('\r\n'),
    )
  })

  test.each([
    ['text/html', 406, ''],
    ['application/pdf;q=1, text/csv;q=0', 406, ''],
    ['*/*', 200, 'application/json'],
    ['application/*', 200, 'application/json'],
    ['text/csv;q=0.4, application/json;q=0.3', 200, 'text/csv; charset=utf-8; header=present'],
    ['application/vnd.apache.parquet', 200, 'application/vnd.apache.parquet'],
  ])('when Accept is %s, then the answer is %i %s', async (accept, status, type) => {
    const response = await api.askText('SELECT 1 AS one', accept)
    expect(response.status).toBe(status)
    if (status === 200) expect(response.headers.get('Content-Type')).toBe(type)
    else expect(await response.text()).toMatch(/Accept names no type of an answer: send one of application\/json,/)
  })

  test('when it has more rows than a page, then next leads through all of them, at the block of the first page', async () => {
    const first = (await api.ask('SELECT g AS n FROM generate_series(1, 25000) AS g')).body
    await api.sql`update indexed_head set block_number = 78`
    await api.servers.replayed()
    const pages = [first]
    while (pages.at(-1).next !== null) {
      const { status, body } = await api.get(new URL(pages.at(-1).next).pathname)
      expect(status).toBe(200)
      pages.push(body)
    }
    await api.sql`update indexed_head set block_number = 77`
    expect(pages.map(({ rowCount }) => rowCount)).toEqual([10_000, 10_000, 5_000])
    expect(new Set(pages.map(({ block }) => block.number))).toEqual(new Set([77]))
    expect(pages.flatMap(({ rows }) => rows.map(({ n }: { n: number }) => n))).toEqual(
      Array.from({ length: 25_000 }, (_, index) => index + 1),
    )
  })

  test('when its pages are CSV or NDJSON, then each page is whole, and Link leads to the next one', async () => {
    for (const [accept, lines] of [
      ['text/csv', [10_001, 2]],
      ['application/x-ndjson', [10_000, 1]],
    ] as const) {
      const first = await api.askText('SELECT g AS n FROM generate_series(1, 10001) AS g', accept)
      const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('Link') ?? '')?.[1] ?? ''
      const second = await api.app.request(new URL(next).pathname)
      expect(second.headers.get('Link')).toBeNull()
      const texts = [await first.text(), await second.text()]
      expect(texts.map((text) => text.trimEnd().split('\n').length)).toEqual(lines)
      expect(texts[1]).toContain('10001')
      expect((await api.get(`${new URL(next).pathname.slice(0, -1)}2`)).status).toBe(404)
    }
  })

  test('when an answer is no longer kept, then its pages are 410', async () => {
    const { status, body } = await api.get('/api/sql/answers/00000000000000000000000000000000/1')
    expect([status, body.error]).toEqual([410, expect.stringMatching(/send the query again/)])
  })

  test('when it is asked for by GET, then it is CSV', async () => {
    const path = `/api/sql.csv?query=${encodeURIComponent('SELECT id, reward FROM market.task')}`
    const { status, headers, body } = await api.get(path)
    expect([status, headers.get('Content-Type')]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
    expect(body).toBe(`id,reward\r\n${api.taskId},${largestReward}\r\n`)
    expect((await api.get('/api/sql.csv?query=DELETE%20FROM%20task')).status).toBe(400)
  })

  test('when it reads the catalogs, then it sees the tables and columns that it may read, and their comments', async () => {
    const { body } = await api.ask(`
      SELECT table_schema, column_name, data_type FROM information_schema.columns
      WHERE table_name = 'task' AND column_name = 'reward' ORDER BY table_schema`)
    const column = { column_name: 'reward', data_type: 'numeric' }
    expect(body.rows).toEqual([
      { table_schema: 'analytics', ...column },
      { table_schema: 'market', ...column },
    ])
    const { rows } = (await api.ask("SELECT nspname::text AS name FROM pg_namespace WHERE nspname = 'market'")).body
    expect(rows).toEqual([{ name: 'market' }])
  })

  test('when it has no rows, then the columns are returned all the same', async () => {
    const { body } = await api.ask('SELECT id FROM task WHERE false')
    expect(body).toMatchObject({ rowCount: 0, rows: [], columns: [{ name: 'id', type: 'text' }] })
    expect(await (await api.askText('SELECT id FROM task WHERE false', 'text/csv')).text()).toBe('id\r\n')
  })
})

describe('POST /sql/explain', () => {
  test('given a SELECT, then its plan is answered and nothing is executed', async () => {
    const { status, body } = await api.post('/api/sql/explain', {
      query: 'SELECT * FROM market.task WHERE id = $1 AND 1 / (reward - reward) = 1',
      params: [api.taskId],
    })
    expect(status).toBe(200)
    expect(body.plan[0].Plan).toMatchObject({ 'Node Type': 'Index Scan', 'Relation Name': 'task' })
    expect(body.plan[0].Plan['Actual Rows']).toBeUndefined()
    expect(body).toMatchObject({ block: { number: 77 }, schemaVersion: 'idx_00000000000000aa' })
  })

  test.each([
    ['ANALYZE SELECT 1', 9],
    ['(ANALYZE) SELECT 1', 2],
    ['SELECT nope FROM task', 8],
    ['SELECT pg_sleep(1)', 8],
  ])('given %s, then it is refused with the place in the text', async (query, position) => {
    const { status, body } = await api.post('/api/sql/explain', { query })
    expect([status, body.issues]).toMatchObject([400, [{ path: 'query', position }]])
  })
})

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

test('given a query, then neither its text nor its values are logged', async () => {
  const log = captureLog()
  const other = await startTestApi({ LOG_LEVEL: 'trace', READER_DATABASE_URL: api.readerUrls.standby }, log)
  try {
    const { status } = await other.post('/api/sql', {
      query: "SELECT 'topsecret1' AS x, $1 AS y",
      params: ['topsecret2'],
    })
    expect(status).toBe(200)
    await other.post('/api/sql', { query: "SELECT 'topsecret1'::int AS x" })
  } finally {
    await other.stop()
  }
  expect(log.text()).toContain('"route":"/api/sql"')
  expect(log.text()).not.toMatch(/topsecret/)
})
