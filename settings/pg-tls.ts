/**
 * Reports whether PGSSLMODE is `prefer`, libpq's default: TLS when the server supports it. `pg` reads `prefer` as `require` and
 * fails without TLS, so its clients and the processes that use it get another setting. A mode in the URL has priority.
 */
export function hasOptionalTls(environment: NodeJS.ProcessEnv = process.env): boolean {
  return environment.PGSSLMODE === 'prefer'
}
