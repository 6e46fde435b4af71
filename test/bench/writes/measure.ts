import { setTimeout as pause } from 'node:timers/promises'
import type { Hex } from 'viem'
import type { Figure } from '../../../scripts/figures/figure.ts'
import { counted, estimated } from '../figures/figures.ts'
import { estimateMedian, medianOf, quantileOf } from '../figures/statistics.ts'
import type { BenchStack } from './bench-stack.ts'
import { post } from './http-client.ts'
import type { Prebuilder, PrebuiltTransaction, PrebuiltWrite } from './prebuilt.ts'
import { type SentWrite, stagesOf } from './stages.ts'

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

/**
 * Measures one write and one bare transaction after the other, in random order, on a chain that mines at once.
 * @returns the median of the writes too, milliseconds
 */
export async function measureLatency(bench: Bench, pairs: number): Promise<{ figures: Figure[]; median: number }> {
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
  const { requestToSigned, signedToCompleted, completedToAnswer } = stagesOf(
    bench.stack.api().child.readLog(),
    sentWrites,
  )
  const estimate = estimateMedian(service, bench.random)
  const figures = [
    estimated('paid write less bare transaction, mined at once, ms', estimateMedian(difference, bench.random), {
      most: 30,
    }),
    estimated('paid write, mined at once, ms', estimate),
    counted('of it until signed, ms', requestToSigned),
    counted('of it from signed to completed, ms', signedToCompleted),
    counted('of it from completed to indexed and answered, ms', completedToAnswer),
  ]
  return { figures, median: estimate.median }
}

/** Writes and bare transactions sent at the same random moments, on a chain with a steady rate. */
export async function measureBlocks(bench: Bench, pairs: number, blockMs: number): Promise<Figure[]> {
  const { stack, prebuilder, random } = bench
  // Blocks from the head at the send to the one that has it, and milliseconds from the bare receipt to the answer.
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
  const extraBlocks = medianOf(serviceBlocks) - medianOf(bareBlocks)
  return [
    counted('blocks until a paid write is in one, beyond a bare one, 2 s', extraBlocks, { most: 0 }),
    estimated('its answer after the receipt of a bare one, ms', estimateMedian(answerAfterReceipt, random), {
      most: 2_000,
    }),
  ]
}

async function blockOf({ client, deployment }: BenchStack, taskId: Hex): Promise<{ blockNumber: bigint }> {
  const [log] = await client.request({
    method: 'eth_getLogs',
    params: [{ address: deployment.market, topics: [null, taskId], fromBlock: '0x0', toBlock: 'latest' }],
  })
  if (log?.blockNumber == null) throw new Error(`task ${taskId} is not on chain`)
  return { blockNumber: BigInt(log.blockNumber) }
}

/**
 * Measures alternating blocks of so many writes and transactions, each block with `inFlight` at the same time. On a chain that mines
 * at once the blocks that the indexer stores a second, when it is behind, are the limit: no answer comes faster.
 */
export async function measureThroughput(
  bench: Bench,
  { blocks, size, inFlight, isSteady }: { blocks: number; size: number; inFlight: number; isSteady: boolean },
): Promise<Figure[]> {
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
  const chain = isSteady ? 'blocks 2 s apart' : 'mined at once'
  const ratio = estimateMedian(ratios, bench.random)
  return [
    estimated(`paid writes a second by bare ones, ${chain}`, ratio, isSteady ? { least: 0.8 } : undefined),
    estimated(`paid writes a second, ${chain}`, estimateMedian(service, bench.random)),
    ...(isSteady
      ? []
      : [estimated('blocks of one transaction indexed a second', estimateMedian(indexer, bench.random))]),
  ]
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

/** Goals of the losers' p99 by the requests at once, milliseconds. */
const MOST_OF_LOSERS_MS: Readonly<Record<number, number>> = { 16: 20, 64: 80 }

/**
 * Measures how fast a request learns that its key belongs to another: one after the other, when the write is done, and with so many
 * duplicates of one request at the same moment, of which the winner is not counted.
 * @param writeMs of a paid write alone
 */
export async function measureLosers(
  bench: Bench,
  { alone, storms, writeMs }: { alone: number; storms: number[]; writeMs: number },
): Promise<Figure[]> {
  const [used] = await bench.prebuilder.writes(1)
  if (used === undefined) throw new Error('no write was built')
  await sendWrite(used)
  const times: number[] = []
  for (let turn = 0; turn < alone; turn += 1) times.push(await timed(() => lose(used)))
  const figures = [counted('a duplicate learns that the write is done, p99, ms', quantileOf(times, 0.99), { most: 10 })]
  for (const size of storms) {
    const p99 = await measureStorm(bench, size)
    figures.push(
      counted(`duplicates of ${size} at once, p99, ms`, p99, { most: MOST_OF_LOSERS_MS[size] ?? 10 }),
      counted(`duplicates of ${size} at once, p99, by a paid write alone`, p99 / writeMs),
    )
  }
  return figures
}

const stormRounds = 8

async function measureStorm({ prebuilder }: Bench, size: number): Promise<number> {
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
  return quantileOf(losses, 0.99)
}

/**
 * Measures how fast a write learns that another one of its task was first, of so many acceptances of one task at the same moment, of
 * wallets and keys of their own.
 */
export async function measureRaces(
  bench: Bench,
  { sizes, rounds }: { sizes: number[]; rounds: number },
): Promise<Figure[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const write of await bench.prebuilder.race(1)) times.push(await timed(() => sendWrite(write)))
  }
  const alone = medianOf(times)
  const figures = [counted('an acceptance of a task alone, ms', alone)]
  for (const size of sizes) {
    const { p50, p99, relayed } = await measureRace(bench, { size, rounds })
    figures.push(
      counted(`losers of ${size} for one task, p99, ms`, p99, { most: MOST_OF_LOSERS_MS[size] ?? 10 }),
      counted(`losers of ${size} for one task, p50, ms`, p50),
      counted(`losers of ${size} for one task, p99, by an acceptance alone`, p99 / alone),
      counted(`losers of ${size} for one task that reached the chain`, relayed),
    )
  }
  return figures
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
  return { p50: medianOf(losses), p99: quantileOf(losses, 0.99), relayed: relayed / rounds }
}

async function lose({ url, body, headers }: PrebuiltWrite): Promise<void> {
  const { status } = await post(url, body, headers)
  if (status !== 409) throw new Error(`a duplicate was answered ${status}`)
}
