import type { Address } from 'viem'
import type { Random } from '../faults/random.ts'
import { expiringReadHeadersOf } from '../support/actors.ts'
import type { Latencies, RequestKind } from './latencies.ts'
import type { ReadSubjects } from './read-subjects.ts'
import type { Stage } from './stage.ts'

interface Reading {
  stage: Stage
  random: Random
  subjects: ReadSubjects
  /** Of one API process that is up. */
  url: string
}

/** A kind of read: what it takes, and how often it comes beside the others. */
interface ReadKind {
  kind: RequestKind
  weight: number
  read(reading: Reading): Promise<void>
}

const words = ['do', 'this', 'money', 'trust', 'nothing-has-it'] as const
const queries = [
  'SELECT status, count(*) AS tasks FROM market.task GROUP BY status',
  'SELECT requester, count(*) AS tasks, sum(reward) AS paid FROM market.task GROUP BY requester ORDER BY tasks DESC LIMIT 10',
  'SELECT mode, avg(reward) AS average FROM market.task GROUP BY mode',
] as const
const graphqlQueries = [
  '{ tasks(limit: 20, orderBy: "createdAtMs", orderDirection: "desc") { totalCount items { id mode reward requesterAgent { reputation } } pageInfo { endCursor } } }',
  '{ taskGroups(by: [mode, status], where: { listed: true }) { key { mode status } count sum { reward } } }',
] as const

const readKinds: Readonly<Record<string, ReadKind>> = {
  'a list of tasks': { kind: 'reads', weight: 4, read: readList },
  'a list again, by its tag': { kind: 'reads', weight: 4, read: readByTag },
  'words that are searched': {
    kind: 'reads',
    weight: 2,
    read: async ({ url, random }) => void (await get(`${url}/api/tasks?limit=20&q=${random.pick(words)}`)),
  },
  'the pages of a list': { kind: 'reads', weight: 1, read: readPages },
  'a task': { kind: 'reads', weight: 6, read: readTask },
  'what was delivered': { kind: 'reads', weight: 2, read: readDelivered },
  'pages of changes': { kind: 'reads', weight: 2, read: readChanges },
  'a worklist': { kind: 'reads', weight: 2, read: readWorklist },
  figures: {
    kind: 'reads',
    weight: 1,
    read: async ({ url, random }) => {
      const paths = [
        '/api/tasks/stats',
        '/api/stats/daily',
        '/api/agents/leaderboard',
        '/api/books',
        '/api/network',
      ] as const
      await get(url + random.pick(paths))
    },
  },
  GraphQL: { kind: 'GraphQL', weight: 2, read: readGraphql },
  SQL: {
    kind: 'SQL',
    weight: 1,
    read: readSql,
  },
}

const drawn = Object.entries(readKinds).flatMap(([name, { weight }]) => Array.from({ length: weight }, () => name))

/** Sends one random read. */
export async function sendRead(reading: Reading, latencies: Latencies): Promise<void> {
  const name = reading.random.pick(drawn as [string, ...string[]])
  const { kind, read } = readKinds[name] as ReadKind
  await latencies.time(kind, name, () => read(reading))
}

async function get(url: string, headers: Record<string, string> = {}, expected: readonly number[] = [200]) {
  return await settle(await fetch(url, { headers, signal: AbortSignal.timeout(60_000) }), expected)
}

async function post(url: string, body: object, expected: readonly number[] = [200]): Promise<Settled> {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  return await settle(await fetch(url, { ...init, signal: AbortSignal.timeout(60_000) }), expected)
}

interface Settled {
  headers: Headers
  text: string
}

async function settle(response: Response, expected: readonly number[]): Promise<Settled> {
  const text = await response.text()
  if (!expected.includes(response.status)) throw new Error(`answered ${response.status} ${text.slice(0, 150)}`)
  return { headers: response.headers, text }
}

async function readList({ url, random }: Reading): Promise<void> {
  const filters = [
    '',
    '&status=open',
    '&mode=bounty',
    '&tags=t',
    '&minReward=1000000',
    '&sort=newest',
    '&phase=active',
  ] as const
  await get(`${url}/api/tasks?limit=${random.pick([10, 20, 50] as const)}${random.pick(filters)}`)
}

async function readByTag({ url }: Reading): Promise<void> {
  const { headers } = await get(`${url}/api/tasks?limit=20`)
  const tag = headers.get('etag')
  if (tag !== null) await get(`${url}/api/tasks?limit=20`, { 'If-None-Match': tag }, [200, 304])
}

async function readPages({ url }: Reading): Promise<void> {
  let cursor = ''
  for (let page = 0; page < 5; page += 1) {
    const { text } = await get(`${url}/api/tasks?limit=50${cursor}`)
    const { nextCursor } = JSON.parse(text) as { nextCursor?: string | null }
    if (typeof nextCursor !== 'string') return
    cursor = `&cursor=${encodeURIComponent(nextCursor)}`
  }
}

async function readTask({ url, random, subjects }: Reading): Promise<void> {
  const task = subjects.tasks[random.integer(0, Math.max(0, subjects.tasks.length - 1))]
  if (task !== undefined) await get(`${url}/api/tasks/${task}`)
}

async function readDelivered({ url, random, subjects }: Reading): Promise<void> {
  const task = subjects.tasks[random.integer(0, Math.max(0, subjects.tasks.length - 1))]
  if (task === undefined) return
  const { text } = await get(`${url}/api/tasks/${task}/submissions`)
  const artifact = /"artifacts":\[\{"id":"([^"]+)"/.exec(text)?.[1]
  if (artifact === undefined) return
  const preview = await get(`${url}/api/tasks/${task}/artifacts/${artifact}/preview`)
  const { previewUrl } = JSON.parse(preview.text) as { previewUrl: string }
  const { pathname, search } = new URL(previewUrl)
  await get(url + pathname + search)
}

async function readChanges({ url, random }: Reading): Promise<void> {
  const { text } = await get(`${url}/api/events?limit=${random.pick([20, 100, 500] as const)}`)
  const { next } = JSON.parse(text) as { next: string }
  await get(`${url}/api/events?limit=100&after=${next}`)
}

async function readWorklist({ stage, url, random, subjects }: Reading): Promise<void> {
  const account = subjects.wallets[random.integer(0, Math.max(0, subjects.wallets.length - 1))]
  if (account === undefined) return
  const { timestamp: now } = await stage.environment.client.getBlock({ blockTag: 'latest' })
  const reader = { account, address: account.address.toLowerCase() as Address }
  const headers = await expiringReadHeadersOf(reader, { baseUrl: url, now })
  await get(
    `${url}${random.pick(['/api/agents/inbox', '/api/agents/action-queue'] as const)}?address=${reader.address}`,
    headers,
  )
}

/** On a busy machine analysts come last: a query that is stopped at its deadline, or has to wait, is an answer. */
async function readSql({ url, random }: Reading): Promise<void> {
  await post(`${url}/api/sql`, { query: random.pick(queries) }, [200, 400, 429, 503])
}

async function readGraphql({ stage, random }: Reading): Promise<void> {
  const { text } = await post(stage.graphqlUrl, { query: random.pick(graphqlQueries) }, [200, 429, 503])
  if (text.includes('"errors"') && !/"(TIMEOUT|OVERLOADED)"/.test(text)) throw new Error(text.slice(0, 200))
}
