import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

/** The wall clock of processes that are started with `environment`. */
export interface ClockSkew {
  /** Environment variables of the processes; other options of Node stay. */
  environment: Record<string, string>
  /** Sets the clocks of running processes; resolves when each of them has the new skew. */
  jump(pids: readonly number[], skewMilliseconds: number): Promise<void>
  remove(): void
}

const preload = pathToFileURL(join(import.meta.dirname, 'skewed-clock.ts')).href
const patienceMilliseconds = 5_000

/** @param skewMilliseconds positive when the clocks are ahead, negative when they are behind */
export function createClockSkew(skewMilliseconds: number): ClockSkew {
  const directory = mkdtempSync(join(tmpdir(), 'task-market-clock-'))
  const file = join(directory, 'skew')
  writeFileSync(file, String(skewMilliseconds))
  return {
    environment: {
      SKEWED_CLOCK_FILE: file,
      NODE_OPTIONS:
        `${process.env.NODE_OPTIONS ?? ''} --disable-warning=ExperimentalWarning --import=${preload}`.trim(),
    },
    jump: async (pids, skew) => {
      writeFileSync(file, String(skew))
      for (const pid of pids) process.kill(pid, 'SIGWINCH')
      await Promise.all(pids.map((pid) => untilFollowed(`${file}.${pid}`, skew)))
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

async function untilFollowed(path: string, skew: number): Promise<void> {
  const deadline = performance.now() + patienceMilliseconds
  while (readFileSync(path, 'utf8') !== String(skew)) {
    if (performance.now() > deadline) throw new Error(`${path} does not say ${skew}`)
    await pause(5)
  }
}
