import { existsSync } from 'node:fs'

/** The package that brings it, on Debian and its kin. */
export const PSQL_PACKAGE = 'postgresql-client'

const CANDIDATES = ['/usr/bin/psql', '/usr/local/bin/psql', '/opt/homebrew/bin/psql']

/** PostgreSQL's own client: path of the program; null where there is none. */
export function findPsql(): string | null {
  return CANDIDATES.find((path) => existsSync(path)) ?? null
}
