import { partOf } from '../../../protocol/rules/amounts.ts'
import type { WriteName } from '../api/write-names.ts'
import { toUsdc } from '../payments/usdc-text.ts'
import { writes } from '../writes/write-table.ts'

/** A write that the user requests: its name and its arguments. */
export interface AskedFor {
  name: WriteName
  input: object
}

/** The amounts, the receiver and the other facts of a write. Amounts are in base units of USDC. */
export interface WriteTerms {
  /**
   * The price that the service asks for the write; null if the service states the price only when the write is sent.
   */
  price: bigint | null
  /**
   * The total amount that counts toward the wallet's limits: the price of the write, plus any other amount that the
   * write commits or pays out. Example of another amount: the reward that an acceptance pays out of escrow.
   */
  counted: bigint
  payTo: string
  /**
   * Notices for the user, one clause each. A notice reports a fact beside the amounts of USDC. Examples: a movement of
   * another asset, or the duration of a task that stays open for more than 90 days.
   */
  assets: { clauses: readonly string[] }
  /** The platform fee of the task in basis points; null or absent if it is not available. */
  platformFeeBps?: number | null
}

/**
 * The effects that the user must see in addition to the price: amounts that the write commits or pays out, and accounts
 * that the write appoints as judges. Amounts are base units of USDC as decimal strings.
 */
export interface Effects {
  /** New reward of the task. */
  reward?: string
  /** The maximum amount that the write pays out of the task's escrow. */
  released?: string
  /** The part of `released` that the service receives as its fee. */
  platformFee?: string
  /** The account that the write appoints as evaluator. */
  evaluator?: string
  /** The account that the write appoints as dispute resolver. */
  disputeResolver?: string
  /** The reward about which the appointed evaluator and dispute resolver may decide. */
  decidedByThem?: string
  /**
   * The amount about which the evaluator decides: an approval awards the amount to the worker, a rejection withholds
   * the amount from the worker.
   */
  judged?: string
  /** The maximum amount that a claim stakes. */
  stakeAtMost?: string
  /** The amount that a withdrawal takes from the wallet. */
  withdrawn?: string
}

/**
 * Returns the effects that the user must see in addition to the price: amounts that the write commits or pays out, and
 * accounts that the write appoints as judges.
 *
 * Example: for the creation of a task without judges and with a reward of 2 USDC, the result is `{reward: '2000000'}`.
 * The price of the creation also contains the reward.
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

/** Returns the accounts that a write appoints to decide about the reward, together with the amount of the reward. */
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

/** Descriptions of movements of assets other than the wallet's USDC. */
const others: Partial<Record<WriteName, string>> = {
  withdrawToken: 'all reward tokens leave the wallet',
  claimSponsoredReward: 'the reward of a sponsor is paid',
}

/**
 * Describes the effects of a write in one sentence, for example in the question that the user must confirm. The
 * sentence contains only values that the client itself computed or checked. It contains no text from the market or from
 * a model.
 */
export function describeWrite(askedWrite: AskedFor, terms: WriteTerms): string {
  const effects = effectsOf(askedWrite, terms)
  const amounts = words.flatMap(([name, text]) => {
    const amount = effects[name]
    return amount === undefined ? [] : [text.replace('%', `${toUsdc(amount)} USDC`)]
  })
  const clauses = [...amounts, ...judgeClauses(effects), ...terms.assets.clauses, ...othersOf(askedWrite)]
  const { taskId } = askedWrite.input as { taskId?: unknown }
  const task = typeof taskId === 'string' ? ` (task ${taskId})` : ''
  const price = terms.price === null ? 'at most' : 'together'
  const head = `${askedWrite.name}${task} decides ${price} ${toUsdc(terms.counted)} USDC, to ${terms.payTo}`
  return `${[head, ...clauses].join('; ')}.`
}

function othersOf({ name, input }: AskedFor): string[] {
  if (name === 'setBoundOnly') return [effectOfSwitch((input as { boundOnly?: unknown }).boundOnly === true)]
  return [others[name] ?? []].flat()
}

/** Describes the consequence of turning the wallet's bound-only switch on or off. */
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
