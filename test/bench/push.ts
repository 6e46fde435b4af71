/**
 * `npm run bench -- push`: what streams of the log of changes cost. Idle ones: memory and processor time of the service's process,
 * with a block a second. Then how long an entry takes from the block, as a node tells of it, to the bytes at every stream, what
 * a paid write takes beside streams, and what pages of a long log take.
 * Linux only. Prints figures and keeps them in docs/internals/benchmarks/figures.json.
 *
 *   --quick             a tenth of the streams, nothing written
 *   --entries <count>   of the long log that pages are read of: 5,000,000, with 5 GB of disk, unless given
 */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createPublicClient, webSocket } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { readOptions } from '../../ops/process/read-options.ts'
import { mintLocalUsdc } from '../../scripts/contracts/deploy.ts'
import type { Figure } from '../../scripts/figures/figure.ts'
import { listOwnProcesses } from '../../scripts/stack/process-cpu.ts'
import { aKey, createPayingClient } from '../support/paying-client.ts'
import { beginBenchmark, tellFigures } from './figures/benchmark.ts'
import { counted } from './figures/figures.ts'
import { createSeededRandom, quantileOf } from './figures/statistics.ts'
import { measurePages } from './push/measure-pages.ts'
import { startEntries, timeWrites } from './push/measure-writes.ts'
import { startRowStack } from './reads/row-stack.ts'
import { apiEnvironment, setBlockTime, startBenchStack } from './writes/bench-stack.ts'

const { values } = readOptions({
  options: { quick: { type: 'boolean', default: false }, entries: { type: 'string' } },
})
const idleStreams = values.quick ? 1_000 : 10_000
const busyStreams = values.quick ? 100 : 1_000
const seconds = values.quick ? 10 : 60
const entries = values.quick ? 10 : 60
const writes = values.quick ? 20 : 150
const [fewEntries, manyEntries] = [100_000, Number(values.entries ?? (values.quick ? 500_000 : 5_000_000))]
/** A client may have twenty streams: each address of this machine is a client. */
const STREAMS_OF_ADDRESS = 20
const OPENED_AT_ONCE = 100
const REWARD = 1_000_000n

await beginBenchmark()
const stack = await startBenchStack('')
const { port } = new URL(stack.baseUrl())
const service = () => {
  const found = listOwnProcesses().find(({ command }) => / ?(^| |\/)api\/main\.ts|scripts\/api\.ts/.test(command))
  if (found === undefined) throw new Error('the service has no process')
  return found
}
const memoryMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service().pid}/status`, 'utf8'))?.[1]) / 1000

async function openStream(number: number, onData: (text: string) => void): Promise<Socket> {
  const client = Math.floor(number / STREAMS_OF_ADDRESS)
  const localAddress = `127.1.${Math.floor(client / 250)}.${(client % 250) + 1}`
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress })
  socket.setEncoding('utf8')
  await once(socket, 'connect')
  socket.write('GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n')
  const [first] = (await once(socket, 'data')) as [string]
  if (!first.startsWith('HTTP/1.1 200')) throw new Error(`no stream: ${first.slice(0, 200)}`)
  socket.on('data', onData)
  return socket
}

async function openStreams(count: number, onData: (text: string) => void = () => {}): Promise<Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const next = Array.from({ length: Math.min(OPENED_AT_ONCE, count - sockets.length) }, (_, index) =>
      openStream(sockets.length + index, onData),
    )
    sockets.push(...(await Promise.all(next)))
  }
  return sockets
}

async function measureCpuPercent(): Promise<number> {
  const [before, startedAt] = [service().seconds, performance.now()]
  await pause(seconds * 1000)
  return ((service().seconds - before) * 100_000) / (performance.now() - startedAt)
}

/** Pages on a stack of their own, once the other has ended. */
async function measureLongLog(): Promise<Figure[]> {
  const rows = await startRowStack(console.log)
  try {
    return await measurePages(rows, { few: fewEntries, many: manyEntries, random: createSeededRandom(1) })
  } finally {
    await rows.stop()
  }
}

const figures: Figure[] = []
try {
  await setBlockTime(stack.anvil, 1)
  await pause(10_000)
  const [quietMb, quietPercent] = [memoryMb(), await measureCpuPercent()]
  console.log(`${quietMb.toFixed(0)} MB and ${quietPercent.toFixed(1)} % of a core without streams`)
  const idle = await openStreams(idleStreams)
  await pause(5_000)
  const idlePercent = await measureCpuPercent()
  const idleMb = memoryMb()
  console.log(`${idleMb.toFixed(0)} MB and ${idlePercent.toFixed(1)} % of a core with ${idle.length} streams`)
  for (const socket of idle) socket.destroy()
  await pause(2_000)

  const requester = privateKeyToAccount(generatePrivateKey())
  await mintLocalUsdc(stack.anvil.url, requester.address, 2_000n * REWARD)
  const client = createPayingClient({ baseUrl: stack.baseUrl(), account: requester })
  const blocks = new Map<bigint, number>()
  const node = createPublicClient({ transport: webSocket(stack.anvil.url.replace('http', 'ws')) })
  const unwatch = node.watchBlockNumber({ onBlockNumber: (number) => blocks.set(number, performance.now()) })
  const latencies: number[] = []
  const busy = await openStreams(busyStreams, (text) => {
    const now = performance.now()
    for (const [, number = ''] of text.matchAll(/event: task\.created\n[^\n]*"block":\{"number":(\d+)/g)) {
      const seen = blocks.get(BigInt(number))
      if (seen !== undefined) latencies.push(now - seen)
    }
  })
  for (let count = 0; count < entries; count += 1) {
    const body = { description: 'Streamed', reward: String(REWARD), duration: 24, tags: ['push'] }
    const answer = await client.pay({ path: '/tasks', key: aKey(), body })
    if (answer.status !== 200) throw new Error(`no task: ${answer.status} ${JSON.stringify(answer.body)}`)
  }
  await pause(2_000)
  unwatch()
  // It would connect again and again, and keep this process.
  ;(await node.transport.getRpcClient()).close()
  for (const socket of busy) socket.destroy()

  const times = { beside: [] as number[], alone: [] as number[] }
  for (let round = 0; round < 2; round += 1) {
    for (const arm of ['alone', 'beside'] as const) {
      const streams = arm === 'beside' ? await openStreams(busyStreams) : []
      const others = await startEntries(stack.anvil, stack.deployment.identityRegistry)
      try {
        times[arm].push(...(await timeWrites(client, writes, REWARD)))
      } finally {
        await others.stop()
      }
      for (const socket of streams) socket.destroy()
      await pause(2_000)
    }
  }
  const slower = (quantile: number) => quantileOf(times.beside, quantile) / quantileOf(times.alone, quantile)

  figures.push(
    counted(`${idleStreams} idle streams, MB beside none`, idleMb - quietMb, { most: 300 }),
    counted('their processor time beside none, percent of a core', idlePercent - quietPercent, { most: 3 }),
    counted(`from the block to the bytes at ${busyStreams} streams, p50, ms`, quantileOf(latencies, 0.5)),
    counted(`from the block to the bytes at ${busyStreams} streams, p99, ms`, quantileOf(latencies, 0.99), {
      most: 250,
    }),
    counted('entries that a stream did not get', entries * busyStreams - latencies.length, { most: 0 }),
    counted(
      `p50 of a paid write beside ${busyStreams} streams with 20 entries a second, of one without streams`,
      slower(0.5),
    ),
    counted(
      `p99 of a paid write beside ${busyStreams} streams with 20 entries a second, of one without streams`,
      slower(0.99),
    ),
  )
} finally {
  await stack.stop()
}
figures.push(...(await measureLongLog()))
tellFigures('push', figures, { isQuick: values.quick, seconds, api: apiEnvironment, postgres: stack.postgres })
