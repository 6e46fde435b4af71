import { existsSync } from 'node:fs'

/** Name of promtool's package on Debian and its derivatives. */
export const PROMTOOL_PACKAGE = 'prometheus'

const CANDIDATES = ['/usr/bin/promtool', '/usr/local/bin/promtool', '/opt/homebrew/bin/promtool']

/** Finds promtool, the program that checks rules of Prometheus. @returns its path; null if it is not installed */
export function findPromtool(): string | null {
  return CANDIDATES.find((path) => existsSync(path)) ?? null
}
