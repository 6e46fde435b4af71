import type { Preview, WriteName } from '../../../client/src/index.ts'
import { usdcText } from '../../words/amount.ts'

/** A line of the payment sheet. Example: `['Worker receives', '37.00 USDC']`. */
export type SheetRow = readonly [label: string, value: string]

/** A write as a person decides it, in words. */
export interface WriteWords {
  /** Infinitive. Example: `Post this task`. */
  act: string
  /** Noun phrase of the same, for lists. Example: `Posting “Name a cat”`. */
  title: string
  /** What follows from it beside the payment. */
  effects: SheetRow[]
  /** What it is good for to know before one signs. */
  note?: string
  /** Sentence of success. Example: `Your task is posted.` */
  done: string
}

/** A write that a person is asked about. */
export interface AskedWrite {
  name: WriteName
  input: Record<string, unknown>
  words: WriteWords
  /** The page to show when it is done; null: this one. */
  page: ((outcome: { taskId: string | null }) => string) | null
  onDone?: (outcome: { taskId: string | null }) => void
}

/** The part of a dry run that its price follows from. */
type Priced = Pick<Preview, 'price' | 'counted' | 'call'>

/**
 * What a write takes from the wallet, base units. The service says no price of a write that can be free before it is sent, but of
 * a claim it is the stake, which the client counts. Null: it is free, or `paymentRows` says what it may cost.
 */
export function priceOf(name: WriteName, { price, counted }: Pick<Priced, 'price' | 'counted'>): bigint | null {
  return price ?? (name === 'createClaim' && counted > 0n ? counted : null)
}

/** The lines of what leaves the wallet. */
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
 * The words of the button that makes the write. A fee alone is named as one, so that it is not read as the price of the act.
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
