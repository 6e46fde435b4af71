import { existsSync } from 'node:fs'

/** Package with the program, on Debian and derivatives. */
export const PSQL_PACKAGE = 'postgresql-client'

const CANDIDATES = ['/usr/bin/psql', '/usr/local/bin/psql', '/opt/homebrew/bin/psql']

/** Finds PostgreSQL's own client. Returns the path of the program; null: there is none. */
export function findPsql(): string | null {
  return CANDIDATES.find((path) => existsSync(path)) ?? null
}
