import { randomInt } from 'node:crypto'
import { closeSync, constants, openSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { isatty, ReadStream, WriteStream } from 'node:tty'
import type { AskPerson } from './person.ts'

/** The time in milliseconds that the user has to answer a question. */
const ANSWER_MS = 300_000

/**
 * Returns a function that asks the user at this process's terminal; null if there is no terminal. The model cannot use
 * the terminal. The user confirms a question by typing a random number that the question shows. Text that was typed
 * before the question therefore confirms nothing.
 * @param path the path of the terminal; `none` for no terminal
 */
export function openTerminal(path = '/dev/tty'): AskPerson {
  if (path === 'none' || !isTerminal(path)) return null
  let queue: Promise<unknown> = Promise.resolve()
  return (question, signal) => {
    const turn = queue.then(() => askAt(path, question, signal))
    queue = turn.catch(() => {})
    return turn
  }
}

async function askAt(path: string, question: string, signal: AbortSignal): Promise<boolean> {
  const number = String(randomInt(1_000, 10_000))
  const [input, output] = [
    new ReadStream(open(path, constants.O_RDONLY)),
    new WriteStream(open(path, constants.O_WRONLY)),
  ]
  const prompt = createInterface({ input, output, terminal: false })
  try {
    const end = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)])
    const answer = await prompt.question(`\n${question}\nType ${number} to do it, anything else not to: `, {
      signal: end,
    })
    return answer.trim() === number
  } catch {
    return false
  } finally {
    prompt.close()
    input.destroy()
    output.destroy()
  }
}

/**
 * Opens a terminal that does not become the controlling terminal. A controlling terminal would send its signals to this
 * process.
 */
function open(path: string, flags: number): number {
  return openSync(path, flags | constants.O_NOCTTY)
}

function isTerminal(path: string): boolean {
  try {
    const descriptor = open(path, constants.O_RDWR)
    const isTerminal = isatty(descriptor)
    closeSync(descriptor)
    return isTerminal
  } catch {
    return false
  }
}
