import { spawnSync } from 'node:child_process'
import { lstatSync, readFileSync } from 'node:fs'

export interface SystemUser {
  name: string
  uid: number
  gid: number
}

/**
 * Returns the system user that must run PostgreSQL, which refuses to run as root. Null if this process does not run as
 * root.
 * @throws if the machine has no suitable user
 */
export function unprivilegedUser(): SystemUser | null {
  if (process.getuid?.() !== 0) return null
  const users = readFileSync('/etc/passwd', 'utf8').split('\n').flatMap(parseUser)
  const user = ['postgres', '_postgres', 'nobody'].flatMap((name) => users.filter((each) => each.name === name))[0]
  if (user === undefined) {
    throw new Error('running as root, and the machine has neither a user postgres nor nobody to run PostgreSQL as')
  }
  return user
}

/**
 * Returns true if `user` can read and enter the directory `path`, with all its parent directories. The check runs a
 * command as this user.
 */
export function canReach(user: SystemUser, path: string): boolean {
  const test = spawnSync('test', ['-r', path, '-a', '-x', path], { uid: user.uid, gid: user.gid, cwd: '/' })
  return test.status === 0
}

/**
 * Checks the owner of a directory in the temporary directory. Other users can also create files there, so one of them
 * may have taken the name.
 * @throws if `path` is not a directory, or if it belongs neither to this process's user nor to `other`
 */
export function assertOwnDirectory(path: string, other: SystemUser | null = null): void {
  const status = lstatSync(path)
  const owners = [process.getuid?.(), other?.uid]
  if (!status.isDirectory() || !owners.includes(status.uid)) {
    throw new Error(`${path} belongs to someone else; remove it`)
  }
}

function parseUser(line: string): SystemUser[] {
  const [name, , uid, gid] = line.split(':')
  // macOS writes nobody's ids as -2.
  if (name === undefined || uid === undefined || gid === undefined || Number(uid) === 0) return []
  return [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }]
}
