import { existsSync } from 'node:fs'

/** The package that brings it, on Debian and its kin. */
export const PROMTOOL_PACKAGE = 'prometheus'

const CANDIDATES = ['/usr/bin/promtool', '/usr/local/bin/promtool', '/opt/homebrew/bin/promtool']

/** The program that checks rules of Prometheus: its path; null where there is none. */
export function findPromtool(): string | null {
  return CANDIDATES.find((path) => existsSync(path)) ?? null
}
