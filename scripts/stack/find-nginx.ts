import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Possible paths of nginx. Debian installs it in a folder that is not on the PATH of an ordinary user. */
const CANDIDATES = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/bin/nginx']

/** Name of nginx's package on Debian and its derivatives. */
export const NGINX_PACKAGE = 'nginx-light'

/** Finds nginx, which tests use as a shared cache. @returns the path of the program; null if it is not installed */
export function findNginx(): string | null {
  const nginxPath = CANDIDATES.find((path) => existsSync(path))
  return nginxPath !== undefined && spawnSync(nginxPath, ['-v'], { stdio: 'ignore' }).status === 0 ? nginxPath : null
}
