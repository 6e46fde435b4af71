import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { TimeWindow } from '../../../api/domain/actions/action-rule.ts'
import { findIndexedHead } from '../../../api/read-model/indexed-head.queries.ts'
import { type RowChanges, watchRowChanges } from '../../../api/read-model/row-changes.ts'
import type { IndexedHeadWatch } from '../../../api/read-model/watch-indexed-head.ts'
import { type App, createApp } from '../../../api/server/app.ts'
import { openCurrentTags, type RowState } from '../../../api/server/current-tags.ts'
import { createHttpServer } from '../../../api/server/http-server.ts'
import { anActor, readHeadersOf } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { byDepth } from '../../support/depth.ts'
import { START } from '../../support/rows/insert-row.ts'
import { createLogRows } from '../events/log-rows.ts'
import { startStreams } from '../events/stream-client.ts'
import { countStatements } from '../read-model/counted-statements.ts'
import { onDatabase } from '../read-model/primary-reads.ts'

const [requester, viewer, stranger] = [anActor(), anActor(), anActor()]
let api: TestApi
const servers: Server[] = []
/** The service behind its own server, which answers before the app what it may. */
let get: Awaited<ReturnType<typeof serve>>
let log: ReturnType<typeof createLogRows>
let [openId, privateId]: Hex[] = []
let block = 1

beforeAll(async () => {
  api = await startTestApi()
  openId = (await aTask('public')).id
  privateId = (await aTask('private')).id
  log = createLogRows(api, { taskId: openId, subject: requester.address })
  get = await serve(api.app)
  await commit()
})
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  await api.stop()
})
beforeEach(() => {
  api.chain.now = START
})

async function serve(app: App) {
  const server = createHttpServer(app, { hostname: '127.0.0.1', log: api.deps.log, bodyTimeout: 60_000 })
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
    await response.arrayBuffer()
    return response
  }
}

const aTask = (taskVisibility: 'public' | 'private') =>
  api.seed.task(
    { requester: requester.address, expiryTime: START + 60n },
    { taskVisibility },
    taskVisibility === 'private' ? { viewers: [viewer.address] } : undefined,
  )

/** The indexer commits a block, the log follows, and this process is told. */
async function commit(): Promise<void> {
  block += 1
  await log.append(block)
  api.deps.rowChanges.note()
}

/** The routes that are polled most. */
const urls = () => [
  `/api/tasks/${openId}`,
  `/api/tasks/${privateId}`,
  '/api/tasks?limit=5',
  '/api/tasks?status=open',
  `/api/agents/action-queue?address=${requester.address}`,
  '/api/events?limit=50',
]

const callers: Record<string, Record<string, string>> = {
  anonymous: {},
  requester: await readHeadersOf(requester),
  viewer: await readHeadersOf(viewer),
  stranger: await readHeadersOf(stranger),
}
/** With those that differ by request: that they are there. */
const headersOfAll = ({ headers }: { headers: Headers }) => ({
  ...Object.fromEntries(headers),
  date: 'given',
  ...(headers.has('X-Request-Id') && { 'x-request-id': 'given' }),
  ...(headers.has('RateLimit') && { ratelimit: headers.get('RateLimit')?.replace(/[rt]=\d+/g, '') }),
})
const tagOf = ({ headers }: { headers: Headers }) => headers.get('etag') ?? ''

describe('what a process is told of', () => {
  const changes = {
    'a new task': async () => {
      await aTask('public')
      await commit()
    },
    'an event of a task': async () => {
      await log.mine(block + 1, 1)
      await api.sql`update task set submission_count = submission_count + 1, event_count = event_count + 1 where id = ${openId as Hex}`
      await commit()
    },
    'an entry in the log': async () => {
      await log.mine(block, 1)
      await log.append()
      api.deps.rowChanges.note()
    },
    'a viewer less, then as many as before': async () => {
      const isThere =
        await api.sql`delete from service.task_viewers where viewer = ${viewer.address} returning 1 as one`
      if (isThere.length === 0) {
        await api.sql`
          insert into service.task_viewers (requester, content_hash, viewer, added_by)
          select requester, created_content_hash, ${viewer.address}, requester from task where id = ${privateId as Hex}`
      }
      api.deps.rowChanges.note()
    },
    'another text': async () => {
      await api.sql`update service.task_content set description = description || '.'`
      api.deps.rowChanges.note()
    },
    'a later time': async () => {
      api.chain.now += 45n
    },
    nothing: async () => {},
  } as const
  const names = Object.keys(changes) as (keyof typeof changes)[]

  test('given any changes, then each caller is answered 304 just where a request without a tag has its answer', async () => {
    const runs = fc.array(fc.constantFrom(...names), { minLength: 3, maxLength: byDepth(3, 8) })
    await fc.assert(
      fc.asyncProperty(runs, async (run) => {
        api.chain.now = START
        const tags = new Map<string, string>()
        for (const change of run) {
          await changes[change]()
          const asked = urls().flatMap((url) =>
            Object.entries(callers).map(([name, credentials]) => ({ url, name, credentials })),
          )
          for (const { url, name, credentials } of asked) {
            const made = await get(url, credentials)
            // The tags of all others too, twice each: the first one may keep what the second one finds.
            for (const sent of new Set([
              tags.get(`${name} ${url}`),
              ...Object.keys(callers).map((key) => tags.get(`${key} ${url}`)),
            ])) {
              if (sent === undefined) continue
              const answers = []
              for (let time = 0; time < 2; time += 1) {
                const answer = await get(url, { ...credentials, 'If-None-Match': sent })
                expect([run, url, name, answer.status]).toEqual([run, url, name, sent === tagOf(made) ? 304 : 200])
                expect(tagOf(answer)).toBe(tagOf(made))
                answers.push(answer)
              }
              const [first, second] = answers.map(headersOfAll)
              expect(second).toEqual(first)
            }
            tags.set(`${name} ${url}`, tagOf(made))
          }
        }
      }),
      { numRuns: byDepth(1, 30) },
    )
  })
})

test('given clients that poll one URL, then one look at the rows answers all of a moment', async () => {
  const { sql, count } = countStatements(api.sql)
  let transactions = 0
  const counted = new Proxy(sql, {
    get: (target, name) => {
      if (name === 'begin') transactions += 1
      return Reflect.get(target, name)
    },
  })
  const app = createApp(onDatabase(api.deps, counted))
  const asked = vi.spyOn(app, 'fetch')
  const getCounted = await serve(app)
  for (const url of urls()) {
    const tag = tagOf(await getCounted(url))
    const ask = async () => (await getCounted(url, { 'If-None-Match': tag })).status
    const askedOf = async (clients: number) => {
      const before = count() + transactions
      for (let client = 0; client < clients; client += 1) expect([url, await ask()]).toEqual([url, 304])
      return count() + transactions - before
    }
    api.deps.rowChanges.note()
    expect(await askedOf(1), url).toBeGreaterThan(0)
    asked.mockClear()
    expect(await askedOf(10), url).toBe(0)
    expect(asked, url).not.toHaveBeenCalled()
    api.deps.rowChanges.note()
    expect(await askedOf(1), url).toBeGreaterThan(0)
  }
})

test.each(['gzip', 'identity'])(
  'given a page that is kept, then it is sent before the app, as the app sends it (%s)',
  async (coding) => {
    const app = createApp(api.deps)
    const asked = vi.spyOn(app, 'fetch')
    const getKept = await serve(app)
    const headers = { 'Accept-Encoding': coding }
    const ofServer = ['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding']
    const partsOf = ({ status, headers: all }: Response) => [
      status,
      [...all].filter(([name]) => !ofServer.includes(name)),
    ]
    const addTask = async () => {
      await aTask('public')
      await commit()
    }
    const passTime = async () => {
      api.chain.now += 45n
    }
    const changes = [async () => {}, addTask, commit, passTime]
    for (const url of ['/api/tasks?limit=5', '/api/tasks?status=open', '/api/agents/leaderboard']) {
      for (const change of changes) {
        await change()
        await getKept(url, headers)
        asked.mockClear()
        const [kept, known] = [await getKept(url, headers), await getKept(url, { ...headers, 'If-None-Match': '*' })]
        expect(asked, url).not.toHaveBeenCalled()
        const made = await createApp(api.deps).request(url, { headers })
        expect(partsOf(kept)).toEqual(partsOf(made))
        const text = coding === 'gzip' ? '' : await made.text()
        if (text !== '') expect([url, await (await fetch(kept.url, { headers })).text()]).toEqual([url, text])
        expect([known.status, tagOf(known)]).toEqual([304, tagOf(made)])
      }
    }
  },
)

describe('a request that says more than its URL', () => {
  const url = '/api/tasks?limit=5&unknown=1'
  const poll = async (headers: Record<string, string> = {}, path = url) => {
    const tag = tagOf(await get(path, headers))
    await get(path, { 'If-None-Match': tag })
    return await get(path, { ...headers, 'If-None-Match': tag })
  }

  test('has the names that are ignored on every answer', async () => {
    const { status, headers } = await poll()
    expect([status, headers.get('x-service-ignored')]).toEqual([304, 'unknown'])
  })

  test('is counted, and refused like any other', async () => {
    const app = createApp({ ...api.deps, config: { ...api.deps.config, READS_PER_MINUTE: 3 } })
    const getLimited = await serve(app)
    const ask = async (headers: Record<string, string>) => await getLimited(urls()[0] ?? '', headers)
    const { headers } = await ask({})
    const known = { 'If-None-Match': tagOf({ headers }) }
    const answers = [await ask(known), await ask(known), await ask(known)]
    expect(answers.map(({ status }) => status)).toEqual([304, 304, 429])
    expect(answers.map((answer) => answer.headers.get('RateLimit')?.replace(/t=.*/, ''))).toEqual([
      '"reads";r=1;',
      '"reads";r=0;',
      '"reads";r=0;',
    ])
    const [, , refusal] = answers
    expect(refusal?.headers.get('Content-Security-Policy')).toBe(headers.get('Content-Security-Policy'))
    expect(refusal?.headers.get('Access-Control-Allow-Origin')).toBe('*')
  })

  test('is refused when it is strict', async () => {
    expect((await poll({ Prefer: 'handling=strict' })).status).toBe(400)
  })

  test('has the tag of what is sent to it', async () => {
    const ask = async (headers: Record<string, string>) => await get('/api/tasks', headers)
    for (const [coding, weak] of [
      ['gzip', 'W/'],
      ['identity', ''],
    ] as const) {
      const tag = tagOf(await ask({ 'Accept-Encoding': coding }))
      for (let time = 0; time < 2; time += 1) {
        const { status, headers } = await ask({ 'Accept-Encoding': coding, 'If-None-Match': tag })
        expect([status, headers.get('etag'), headers.get('vary')]).toEqual([304, tag, 'Accept-Encoding'])
      }
      expect(tag.startsWith('W/')).toBe(weak !== '')
    }
  })

  test('gets a stream where it asks for one', async () => {
    const [search, Accept] = ['?limit=50', 'text/event-stream']
    const { headers } = await poll({}, `/api/events${search}`)
    const tag = headers.get('etag') ?? ''
    const polled = await api.app.request(`/api/events${search}`, {
      method: 'HEAD',
      headers: { Accept, 'Accept-Encoding': 'gzip', 'If-None-Match': tag },
    })
    expect(polled.status).toBe(304)
    const streams = await startStreams(api)
    try {
      const { response, close } = await streams.connect(search, { 'If-None-Match': tag })
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
      close()
      for (const refusing of ['text/event-stream;q=0', 'application/json, text/event-stream;q=0.5']) {
        const page = await streams.connect(search, { Accept: refusing })
        expect([refusing, page.response.headers.get('content-type')]).toEqual([refusing, 'application/json'])
      }
    } finally {
      await streams.stop()
    }
  })
})

describe('a tag that is kept', () => {
  let time = 0
  let timestamp = 5n
  const openTags = (indexedHead: Pick<IndexedHeadWatch, 'current'> = api.deps.indexedHead) => {
    const rowChanges = watchRowChanges(api.sql, () => time)
    const chain = { knownHead: () => ({ number: 1n, timestamp }) }
    const tags = openCurrentTags({
      ...api.deps,
      rowChanges,
      chain: { ...api.deps.chain, ...chain },
      indexedHead: { ...api.deps.indexedHead, ...indexedHead },
    })
    const state = () => tags.state() ?? expect.fail('there are rows and a head')
    const find = (sent: string) => tags.findKnown('/', state(), sent)?.etag ?? null
    const keep = (begun: RowState, etag: string, sameWithin?: TimeWindow) =>
      tags.keep('/', begun, { etag, headers: [], namesRequest: false, countedAs: 'reads', route: '/', sameWithin })
    return { rowChanges, state, find, keep }
  }

  test.each([
    ['a change', 0, 0n, true],
    ['three seconds', 3_000, 0n, false],
    ['another time of the head', 0, 1n, false],
  ])('is over with %s, also when its answer was made meanwhile', (_, milliseconds, seconds, isNoted) => {
    const { rowChanges, state, find, keep } = openTags()
    const end = () => {
      time += milliseconds
      timestamp += seconds
      if (isNoted) rowChanges.note()
    }
    const before = state()
    keep(before, 'W/"a"')
    expect(find('"b", "a"')).toBe('W/"a"')
    expect(find('"b"')).toBeNull()
    end()
    expect(find('"a"')).toBeNull()
    const begun = state()
    end()
    keep(begun, '"b"')
    expect(find('"b"')).toBeNull()
  })

  test('is good at the times of the head at which its answer is the same, and at no other', () => {
    const { state, find, keep } = openTags()
    const within = { from: timestamp - 1n, until: timestamp + 2n }
    const begun = state()
    keep(begun, '"a"', within)
    for (const [passed, found] of [
      [1n, '"a"'],
      [-2n, '"a"'],
      [-1n, null],
      [4n, null],
    ] as const) {
      timestamp += passed
      expect(find('"a"')).toBe(found)
    }
    keep(begun, '"b"', within)
    timestamp = within.from
    expect(find('"b"')).toBeNull()
  })

  test('is over with an entry of the log, unless its route names its times', async () => {
    const { rowChanges, state, find, keep } = openTags()
    await rowChanges.start()
    const begun = state()
    const append = async () => {
      await log.mine(block + 1, 1)
      await commit()
    }
    keep(begun, '"b"', { from: timestamp, until: timestamp + 1n })
    await append()
    await expect.poll(() => state().log).not.toBe(begun.log)
    expect(find('"b"')).toBe('"b"')
    keep(state(), '"a"')
    expect(find('"a"')).toBe('"a"')
    await append()
    await expect.poll(() => find('"a"')).toBeNull()
  })

  describe('in blocks that change no row', () => {
    const within = { from: 0n, until: 1_000n }
    const hear = async (rowChanges: RowChanges, channel: string, payload: string) => {
      if (channel === 'market_idle_block') return await api.sql.notify(channel, payload)
      const heard = new Promise<void>((resolve) => {
        const end = rowChanges.onChange(() => {
          end()
          resolve()
        })
      })
      await api.sql.notify(channel, payload)
      await heard
    }
    const begin = async (indexedHead?: Parameters<typeof openTags>[0]) => {
      const opened = openTags(indexedHead)
      await opened.rowChanges.start()
      await hear(opened.rowChanges, 'market_head', '7')
      opened.keep(opened.state(), '"a"', within)
      return opened
    }

    test('is good, for three seconds after each', async () => {
      const { rowChanges, find } = await begin()
      for (const number of ['8', '9', '10']) {
        time += 2_999
        await hear(rowChanges, 'market_idle_block', number)
        await hear(rowChanges, 'market_head', number)
        expect(find('"a"')).toBe('"a"')
      }
      time += 3_000
      expect(find('"a"')).toBeNull()
    })

    test('is over once the head has gone back, before the notification of that', async () => {
      const head = await findIndexedHead(api.sql)
      let blockNumber = 7n
      const { find } = await begin({ current: () => head && { ...head, blockNumber } })
      expect(find('"a"')).toBe('"a"')
      blockNumber = 6n
      expect(find('"a"')).toBeNull()
    })

    test('is sent again with the newest block, without a look at the rows', async () => {
      const { sql, count } = countStatements(api.sql)
      const deps = { ...onDatabase(api.deps, sql), rowChanges: watchRowChanges(api.sql, () => time) }
      await deps.rowChanges.start()
      const getHeard = await serve(createApp(deps))
      const [url = ''] = urls()
      const mineIdle = async () => {
        block += 1
        await log.setHead(block)
        await hear(deps.rowChanges, 'market_idle_block', String(block))
        await hear(deps.rowChanges, 'market_head', String(block))
        await deps.indexedHead.refresh()
      }
      await mineIdle()
      const tag = tagOf(await getHeard(url))
      const ask = async () => {
        const { status, headers } = await getHeard(url, { 'If-None-Match': tag })
        return [status, headers.get('x-service-block-number'), headers.get('x-service-block-timestamp')]
      }
      const first = await ask()
      const statements = count()
      await mineIdle()
      expect(await ask()).toEqual([304, String(block), expect.not.stringMatching(String(first[2]))])
      expect(count()).toBe(statements)
    })

    test.each<[string, [string, string][]]>([
      ['a block that changed rows', [['market_head', '8']]],
      [
        'a block whose predecessor was not heard of',
        [
          ['market_idle_block', '9'],
          ['market_head', '9'],
        ],
      ],
      [
        'a block at the same height',
        [
          ['market_idle_block', '7'],
          ['market_head', '7'],
        ],
      ],
      ['a recovery', [['market_head', '']]],
      [
        'an idle block after a recovery',
        [
          ['market_head', ''],
          ['market_idle_block', '8'],
          ['market_head', '8'],
        ],
      ],
    ])('is over with %s', async (_, notifications) => {
      const { rowChanges, find } = await begin()
      for (const [channel, payload] of notifications) await hear(rowChanges, channel, payload)
      expect(find('"a"')).toBeNull()
    })
  })
})
