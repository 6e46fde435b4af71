import { BPS } from './limits.ts'

/** A part of an amount: floor(amount * bps / 10000), as the contracts compute every fee. Base units. */
export function partOf(amount: bigint, bps: number): bigint {
  return (amount * BigInt(bps)) / BPS
}

/** What of a gross award goes to the platform and what to the worker; base units that sum to the gross. */
export function splitFee(gross: bigint, platformFeeBps: number): { platformFee: bigint; workerPayment: bigint } {
  const platformFee = partOf(gross, platformFeeBps)
  return { platformFee, workerPayment: gross - platformFee }
}
