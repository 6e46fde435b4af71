import postgres from 'postgres'

/** `transaction_timeout`, which bounds what a stopped process may hold, came with this version. */
const OLDEST_MAJOR = 17

/**
 * Refuses a server that is too old, by a connection without the settings that such a server does not have: it would
 * refuse every other one, and name a parameter instead of the reason.
 * @throws Error with the version and what to do; as the driver does when the server cannot be reached
 */
export async function checkPostgres(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {}, fetch_types: false })
  try {
    const [row] = await sql<{ version: string }[]>`select current_setting('server_version_num') as version`
    const fault = findVersionFault(Number(row?.version))
    if (fault !== null) throw new Error(fault)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** What is wrong with a server of this `server_version_num`, such as 160004; null: nothing. */
export function findVersionFault(versionNumber: number): string | null {
  const [major, minor] = [Math.floor(versionNumber / 10_000), versionNumber % 10_000]
  if (major >= OLDEST_MAJOR) return null
  return (
    `DATABASE_URL leads to PostgreSQL ${major}.${minor}, and the service needs ${OLDEST_MAJOR} or newer: upgrade the ` +
    'server, or leave DATABASE_URL out locally (npm start brings its own)'
  )
}
