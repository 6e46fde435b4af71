import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { findPostgresBinaries, majorVersionOf } from '../../../scripts/postgres/postgres-binaries.ts'
import { unprivilegedUser } from '../../../scripts/postgres/postgres-user.ts'
import { runProgram } from '../../support/run-program.ts'

/**
 * Finds the programs of a logical backup (pg_dump, pg_dumpall, pg_restore, psql) of the server's major version: those of Debian's
 * packages, else those of PATH.
 * @returns their directory
 * @throws where there are none, with the versions that there are
 */
export async function findDumpPrograms(): Promise<string> {
  const major = majorVersionOf(findPostgresBinaries(unprivilegedUser()))
  const places = [`/usr/lib/postgresql/${major}/bin`, ...(process.env.PATH ?? '').split(delimiter)]
  const others = new Set<string>()
  for (const directory of places.filter((place) => existsSync(join(place, 'pg_dump')))) {
    const { stdout } = await runProgram(join(directory, 'pg_dump'), ['--version'])
    const version = /\d+/.exec(stdout)?.[0] ?? ''
    if (version === String(major)) return directory
    others.add(version)
  }
  const present = others.size === 0 ? 'there is none' : `there is only that of ${[...others].join(', ')}`
  throw new Error(
    `no pg_dump of PostgreSQL ${major} was found on PATH (${present}); install postgresql-client-${major}`,
  )
}

/**
 * Runs a program as the superuser of a server.
 * @param options.url the server and the database; by the environment, as other users of the machine see arguments
 * @returns its output
 * @throws with what it says
 */
export async function runAt(
  program: string,
  args: readonly string[],
  { url, input = '' }: { url: string; input?: string },
): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const env = {
    ...process.env,
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: pathname.slice(1),
  }
  const { status, stdout, stderr } = await runProgram(program, args, { env, input })
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`)
  return stdout
}
