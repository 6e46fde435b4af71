import { createHash } from 'node:crypto'
import type { Hex } from 'viem'

/** Values that depend on a seed alone. */
export interface Random {
  /** A whole number from `from` to `to`, both possible. */
  integer(from: number, to: number): number
  /** Base units from `from` to `to`, both possible. */
  amount(from: bigint, to: bigint): bigint
  pick<Value>(values: readonly [Value, ...Value[]]): Value
  chance(probability: number): boolean
  bytes32(): Hex
  uuid(): string
  /** Independent of the values of this one. */
  fork(name: string): Random
}

/** SHA-256 of seed and count: the same on every machine. */
export function createRandom(seed: string): Random {
  let count = 0
  const next = (): Buffer => createHash('sha256').update(`${seed}/${count++}`).digest()
  const fraction = () => next().readUIntBE(0, 6) / 2 ** 48
  const integer = (from: number, to: number) => from + Math.floor(fraction() * (to - from + 1))
  return {
    integer,
    amount: (from, to) => from + (next().readBigUInt64BE() % (to - from + 1n)),
    pick: (values) => values[integer(0, values.length - 1)] ?? values[0],
    chance: (probability) => fraction() < probability,
    bytes32: () => `0x${next().toString('hex')}`,
    uuid: () => toUuid(next()),
    fork: (name) => createRandom(`${seed}/${name}`),
  }
}

/** Version 4, as clients make them. */
function toUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
