import { setTimeout as pause } from 'node:timers/promises'
import type { HttpEntry } from '../environment/evidence-log.ts'
import type { Replica } from '../environment/replica.ts'
import type { FaultCaseContext } from '../fault-case.ts'

/** Reads of one process in turn; the answers are evidence. */
export interface ReadLoad {
  /** Resolves when the last read has ended. @throws when one was not answered with 200 */
  stop(): Promise<void>
}

/** Between two reads of a process, milliseconds: writes need the processors too. */
const PAUSE_MS = 20
/** Rows of a list. */
const LIMIT = 20

/** Reads the list of tasks, and details of tasks that the case's writes were answered with, from every process. */
export function startReadLoad(context: FaultCaseContext): ReadLoad {
  const stopping = new AbortController()
  const loops = context.replicas.map(async (replica) => {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const known = writtenTasks(context)
      await readTask(context, replica, turn % 2 === 0 ? known.at(-1) : known[turn % Math.max(1, known.length)])
      await pause(PAUSE_MS)
    }
  })
  // A read that fails early is reported by `stop`.
  for (const loop of loops) loop.catch(() => {})
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}

/** One list, and one detail. */
async function readTask(context: FaultCaseContext, replica: Replica, taskId: string | undefined): Promise<void> {
  const { url, fetch } = await context.reach(replica)
  const paths = [`/api/tasks?limit=${LIMIT}`, ...(taskId === undefined ? [] : [`/api/tasks/${taskId}`])]
  for (const path of paths) {
    const response = await fetch(url + path)
    if (response.status !== 200) throw new Error(`GET ${path} was answered ${response.status} ${await response.text()}`)
  }
}

/** Tasks that answers of 200 to this case's writes are about, in the order of the answers. */
function writtenTasks({ environment }: FaultCaseContext): string[] {
  const { http, faultCases } = environment.log
  const current = faultCases.at(-1)?.name
  return http.filter((entry) => entry.faultCase === current && isWritten(entry)).flatMap((entry) => taskOf(entry) ?? [])
}

function isWritten({ method, status, key }: HttpEntry): boolean {
  return method === 'POST' && status === 200 && key !== null
}

function taskOf({ body, path }: HttpEntry): string | undefined {
  return (body as { taskId?: string }).taskId ?? /^\/api\/tasks\/(0x[0-9a-f]{64})\//.exec(path)?.[1]
}
