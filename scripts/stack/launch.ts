import { setTimeout as delay } from 'node:timers/promises'
import { type Child, tailOf } from '../../ops/process/child.ts'
import { endLeftovers, endOwnProcesses } from '../../ops/process/process-registry.ts'
import { onStopRequest } from './stop-request.ts'

export interface Launch {
  say(message: string): void
  /**
   * Starts all parts. Resolves with the parts that must keep running. Before a step starts another process, it calls
   * `throwIfStopping`.
   */
  start(context: { throwIfStopping(): void; isStopping(): boolean }): Promise<Running>
  /**
   * Ends everything that `start` has started so far, in order. Never rejects. Processes that are left over are ended
   * afterwards.
   */
  stop(): Promise<void>
}

export interface Running {
  /** Running parts. If one of them ends, all others are ended. */
  children: Child[]
  /** Promises of parts that restart their own process. Each resolves with the reason when its part gives up. */
  failures: Promise<Error>[]
}

/**
 * Runs a command that starts processes, until a signal arrives or a part fails. The exit code is 0 after a signal. It
 * is 1 after a failed part, and the end of this part's log is printed. Processes that the command started never stay,
 * even after a signal during the start.
 */
export async function launchUntilStopped({ say, start, stop }: Launch): Promise<never> {
  let isStopping = false
  const stopRequest = new Promise<Outcome>((resolve) => {
    onStopRequest((reason) => {
      isStopping = true
      resolve({ message: `stopping (${reason})`, code: 0 })
    })
  })
  // An unhandled error must not end this process before it has ended the others. While it stops, a step in progress fails for
  // lack of its parts, and such errors mean nothing.
  const unhandledError = new Promise<Outcome>((resolve) => {
    for (const event of ['uncaughtException', 'unhandledRejection']) {
      process.on(event, (error: unknown) => resolve(toOutcome(error)))
    }
  })
  const throwIfStopping = () => {
    if (isStopping) throw new Error('stopping')
  }
  const startup = start({ throwIfStopping, isStopping: () => isStopping })
  const startFailure = startup.then(firstFailure).catch(toOutcome)
  const { message, code } = await Promise.race([stopRequest, startFailure, unhandledError])
  isStopping = true
  say(message)
  await stop()
  await endOwnProcesses()
  // A step in progress may have started one more process meanwhile.
  await Promise.race([startup.catch(() => {}), delay(5000)])
  await endOwnProcesses()
  await endLeftovers()
  if (code === 0) say('stopped')
  process.exit(code)
}

interface Outcome {
  message: string
  code: number
}

async function firstFailure({ children, failures }: Running): Promise<Outcome> {
  const ends = children.map(async (child) => {
    const { description } = await child.ended
    return { message: `${child.name} ended with ${description}:\n${tailOf(child.readLog())}`, code: 1 }
  })
  return Promise.race([...ends, ...failures.map(async (failure) => toOutcome(await failure))])
}

function toOutcome(error: unknown): Outcome {
  return { message: error instanceof Error ? error.message : String(error), code: 1 }
}
