import { existsSync } from 'node:fs'

/** Name of psql's package on Debian and its derivatives. */
export const PSQL_PACKAGE = 'postgresql-client'

const CANDIDATES = ['/usr/bin/psql', '/usr/local/bin/psql', '/opt/homebrew/bin/psql']

/** Finds psql, the command-line client of PostgreSQL. @returns its path; null if it is not installed */
export function findPsql(): string | null {
  return CANDIDATES.find((path) => existsSync(path)) ?? null
}
