import { partOf } from '../../../protocol/rules/amounts.ts'
import type { WriteName } from '../api/write-names.ts'
import { toUsdc } from '../payments/usdc-text.ts'
import { writes } from '../writes/write-table.ts'

/** A write and its arguments. */
export interface AskedFor {
  name: WriteName
  input: object
}

/** Amounts of a write, base units of USDC. */
export interface WriteTerms {
  /** Price; null: the service states it only when the write is sent. */
  price: bigint | null
  /** Everything that the write decides, price included. */
  counted: bigint
  payTo: string
  /** Movements of other assets than USDC, a clause each. */
  assets: { clauses: readonly string[] }
  /** Platform fee of the task in basis points; null or absent: not available. */
  platformFeeBps?: number | null
}

/** Money that a write decides about besides its price. Base units as decimal strings. */
export interface Effects {
  /** New reward of the task. */
  reward?: string
  /** Maximum that the payout releases, and the service's part of it. */
  released?: string
  platformFee?: string
  /** Account that will decide about the reward, and the amount. */
  evaluator?: string
  disputeResolver?: string
  decidedByThem?: string
  /** Amount that a verdict gives to the worker or takes from the worker. */
  judged?: string
  stakeAtMost?: string
  withdrawn?: string
}

/**
 * Returns the amounts that a write decides about besides its price. Example: a creation over 2 USDC gives `{reward: '2000000'}`.
 */
export function effectsOf({ name, input }: AskedFor, { counted, price, platformFeeBps = null }: WriteTerms): Effects {
  const beside = counted - (price ?? 0n)
  const { reward } = input as { reward?: unknown }
  if (name === 'createTask') return { reward: String(reward), ...judgesOf(input, String(reward)) }
  if (name === 'updateTask') return reward === undefined ? {} : { reward: String(reward) }
  if (name === 'assignEvaluator') return judgesOf(input, beside.toString())
  if (name === 'evaluateTask') return { judged: beside.toString() }
  if (name === 'createClaim') return { stakeAtMost: beside.toString() }
  if (name === 'withdraw') return { withdrawn: beside.toString() }
  if (!writes[name].decidesReward || beside === 0n) return {}
  const platformFee = partOf(beside, platformFeeBps ?? 0)
  return { released: beside.toString(), platformFee: platformFee.toString() }
}

/** Returns the accounts that a write appoints to decide about a reward. */
function judgesOf(input: object, amount: string): Pick<Effects, 'evaluator' | 'disputeResolver' | 'decidedByThem'> {
  const { evaluator, disputeResolver } = input as { evaluator?: string; disputeResolver?: string }
  if (evaluator === undefined && disputeResolver === undefined) return {}
  return {
    ...(evaluator !== undefined && { evaluator }),
    ...(disputeResolver !== undefined && { disputeResolver }),
    decidedByThem: amount,
  }
}

const words: [keyof Effects, string][] = [
  ['reward', 'the reward of the task is %'],
  ['released', 'up to % are paid out of the task'],
  ['judged', 'the verdict is about %'],
  ['stakeAtMost', 'up to % are staked'],
  ['withdrawn', '% leave the wallet'],
]

const BOUND_ONLY =
  'from then on the forwarder takes no payment and no text of this wallet that does not name its call: stock x402 clients ' +
  'cannot pay with it'
const NOT_BOUND_ONLY =
  'from then on payments of this wallet that name no call are taken again: a stolen relayer key can use one for ' +
  'another act'

/** Descriptions of movements besides the wallet's USDC. */
const others: Partial<Record<WriteName, string>> = {
  withdrawToken: 'all reward tokens leave the wallet',
  claimSponsoredReward: 'the reward of a sponsor is paid',
}

/**
 * Describes in one sentence what a write decides. All facts are the client's own: the sentence contains no text of the market or
 * of a model.
 */
export function describeWrite(asked: AskedFor, terms: WriteTerms): string {
  const effects = effectsOf(asked, terms)
  const amounts = words.flatMap(([name, text]) => {
    const amount = effects[name]
    return amount === undefined ? [] : [text.replace('%', `${toUsdc(amount)} USDC`)]
  })
  const clauses = [...amounts, ...judgeClauses(effects), ...terms.assets.clauses, ...othersOf(asked)]
  const { taskId } = asked.input as { taskId?: unknown }
  const task = typeof taskId === 'string' ? ` (task ${taskId})` : ''
  const price = terms.price === null ? 'at most' : 'together'
  const head = `${asked.name}${task} decides ${price} ${toUsdc(terms.counted)} USDC, to ${terms.payTo}`
  return `${[head, ...clauses].join('; ')}.`
}

function othersOf({ name, input }: AskedFor): string[] {
  if (name === 'setBoundOnly') return [effectOfSwitch((input as { boundOnly?: unknown }).boundOnly === true)]
  return [others[name] ?? []].flat()
}

/** Describes what the wallet loses or regains by its bound-only switch. */
export function effectOfSwitch(isOn: boolean): string {
  return isOn ? BOUND_ONLY : NOT_BOUND_ONLY
}

function judgeClauses({ evaluator, disputeResolver, decidedByThem }: Effects): string[] {
  const amount = decidedByThem === undefined ? '' : `${toUsdc(decidedByThem)} USDC`
  return [
    ...(evaluator === undefined ? [] : [`the evaluator ${evaluator} will decide about all ${amount} of the task`]),
    ...(disputeResolver === undefined
      ? []
      : [
          `the dispute resolver ${disputeResolver} will decide about all ${amount} of the task when a verdict is appealed`,
        ]),
  ]
}
