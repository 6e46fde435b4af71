import { decodePaymentResponseHeader } from '@x402/core/http'
import type { Hex } from 'viem'
import type { EvidenceLog, HttpEntry } from '../environment/evidence-log.ts'
import type { Replica } from '../environment/replica.ts'

/** Request timeout, milliseconds: the service answers within 60 s. */
const TIMEOUT_MS = 65_000

/** `fetch` to one API process that records every request and answer. Throws when there is no answer. */
export function createRecordingFetch(log: EvidenceLog, faultCase: string, replica: Replica): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const url = new URL(String(input))
    const headers = new Headers(init.headers)
    const entry: HttpEntry = {
      faultCase,
      replica: replica.index,
      startedAt: Date.now(),
      endedAt: 0,
      method: init.method ?? 'GET',
      path: url.pathname + url.search,
      key: headers.get('x-service-idempotency-key') ?? url.searchParams.get('idempotencyKey'),
      carriesPayment: headers.has('payment-signature'),
      status: null,
      failure: null,
      body: null,
      settledIn: null,
    }
    log.http.push(entry)
    try {
      const signal = AbortSignal.any([replica.gone(), AbortSignal.timeout(TIMEOUT_MS)])
      const response = await fetch(url, { ...init, signal })
      const text = await response.text()
      entry.status = response.status
      entry.body = parseJson(text)
      entry.settledIn = settledIn(response.headers)
      return new Response(text, { status: response.status, headers: response.headers })
    } catch (error) {
      entry.failure = describe(error)
      throw error
    } finally {
      entry.endedAt = Date.now()
    }
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${describe(error.cause)}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function settledIn(headers: Headers): Hex | null {
  const header = headers.get('payment-response')
  return header === null ? null : (decodePaymentResponseHeader(header).transaction as Hex)
}
