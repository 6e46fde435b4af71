import postgres from 'postgres'

/** The oldest supported major version of PostgreSQL. It is the first version with `transaction_timeout`. */
const OLDEST_MAJOR = 17

/**
 * Refuses a database server that is too old. The check connects with few settings, because an old server refuses
 * unknown settings.
 * @throws Error with the version and the remedy, or the driver's error if the server cannot be reached
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

/**
 * Returns the reason why a server version is not supported. Returns null for a supported version. Example:
 * `findVersionFault(170002)` returns null.
 */
export function findVersionFault(versionNumber: number): string | null {
  const [major, minor] = [Math.floor(versionNumber / 10_000), versionNumber % 10_000]
  if (major >= OLDEST_MAJOR) return null
  return (
    `DATABASE_URL leads to PostgreSQL ${major}.${minor}, and the service needs ${OLDEST_MAJOR} or newer: upgrade the ` +
    'server, or leave DATABASE_URL out locally (npm start brings its own)'
  )
}
