import type { Queryable, Transaction } from '../db/client.ts'

/** Records objects before their bytes are stored. So after a crash, the retention pass finds these objects. */
export async function insertStoredFiles(sql: Queryable, ids: readonly string[]): Promise<void> {
  await sql`insert into service.stored_files (id) select unnest(${[...ids]}::uuid[])`
}

/** Binds files to the intent of a write, in the transaction that records the write. */
export async function bindStoredFiles(tx: Transaction, ids: readonly string[], intentId: string): Promise<void> {
  const { count } = await tx`
    update stored_files set intent_id = ${intentId}
    where id = any(${[...ids]}::uuid[]) and intent_id is null and swept_at is null`
  if (count !== ids.length) throw new Error('a file of this write is not in storage any more, or is another write’s')
}
