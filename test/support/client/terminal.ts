import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { onTestFinished } from 'vitest'

/** Of util-linux: gives a command a terminal of its own. */
const SCRIPT = '/usr/bin/script'
export const hasTerminals = existsSync(SCRIPT)

/** A terminal with a person before it. */
export interface AttendedTerminal {
  path: string
  /** What the terminal has shown so far. */
  shown(): string
}

/**
 * Opens a terminal; it ends with the test.
 * @param answers what the person types at each question, given its number; lines as they are
 */
export async function anAttendedTerminal(...answers: ((number: string) => string)[]): Promise<AttendedTerminal> {
  const child = spawn(SCRIPT, ['-qfec', 'tty; exec sleep 600', '/dev/null'])
  onTestFinished(() => void child.kill())
  let shown = ''
  let answered = 0
  const path = new Promise<string>((resolve) => {
    child.stdout.on('data', (bytes: Buffer) => {
      shown += bytes.toString()
      const found = /^(\/dev\/\S+)\r?\n/.exec(shown)?.[1]
      if (found !== undefined) resolve(found)
      const asked = [...shown.matchAll(/Type ([0-9]{4}) to do it/g)]
      for (const [, number = ''] of asked.slice(answered)) {
        child.stdin.write(`${answers[answered]?.(number) ?? ''}\n`)
        answered += 1
      }
    })
  })
  return { path: await path, shown: () => shown }
}
