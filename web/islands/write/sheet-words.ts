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
  onDone?: () => void
}

/** The lines of what leaves the wallet. Base units that a free write may cost stay unsaid until they are asked for. */
export function paymentRows({ price, call }: Pick<Preview, 'price' | 'call'>): SheetRow[] {
  if (price === null) return [['You pay', 'nothing']]
  const escrow = call?.escrowAmount ?? null
  if (escrow === null) return [['You pay in all', amount(price)]]
  const fee = price - escrow
  const rows: SheetRow[] = []
  if (escrow > 0n) rows.push(['Into escrow, on chain', amount(escrow)])
  if (fee > 0n) rows.push(['Service fee', amount(fee)])
  return rows.length > 1 ? [...rows, ['In all', amount(price)]] : rows
}

/** The words of the button that makes the write. Example: `Post this task for 40.00 USDC`. */
export function buttonWords({ act }: WriteWords, price: bigint | null): string {
  return price === null ? act : `${act} for ${amount(price)}`
}

function amount(units: bigint): string {
  return `${usdcText(units)} USDC`
}
