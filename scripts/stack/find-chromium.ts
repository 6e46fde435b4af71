import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Package with the browser, on Debian and derivatives. */
export const CHROMIUM_PACKAGE = 'chromium'

/** Finds the browser of the tests. Returns the path of the program; null: there is none. */
export function findChromium(): string | null {
  const candidate = CANDIDATES.find((path) => existsSync(path))
  if (candidate === undefined) return null
  return spawnSync(candidate, ['--version'], { stdio: 'ignore' }).status === 0 ? candidate : null
}
