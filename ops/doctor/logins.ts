import { defineCheck, type Observation } from './check.ts'
import { type DatabaseUse, listDatabases, nameOf, withConnection } from './database-roles.ts'
import { type LoginFacts, readLogin } from './rights.ts'

type Name = 'missing_right' | 'excessive_right' | 'superuser' | 'reader_superuser' | 'reader_limit'

/**
 * The number of connections that the reader's login must be allowed to open. One process of the service and one process
 * of GraphQL together need this number.
 */
const CONNECTIONS_OF_READER = 6

const RUN_SCRIPT =
  'Use the login of the program (docs/operate/database.md). If it is, run ops/database/logins.sql as a superuser: psql -1 -v ON_ERROR_STOP=1 -f ops/database/logins.sql "$SUPERUSER_URL".'

/** The doctor check for the database logins and their rights. */
export const loginsCheck = defineCheck<Name>({
  name: 'logins',
  looksAt:
    'the login of each database: the rights that its program needs and those that it must not have, its connection limit',
  faults: {
    missing_right: {
      result: 'wrong',
      meaning: '... is on a login that may not do what its program does',
      remedy: RUN_SCRIPT,
    },
    excessive_right: { result: 'wrong', meaning: '... is on a login that may do too much', remedy: RUN_SCRIPT },
    superuser: {
      result: 'warning',
      meaning: '... is on a superuser, which the program does not need',
      remedy: 'Use the login of the program: docs/operate/database.md.',
    },
    reader_superuser: {
      result: 'wrong',
      meaning: '... is on a superuser, on which no SQL of strangers runs',
      remedy: 'Use the login market_reader: docs/operate/database.md.',
    },
    reader_limit: {
      result: 'warning',
      meaning: '... is on a login with fewer connections than one service and GraphQL take',
      remedy: 'ALTER ROLE market_reader CONNECTION LIMIT 9, more with several processes.',
    },
    no_answer: {
      result: 'wrong',
      meaning: 'the databases gave no answer',
      remedy: 'Look at the load of the server and at the network to it.',
    },
  },
  find: async (context) => {
    const uses = listDatabases(context)
    if (uses.length === 0) return [{ unchecked: 'no database is set here' }]
    const observations = await Promise.all(uses.map(checkLogin))
    return observations.flat()
  },
})

async function checkLogin(use: DatabaseUse): Promise<Observation<Name>[]> {
  return await withConnection(use.url, async (sql) => {
    const isIn = await sql`select 1`.then(
      () => true,
      () => false,
    )
    // The check `database` reports it.
    if (!isIn) return [{ unchecked: `${nameOf(use)}: its database does not let it in` }]
    return judgeLogin(use, await readLogin(sql, use.role))
  })
}

/** Reports the missing and the excessive rights of the login in one database URL. */
export function judgeLogin(use: Pick<DatabaseUse, 'setting' | 'role'>, facts: LoginFacts): Observation<Name>[] {
  const of = nameOf(use)
  const { login, isSuperuser, connectionLimit, missing, excessive } = facts
  const ofLogin = (what: string) => `${login} may ${what}`
  const isFewForReader = use.role === 'reader' && connectionLimit >= 0 && connectionLimit < CONNECTIONS_OF_READER
  if (isSuperuser) {
    const isReader = use.role === 'reader' || use.role === 'exporter'
    // The keeper connects through the socket of its machine, as the superuser of the standby.
    if (use.role === 'keeper') return [{ ok: `${of}: ${login}, a superuser` }]
    return [{ fault: isReader ? 'reader_superuser' : 'superuser', of, detail: login }]
  }
  const observations: Observation<Name>[] = [
    ...missing.map((what): Observation<Name> => ({ fault: 'missing_right', of, detail: `${login} may not ${what}` })),
    ...excessive.map((what): Observation<Name> => ({ fault: 'excessive_right', of, detail: ofLogin(what) })),
    ...(isFewForReader ? [{ fault: 'reader_limit' as const, of, detail: `${login} has ${connectionLimit}` }] : []),
  ]
  return observations.length > 0 ? observations : [{ ok: `${of}: ${login} has its rights` }]
}
