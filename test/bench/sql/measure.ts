import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import type { Figure } from '../../../scripts/figures/figure.ts'
import { counted, estimated } from '../figures/figures.ts'
import { estimateMedian, medianOf, quantileOf } from '../figures/statistics.ts'
import { fetchBytes } from '../reads/http-get.ts'
import { anew } from '../reads/measure.ts'
import { ask, attackOverHttp } from './attack-thread.ts'
import { hostileQueries } from './hostile-queries.ts'
import type { SqlServers } from './sql-servers.ts'

const queries: Readonly<Record<string, string>> = {
  'one row': 'SELECT 1 AS one',
  'newest 20 tasks': 'SELECT * FROM market.task ORDER BY created_at_ms DESC LIMIT 20',
  '10,000 rows of 4 columns': 'SELECT id, requester, reward, created_at FROM market.task LIMIT 10000',
  'tasks and rewards by mode': 'SELECT mode, count(*) AS tasks, sum(reward) AS reward FROM market.task GROUP BY mode',
}

/** Answers of almost 16 MB: a few long values, and many short ones. */
const large = [
  "SELECT x, g FROM (SELECT string_agg(md5(i::text), '') AS x FROM generate_series(1, 32000) AS i) AS q, generate_series(1, 15) AS g",
  'SELECT t.*, g FROM (SELECT * FROM market.task LIMIT 1000) AS t, generate_series(1, 8) AS g',
]

interface Sample {
  blocks: number
  random: () => number
}

/** Milliseconds of each query, over HTTP and on one open connection of the reader, block by block. */
export async function measureAnswers(
  { url, readerUrl }: SqlServers,
  { blocks, requests, random }: Sample & { requests: number },
): Promise<Figure[]> {
  const bare = new Client(readerUrl)
  await bare.connect()
  try {
    const figures: Figure[] = []
    for (const [name, query] of Object.entries(queries)) {
      const overHttp = () => ask(url, { query, client: '10.0.0.1' })
      const onConnection = () => bare.query({ text: query, rowMode: 'array' })
      const times: { http: number[]; bare: number[] } = { http: [], bare: [] }
      for (let block = 0; block < blocks; block += 1) {
        times.http.push(await medianTime(requests, overHttp))
        times.bare.push(await medianTime(requests, onConnection))
      }
      figures.push(
        estimated(`${name} over HTTP, ms`, estimateMedian(times.http, random)),
        estimated(`${name} on an open connection, ms`, estimateMedian(times.bare, random)),
      )
    }
    return figures
  } finally {
    await bare.end()
  }
}

/** The p99 of `GET /tasks` in windows that alternate: quiet, attacked. Half of the requests were never asked before. */
export async function measureBystander(
  servers: SqlServers,
  { blocks, windowMs, random }: Sample & { windowMs: number },
): Promise<Figure[]> {
  const attacks: Readonly<Record<string, (signal: AbortSignal) => Promise<void>>> = {
    'hostile queries over HTTP': (signal) => attackOverHttp({ url: servers.url, queries: hostileQueries }, signal),
    'answers of 16 MB over HTTP': (signal) => attackOverHttp({ url: servers.url, queries: large }, signal),
    "hostile queries on the reader's login": (signal) => attackOnLogin(servers.readerUrl, signal),
    'three shell loops at the lowest priority': loopInShells,
  }
  const figures: Figure[] = []
  for (const [name, attack] of Object.entries(attacks)) {
    const p99 = { quiet: [] as number[], attacked: [] as number[] }
    let failed = 0
    for (let block = 0; block < blocks; block += 1) {
      const quiet = await watchTasks(servers.url, windowMs)
      const ending = new AbortController()
      const attacking = attack(ending.signal)
      // The first queries have begun.
      await delay(500)
      const attacked = await watchTasks(servers.url, windowMs)
      ending.abort()
      await attacking
      p99.quiet.push(quantileOf(quiet.times, 0.99))
      p99.attacked.push(quantileOf(attacked.times, 0.99))
      failed += quiet.failed + attacked.failed
    }
    const ratios = p99.attacked.map((value, block) => value / (p99.quiet[block] ?? Number.NaN))
    figures.push(
      estimated(`GET /tasks beside ${name}, p99 by quiet`, estimateMedian(ratios, random), { most: 1.3 }),
      estimated(`its p99 beside ${name}, ms`, estimateMedian(p99.attacked, random)),
      counted(`its answers beside ${name} that failed`, failed, { most: 0 }),
    )
  }
  return figures
}

/** One request after the other, 50 a second at most: a bystander, no load. */
async function watchTasks(url: string, milliseconds: number): Promise<{ times: number[]; failed: number }> {
  const times: number[] = []
  let failed = 0
  const end = performance.now() + milliseconds
  while (performance.now() < end) {
    const before = performance.now()
    const page = `${url}/api/tasks?limit=20`
    await fetchBytes(times.length % 2 === 0 ? page : anew(page)).catch(() => {
      failed += 1
    })
    times.push(performance.now() - before)
    await delay(20)
  }
  return { times, failed }
}

/** Three sessions: what a leaked password could open beside the service. */
async function attackOnLogin(readerUrl: string, signal: AbortSignal): Promise<void> {
  const sessions = Array.from({ length: 3 }, async (_, session) => {
    for (let sent = session; !signal.aborted; sent += 1) {
      const client = new Client({ connectionString: readerUrl })
      client.on('error', () => {})
      const cut = () => void client.end()
      signal.addEventListener('abort', cut, { once: true })
      await client
        .connect()
        .then(() => client.query(hostileQueries[sent % hostileQueries.length] ?? ''))
        .catch(() => null)
      signal.removeEventListener('abort', cut)
      await client.end().catch(() => null)
    }
  })
  await Promise.all(sessions)
}

/** What any work on the machine's own processors costs, of whatever kind: a floor for the attacks beside it. */
async function loopInShells(signal: AbortSignal): Promise<void> {
  const shells = [1, 2, 3].map(() =>
    spawn('nice', ['-n', '19', 'sh', '-c', 'while :; do :; done'], { stdio: 'ignore' }),
  )
  await once(signal, 'abort')
  for (const shell of shells) shell.kill('SIGKILL')
}

async function medianTime(requests: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let request = 0; request < requests; request += 1) {
    const before = performance.now()
    await work()
    times.push(performance.now() - before)
  }
  return medianOf(times)
}
