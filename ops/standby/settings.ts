import { z } from 'zod'
import { defaultLimits, type KeeperOptions } from './keeper.ts'

const seconds = z.coerce.number().positive().max(86_400)

/** What `npm run standby-keeper` reads. */
const variables = z.object({
  /** A database of the standby. `postgres:///market` with PGHOST=/var/run/postgresql is its socket. */
  STANDBY_DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'is no URL of PostgreSQL'),
  /** Absent: the standby's processes are on another machine, where none can be killed. */
  STANDBY_DATA_DIRECTORY: z.string().min(1).optional(),
  /** How long a session of people may be busy, and be idle. */
  ANALYST_SECONDS: seconds.default(60),
  /** How long a session of the service's reader may be busy. */
  READER_SECONDS: seconds.default(10),
})

/** The options of `startKeeper` from environment variables. @throws one error that lists every problem */
export function readKeeperSettings(environment: NodeJS.ProcessEnv): Omit<KeeperOptions, 'log'> {
  const result = variables.safeParse(environment)
  if (!result.success) {
    const problems = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new Error(['The keeper cannot start; wrong or missing in the environment:', ...problems].join('\n'))
  }
  const { STANDBY_DATABASE_URL: url, STANDBY_DATA_DIRECTORY: dataDirectory = null, ...set } = result.data
  const secondsOf: Readonly<Record<string, number>> = {
    market_analyst: set.ANALYST_SECONDS,
    market_reader: set.READER_SECONDS,
  }
  const limits = defaultLimits.map((limit) => {
    const busySeconds = secondsOf[limit.login] ?? limit.busySeconds
    return { login: limit.login, busySeconds, idleSeconds: limit.idleSeconds === null ? null : busySeconds }
  })
  return { url, dataDirectory, limits }
}
