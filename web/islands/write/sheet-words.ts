import type { Preview, WriteName } from '../../../client/src/index.ts'
import { usdcText } from '../../words/amount.ts'

/** A row of the payment sheet: a label and a value. Example: `['Worker receives', '37.00 USDC']`. */
export type SheetRow = readonly [label: string, value: string]

/** The texts that describe a write to a person. */
export interface WriteWords {
  /** Text that names the action, in the infinitive. Example: `Post this task`. */
  act: string
  /** Noun phrase for the action, used in lists. Example: `Posting “Name a cat”`. */
  title: string
  /** Rows of the payment sheet that show effects of the write other than the payment. */
  effects: SheetRow[]
  /** Hint that is shown before the person signs. */
  note?: string
  /** Sentence that reports success. Example: `Your task is posted.` */
  done: string
}

/** A write that a person is asked to confirm. */
export interface AskedWrite {
  name: WriteName
  input: Record<string, unknown>
  words: WriteWords
  /** Returns the path of the page to show after success; null to remain on the current page. */
  page: ((outcome: { taskId: string | null }) => string) | null
  onDone?: (outcome: { taskId: string | null }) => void
}

/** The fields of a dry run from which the price is computed. */
type Priced = Pick<Preview, 'price' | 'counted' | 'call'>

/**
 * Returns the amount that the wallet pays for a write, in base units of USDC. If the service states no price for a
 * claim of a task, the amount is the claim's stake. Returns null if the write is free, or if its price is not certain
 * yet (see `paymentRows`).
 */
export function priceOf(name: WriteName, { price, counted }: Pick<Priced, 'price' | 'counted'>): bigint | null {
  return price ?? (name === 'createClaim' && counted > 0n ? counted : null)
}

/** Returns the rows of the payment sheet that show what the wallet pays. */
export function paymentRows(name: WriteName, { price, counted, call }: Priced): SheetRow[] {
  if (price !== null) return pricedRows(price, call?.escrowAmount ?? null)
  if (counted > 0n && name === 'createClaim') return pricedRows(counted, counted)
  const isEntry = counted > 0n && name === 'createSubmissionFromKeys'
  return [['You pay', isEntry ? `nothing, or ${amount(counted)} once your free entries are used up` : 'nothing']]
}

function pricedRows(price: bigint, escrow: bigint | null): SheetRow[] {
  if (escrow === null) return [['You pay in all', amount(price)]]
  const fee = price - escrow
  const rows: SheetRow[] = []
  if (escrow > 0n) rows.push(['Into escrow, on chain', amount(escrow)])
  if (fee > 0n) rows.push(['Service fee', amount(fee)])
  return rows.length > 1 ? [...rows, ['In all', amount(price)]] : rows
}

/**
 * Returns the label of the button that sends the write, with the amount that the wallet pays. If the wallet pays only a
 * service fee, the label says `fee`, so that no user mistakes the fee for the reward. Examples: `Post for 40.00 USDC`,
 * `Accept and pay (fee 0.001 USDC)`.
 */
export function buttonWords({ act }: WriteWords, name: WriteName, preview: Priced): string {
  const price = priceOf(name, preview)
  if (price === null) return act
  const isFee = name !== 'createClaim' && (preview.call?.escrowAmount ?? 0n) === 0n
  return isFee ? `${act} (fee ${amount(price)})` : `${act} for ${amount(price)}`
}

function amount(units: bigint): string {
  return `${usdcText(units)} USDC`
}
