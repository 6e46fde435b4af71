import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { localDirectory } from './paths.ts'
import { findProcessIdentity, isProcessAlive } from './process-identity.ts'

/**
 * The record of a started process, with which a later launcher can end the process. `pid`: the leader of its own
 * process group. `ownerPid` and `ownerIdentity`: the launcher. Each identity is the start time of a process
 * (process-identity.ts).
 */
export interface ProcessRecord {
  name: string
  pid: number
  identity: string
  ownerPid: number
  ownerIdentity: string
  stopSignal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'
  /** Time at which the process started, in Unix milliseconds. */
  startedAt: number
  /**
   * Directory that `endLeftovers` and `endOwnProcesses` remove after they have ended the process; null if there is
   * none.
   */
  temporaryDirectory: string | null
}

/** A record, with the path of its file. */
interface FoundRecord extends ProcessRecord {
  path: string
}

/** Stores the record of a process that this process has just started. */
export function recordProcess(record: Pick<ProcessRecord, 'name' | 'pid' | 'stopSignal' | 'temporaryDirectory'>): void {
  const identity = findProcessIdentity(record.pid)
  const ownerIdentity = findProcessIdentity(process.pid)
  if (identity === null || ownerIdentity === null) return
  mkdirSync(recordsOf(localDirectory), { recursive: true })
  const completeRecord = { ...record, identity, ownerPid: process.pid, ownerIdentity, startedAt: Date.now() }
  writeFileSync(pathOf(record.pid), JSON.stringify(completeRecord))
}

/** Deletes the record of an ended process. */
export function forgetProcess(pid: number): void {
  rmSync(pathOf(pid), { force: true })
}

/** Returns the recorded processes that still run and whose launchers still run, in no particular order. */
export function listOwnedProcesses(): ProcessRecord[] {
  return readRecords(localDirectory).filter((record) => isProcessAlive(record.pid, record.identity) && hasOwner(record))
}

function hasOwner(record: ProcessRecord): boolean {
  return isProcessAlive(record.ownerPid, record.ownerIdentity)
}

/**
 * Ends every recorded process whose launcher no longer runs. Sends the stop signal to the process, and waits for at
 * most five seconds. Then kills the process group, and removes the temporary directory.
 * @param directory the `localDirectory` of the launcher that recorded the processes
 * @returns the names of the processes that were still running
 */
export async function endLeftovers(directory = localDirectory): Promise<string[]> {
  return endAll(readRecords(directory).filter((record) => !hasOwner(record)))
}

/** Ends every running process that this process started. Returns the names of the ended processes. */
export async function endOwnProcesses(): Promise<string[]> {
  return endAll(readRecords(localDirectory).filter((record) => record.ownerPid === process.pid && hasOwner(record)))
}

/** Ends processes one after the other, the youngest first. A process may depend on older processes. */
async function endAll(records: FoundRecord[]): Promise<string[]> {
  const endedNames: string[] = []
  for (const record of records.sort((a, b) => b.startedAt - a.startedAt)) {
    if (await endLeftover(record)) endedNames.push(record.name)
  }
  return endedNames
}

/**
 * Ends one process, and removes its record and its temporary directory.
 * @returns true if the process was still running
 */
async function endLeftover(record: FoundRecord): Promise<boolean> {
  const wasRunning = isProcessAlive(record.pid, record.identity)
  if (wasRunning) await endProcess(record.pid, record.identity, record.stopSignal)
  if (record.temporaryDirectory !== null) rmSync(record.temporaryDirectory, { recursive: true, force: true })
  rmSync(record.path, { force: true })
  return wasRunning
}

/**
 * Sends a signal to a process, and waits until the process has ended, for at most five seconds. Then kills the process
 * if it still runs, and the rest of its process group.
 */
export async function endProcess(pid: number, identity: string, signal: ProcessRecord['stopSignal']): Promise<void> {
  signalProcess(pid, signal)
  const deadline = Date.now() + 5000
  while (isProcessAlive(pid, identity) && Date.now() < deadline) await delay(20)
  signalProcess(-pid, 'SIGKILL')
  while (isProcessAlive(pid, identity)) await delay(20)
}

/** Sends `signal` to a process, or to a process group if `pid` is negative. A missing process is not an error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // macOS returns EPERM for a group of zombies.
    const isGone = error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM')
    if (!isGone) throw error
  }
}

function readRecords(directory: string): FoundRecord[] {
  const records = recordsOf(directory)
  let names: string[]
  try {
    names = readdirSync(records).filter((name) => name.endsWith('.json'))
  } catch {
    return []
  }
  return names.flatMap((name) => readRecord(join(records, name)) ?? [])
}

/**
 * Reads a record that `recordProcess` stored. Returns null if the file is missing, or incomplete because its writer was
 * killed.
 */
function readRecord(path: string): FoundRecord | null {
  try {
    return { ...JSON.parse(readFileSync(path, 'utf8')), path }
  } catch {
    return null
  }
}

function pathOf(pid: number): string {
  return join(recordsOf(localDirectory), `${pid}.json`)
}

function recordsOf(directory: string): string {
  return join(directory, 'processes')
}
