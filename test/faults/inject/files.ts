import { readdir, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from '../environment/environment.ts'

/** A day, and a little more. */
const A_DAY_SECONDS = 86_400 + 120

/** Lets a day pass for every file, every row of one and every write. The environment must be at rest. */
export async function passDay({ sql, artifactDirectory }: Environment): Promise<void> {
  const day = sql`make_interval(secs => ${A_DAY_SECONDS}::float8)`
  await sql`
    update service.uploads set created_at = created_at - ${day}, expires_at = expires_at - ${day},
      emptied_at = emptied_at - ${day}`
  await sql`update service.stored_files set created_at = created_at - ${day}, emptied_at = emptied_at - ${day}`
  await sql`update service.intents set status_at = status_at - ${day}`
  for (const entry of await readdir(artifactDirectory, { recursive: true, withFileTypes: true })) {
    const old = Date.now() / 1000 - A_DAY_SECONDS
    // A sweep may take it meanwhile.
    if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), old, old).catch(() => {})
  }
}

/** Files of the storage, temporary ones too, that are a day old and belong to no write. */
export async function countUnneeded({ sql }: Environment): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select (select count(*)::int from service.uploads where emptied_at is null and (intent_id is not null
              or created_at < now() - interval '1 day'))
         + (select count(*)::int from service.stored_files where emptied_at is null and intent_id is null
              and created_at < now() - interval '1 day') as count`
  return row?.count ?? 0
}

/** Rows that a sweep has emptied a day ago. */
export async function countForgettable({ sql }: Environment): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select (select count(*)::int from service.uploads where emptied_at < now() - interval '1 day')
         + (select count(*)::int from service.stored_files where emptied_at < now() - interval '1 day') as count`
  return row?.count ?? 0
}

/** Bytes that are on their way into storage, or were when their process was killed. */
export async function temporaryBytes({ artifactDirectory }: Environment): Promise<number> {
  const folder = join(artifactDirectory, 'incoming')
  const names = await readdir(folder).catch(() => [])
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(folder, name)).catch(() => null))?.size ?? 0),
  )
  return sizes.reduce((total, size) => total + size, 0)
}
