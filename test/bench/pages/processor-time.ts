import { listOwnProcesses } from '../../../scripts/stack/process-cpu.ts'
import type { contenders } from './sources.ts'

type Name = (typeof contenders)[number]

/** The server of the pages: the service and its database. */
const SERVER = /api\/main\.ts|postgres/

/**
 * Processor time of the server for an answer, milliseconds, block by block. What else the machine does meanwhile is not in it.
 * All sources take turns; each block is so many requests, some at once.
 */
export async function measureProcessorTime(
  sources: Readonly<Record<Name, () => Promise<number>>>,
  load: { blocks: number; requests: number; inFlight: number },
): Promise<Record<Name, number[]>> {
  const names = Object.keys(sources) as Name[]
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (const name of names) await timeOfAnswer(sources[name], load)
  for (let block = 0; block < load.blocks; block += 1) {
    const first = block % names.length
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      samples[name].push(await timeOfAnswer(sources[name], load))
    }
  }
  return samples
}

async function timeOfAnswer(
  answer: () => Promise<number>,
  { requests, inFlight }: { requests: number; inFlight: number },
): Promise<number> {
  const before = serverSeconds()
  let left = requests
  const client = async () => {
    while (left > 0) {
      left -= 1
      await answer()
    }
  }
  await Promise.all(Array.from({ length: inFlight }, client))
  return ((serverSeconds() - before) * 1000) / requests
}

function serverSeconds(): number {
  return listOwnProcesses()
    .filter(({ command }) => SERVER.test(command))
    .reduce((sum, { seconds }) => sum + seconds, 0)
}
