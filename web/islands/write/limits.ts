import { browserLimits, keepConfig, readConfig } from './open-client.ts'

/** Doubles the limits of a wallet in this browser. */
export function raiseLimits(address: string): void {
  const { perCall, perDay, perTask } = readConfig(address).limits ?? browserLimits
  const twice = (units: string) => (BigInt(units) * 2n).toString()
  keepConfig(address, { limits: { perCall: twice(perCall), perDay: twice(perDay), perTask: twice(perTask) } })
}
