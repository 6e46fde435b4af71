import { partOf } from '../../protocol/rules/amounts.ts'

/** What of a gross award goes to the platform and what to the worker; base units that sum to the gross. */
export function splitFee(gross: bigint, platformFeeBps: number): { platformFee: bigint; workerPayment: bigint } {
  const platformFee = partOf(gross, platformFeeBps)
  return { platformFee, workerPayment: gross - platformFee }
}
