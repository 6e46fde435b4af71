import { keccak256, stringToBytes } from 'viem'
import type { Queryable } from '../db/client.ts'

/** The number of tags for which one statement computes hashes. */
const BATCH = 1000

/** Stores the hashes of a public task's tags. A database trigger stores the texts of the tags. */
export async function hashTags(sql: Queryable, tags: readonly string[]): Promise<void> {
  if (tags.length === 0) return
  const hashes = tags.map((tag) => keccak256(stringToBytes(tag)))
  await sql`
    update service.tag_texts t set hash = given.hash
    from unnest(${tags as string[]}::text[], ${hashes}::text[]) as given(text, hash)
    where t.text = given.text and t.hash is null`
}

/** Computes the hash of every stored tag without a hash. Returns the number of these tags. */
export async function hashStoredTags(sql: Queryable): Promise<number> {
  for (let hashedCount = 0; ; ) {
    const rows = await sql<{ text: string }[]>`
      select text from service.tag_texts where hash is null order by text limit ${BATCH}`
    if (rows.length === 0) return hashedCount
    await hashTags(
      sql,
      rows.map(({ text }) => text),
    )
    hashedCount += rows.length
  }
}
