import { expect } from 'vitest'
import {
  type BonusAccount,
  type BonusAward,
  type BonusBounds,
  type BonusCaps,
  type BonusLock,
  type BonusOutcome,
  type BonusRamp,
  type BonusTerms,
  bonusRoles,
  creditAwards,
  skipReasons,
} from '../../../protocol/rules/bonus.ts'
import { isContest, toTaskMode } from '../../../protocol/rules/selectors.ts'
import { readBonusLogs } from './expect-bonus.ts'
import { lower } from './expectation.ts'
import type { MarketChain } from './market-chain.ts'
import { readMarketLogs } from './market-logs.ts'

type BonusLog = Awaited<ReturnType<typeof readBonusLogs>>[number]
type MarketLog = Awaited<ReturnType<typeof readMarketLogs>>['market'][number]

/** Settings, locks and sums as the logs have left them so far. */
interface Programme {
  startedAt: bigint
  epochSeconds: bigint
  terms: BonusTerms
  bounds: BonusBounds
  caps: BonusCaps
  ramp: BonusRamp
  locks: Map<string, BonusLock & { round: number }>
  accounts: Map<string, BonusAccount>
  epochs: Map<number, { usd: bigint; tokens: bigint }>
  reserve: bigint
}

/** What the market's logs say of a task. */
interface LoggedTask {
  requester: string
  feeBps: number
  isContest: boolean
  round: number
}

/**
 * Computes every credit again, from the events of market and programme alone and by the indexer's rules, and compares
 * it with the event that reports it.
 * @returns how many outcomes were compared
 */
export async function expectCreditsFollowFromEvents(chain: MarketChain): Promise<number> {
  const programme = emptyProgramme()
  const tasks = new Map<string, LoggedTask>()
  let compared = 0
  for (const { bonus, market } of inTransactions(await readBonusLogs(chain), (await readMarketLogs(chain)).market)) {
    const awards = new Map<string, BonusAward[]>()
    for (const log of market) foldMarketLog(log, { tasks, awards })
    for (const log of bonus) foldSetting(log, { programme })
    for (const taskId of new Set(bonus.flatMap((log) => (isOutcome(log) ? [log.args.taskId] : [])))) {
      const reported = bonus.flatMap((log) => (isOutcome(log) && log.args.taskId === taskId ? [toOutcome(log)] : []))
      const task = tasks.get(taskId) ?? expect.fail(`${taskId} was never created`)
      expect(complete(programme, { task, taskId, awards: awards.get(taskId) ?? [], time: timeOf(bonus) })).toEqual(
        reported,
      )
      compared += reported.length
    }
  }
  return compared
}

/** Time of the block of a transaction's logs, Unix seconds. */
function timeOf([first]: readonly BonusLog[]): bigint {
  const { blockTimestamp } = first as { blockTimestamp?: bigint }
  return blockTimestamp ?? expect.fail('the node does not date its logs')
}

function complete(
  programme: Programme,
  { task, taskId, awards, time }: { task: LoggedTask; taskId: string; awards: BonusAward[]; time: bigint },
): BonusOutcome[] {
  const { terms, bounds, caps, ramp, locks, accounts, epochs, reserve } = programme
  const epoch = Number((time - programme.startedAt) / programme.epochSeconds)
  const sums = epochs.get(epoch) ?? { usd: 0n, tokens: 0n }
  const lock = locks.get(taskId)
  const { requester, feeBps } = task
  const outcomes = creditAwards(
    {
      requester,
      feeBps,
      isContest: task.isContest,
      terms,
      bounds,
      caps,
      ramp,
      lock: lock === undefined || lock.round !== task.round ? null : lock,
      time,
      epoch,
      usdOfEpoch: sums.usd,
      tokensOfEpoch: sums.tokens,
      reserve,
    },
    awards,
    accounts,
  )
  for (const outcome of outcomes) {
    if (outcome.skipped !== null) continue
    sums.usd += outcome.usdCredited
    sums.tokens += outcome.credited
    programme.reserve -= outcome.credited
  }
  epochs.set(epoch, sums)
  return outcomes
}

function foldSetting({ eventName, args }: BonusLog, { programme }: { programme: Programme }): void {
  switch (eventName) {
    case 'ProgrammeStarted':
      Object.assign(programme, { startedAt: args.startedAt, epochSeconds: args.epochSeconds })
      return
    case 'RateUpdated':
      programme.terms = { ...programme.terms, tokenPerUsdc: args.tokenPerUsdc }
      return
    case 'BonusBpsUpdated':
      programme.terms = { ...programme.terms, bonusBps: Number(args.bonusBps) }
      return
    case 'WorkerSplitUpdated':
      programme.terms = { ...programme.terms, workerSplitBps: Number(args.workerSplitBps) }
      return
    case 'BoundsUpdated':
      programme.bounds = {
        maxBonusPerFeeBps: Number(args.maxBonusPerFeeBps),
        maxRateDriftBps: Number(args.maxRateDriftBps),
      }
      return
    case 'CapsUpdated':
      programme.caps = toBigints(args.caps)
      return
    case 'RampUpdated':
      programme.ramp = { afterSeconds: args.afterSeconds, multiplierBps: args.multiplierBps }
      return
    case 'WalletFirstSeen':
      programme.accounts.set(lower(args.account), {
        firstSeen: args.firstSeen,
        epoch: 0,
        workerUsd: 0n,
        requesterUsd: 0n,
        claimable: 0n,
      })
      return
    case 'BonusLocked':
      programme.locks.set(args.taskId, {
        price: args.price,
        tokenPerUsdc: args.tokenPerUsdc,
        workerSplitBps: Number(args.workerSplitBps),
        // The event has the value that the part makes; the part itself is the setting of that moment.
        bonusBps: programme.terms.bonusBps,
        round: Number(args.round),
      })
      return
    case 'ReserveFunded':
      programme.reserve += args.amount
      return
    case 'ReserveTaken':
      programme.reserve -= args.amount
      return
    default:
  }
}

function foldMarketLog(
  { eventName, args }: MarketLog,
  { tasks, awards }: { tasks: Map<string, LoggedTask>; awards: Map<string, BonusAward[]> },
): void {
  switch (eventName) {
    case 'TaskCreated':
      tasks.set(args.taskId, {
        requester: lower(args.requester),
        feeBps: args.terms.feeBps,
        isContest: isContest(toTaskMode(args.mode)),
        round: 0,
      })
      return
    case 'TaskReopened': {
      const task = tasks.get(args.taskId)
      if (task !== undefined) task.round = args.round
      return
    }
    case 'TaskCompleted': {
      const award = { worker: lower(args.worker), amount: args.grossAmount, rank: args.rank }
      awards.set(args.taskId, [...(awards.get(args.taskId) ?? []), award])
      return
    }
    default:
  }
}

type OutcomeLog = Extract<BonusLog, { eventName: 'BonusCredited' | 'BonusSkipped' }>

function isOutcome(log: BonusLog): log is OutcomeLog {
  return log.eventName === 'BonusCredited' || log.eventName === 'BonusSkipped'
}

function toOutcome({ eventName, args }: OutcomeLog): BonusOutcome {
  const role = bonusRoles[args.role] ?? expect.fail(`there is no role ${args.role}`)
  const side = { account: lower(args.account), role, rank: Number(args.rank) }
  if (eventName === 'BonusSkipped') {
    return { ...side, skipped: skipReasons[args.reason] ?? expect.fail(`there is no reason ${args.reason}`) }
  }
  const { usdBonus, usdCredited, tokenPerUsdc, share, multiplierBps, credited } = args
  return {
    ...side,
    skipped: null,
    usdBonus,
    usdCredited,
    tokenPerUsdc,
    share,
    multiplierBps: Number(multiplierBps),
    credited,
  }
}

/** The logs of both, in order, by the transactions that have any of them. */
function inTransactions(bonus: readonly BonusLog[], market: readonly MarketLog[]) {
  const byHash = new Map<string, { bonus: BonusLog[]; market: MarketLog[]; place: [bigint, number] }>()
  const placeOf = (log: BonusLog | MarketLog) => {
    const { transactionHash, blockNumber, transactionIndex } = log
    const place = byHash.get(transactionHash) ?? {
      bonus: [],
      market: [],
      place: [blockNumber, transactionIndex] as [bigint, number],
    }
    byHash.set(transactionHash, place)
    return place
  }
  for (const log of bonus) placeOf(log).bonus.push(log)
  for (const log of market) placeOf(log).market.push(log)
  return [...byHash.values()].toSorted(({ place: [block, index] }, { place: [otherBlock, otherIndex] }) =>
    block === otherBlock ? index - otherIndex : Number(block - otherBlock),
  )
}

function toBigints(caps: Record<keyof BonusCaps, bigint | number>): BonusCaps {
  const { globalUsd, workerUsd, requesterUsd, taskUsd, globalTokens } = caps
  return {
    globalUsd: BigInt(globalUsd),
    workerUsd: BigInt(workerUsd),
    requesterUsd: BigInt(requesterUsd),
    taskUsd: BigInt(taskUsd),
    globalTokens: BigInt(globalTokens),
  }
}

function emptyProgramme(): Programme {
  return {
    startedAt: 0n,
    epochSeconds: 1n,
    terms: { tokenPerUsdc: 0n, bonusBps: 0, workerSplitBps: 0 },
    bounds: { maxBonusPerFeeBps: 0, maxRateDriftBps: 0 },
    caps: { globalUsd: 0n, workerUsd: 0n, requesterUsd: 0n, taskUsd: 0n, globalTokens: 0n },
    ramp: { afterSeconds: [0, 0, 0], multiplierBps: [0, 0, 0, 0] },
    locks: new Map(),
    accounts: new Map(),
    epochs: new Map(),
    reserve: 0n,
  }
}
