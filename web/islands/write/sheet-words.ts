import type { Preview, WriteName } from '../../../client/src/index.ts'
import { usdcText } from '../../words/amount.ts'

/** A line of the payment sheet. Example: `['Worker receives', '37.00 USDC']`. */
export type SheetRow = readonly [label: string, value: string]

/** A write in words for a person. */
export interface WriteWords {
  /** Infinitive of the act. Example: `Post this task`. */
  act: string
  /** Noun phrase of the act, for lists. Example: `Posting “Name a cat”`. */
  title: string
  /** Effects besides the payment. */
  effects: SheetRow[]
  /** Hint to read before signing. */
  note?: string
  /** Sentence of success. Example: `Your task is posted.` */
  done: string
}

/** A write that a person decides about. */
export interface AskedWrite {
  name: WriteName
  input: Record<string, unknown>
  words: WriteWords
  /** Returns the page to show after success; null: this page. */
  page: ((outcome: { taskId: string | null }) => string) | null
  onDone?: (outcome: { taskId: string | null }) => void
}

/** The part of a dry run that the price is computed from. */
type Priced = Pick<Preview, 'price' | 'counted' | 'call'>

/**
 * Returns the payment of a write from the wallet, base units. The service names no price in advance for a write that can be free.
 * For a claim it is the stake, which the client computes. Null: it is free, or `paymentRows` shows the possible price.
 */
export function priceOf(name: WriteName, { price, counted }: Pick<Priced, 'price' | 'counted'>): bigint | null {
  return price ?? (name === 'createClaim' && counted > 0n ? counted : null)
}

/** Returns the lines of the payments from the wallet. */
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
 * Returns the words of the button that sends the write. A fee alone is named as a fee, to distinguish it from the price of the
 * act.
 * Example: `Post for 40.00 USDC`, `Accept and pay (fee 0.001 USDC)`.
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
