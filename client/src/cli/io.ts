import { isRecord } from '../http/shape.ts'
import type { encryptKey } from '../keystore/keystore.ts'

/** The environment of the tool: arguments aside, everything that it uses of a machine. */
export interface Io {
  env: Record<string, string | undefined>
  /** True when a user sees the output and can answer. */
  isTerminal: boolean
  width: number
  /** Start of the command, milliseconds; by default, the time of its request to the service. */
  startedAt?: number
  /** Lower cost of new keystores, for tests. */
  keystoreTerms?: NonNullable<Parameters<typeof encryptKey>[2]>['terms']
  out(text: string): void
  err(text: string): void
  /** Asks the user; null without a terminal. `isSecret`: the input is not echoed. */
  ask(question: string, isSecret: boolean): Promise<string | null>
}

/** Exit codes. */
export const exits = {
  done: 0,
  /** An answer of the service differs from the chain. */
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

/** Ends the tool with an exit code; its JSON is printed on standard error. */
export class CliError extends Error {
  readonly exit: Exit
  readonly body: unknown

  constructor(message: string, exit: Exit, body: unknown = { error: message }) {
    super(message)
    this.exit = exit
    this.body = isRecord(body) ? body : { error: message }
  }
}

/** Returns the exit code for an error of the service. */
export function exitOfStatus(status: number | null): Exit {
  if (status === null || status >= 500 || status === 408) return exits.unknown
  if (status === 404) return exits.notFound
  if (status === 401 || status === 403) return exits.forbidden
  if (status === 429) return exits.rateLimited
  return status === 400 || status === 413 || status === 415 ? exits.usage : exits.payment
}
