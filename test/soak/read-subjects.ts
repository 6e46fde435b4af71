import type { Hex, PrivateKeyAccount } from 'viem'

/** Tasks and wallets of the writes before, which reads are about. */
export interface ReadSubjects {
  tasks: Hex[]
  wallets: PrivateKeyAccount[]
}

/** The most of each that are remembered, milliseconds apart or hours: reads of new things and of old ones. */
const MOST = 2_000

/** Remembers one in the place of a random earlier one once there are enough. @param place of the one that goes, in [0, 1) */
export function remember<Value>(list: Value[], value: Value, place: number): void {
  if (list.length < MOST) list.push(value)
  else list[Math.floor(place * MOST)] = value
}
