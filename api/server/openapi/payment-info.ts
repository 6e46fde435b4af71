import { formatUnits } from 'viem'
import { ACTION_FEE } from '../../domain/limits.ts'
import type { AnyWrite } from '../../writes/relayed-write.ts'

const USDC_DECIMALS = 6

/** The price of a write in US dollars, as decimal numbers: a fixed amount, or a minimum and a maximum. */
type Price =
  | { mode: 'fixed'; currency: 'USD'; amount: string }
  | { mode: 'dynamic'; currency: 'USD'; min: string; max: string }

/**
 * The field `x-payment-info` of an operation, for catalogues of paid services. The binding price is in the payment
 * challenge.
 */
export interface PaymentInfo {
  price: Price
  /** A sentence about the price of the write. */
  description: string
}

/** Returns the price of a write. Null if all requests of the write are free. */
export function paymentInfo({ modes, price }: AnyWrite): PaymentInfo | null {
  if (!modes.includes('paid')) return null
  const { min, max, is } = price ?? { min: ACTION_FEE, max: ACTION_FEE, is: 'the fee of an action' }
  // Requests that are signed instead of paid are free.
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
