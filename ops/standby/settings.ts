import { z } from 'zod'
import { defaultLimits, type KeeperOptions } from './keeper.ts'

/** What `npm run standby-keeper` reads. */
export const keeperVariables = z.object({
  /** A database of the standby. `postgres:///market` with PGHOST=/var/run/postgresql is its socket. */
  STANDBY_DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'is no URL of PostgreSQL'),
  /** Absent: the standby's processes are on another machine, where none can be killed. */
  STANDBY_DATA_DIRECTORY: z.string().min(1).optional(),
})

/** The options of `startKeeper` from environment variables. @throws one error that lists every problem */
export function readKeeperSettings(environment: NodeJS.ProcessEnv): Omit<KeeperOptions, 'log'> {
  const result = keeperVariables.safeParse(environment)
  if (!result.success) {
    const problems = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new Error(['The keeper cannot start; wrong or missing in the environment:', ...problems].join('\n'))
  }
  const { STANDBY_DATABASE_URL: url, STANDBY_DATA_DIRECTORY: dataDirectory = null } = result.data
  return { url, dataDirectory, limits: defaultLimits }
}
