/**
 * True where the machine names libpq's default, TLS where the server has it. `pg` reads it as `require`, and fails where the server has none, so
 * its clients and processes that use it are told otherwise; what a URL says goes before it.
 */
export function hasOptionalTls(environment: NodeJS.ProcessEnv = process.env): boolean {
  return environment.PGSSLMODE === 'prefer'
}
