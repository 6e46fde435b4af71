import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { localDirectory } from './paths.ts'
import { findProcessIdentity, isProcessAlive } from './process-identity.ts'

/**
 * The record of a started process, by which the next launcher ends processes of a killed one. `pid` leads its own process group;
 * `owner*` is the process that started it.
 */
export interface ProcessRecord {
  name: string
  pid: number
  identity: string
  ownerPid: number
  ownerIdentity: string
  stopSignal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'
  /** Milliseconds since the epoch. */
  startedAt: number
  /** Directory that is useless without the process. */
  temporaryDirectory: string | null
}

/** A record and its file. */
interface FoundRecord extends ProcessRecord {
  path: string
}

/** Records a process that this one has just started. */
export function recordProcess(record: Pick<ProcessRecord, 'name' | 'pid' | 'stopSignal' | 'temporaryDirectory'>): void {
  const identity = findProcessIdentity(record.pid)
  const ownerIdentity = findProcessIdentity(process.pid)
  if (identity === null || ownerIdentity === null) return
  mkdirSync(recordsOf(localDirectory), { recursive: true })
  const complete = { ...record, identity, ownerPid: process.pid, ownerIdentity, startedAt: Date.now() }
  writeFileSync(pathOf(record.pid), JSON.stringify(complete))
}

/** Deletes the record of an ended process. */
export function forgetProcess(pid: number): void {
  rmSync(pathOf(pid), { force: true })
}

/** Returns the recorded processes that run and whose owner runs, in no order. */
export function listOwnedProcesses(): ProcessRecord[] {
  return readRecords(localDirectory).filter((record) => isProcessAlive(record.pid, record.identity) && hasOwner(record))
}

function hasOwner(record: ProcessRecord): boolean {
  return isProcessAlive(record.ownerPid, record.ownerIdentity)
}

/**
 * Ends every recorded process whose owner is gone. It sends the stop signal, kills the group after five seconds, and removes the
 * temporary directory. Processes of living owners stay.
 * @param directory the `localDirectory` of the process that recorded them
 * @returns the names of the processes that still ran
 */
export async function endLeftovers(directory = localDirectory): Promise<string[]> {
  return endAll(readRecords(directory).filter((record) => !hasOwner(record)))
}

/** Ends every running process that this one started. Returns their names. */
export async function endOwnProcesses(): Promise<string[]> {
  return endAll(readRecords(localDirectory).filter((record) => record.ownerPid === process.pid && hasOwner(record)))
}

/** Ends processes one after the other, the youngest first: a process that depends on another was started after it. */
async function endAll(records: FoundRecord[]): Promise<string[]> {
  const ended: string[] = []
  for (const record of records.sort((a, b) => b.startedAt - a.startedAt)) {
    if (await endLeftover(record)) ended.push(record.name)
  }
  return ended
}

/** Ends one process. @returns true if it still ran */
async function endLeftover(record: FoundRecord): Promise<boolean> {
  const wasRunning = isProcessAlive(record.pid, record.identity)
  if (wasRunning) await endProcess(record.pid, record.identity, record.stopSignal)
  if (record.temporaryDirectory !== null) rmSync(record.temporaryDirectory, { recursive: true, force: true })
  rmSync(record.path, { force: true })
  return wasRunning
}

/** Sends a signal to a process. After five seconds it kills the process, and in any case the rest of its group. */
export async function endProcess(pid: number, identity: string, signal: ProcessRecord['stopSignal']): Promise<void> {
  signalProcess(pid, signal)
  const deadline = Date.now() + 5000
  while (isProcessAlive(pid, identity) && Date.now() < deadline) await delay(20)
  signalProcess(-pid, 'SIGKILL')
  while (isProcessAlive(pid, identity)) await delay(20)
}

/** Sends `signal` to a process, or to the group of `-pid`. A missing process is no error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // macOS returns EPERM for a group of zombies.
    const gone = error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM')
    if (!gone) throw error
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

/** Reads a record of `recordProcess`; null: the file is incomplete after a kill, or gone. */
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
