import postgres from 'postgres'

/** The oldest supported version, the first with `transaction_timeout`, which bounds the locks of a stopped process. */
const OLDEST_MAJOR = 17

/**
 * Refuses a server that is too old. It connects without the settings that such a server lacks, which would refuse every
 * other connection with a parameter's name instead of the reason.
 * @throws Error with the version and the remedy; the driver's error when the server is unreachable
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
 * Returns the fault of a server with this `server_version_num`, or null. Example: `findVersionFault(170002)` returns
 * null.
 */
export function findVersionFault(versionNumber: number): string | null {
  const [major, minor] = [Math.floor(versionNumber / 10_000), versionNumber % 10_000]
  if (major >= OLDEST_MAJOR) return null
  return (
    `DATABASE_URL leads to PostgreSQL ${major}.${minor}, and the service needs ${OLDEST_MAJOR} or newer: upgrade the ` +
    'server, or leave DATABASE_URL out locally (npm start brings its own)'
  )
}
