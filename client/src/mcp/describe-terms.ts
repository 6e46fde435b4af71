import type { WriteName } from '../api/write-names.ts'
import { toUsdc } from '../cli/usdc.ts'
import type { AskedWrite, Finding } from './terms.ts'

/** Writes that pay the reward of a task out, wholly or in part. */
const payouts = [
  'acceptSubmission',
  'acceptSubmissions',
  'selectWorker',
  'selectWinner',
  'evaluateTask',
  'resolveDispute',
]
const BPS = 10_000n

/** What a write decides beside its price, base units as decimal strings. */
export interface Effects {
  /** The reward that the task would have. */
  reward?: string
  /** What the payout releases at most, and the service's part of it. */
  released?: string
  platformFee?: string
  evaluatorFee?: string
  stakeAtMost?: string
  withdrawn?: string
}

export function effectsOf({ name, input }: AskedWrite, { terms, row }: Finding): Effects {
  const beside = terms.decides - (terms.price ?? 0n)
  if (name === 'createTask' || name === 'updateTask')
    return input.reward === undefined ? {} : { reward: String(input.reward) }
  if (name === 'assignEvaluator') return { evaluatorFee: beside.toString() }
  if (name === 'createClaim') return { stakeAtMost: beside.toString() }
  if (name === 'withdraw') return { withdrawn: beside.toString() }
  if (!payouts.includes(name) || beside === 0n) return {}
  const platformFee = (beside * BigInt(row?.platformFeeBps ?? 0)) / BPS
  return { released: beside.toString(), platformFee: platformFee.toString() }
}

const words: [keyof Effects, string][] = [
  ['reward', 'the reward of the task is %'],
  ['released', 'up to % are paid out of the task'],
  ['evaluatorFee', 'the evaluator gets up to %'],
  ['stakeAtMost', 'up to % are staked'],
  ['withdrawn', '% leave the wallet'],
]

/** What moves beside USDC of the wallet. */
const others: Partial<Record<WriteName, string>> = {
  withdrawToken: '; all reward tokens leave the wallet',
  claimSponsoredReward: '; the reward of a sponsor is paid',
}

/** One sentence for a person, from the client's own facts: nothing in it is a text of the market or of a model. */
export function describeTerms(asked: AskedWrite, finding: Finding): string {
  const { terms } = finding
  const effects = effectsOf(asked, finding)
  const parts = words.flatMap(([name, text]) => {
    const amount = effects[name]
    return amount === undefined ? [] : [text.replace('%', `${toUsdc(amount)} USDC`)]
  })
  const price = terms.price === null ? 'at most' : 'together'
  const task = typeof asked.input.taskId === 'string' ? ` (task ${asked.input.taskId})` : ''
  return `${asked.name}${task} decides ${price} ${toUsdc(terms.decides)} USDC, to ${terms.payTo}${parts.map((part) => `; ${part}`).join('')}${others[asked.name] ?? ''}.`
}
