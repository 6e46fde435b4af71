import { readFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'

/** A session of the database, by the ends of its connection. */
export interface LocalSession {
  /** The server's process of this session, as the server named it. */
  processId: number
  /** Our end of the connection. */
  localAddress: string
  localPort: number
}

/**
 * Lets everything else on this machine go first: some functions of PostgreSQL cannot be interrupted, and a session in
 * one outlives its deadline. Only where the database is on this machine and its processes are ours; elsewhere nothing
 * happens. The title of the process must name our end of the connection: process ids of another machine or container
 * mean others.
 */
export async function lowerPriority({ processId, localAddress, localPort }: LocalSession): Promise<void> {
  try {
    const title = await readFile(`/proc/${processId}/cmdline`, 'utf8')
    const isOurs = title.startsWith('postgres: ') && title.includes(` ${localAddress}(${localPort}) `)
    if (isOurs) setPriority(processId, constants.priority.PRIORITY_LOW)
  } catch {
    // Another machine, another system or another user's process.
  }
}
