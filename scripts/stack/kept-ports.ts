import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { preferPort } from '../../ops/process/ports.ts'

/**
 * The parts of a local stack that need a port, each with the port of a first start. The standby starts to listen
 * seconds after it has chosen its port. Therefore its port is outside the range that the system uses for outgoing
 * connections.
 */
const preferredPorts = {
  api: 3000,
  indexer: 42069,
  graphql: 42070,
  indexerMetrics: 42071,
  standbyMetrics: 42072,
  anvil: 8545,
  postgres: 54329,
  standby: 25432,
}
export type StackPart = keyof typeof preferredPorts

/** The ports of a clone's stack. They stay the same from start to start, if they are free. */
export interface KeptPorts {
  /**
   * Returns the port of a part: the port of the last start, or at a first start the preferred port. If this port is in
   * use, returns another free port. The port is stored for the next start. Example: `await ports.take('api')` is 3000
   * in the first clone of a machine.
   */
  take(part: StackPart): Promise<number>
}

/** Opens the stored ports of a clone. @param directory folder of the file `ports.json` */
export function openKeptPorts(directory: string): KeptPorts {
  const file = join(directory, 'ports.json')
  return {
    take: async (part) => {
      const port = await preferPort(readPorts(file)[part] ?? preferredPorts[part])
      // Another part may have taken its port meanwhile, so the file is read again.
      mkdirSync(directory, { recursive: true })
      writeFileSync(file, `${JSON.stringify({ ...readPorts(file), [part]: port }, null, 2)}\n`)
      return port
    },
  }
}

/** Reads the ports of the last start. An unreadable file counts as empty: every part then takes its preferred port. */
function readPorts(file: string): Partial<Record<StackPart, number>> {
  try {
    const keptPorts: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof keptPorts !== 'object' || keptPorts === null) return {}
    const isPort = (port: unknown) => Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536
    return Object.fromEntries(Object.entries(keptPorts).filter(([, port]) => isPort(port)))
  } catch {
    return {}
  }
}
