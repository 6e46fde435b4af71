import { setTimeout as pause } from 'node:timers/promises'
import type { Hex } from 'viem'
import { type Estimate, estimateMedian, medianOf, quantileOf } from '../figures/statistics.ts'
import type { BenchStack } from './bench-stack.ts'
import { post } from './http-client.ts'
import type { Prebuilder, PrebuiltTransaction, PrebuiltWrite } from './prebuilt.ts'
import { type SentWrite, type Stages, stagesOf } from './stages.ts'

export interface Bench {
  stack: BenchStack
  prebuilder: Prebuilder
  random: () => number
}

/** Sends a paid write and waits for its answer. @throws unless it is done */
export async function sendWrite({ url, body, headers }: PrebuiltWrite): Promise<SentWrite> {
  const sentAt = Date.now()
  const reply = await post(url, body, headers)
  if (reply.status !== 200) throw new Error(`a write was answered ${reply.status} ${JSON.stringify(reply.body)}`)
  return { intentId: reply.body.intentId, sentAt, answeredAt: Date.now() }
}

/** Sends a transaction and waits for its receipt. @throws unless it succeeded */
async function sendBare({ stack }: Bench, { raw }: PrebuiltTransaction): Promise<{ blockNumber: bigint }> {
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransactionSync', params: [raw] }
  const { body } = await post(stack.anvil.url, JSON.stringify(call))
  if (body.result?.status !== '0x1') throw new Error(`a bare transaction failed: ${JSON.stringify(body)}`)
  return { blockNumber: BigInt(body.result.blockNumber) }
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  return (await timedValue(work)).milliseconds
}

async function timedValue<Value>(work: () => Promise<Value>): Promise<{ milliseconds: number; value: Value }> {
  const before = performance.now()
  const value = await work()
  return { value, milliseconds: performance.now() - before }
}

export interface LatencyResult {
  /** Milliseconds from the paid request to its answer. */
  service: Estimate
  /** Less those of a bare transaction from the send to the receipt, pair by pair, milliseconds. */
  difference: Estimate
  stages: Stages
}

/** One write and one bare transaction after the other, in random order, on a chain that mines at once. */
export async function measureLatency(bench: Bench, pairs: number): Promise<LatencyResult> {
  const [service, difference]: [number[], number[]] = [[], []]
  const sentWrites: SentWrite[] = []
  const writes = await bench.prebuilder.writes(pairs)
  const transactions = await bench.prebuilder.transactions(pairs)
  for (const [index, write] of writes.entries()) {
    const transaction = transactions[index]
    if (transaction === undefined) break
    const isFirst = bench.random() < 0.5
    const early = isFirst ? null : await timed(() => sendBare(bench, transaction))
    const { milliseconds: own, value: sent } = await timedValue(() => sendWrite(write))
    sentWrites.push(sent)
    const late = early ?? (await timed(() => sendBare(bench, transaction)))
    service.push(own)
    difference.push(own - late)
  }
  return {
    service: estimateMedian(service, bench.random),
    difference: estimateMedian(difference, bench.random),
    stages: stagesOf(bench.stack.api().child.readLog(), sentWrites),
  }
}

export interface BlockResult {
  /** Blocks from the head at the send to the block it is in. */
  serviceBlocks: Estimate
  bareBlocks: Estimate
  /** Milliseconds from the receipt of a bare transaction sent at the same moment to the write's answer. */
  answerAfterReceipt: Estimate
}

/** Writes and bare transactions sent at the same random moments, on a chain with a steady rate. */
export async function measureBlocks(bench: Bench, pairs: number, blockMs: number): Promise<BlockResult> {
  const { stack, prebuilder, random } = bench
  const [serviceBlocks, bareBlocks, answerAfterReceipt]: [number[], number[], number[]] = [[], [], []]
  const writes = await prebuilder.writes(pairs)
  const transactions = await prebuilder.transactions(pairs)
  for (const [index, write] of writes.entries()) {
    const transaction = transactions[index]
    if (transaction === undefined) break
    // Anywhere between two blocks: each pair ends right after one.
    await pause(random() * blockMs)
    const head = await stack.client.getBlockNumber()
    const own = post(write.url, write.body, write.headers).then((reply) => ({ reply, at: performance.now() }))
    const bare = sendBare(bench, transaction).then((receipt) => ({ receipt, at: performance.now() }))
    const [answered, mined] = [await own, await bare]
    if (answered.reply.status !== 200) throw new Error(`a write was answered ${answered.reply.status}`)
    const { blockNumber } = await blockOf(stack, answered.reply.body.taskId)
    serviceBlocks.push(Number(blockNumber - head))
    bareBlocks.push(Number(mined.receipt.blockNumber - head))
    answerAfterReceipt.push(answered.at - mined.at)
  }
  return {
    serviceBlocks: estimateMedian(serviceBlocks, random),
    bareBlocks: estimateMedian(bareBlocks, random),
    answerAfterReceipt: estimateMedian(answerAfterReceipt, random),
  }
}

async function blockOf({ client, deployment }: BenchStack, taskId: Hex): Promise<{ blockNumber: bigint }> {
  const [log] = await client.request({
    method: 'eth_getLogs',
    params: [{ address: deployment.market, topics: [null, taskId], fromBlock: '0x0', toBlock: 'latest' }],
  })
  if (log?.blockNumber == null) throw new Error(`task ${taskId} is not on chain`)
  return { blockNumber: BigInt(log.blockNumber) }
}

export interface ThroughputResult {
  /** Paid writes a second, answers counted. */
  service: Estimate
  /** The same by transactions a second of a sender that keeps as many in flight, block by block. */
  ratio: Estimate
  /** Blocks of one transaction a second that the indexer stores when it is behind: no answer comes faster. */
  indexer: Estimate
}

/** Alternating blocks of so many writes and transactions, each block with `inFlight` at the same time. */
export async function measureThroughput(
  bench: Bench,
  { blocks, size, inFlight }: { blocks: number; size: number; inFlight: number },
): Promise<ThroughputResult> {
  const { stack } = bench
  const [service, bare, indexer]: [number[], number[], number[]] = [[], [], []]
  for (let block = 0; block < blocks; block += 1) {
    const writes = await bench.prebuilder.writes(size)
    const transactions = await bench.prebuilder.transactions(size)
    await untilIndexed(stack)
    const own = await timed(() => atOnce(inFlight, writes, sendWrite))
    await untilIndexed(stack)
    const other = await timed(() => atOnce(inFlight, transactions, (transaction) => sendBare(bench, transaction)))
    const behind = (await stack.client.getBlockNumber()) - (await stack.indexedBlock())
    indexer.push((Number(behind) * 1000) / (await timed(() => untilIndexed(stack))))
    service.push((size * 1000) / own)
    bare.push((size * 1000) / other)
  }
  const ratios = service.map((rate, index) => rate / (bare[index] ?? Number.NaN))
  return {
    service: estimateMedian(service, bench.random),
    ratio: estimateMedian(ratios, bench.random),
    indexer: estimateMedian(indexer, bench.random),
  }
}

/** Does the work for all items, so many at the same time. */
export async function atOnce<Item>(limit: number, items: readonly Item[], work: (item: Item) => Promise<unknown>) {
  const waiting = items[Symbol.iterator]()
  const worker = async () => {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: limit }, worker))
}

/** The indexer has nothing left of the block before, which it would do in the time of the next. */
async function untilIndexed(stack: BenchStack): Promise<void> {
  const head = await stack.client.getBlockNumber()
  while ((await stack.indexedBlock()) < head) await pause(20)
}

export interface LoserResult {
  /** The 99th percentile, milliseconds, one after the other: the key's write is done. */
  alone: number
  /** The same with so many duplicates of one request at the same moment; the winner's is not counted. */
  storms: { size: number; p99: number }[]
}

/** How fast a request learns that its key belongs to another. */
export async function measureLosers(bench: Bench, { alone, storms }: { alone: number; storms: number[] }) {
  const [used] = await bench.prebuilder.writes(1)
  if (used === undefined) throw new Error('no write was built')
  await sendWrite(used)
  const times: number[] = []
  for (let turn = 0; turn < alone; turn += 1) times.push(await timed(() => lose(used)))
  const result: LoserResult = { alone: quantileOf(times, 0.99), storms: [] }
  for (const size of storms) result.storms.push(await measureStorm(bench, size))
  return result
}

const stormRounds = 8

async function measureStorm({ prebuilder }: Bench, size: number): Promise<LoserResult['storms'][number]> {
  const losses: number[] = []
  for (const write of await prebuilder.writes(stormRounds)) {
    const duplicates = Array.from({ length: size }, async () => {
      const before = performance.now()
      const { status } = await post(write.url, write.body, write.headers)
      if (status === 409) losses.push(performance.now() - before)
      else if (status !== 200) throw new Error(`a duplicate was answered ${status}`)
    })
    await Promise.all(duplicates)
  }
  return { size, p99: quantileOf(losses, 0.99) }
}

export interface RaceResult {
  /** Milliseconds of an acceptance of a task that no other wallet accepts. */
  alone: number
  /** Milliseconds of the losers of so many acceptances of one task at the same moment, of wallets and keys of their own. */
  races: { size: number; p50: number; p99: number; relayed: number }[]
}

/** How fast a write learns that another one of its task was first. `relayed`: losers that reached the chain, of each race. */
export async function measureRaces(
  bench: Bench,
  { sizes, rounds }: { sizes: number[]; rounds: number },
): Promise<RaceResult> {
  const alone: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const write of await bench.prebuilder.race(1)) alone.push(await timed(() => sendWrite(write)))
  }
  const result: RaceResult = { alone: medianOf(alone), races: [] }
  for (const size of sizes) result.races.push(await measureRace(bench, { size, rounds }))
  return result
}

async function measureRace({ prebuilder }: Bench, { size, rounds }: { size: number; rounds: number }) {
  const losses: number[] = []
  let relayed = 0
  for (let round = 0; round < rounds; round += 1) {
    const writes = await prebuilder.race(size)
    const answers = await Promise.all(
      writes.map(async ({ url, body, headers }) => {
        const { milliseconds, value } = await timedValue(() => post(url, body, headers))
        return { milliseconds, ...value }
      }),
    )
    const losers = answers.filter(({ status }) => status === 409)
    const others = answers.filter(({ status }) => status !== 409 && status !== 200)
    if (losers.length !== size - 1) {
      throw new Error(`of ${size} acceptances ${losers.length} lost; others were answered ${JSON.stringify(others[0])}`)
    }
    losses.push(...losers.map(({ milliseconds }) => milliseconds))
    relayed += losers.filter(({ body }) => body.service.detail === 'write_failed').length
  }
  return { size, p50: medianOf(losses), p99: quantileOf(losses, 0.99), relayed: relayed / rounds }
}

async function lose({ url, body, headers }: PrebuiltWrite): Promise<void> {
  const { status } = await post(url, body, headers)
  if (status !== 409) throw new Error(`a duplicate was answered ${status}`)
}
