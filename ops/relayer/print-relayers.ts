import { formatEther } from 'viem'
import type { RelayerReading } from './read-relayers.ts'

const columns = [
  'relayer',
  'signer',
  'may relay',
  'ether',
  'mined',
  'pending',
  'next nonce',
  'on the way',
  'not final',
  'silent',
]

/**
 * Formats the relayers as a table for a terminal. `mined`: the number of mined transactions. `pending`: the number of
 * further transactions in the node's pool.
 */
export function toRelayersText(readings: readonly RelayerReading[]): string {
  const rows = readings.map(({ address, signer, mayRelay, balanceWei, latestNonce, pendingNonce, work }) => [
    address,
    signer ?? 'not here',
    mayRelay ? 'yes' : 'no',
    formatEther(balanceWei),
    String(latestNonce),
    String(pendingNonce - latestNonce),
    String(work?.nextNonce ?? '-'),
    String(work?.onTheWay ?? 0),
    String(work?.notFinal ?? 0),
    work?.silentSeconds == null ? '-' : `${Math.round(work.silentSeconds)} s`,
  ])
  const widths = columns.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const lines = [columns, ...rows].map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  return lines.map((line) => line.trimEnd()).join('\n')
}

/** Formats the state of the relayers as JSON. Amounts in wei and other big integers are strings. */
export function toRelayersJson(readings: readonly RelayerReading[]): string {
  return JSON.stringify(readings, (_, value) => (typeof value === 'bigint' ? String(value) : value), 2)
}
