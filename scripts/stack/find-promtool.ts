import { existsSync } from 'node:fs'

/** Package with the program, on Debian and derivatives. */
export const PROMTOOL_PACKAGE = 'prometheus'

const CANDIDATES = ['/usr/bin/promtool', '/usr/local/bin/promtool', '/opt/homebrew/bin/promtool']

/** Finds the program that checks rules of Prometheus. Returns its path; null: there is none. */
export function findPromtool(): string | null {
  return CANDIDATES.find((path) => existsSync(path)) ?? null
}
