import { randomUUID } from 'node:crypto'
import { type Address, type Hex, keccak256, toHex } from 'viem'
import type { Database } from '../../../api/db/client.ts'
import type { readerTables as tables } from '../../../src/views/reader-tables.ts'

/** The time at which tests of reads begin: 2030-01-01T00:00:00Z, Unix seconds. */
export const START = 1_893_456_000n

let made = 0

/** 32 random bytes. */
export function aHash(): Hex {
  made += 1
  return keccak256(toHex(`made for a test: ${made}`))
}

/** How many hashes were made: rows that are made later come later. */
export function madeCount(): number {
  return made
}

/** A row as it is inserted: the driver sends a bigint as a number of 64 bits, and a larger one as text. */
type Row<Table extends { $inferInsert: object }> = {
  [Column in keyof Table['$inferInsert']]:
    | Table['$inferInsert'][Column]
    | (bigint extends Table['$inferInsert'][Column] ? string : never)
}

/** Inserts a row of one of the indexer's tables. One that lacks a column does not compile. */
export async function insertRow<Name extends keyof typeof tables>(
  sql: Database,
  table: Name,
  row: (typeof tables)[Name] extends { $inferInsert: object } ? Row<(typeof tables)[Name]> : never,
): Promise<void> {
  const name = table.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  // The driver's own types know no row of a table that is a parameter.
  const columns: object = row
  await sql`insert into ${sql(name)} ${sql(columns as Record<string, string>)}`
}

/** A completed write, which content rows refer to. */
export async function anIntent(sql: Database, operation: string, status = 'completed'): Promise<string> {
  const id = randomUUID()
  await sql`insert into service.intents ${sql({
    id,
    idempotencyKey: randomUUID(),
    operation,
    fingerprint: Buffer.alloc(32),
    status,
    kind: 'market',
    relayMode: 'paid',
    calldata: '0x',
    chainIntentId: aHash(),
  })}`
  return id
}

/** A write completed in the transaction of this position, as the forwarder logged it. */
export async function aRelayedIntent(
  sql: Database,
  operation: string,
  { actor, position }: { actor: Address; position: ReturnType<typeof aPosition> },
): Promise<string> {
  const id = await anIntent(sql, operation)
  const call = {
    actor,
    selector: '0x00000000' as const,
    amount: 1000n,
    escrowAmount: 0n,
    prepaid: false,
    paymentNonce: aHash(),
  }
  const [intent] = await sql<{ chainIntentId: Hex }[]>`select chain_intent_id from service.intents where id = ${id}`
  await insertRow(sql, 'relayedIntent', { intentId: intent?.chainIntentId ?? '0x', ...call, ...position })
  return id
}

/** Where a row comes from: a transaction of its own in block 1. */
export function aPosition() {
  return { blockNumber: 1n, blockTimestamp: START, transactionHash: aHash(), transactionIndex: 0, logIndex: 0 }
}
