import { isRecord } from '../http/shape.ts'

/** What the tool has of the machine it runs on. */
export interface Io {
  env: Record<string, string | undefined>
  /** A person sees the output and can answer. */
  isTerminal: boolean
  width: number
  /** When the command began, milliseconds; when it calls the service unless given. */
  startedAt?: number
  out(text: string): void
  err(text: string): void
  /** Asks a person; null when there is none. `isSecret`: what they type is not shown. */
  ask(question: string, isSecret: boolean): Promise<string | null>
}

/** Exit codes. */
export const exits = {
  done: 0,
  /** An answer of the service is not what the chain says. */
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

/** Ends the tool with a code; its JSON is printed on standard error. */
export class CliError extends Error {
  readonly exit: Exit
  readonly body: unknown

  constructor(message: string, exit: Exit, body: unknown = { error: message }) {
    super(message)
    this.exit = exit
    this.body = isRecord(body) ? body : { error: message }
  }
}

/** The code for an answer of the service that is an error. */
export function exitOfStatus(status: number | null): Exit {
  if (status === null || status >= 500 || status === 408) return exits.unknown
  if (status === 404) return exits.notFound
  if (status === 401 || status === 403) return exits.forbidden
  if (status === 429) return exits.rateLimited
  return status === 400 || status === 413 || status === 415 ? exits.usage : exits.payment
}
