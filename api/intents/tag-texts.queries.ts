import { keccak256, stringToBytes } from 'viem'
import type { Queryable } from '../db/client.ts'

/** The tags hashed by one statement. */
const BATCH = 1000

/** Stores the hashes of a public task's tags; the database stores their texts with the content. */
export async function hashTags(sql: Queryable, tags: readonly string[]): Promise<void> {
  if (tags.length === 0) return
  const hashes = tags.map((tag) => keccak256(stringToBytes(tag)))
  await sql`
    update service.tag_texts t set hash = given.hash
    from unnest(${tags as string[]}::text[], ${hashes}::text[]) as given(text, hash)
    where t.text = given.text and t.hash is null`
}

/**
 * Hashes every tag without a hash: those stored before the table of tags existed, or by an older process. Returns their
 * number.
 */
export async function hashStoredTags(sql: Queryable): Promise<number> {
  for (let hashed = 0; ; ) {
    const rows = await sql<{ text: string }[]>`
      select text from service.tag_texts where hash is null order by text limit ${BATCH}`
    if (rows.length === 0) return hashed
    await hashTags(
      sql,
      rows.map(({ text }) => text),
    )
    hashed += rows.length
  }
}
