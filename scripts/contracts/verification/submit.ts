import { setTimeout as delay } from 'node:timers/promises'
import type { VerifiableContract } from './standard-json.ts'

/** A verifier's result for one contract. */
export interface Verdict {
  isVerified: boolean
  /** The service's own words for the result. Example: `match (creation match, runtime match)`. */
  says: string
}

/** A service that verifies source code: it compiles a contract again and compares the result with the chain. */
export interface Verifier {
  name: string
  submit(contract: VerifiableContract): Promise<Verdict>
}

export interface PollOptions {
  /** Interval between two requests for the result, milliseconds. */
  pollInterval: number
  /** Time limit for the result, milliseconds. */
  timeout: number
}

/**
 * Polls until there is a result. After the time limit, returns a result that says that the contract is not verified.
 */
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

/**
 * Sends an HTTP request. @returns the answer's JSON and status @throws Error that names the host if there is no answer
 * in JSON
 */
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
