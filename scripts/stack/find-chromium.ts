import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The package that brings it, on Debian and its kin. */
export const CHROMIUM_PACKAGE = 'chromium'

/** The browser of the tests: path of the program; null where there is none. */
export function findChromium(): string | null {
  const candidate = CANDIDATES.find((path) => existsSync(path))
  if (candidate === undefined) return null
  return spawnSync(candidate, ['--version'], { stdio: 'ignore' }).status === 0 ? candidate : null
}
