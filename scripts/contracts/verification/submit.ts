import { setTimeout as delay } from 'node:timers/promises'
import type { VerifiableContract } from './standard-json.ts'

/** A verifier's result for one contract. */
export interface Verdict {
  isVerified: boolean
  /** Example: `match (creation match, runtime match)`. */
  says: string
}

/** A service that compiles contracts again. */
export interface Verifier {
  name: string
  submit(contract: VerifiableContract): Promise<Verdict>
}

export interface PollOptions {
  /** Between two questions for a result, milliseconds. */
  pollInterval: number
  /** Until the service must have a result, milliseconds. */
  timeout: number
}

/** Polls until there is an answer. @throws Error if there is none in time */
export async function poll(
  ask: () => Promise<Verdict | null>,
  { pollInterval, timeout }: PollOptions,
): Promise<Verdict> {
  const deadline = Date.now() + timeout
  for (;;) {
    const verdict = await ask()
    if (verdict !== null) return verdict
    if (Date.now() > deadline) {
      return { isVerified: false, says: `no result after ${timeout / 1000} s; run the same command again later` }
    }
    await delay(pollInterval)
  }
}

/** Sends a request. @returns the answer as JSON, with its status @throws Error that names the host if it does not answer */
export async function exchangeJson(url: string, init: RequestInit = {}): Promise<{ status: number; body: unknown }> {
  const { host } = new URL(url)
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(60_000) })
    return { status: response.status, body: await response.json() }
  } catch (cause) {
    throw new Error(
      `${host} gave no answer in JSON: ${reasonOf(cause)}. The inputs are written; run the command again.`,
      {
        cause,
      },
    )
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
