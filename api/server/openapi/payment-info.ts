import { formatUnits } from 'viem'
import { ACTION_FEE } from '../../domain/limits.ts'
import type { AnyWrite } from '../../writes/relayed-write.ts'

const USDC_DECIMALS = 6

/** The price of a write in US dollars, as decimal numbers: fixed, or between two bounds. */
type Price =
  | { mode: 'fixed'; currency: 'USD'; amount: string }
  | { mode: 'dynamic'; currency: 'USD'; min: string; max: string }

/** The `x-payment-info` of an operation, which catalogues of paid services read. Only the challenge is binding. */
export interface PaymentInfo {
  price: Price
  /** The description of the price. */
  description: string
}

/** Returns the price of a write; null when no request of it is paid. */
export function paymentInfo({ modes, price }: AnyWrite): PaymentInfo | null {
  if (!modes.includes('paid')) return null
  const { min, max, is } = price ?? { min: ACTION_FEE, max: ACTION_FEE, is: 'the fee of an action' }
  // A write that some requests sign instead is free for these.
  const isSometimesFree = modes.some((mode) => mode !== 'paid')
  const lowestPrice = isSometimesFree ? 0n : min
  return {
    price:
      lowestPrice === max
        ? { mode: 'fixed', currency: 'USD', amount: toDollars(max) }
        : { mode: 'dynamic', currency: 'USD', min: toDollars(lowestPrice), max: toDollars(max) },
    description: `In USDC: ${is}${isSometimesFree ? '; or nothing' : ''}.`,
  }
}

function toDollars(baseUnits: bigint): string {
  return formatUnits(baseUnits, USDC_DECIMALS)
}
