import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Debian installs it where the PATH of an ordinary user does not lead. */
const CANDIDATES = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/bin/nginx']

/** What brings it, on Debian and its kin. */
export const NGINX_PACKAGE = 'nginx-light'

/** The shared cache of the tests: path of the program; null where there is none. */
export function findNginx(): string | null {
  const found = CANDIDATES.find((path) => existsSync(path))
  return found !== undefined && spawnSync(found, ['-v'], { stdio: 'ignore' }).status === 0 ? found : null
}
