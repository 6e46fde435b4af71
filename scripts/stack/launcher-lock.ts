import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { localDirectory } from '../../ops/process/paths.ts'
import { findProcessIdentity, isProcessAlive } from '../../ops/process/process-identity.ts'

const lockFile = join(localDirectory, 'launcher.json')

/**
 * Makes this process the only launcher of the local stack in this repository. Takes over the lock if the process that
 * held it is gone.
 * @returns a function that releases the lock
 * @throws if another launcher runs
 */
export function takeLauncherLock(): () => void {
  mkdirSync(localDirectory, { recursive: true })
  const mine = JSON.stringify({ pid: process.pid, identity: findProcessIdentity(process.pid) })
  try {
    writeFileSync(lockFile, mine, { flag: 'wx' })
  } catch {
    const holder = readHolder()
    if (holder !== null && isProcessAlive(holder.pid, holder.identity)) {
      throw new Error(
        `the stack is already running here (process ${holder.pid}; see .local/stack.json). Stop it with Ctrl-C there, or: kill ${holder.pid}`,
      )
    }
    writeFileSync(lockFile, mine)
  }
  return () => rmSync(lockFile, { force: true })
}

function readHolder(): { pid: number; identity: string } | null {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8'))
  } catch {
    return null
  }
}
