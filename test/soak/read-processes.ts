import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Resident memory of a process, MB. @throws when it has ended */
export function memoryOf(pid: number): number {
  return readStatus(pid, 'VmRSS')
}

/** Open files and sockets of a process. @throws when it has ended */
export function openFilesOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

/** The process of a Postgres server. @throws when none runs on this data directory */
export function postmasterOf(cluster: string): number {
  return Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0])
}

/** Memory that a Postgres server and its sessions do not share, MB: all of it, and that of the largest. @throws when it is down */
export function privateMemoryOf(postmaster: number): { all: number; largest: number } {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ').map(Number)
  const sizes = [postmaster, ...children].map((pid) => privateOrNone(pid) ?? 0)
  return { all: sizes.reduce((sum, size) => sum + size, 0), largest: Math.max(...sizes) }
}

/** Null: it has ended meanwhile. */
function privateOrNone(pid: number): number | null {
  try {
    return readStatus(pid, 'RssAnon')
  } catch {
    return null
  }
}

function readStatus(pid: number, field: 'VmRSS' | 'RssAnon'): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]
  if (kilobytes === undefined) throw new Error(`process ${pid} has no memory`)
  return Number(kilobytes) / 1000
}
