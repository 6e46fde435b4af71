import { setTimeout as pause } from 'node:timers/promises'
import { mine } from '../faults/inject/chain.ts'
import type { Random } from '../faults/random.ts'
import { dealFaults } from './faults.ts'
import { createLatencies } from './latencies.ts'
import { createOtherWorkMeter } from './other-work.ts'
import { toProgress } from './progress.ts'
import type { ReadSubjects } from './read-subjects.ts'
import { sendRead } from './reads.ts'
import { OTHER_WORK } from './rules.ts'
import { takeSample } from './sample.ts'
import { createSamples, type Measured } from './samples.ts'
import type { Stage } from './stage.ts'
import { createDisturbances, strike } from './strike.ts'
import { openSubscribers } from './subscribers.ts'
import type { Verdict } from './verdict.ts'
import { sendWrite } from './writes.ts'

/** A write and some reads come this often, milliseconds: whether or not those before have ended. */
const WRITE_EVERY_MS = 2_500
const READ_EVERY_MS = 300
/** More that are not answered are no steady load: the next ones are left out until then. */
const MOST_OPEN = 150
const BLOCK_EVERY_MS = 2_000
const MINUTE_MS = 60_000
/** From one fault's end to the next fault, minutes. */
const [SHORTEST_QUIET, LONGEST_QUIET] = [3, 5]

export interface SoakResult {
  verdicts: readonly Verdict[]
  /** Faults, outcomes and failures, in words. */
  notes: readonly string[]
  facts: Readonly<Record<string, number>>
}

interface SoakOptions {
  minutes: number
  random: Random
  say(line: string): void
  /** One JSON line a sample. */
  samplesFile: string
}

/** Runs the load and the faults for so long; less where the stack could not be made well again. */
export async function runSoak(stage: Stage, { minutes, random, say, samplesFile }: SoakOptions): Promise<SoakResult> {
  const startedAt = performance.now()
  const endsAt = startedAt + minutes * MINUTE_MS
  const stopping = new AbortController()
  const disturbances = createDisturbances()
  const latencies = createLatencies({ isDisturbed: disturbances.touch, say })
  const subjects: ReadSubjects = { tasks: [], wallets: [] }
  const outcomes = new Map<string, number>()
  const samples = createSamples(samplesFile)
  const readOtherWork = createOtherWorkMeter()
  const faults: string[] = []
  let [open, leftOut, undecided] = [0, 0, 0]
  let brokenBy: string | null = null

  const every = async (milliseconds: number, work: () => Promise<unknown>) => {
    while (!stopping.signal.aborted) {
      if (open < MOST_OPEN) {
        open += 1
        work()
          .catch((error) => say(`the load failed: ${error}`))
          .finally(() => {
            open -= 1
          })
      } else leftOut += 1
      await pause(milliseconds, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const noteOutcome = (kind: string | null) => {
    if (kind === null) undecided += 1
    outcomes.set(kind ?? 'undecided', (outcomes.get(kind ?? 'undecided') ?? 0) + 1)
  }
  const [writing, reading] = [random.fork('writes'), random.fork('reads')]
  let number = 0
  const write = () => {
    number += 1
    return sendWrite(stage, { random: writing.fork(String(number)), subjects, latencies, noteOutcome })
  }
  const read = async () => {
    const up = stage.environment.replicas.filter(({ state }) => state === 'up')
    const replica = up[reading.integer(0, Math.max(0, up.length - 1))]
    if (replica !== undefined) await sendRead({ stage, random: reading, subjects, url: replica.url }, latencies)
  }
  const outcomesUntilNow = () => ({
    'failed requests outside of faults': once(latencies.failures.count),
    'writes without an outcome': once(undecided),
    'ends before its time': once(brokenBy === null ? 0 : 1),
  })
  const watch = async () => {
    while (!stopping.signal.aborted) {
      await pause(MINUTE_MS, undefined, { signal: stopping.signal }).catch(() => {})
      forget(stage)
      if (disturbances.touch(performance.now())) continue
      await latencies.time(null, 'a sample', async () => {
        const { measured, facts } = await takeSample(stage, latencies.sent)
        const quantiles = Object.entries(latencies.take()).map(([kind, value]) => [`p99 of ${kind}, ms`, once(value)])
        const all: Record<string, Measured> = {
          ...measured,
          ...Object.fromEntries(quantiles),
          ...outcomesUntilNow(),
          [OTHER_WORK]: once(readOtherWork()),
        }
        if (!disturbances.touch(performance.now())) samples.note(all)
        say(toProgress(all, { ...facts, sent: latencies.sent, open, leftOut, failed: latencies.failures.count }))
      })
    }
  }
  const blocks = async () => {
    while (!stopping.signal.aborted) {
      await mine(stage.environment.anvil)
      await pause(BLOCK_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const breaking = async () => {
    const faultRandom = random.fork('faults')
    const deck = dealFaults(faultRandom)
    for (;;) {
      const quietMs = faultRandom.integer(SHORTEST_QUIET * 60, LONGEST_QUIET * 60) * 1_000
      if (performance.now() + quietMs + MINUTE_MS > endsAt) return
      await pause(quietMs, undefined, { signal: stopping.signal })
      const fault = deck.next().value
      faults.push(fault.name)
      const seconds = await strike(stage, { fault, random: faultRandom, disturbances, say })
      samples.note({ 'recovery from a fault, s': once(seconds) })
    }
  }
  const subscribers = await openSubscribers(stage, random.fork('subscribers'))
  const failed = stage.environment.indexer.failed.then((error) => {
    throw error
  })
  const parts = [every(WRITE_EVERY_MS, write), every(READ_EVERY_MS, read), watch(), blocks(), breaking()]
  const over = pause(minutes * MINUTE_MS, undefined, { signal: stopping.signal })
  try {
    // None of the parts ends by itself before: one that does has failed.
    await Promise.race([over, failed, Promise.all(parts)])
  } catch (error) {
    brokenBy = error instanceof Error ? (error.stack ?? error.message) : String(error)
    say(`the run ends early: ${brokenBy}`)
  } finally {
    stopping.abort()
    await Promise.allSettled([over, ...parts, subscribers.stop()])
  }
  samples.note(outcomesUntilNow())
  return {
    verdicts: samples.judge(),
    notes: [
      ...(brokenBy === null ? [] : [`the run ended early: ${brokenBy}`]),
      `faults: ${faults.join(', ') || 'none'}`,
      `writes: ${[...outcomes].map(([kind, count]) => `${count} ${kind}`).join(', ')}`,
      `${latencies.sent} requests sent, ${leftOut} left out because too many were open, ${subscribers.bytes()} bytes of streams`,
      ...latencies.failures.examples,
    ],
    facts: { requests: latencies.sent, writes: number, faults: faults.length },
  }
}

/** A value that is about no process. */
function once(value: number): Measured {
  return { value, life: 0 }
}

/** Records of the fault suite that a run of hours would fill its memory with. */
function forget({ environment, receiver }: Stage): void {
  const { log, replicas, nodes } = environment
  log.http.length = 0
  log.writes.length = 0
  log.minted.clear()
  for (const { rpc } of replicas) rpc.forget()
  for (const node of nodes) node.forget()
  receiver.forget()
}
