import type postgres from 'postgres'
import type { ExportChain } from '../../../ops/export/finality.ts'
import { exporterLogin, loginUrl } from '../../../scripts/postgres/database-logins.ts'
import { atServer } from '../../../scripts/postgres/standby-server.ts'
import type { ApiWithStandby } from '../../support/api-with-standby.ts'

/** A day in seconds. */
export const DAY = 86_400n

/** A chain whose blocks a test sets: the hash of a block is made of its number and `fork`. */
export interface FakeExportChain extends ExportChain {
  fork: number
  final: bigint
  timestamps: Map<bigint, bigint>
}

/** A chain without blocks, of which all are final. */
export function aFakeExportChain(): FakeExportChain {
  const chain: FakeExportChain = {
    fork: 0,
    final: 1_000_000n,
    timestamps: new Map(),
    finalNumber: async () => chain.final,
    block: async (number) => {
      const timestamp = chain.timestamps.get(number)
      if (timestamp === undefined) throw new Error(`the chain has no block ${number}`)
      return { hash: hashOf(number, chain.fork), timestamp }
    },
  }
  return chain
}

/** Hash of a block of the chain. */
export function hashOf(number: bigint, fork: number): string {
  return `0x${(number * 16n + BigInt(fork)).toString(16).padStart(64, '0')}`
}

/** The standby of the service, on the login of exports. */
export function exporterUrlOf({ deps, servers }: ApiWithStandby): string {
  return atServer(loginUrl(deps.config.DATABASE_URL, exporterLogin), servers.standbyUrl)
}

/** Moves the rows and the chain to a block. */
export async function indexBlock(
  { sql }: Pick<ApiWithStandby, 'sql'>,
  chain: FakeExportChain,
  { number, timestamp }: { number: bigint; timestamp: bigint },
): Promise<void> {
  chain.timestamps.set(number, timestamp)
  await sql`delete from indexed_head`
  await sql`insert into indexed_head ${sql({
    blockNumber: number,
    blockTimestamp: timestamp,
    checkpoint: '',
    schemaVersion: 'idx_00000000000000aa',
  })}`
}

/** Events of a task, numbered from `first`, one a second. */
export async function insertEvents(
  sql: Pick<postgres.Sql, 'unsafe'>,
  { first, count, timestamp, amount = '0' }: { first: number; count: number; timestamp: bigint; amount?: string },
): Promise<void> {
  await sql.unsafe(`
    INSERT INTO market.task_event
    SELECT 'event:' || n, '0x' || lpad(to_hex(n), 64, '0'), n, 'TaskUpdated', null, 'open',
      json_build_object('reward', n::text), ${amount}::numeric + n, n, ${timestamp} + (n - ${first}), '0x' || lpad(to_hex(n), 64, '0'), 0, 0
    FROM generate_series(${first}, ${first + count - 1}) AS n`)
}
