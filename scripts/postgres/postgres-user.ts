import { spawnSync } from 'node:child_process'
import { lstatSync, readFileSync } from 'node:fs'

export interface SystemUser {
  name: string
  uid: number
  gid: number
}

/**
 * PostgreSQL refuses to run as root. Returns the user it must run as instead, null where this process is not root.
 * @throws when the machine knows no user to take
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

/** Returns true if `user` can read and enter `path` through all its parents. It asks the system by acting as the user. */
export function canReach(user: SystemUser, path: string): boolean {
  const test = spawnSync('test', ['-r', path, '-a', '-x', path], { uid: user.uid, gid: user.gid, cwd: '/' })
  return test.status === 0
}

/**
 * The temporary directory is shared: another user may have taken a name we expect there.
 * @throws when `path` is not a real directory of this process's user or of `other`
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
