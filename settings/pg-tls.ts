/**
 * Reports whether PGSSLMODE is `prefer`. To libpq, `prefer` means that TLS is used only if the server supports it. The
 * library `pg` instead treats `prefer` as `require`, and fails at a server without TLS. If this function returns true,
 * its callers turn TLS off for connections through `pg`. An `sslmode` in the connection URL has priority.
 */
export function hasOptionalTls(environment: NodeJS.ProcessEnv = process.env): boolean {
  return environment.PGSSLMODE === 'prefer'
}
