import { isRecord } from '../http/shape.ts'
import type { encryptKey } from '../keystore/keystore.ts'

/**
 * The parts of the machine that the tool uses, apart from its arguments: the environment variables and the terminal.
 */
export interface Io {
  env: Record<string, string | undefined>
  /** True if a user reads the output and can answer questions. */
  isTerminal: boolean
  width: number
  /**
   * The time in Unix milliseconds at which the command started. If an equal write completed after this time, the
   * command returns the outcome of that write and makes no second write. If the field is absent, or if the user was
   * asked to confirm the write, the start of the write is used instead.
   */
  startedAt?: number
  /** The key derivation cost of new keystores. Tests set a low cost. */
  keystoreTerms?: NonNullable<Parameters<typeof encryptKey>[2]>['terms']
  out(text: string): void
  err(text: string): void
  /**
   * Asks the user a question and returns the answer; null if there is no terminal. If `isSecret` is true, the input is
   * not echoed.
   */
  ask(question: string, isSecret: boolean): Promise<string | null>
}

/** Exit codes of the command-line tool. */
export const exits = {
  done: 0,
  /** Exit code if the service's answer differs from the data on the chain. */
  differs: 1,
  usage: 2,
  notFound: 3,
  forbidden: 4,
  payment: 5,
  inFlight: 6,
  unknown: 7,
  rateLimited: 8,
} as const
export type Exit = (typeof exits)[keyof typeof exits]

/** An error that ends the tool with an exit code. The tool prints `body` as JSON on standard error. */
export class CliError extends Error {
  readonly exit: Exit
  readonly body: unknown

  constructor(message: string, exit: Exit, body: unknown = { error: message }) {
    super(message)
    this.exit = exit
    this.body = isRecord(body) ? body : { error: message }
  }
}

/**
 * Returns the tool's exit code for an HTTP error status of the service. Status null means that the service did not
 * answer.
 */
export function exitOfStatus(status: number | null): Exit {
  if (status === null || status >= 500 || status === 408) return exits.unknown
  if (status === 404) return exits.notFound
  if (status === 401 || status === 403) return exits.forbidden
  if (status === 429) return exits.rateLimited
  return status === 400 || status === 413 || status === 415 ? exits.usage : exits.payment
}
