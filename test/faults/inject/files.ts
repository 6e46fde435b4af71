import { readdir, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from '../environment/environment.ts'

/** Slightly more than a day. */
const A_DAY_SECONDS = 86_400 + 120

/** Makes every file, its rows and every write a day older. No write may be unfinished. */
export async function passDay({ sql, artifactDirectory }: Environment): Promise<void> {
  const day = sql`make_interval(secs => ${A_DAY_SECONDS}::float8)`
  await sql`
    update service.uploads set created_at = created_at - ${day}, expires_at = expires_at - ${day},
      emptied_at = emptied_at - ${day}`
  await sql`update service.stored_files set created_at = created_at - ${day}, emptied_at = emptied_at - ${day}`
  await sql`update service.intents set status_at = status_at - ${day}`
  for (const entry of await readdir(artifactDirectory, { recursive: true, withFileTypes: true })) {
    const old = Date.now() / 1000 - A_DAY_SECONDS
    // A sweep may delete it meanwhile.
    if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), old, old).catch(() => {})
  }
}

/** Files in storage, temporary ones included, that are a day old and belong to no write. */
export async function countUnneeded({ sql }: Environment): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select (select count(*)::int from service.uploads where emptied_at is null and (intent_id is not null
              or created_at < now() - interval '1 day'))
         + (select count(*)::int from service.stored_files where emptied_at is null and intent_id is null
              and created_at < now() - interval '1 day') as count`
  return row?.count ?? 0
}

/** Rows of files deleted by a sweep a day ago. */
export async function countPurgeable({ sql }: Environment): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select (select count(*)::int from service.uploads where emptied_at < now() - interval '1 day')
         + (select count(*)::int from service.stored_files where emptied_at < now() - interval '1 day') as count`
  return row?.count ?? 0
}

/** Bytes of incomplete uploads, those of killed processes included. */
export async function temporaryBytes({ artifactDirectory }: Environment): Promise<number> {
  const folder = join(artifactDirectory, 'incoming')
  const names = await readdir(folder).catch(() => [])
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(folder, name)).catch(() => null))?.size ?? 0),
  )
  return sizes.reduce((total, size) => total + size, 0)
}
