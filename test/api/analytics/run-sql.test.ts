import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anActor } from '../../support/actors.ts'
import { type Answer, startTestApi, type TestApi } from '../../support/api.ts'
import { openReader } from '../../support/reader.ts'

let api: TestApi
let readerUrl: string
let indexer: postgres.Sql
let taskId: string

beforeAll(async () => {
  api = await startTestApi()
  taskId = (await api.seed.task({ requester: anActor().address })).id
  await api.sql`update task set reward = 79228162514264337593543950335`
  await api.sql`insert into indexed_head ${api.sql({
    blockNumber: 77n,
    blockTimestamp: 1_700_000_000n,
    checkpoint: '',
    schemaVersion: 'idx_00000000000000aa',
  })}`
  const logins = await openReader(api)
  readerUrl = logins.readerUrl
  indexer = postgres(logins.indexerUrl, { max: 1, onnotice: () => {} })
})

afterAll(async () => {
  await indexer.end()
  await api.stop()
})

function ask(query: string, params: unknown[] = [], headers: Record<string, string> = {}): Promise<Answer> {
  return api.post('/api/sql', { query, params }, headers)
}

async function askText(query: string, accept: string): Promise<Response> {
  return await api.app.request('/api/sql', {
    method: 'POST',
    body: JSON.stringify({ query }),
    headers: { 'Content-Type': 'application/json', Accept: accept },
  })
}

describe('given a SELECT', () => {
  test('then rows come as objects, with block, deployment and column types', async () => {
    const { status, body, headers } = await ask('SELECT id, reward, stake_bps, listed FROM market.task')
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
      rows: [{ id: taskId, reward: '79228162514264337593543950335', stake_bps: 0, listed: true }],
    })
    expect(headers.get('X-Service-Block-Number')).toBe('77')
    expect(headers.get('X-Service-Block-Timestamp')).toBe('2023-11-14T22:13:20.000Z')
    expect(headers.get('X-Service-Schema-Version')).toBe('idx_00000000000000aa')
    expect(headers.get('X-Service-Column-Types')).toBe('text,numeric,integer,boolean')
    expect(headers.get('Cache-Control')).toBe('no-cache')
  })

  test('when it has parameters, then each is taken for the type that its place asks for', async () => {
    const query = 'SELECT $1::numeric + $2::bigint AS sum, $3::text AS text, $4::boolean AS is, $5::text AS none'
    const { body } = await ask(query, ['340282366920938463463374607431768211455', 1, "'; DROP TABLE x", true, null])
    expect(body.rows).toEqual([
      { sum: '340282366920938463463374607431768211456', text: "'; DROP TABLE x", is: true, none: null },
    ])
  })

  test('then each type is written so that nothing of it is lost', async () => {
    const { body } = await ask(`
      SELECT 9223372036854775807::bigint AS big, 1.50::numeric AS amount, 0.1::float8 AS real, 'NaN'::float8 AS nan,
        '-Infinity'::float8 AS least, to_timestamp(1700000000.123) AS at, '2026-01-02 03:04:05'::timestamp AS local,
        '0044-03-15 BC'::date AS day, interval '1 day 2 hours' AS span, '\\x00ff'::bytea AS bytes,
        '{"a": [1, "<b>"]}'::jsonb AS doc, E'{"a":\\n 1}'::json AS lines, ARRAY['a"b', NULL, ''] AS texts,
        ARRAY[[1, 2], [3, 4]]::bigint[] AS grid, ARRAY[true, false] AS flags, ARRAY['{"a":1}']::jsonb[] AS docs,
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
        record: '(1,x)',
        broken: 'line\nbreak',
      },
    ])
  })

  test('when NDJSON is asked for, then each row is a line', async () => {
    const response = await askText(
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
    const response = await askText(
      `SELECT * FROM (VALUES (1, 'plain', -5), (2, 'with "quotes", commas', NULL), (3, '=HYPERLINK("x")', 0), (4, '', 1), (5, NULL, 2), (6, '-1+cmd', 3), (7, '@x', 4)) AS t (n, "a, b", c)`,
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
        '',
      ].join('\r\n'),
    )
  })

  test('when another type is asked for, then it is JSON', async () => {
    const response = await askText('SELECT 1 AS one', 'text/html')
    expect(response.headers.get('Content-Type')).toBe('application/json')
  })

  test('when it has no rows, then the columns are told all the same', async () => {
    const { body } = await ask('SELECT id FROM task WHERE false')
    expect(body).toMatchObject({ rowCount: 0, rows: [], columns: [{ name: 'id', type: 'text' }] })
    expect(await (await askText('SELECT id FROM task WHERE false', 'text/csv')).text()).toBe('id\r\n')
  })

  test('then it sees one state of the rows: that of the block it names', async () => {
    const { body } = await ask(
      'SELECT (SELECT block_number FROM indexed_head) AS head, (SELECT block_number FROM market.indexed_head) AS again',
    )
    expect(body.rows).toEqual([{ head: '77', again: '77' }])
  })
})

describe('given a query that is wrong', () => {
  test.each([
    ['SELECT nope FROM task', /^query: Column "nope" does not exist\./, 8],
    ['SELECT 1 FROM nowhere', /^query: Relation "nowhere" does not exist\. \(character 15\)$/, 15],
    ["SELECT 'é' AS é, nope FROM task", /Column "nope" does not exist/, 18],
    ['SELECT sum(id) FROM task', /Function sum\(text\) does not exist/, 8],
    ['SELECT (', /^query: syntax error at end of input\. \(character 9\)$/, 9],
    ['SELECT pg_sleep(1)', /"pg_sleep" is not admitted; docs\/analytics\.md/, 8],
  ])('%s: 400 with a sentence and the character', async (query, sentence, position) => {
    const { status, body } = await ask(query)
    expect(status).toBe(400)
    expect(body.error).toMatch(sentence)
    expect(body.issues).toEqual([{ path: 'query', message: expect.any(String), position }])
    expect(body.service).toEqual({ reason: 'unclassified' })
  })

  test.each([
    ['SELECT 1 / 0', /^query: Division by zero\.$/],
    ["SELECT 'x'::int", /Invalid input syntax for type integer/],
    ['SELECT 1 AS a, 2 AS a', /^query: Two columns are named "a": give/],
    ['SELECT g FROM generate_series(1, 10001) AS g', /more than 10000 rows: add LIMIT/],
    ["SELECT string_agg(md5(g::text), '') AS x FROM generate_series(1, 800000) AS g", /more than 16 MB/],
    [
      `WITH RECURSIVE r(n, t) AS (SELECT 1, '${'x'.repeat(4_000)}' UNION ALL SELECT n + 1, t || n FROM r) SELECT count(t) FROM r`,
      /memory or temporary space/,
    ],
  ])('a query that fails in the database %#: 400 with a sentence', async (query, sentence) => {
    const { status, body } = await ask(query)
    expect([status, body.error]).toEqual([400, expect.stringMatching(sentence)])
  })

  test.each([
    ['too few parameters', { query: 'SELECT $1', params: [] }, /names 1 parameters, and params has 0/],
    ['too many parameters', { query: 'SELECT 1', params: [1] }, /names 0 parameters, and params has 1/],
    ['a hole in the parameters', { query: 'SELECT $3', params: [1, 2] }, /names 3 parameters, and params has 2/],
    ['an empty query', { query: '' }, /^query: must not be empty\.$/],
    ['a blank query', { query: '  \n' }, /^query: must not be empty\.$/],
    ['no query', {}, /^query: is required\.$/],
    ['a number as query', { query: 7 }, /^query: must be string\.$/],
    ['NUL', { query: 'SELECT 1\0; DELETE FROM task' }, /^query: must be well-formed text without NUL\.$/],
    ['a lone surrogate', { query: 'SELECT 1 -- \ud800' }, /^query: must be well-formed text/],
    ['8193 characters', { query: `SELECT '${'x'.repeat(8_192)}'` }, /^query: a query must have at most 8192 bytes\.$/],
    [
      '8193 bytes of two each',
      { query: `SELECT '${'é'.repeat(4_092)}'` },
      /^query: a query must have at most 8192 bytes\.$/,
    ],
    ['a long parameter', { query: 'SELECT $1', params: ['x'.repeat(8_193)] }, /^params\.0: /],
    ['NUL in a parameter', { query: 'SELECT $1', params: ['a\0b'] }, /^params\.0: /],
    ['an object as parameter', { query: 'SELECT $1', params: [{}] }, /^params\.0: /],
    ['101 parameters', { query: 'SELECT $1', params: Array(101).fill(1) }, /^params: must have at most 100 items\.$/],
    ['a number that JSON changes', { query: 'SELECT $1', params: [2 ** 53] }, /^params\.0: .*string/],
    ['a long pattern', { query: 'SELECT id LIKE $1 FROM task', params: ['x'.repeat(257)] }, /^query: \$1 is a pattern/],
    ['text as parameters', { query: 'SELECT $1', params: 'x' }, /^params: /],
  ] as [string, object, RegExp][])('%s: 400 names the field', async (_name, body, sentence) => {
    const answer = await api.post('/api/sql', body)
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringMatching(sentence)])
  })

  test('more than 200 columns are refused', async () => {
    const columns = Array.from({ length: 201 }, (_, index) => `1 AS c${index}`)
    const { status, body } = await ask(`SELECT ${columns.join(', ')}`)
    expect([status, body.error]).toEqual([400, 'query: The answer has more than 200 columns.'])
    expect((await ask(`SELECT ${columns.slice(1).join(', ')}`)).status).toBe(200)
  })

  test('names of columns that would make the answer larger than 16 MB are refused', async () => {
    const names = Array.from({ length: 190 }, (_, index) => `null"${'\u0001'.repeat(28)}${index}"`)
    const query = `SELECT ${names.join(',')} FROM generate_series(1, 9999)`
    for (const accept of ['application/json', 'application/x-ndjson']) {
      const { status, body } = await ask(query, [], { Accept: accept })
      expect([status, body.error]).toEqual([400, expect.stringMatching(/more than 16 MB/)])
    }
  })

  test('a query that nests too deeply for the server is refused in our words', async () => {
    const { status, body } = await ask(
      "SELECT json_array_length(string_agg('[', '')::json) AS n FROM generate_series(1, 100000)",
    )
    expect([status, body.error]).toEqual([400, 'query: The query is nested too deeply; write it in fewer levels.'])
  })

  test('a text of the longest size that is allowed is run', async () => {
    const text = 'x'.repeat(8_192 - "SELECT '' AS x".length)
    expect((await ask(`SELECT '${text}' AS x`)).body.rows).toEqual([{ x: text }])
  })

  test('words of the query that come back are without control and bidirectional characters', async () => {
    const { body } = await ask('SELECT "a\u001b[31m\u202eb" FROM task')
    expect(body.error).toContain('Column "a?[31m?b" does not exist')
  })
})

describe('given a query that takes long', () => {
  const forever = 'SELECT count(*) FROM generate_series(1, 1000000) AS a, generate_series(1, 1000000) AS b'
  const running = async () =>
    (
      await api.sql`select pid from pg_stat_activity where usename = 'market_reader' and state <> 'idle'
      and datname = current_database()`
    ).length

  test('when five seconds are over, then it ends in the database too, with a sentence about the time', async () => {
    const before = performance.now()
    const { status, body } = await ask(forever)
    expect([status, body.error]).toEqual([
      400,
      expect.stringMatching(/^query: The query was stopped after 5 s: narrow it/),
    ])
    expect(performance.now() - before).toBeLessThan(7_000)
    await expect.poll(running, { timeout: 5_000 }).toBe(0)
  })

  test('when it waits for a lock, then it ends likewise', async () => {
    const holder = postgres(api.deps.config.DATABASE_URL, { max: 1 })
    try {
      await holder.begin(async (tx) => {
        await tx`lock table market.award in access exclusive mode`
        const { status, body } = await ask('SELECT count(*) FROM award')
        expect([status, body.error]).toEqual([400, expect.stringMatching(/stopped after 5 s/)])
      })
    } finally {
      await holder.end()
    }
    expect((await ask('SELECT count(*) AS n FROM award')).body.rows).toEqual([{ n: '0' }])
  })

  test('when a function of the server cannot be interrupted, then the answer comes in time and the place is held', async () => {
    const stuck = `SELECT (SELECT jsonb_agg(g::text) FROM generate_series(1, 90000) AS g)
      - (SELECT array_agg((-g)::text) FROM generate_series(1, 90000) AS g) AS x`
    const before = performance.now()
    const { status } = await ask(stuck)
    expect(status).toBe(400)
    expect(performance.now() - before).toBeLessThan(7_000)
    const held = await running()
    const next = await ask('SELECT 1 AS one')
    // It ended meanwhile on a fast machine; else its client waits for it.
    if (held > 0 && (await running()) > 0) expect(next.status).toBe(503)
    await expect.poll(running, { timeout: 50_000 }).toBe(0)
    await expect.poll(async () => (await ask('SELECT 1 AS one')).status, { timeout: 5_000 }).toBe(200)
  })

  test('when the client has one running, then its others wait, and those that are too many are told to come again', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask('SELECT 1 AS one')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429])
    const busy = answers.find(({ status }) => status === 429)
    expect(busy?.headers.get('Retry-After')).toBe('1')
    expect(busy?.body.error).toBe(
      '4 queries of this address wait already, and one runs at a time: send them one by one.',
    )
  })
})

describe('POST /sql/explain', () => {
  test('given a SELECT, then its plan is answered and nothing is run', async () => {
    const { status, body } = await api.post('/api/sql/explain', {
      query: 'SELECT * FROM market.task WHERE id = $1 AND 1 / (reward - reward) = 1',
      params: [taskId],
    })
    expect(status).toBe(200)
    expect(body.plan[0].Plan).toMatchObject({ 'Node Type': 'Index Scan', 'Relation Name': 'task' })
    expect(body.plan[0].Plan['Actual Rows']).toBeUndefined()
    expect(body).toMatchObject({ block: { number: 77 }, schemaVersion: 'idx_00000000000000aa' })
  })

  test.each([
    ['ANALYZE SELECT 1', 400],
    ['(ANALYZE) SELECT 1', 400],
    ['SELECT nope FROM task', 400],
    ['SELECT pg_sleep(1)', 400],
  ])('given %s, then it is refused', async (query, expected) => {
    const { status, body } = await api.post('/api/sql/explain', { query })
    expect(status).toBe(expected)
    expect(body.issues[0].path).toBe('query')
  })

  test('given a wrong name, then its character counts from the beginning of the text', async () => {
    const { body } = await api.post('/api/sql/explain', { query: 'SELECT nope FROM task' })
    expect(body.issues[0].position).toBe(8)
  })
})

describe('given a reader that is missing or unsafe', () => {
  test('when no login is set, then 503 names what the operator runs', async () => {
    const other = await startTestApi()
    try {
      const { status, body } = await other.post('/api/sql', { query: 'SELECT 1' })
      expect([status, body.error]).toEqual([503, expect.stringMatching(/docs\/operations\.md, "Database logins"/)])
    } finally {
      await other.stop()
    }
  })

  test.each([
    ['a superuser', () => api.deps.config.DATABASE_URL, /the reader may act as a superuser/],
    ['the login of the indexer', () => readerUrl.replace('market_reader', 'market_indexer'), /.*/],
  ])('when it is %s, then nothing is run', async (_name, url, sentence) => {
    const { createAnalytics } = await import('../../../api/analytics/analytics.ts')
    const kept = api.deps.analytics
    api.deps.analytics = createAnalytics({ readerUrl: url(), schema: 'market' })
    try {
      const { status, body } = await ask('SELECT 1 AS one')
      expect([status, body.error]).toEqual([503, expect.stringMatching(sentence)])
    } finally {
      await api.deps.analytics.stop()
      api.deps.analytics = kept
    }
  })

  test('when a function that harms is given back to PUBLIC, then nothing is run until it is taken away again', async () => {
    await api.sql`grant execute on function pg_catalog.pg_notify(text, text) to public`
    try {
      const { status, body } = await ask('SELECT 1 AS one')
      expect([status, body.error]).toEqual([503, expect.stringMatching(/the reader may execute pg_notify/)])
    } finally {
      await api.sql`revoke execute on function pg_catalog.pg_notify(text, text) from public`
    }
    expect((await ask('SELECT 1 AS one')).status).toBe(200)
  })

  test('when its login has settings that change what a text means, then a query is run as ever', async () => {
    const name = new URL(readerUrl).pathname.slice(1)
    const settings = [
      'standard_conforming_strings = off',
      'search_path = pg_catalog',
      'bytea_output = escape',
      "TimeZone = 'Asia/Tokyo'",
      "DateStyle = 'German'",
      'statement_timeout = 0',
    ]
    for (const setting of settings) {
      await api.sql.unsafe(`ALTER ROLE market_reader IN DATABASE "${name}" SET ${setting}`)
    }
    const { body } = await ask(
      `SELECT '\\' AS backslash, '\\x00'::bytea AS bytes, to_timestamp(0) AS at, count(*) AS n FROM task`,
    )
    expect(body.rows).toEqual([{ backslash: '\\', bytes: '\\x00', at: '1970-01-01T00:00:00Z', n: '1' }])
    await api.sql.unsafe(`ALTER ROLE market_reader IN DATABASE "${name}" RESET ALL`)
  })

  test('when views are dropped and made again, then it reads the new ones', async () => {
    await indexer`create view market.extra as select 1 as one`
    expect((await ask('SELECT * FROM extra')).body.rows).toEqual([{ one: 1 }])
    await indexer`drop view market.extra`
    expect((await ask('SELECT * FROM extra')).status).toBe(400)
    await indexer`create view market.extra as select 2 as two`
    expect((await ask('SELECT * FROM extra')).body.rows).toEqual([{ two: 2 }])
  })
})

test('given the same client again and again, when its budget is used up, then it is 429 with the time to wait', async () => {
  const other = await startTestApi({ SQL_PER_MINUTE: '2' })
  try {
    await openReader(other)
    const statuses = []
    for (let sent = 0; sent < 3; sent += 1) statuses.push((await other.post('/api/sql', { query: 'SELECT 1' })).status)
    expect(statuses).toEqual([200, 200, 429])
    const { headers } = await other.post('/api/sql/explain', { query: 'SELECT 1' })
    expect(headers.get('RateLimit-Policy')).toBe('"sql";q=2;w=60')
    // Reads are counted apart.
    expect((await other.get('/api/tasks')).status).toBe(200)
  } finally {
    await other.stop()
  }
})

test('given a query, then neither its text nor its values are logged', async () => {
  const lines: string[] = []
  const { Writable } = await import('node:stream')
  const logTo = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk))
      done()
    },
  })
  const other = await startTestApi({ LOG_LEVEL: 'trace' }, logTo)
  try {
    await openReader(other)
    await other.post('/api/sql', { query: "SELECT 'topsecret1' AS x, $1 AS y", params: ['topsecret2'] })
    await other.post('/api/sql', { query: "SELECT 'topsecret1'::int AS x" })
  } finally {
    await other.stop()
  }
  expect(lines.join('')).toContain('"route":"/api/sql"')
  expect(lines.join('')).not.toMatch(/topsecret/)
})
