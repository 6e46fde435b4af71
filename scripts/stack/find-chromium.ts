import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Name of chromium's package on Debian and its derivatives. */
export const CHROMIUM_PACKAGE = 'chromium'

/** Finds the browser with which tests run. @returns the path of the program; null if it is not installed */
export function findChromium(): string | null {
  const candidate = CANDIDATES.find((path) => existsSync(path))
  if (candidate === undefined) return null
  return spawnSync(candidate, ['--version'], { stdio: 'ignore' }).status === 0 ? candidate : null
}
