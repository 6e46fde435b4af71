import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../ops/process/paths.ts'
import type { Program } from '../../settings/table.ts'

export const unitDirectory: string = join(repositoryRoot, 'ops', 'systemd')
/** Read after each unit there. */
export const HARDENING: string = join('task-market-.service.d', 'hardening.conf')
/** Where systemd puts runtime directories. */
const RUN = '/run'
const STATE = '/var/lib'

/** The parts of a unit that decide what its process finds. */
export interface Unit {
  name: string
  command: string[]
  workingDirectory: string
  environment: Record<string, string>
  /** File below `/etc/task-market/secrets`, by the name that the process finds it under. */
  credentials: Record<string, string>
  credentialsDirectory: string
  runtimeDirectory: string
  stateDirectory: string | null
  /** Bytes. */
  memoryMax: number
}

/** Reads the unit of a program with its drop-in. Example: `readUnit('api').command` is `['node', 'scripts/run-program.mjs', 'api']`. */
export function readUnit(program: Program): Unit {
  const name = `task-market-${program}`
  const lines = [`${name}.service`, HARDENING].flatMap((file) =>
    readFileSync(join(unitDirectory, file), 'utf8').split('\n'),
  )
  const credentialsDirectory = join(RUN, 'credentials', `${name}.service`)
  const specifiers: Record<string, string> = { '%N': name, '%d': credentialsDirectory, '%t': RUN, '%S': STATE }
  const settings = lines.flatMap((line) => {
    const [, key, value] = /^([A-Z]\w*)=(.*)$/.exec(line) ?? []
    if (key === undefined || value === undefined) return []
    return [[key, value.replace(/%\w/g, (specifier) => specifiers[specifier] ?? specifier)] as const]
  })
  const listOf = (key: string) => settings.flatMap(([each, value]) => (each === key ? [value] : []))
  const lastOf = (key: string) => {
    const value = listOf(key).at(-1)
    if (value === undefined) throw new Error(`${name}.service has no ${key}=`)
    return value
  }
  return {
    name,
    command: lastOf('ExecStart').split(' '),
    workingDirectory: lastOf('WorkingDirectory'),
    environment: Object.fromEntries(
      listOf('Environment').flatMap((line) =>
        line.split(' ').map((each) => each.split(/=(.*)/s, 2) as [string, string]),
      ),
    ),
    credentials: Object.fromEntries(
      listOf('LoadCredential').map((line) => {
        const [credential = '', path = ''] = line.split(':')
        return [credential, path.replace('/etc/task-market/secrets/', '')]
      }),
    ),
    credentialsDirectory,
    runtimeDirectory: join(RUN, lastOf('RuntimeDirectory')),
    stateDirectory: listOf('StateDirectory').length > 0 ? join(STATE, lastOf('StateDirectory')) : null,
    memoryMax: toBytes(lastOf('MemoryMax')),
  }
}

function toBytes(size: string): number {
  return Number.parseInt(size, 10) * 1024 ** (['K', 'M', 'G'].indexOf(size.slice(-1)) + 1)
}
