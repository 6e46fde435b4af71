import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Path of Debian's installation, which the PATH of an ordinary user does not include. */
const CANDIDATES = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/bin/nginx']

/** Package with the program, on Debian and derivatives. */
export const NGINX_PACKAGE = 'nginx-light'

/** Finds the shared cache of the tests. Returns the path of the program; null: there is none. */
export function findNginx(): string | null {
  const nginxPath = CANDIDATES.find((path) => existsSync(path))
  return nginxPath !== undefined && spawnSync(nginxPath, ['-v'], { stdio: 'ignore' }).status === 0 ? nginxPath : null
}
